package tree

import (
	"context"

	"assay/model"
	"assay/model/compare"
	"assay/ui/host"
	"assay/ui/work"
)

// Steps goes from change to change.
type Steps struct {
	host  host.Host
	going *work.Lane
	list  *Tree
	from  func() model.Path // where the user is
	goTo  func(path model.Path)
}

// NewSteps goes through the changes of a tree, from where from says, to where goTo goes.
func NewSteps(h host.Host, group *work.Group, l *Tree, from func() model.Path, goTo func(path model.Path)) *Steps {
	return &Steps{host: h, going: group.Lane(), list: l, from: from, goTo: goTo}
}

// NextChange goes to the next change, from the first one again after the last.
func (g *Steps) NextChange() {
	g.step((*compare.Pair).Next, (*compare.Pair).Next, "From the first change again.")
}

// PreviousChange goes to the change before, from the last one again before the first.
func (g *Steps) PreviousChange() {
	g.step((*compare.Pair).Previous, func(root *compare.Pair) *compare.Pair {
		p := last(root)
		if p.Row() {
			return p
		}
		return p.Previous()
	}, "From the last change again.")
}

// step goes on by rows until one is shown; past the end, from the beginning again.
func (g *Steps) step(by, begin func(p *compare.Pair) *compare.Pair, wrapped string) {
	found, from, shown := g.list.Comparison, g.from(), g.list.States()
	if found == nil {
		return
	}
	g.going.Go(func(ctx context.Context) func() {
		p := found.At(from)
		if p == nil {
			p = found.Root()
		}
		around := false
		for p = by(p); ; p = by(p) {
			if p == nil {
				if around {
					return func() { g.host.Tell("There are no such changes.") }
				}
				around = true
				if p = begin(found.Root()); p == nil {
					return func() { g.host.Tell("There are no changes.") }
				}
			}
			if ctx.Err() != nil {
				return nil
			}
			if (p.Leaf() || p.Status != compare.Changed) && p.Row() && shown.Any(p.Counts) {
				break
			}
		}
		path := p.Path()
		return func() {
			g.goTo(path)
			if around {
				g.host.Tell(wrapped)
			}
		}
	})
}

// last is the last pair at or below one.
func last(p *compare.Pair) *compare.Pair {
	for !p.Leaf() && p.Counts.Differences() > 0 {
		n := p.Len()
		if n == 0 {
			break
		}
		p = p.Child(n - 1)
	}
	return p
}
