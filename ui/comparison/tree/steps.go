package tree

import (
	"context"
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/ui/comparison/compared"
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
	ended end
}

// end is where the user was when there were no more changes in a direction.
type end struct {
	sign int
	at   model.Path
}

// NewSteps goes through the changes of a tree, from where from says, to where goTo goes.
func NewSteps(h host.Host, group *work.Group, l *Tree, from func() model.Path, goTo func(path model.Path)) *Steps {
	return &Steps{host: h, going: group.Lane(), list: l, from: from, goTo: goTo}
}

// NextChange goes to the next thing that changed. After the last one it says so, and goes to the first one the next
// time.
func (g *Steps) NextChange() { g.step(forward, changes.Stop) }

// PreviousChange goes to the thing before that changed, in the same way.
func (g *Steps) PreviousChange() { g.step(backward, changes.Stop) }

// NextField goes to the next field that changed, in this thing or in another.
func (g *Steps) NextField() { g.step(forward, field) }

// PreviousField goes to the field before that changed.
func (g *Steps) PreviousField() { g.step(backward, field) }

// field is the stop of a row if every field is one.
func field(row *compare.Pair) *compare.Pair {
	if changes.Field(row) {
		return row
	}
	return nil
}

// direction is a way through the rows.
type direction struct {
	by    func(p *compare.Pair) *compare.Pair // the next row
	begin func(root *compare.Pair) *compare.Pair
	sign  int // of the comparison of a path that is ahead with one that is not
}

var (
	forward  = direction{(*compare.Pair).Next, (*compare.Pair).Next, 1}
	backward = direction{(*compare.Pair).Previous, lastRow, -1}
)

// lastRow is the last row of all.
func lastRow(root *compare.Pair) *compare.Pair {
	p := last(root)
	if p.Row() {
		return p
	}
	return p.Previous()
}

// step goes on by rows until there is a stop that is shown; past the end, from the beginning if the end was told.
func (g *Steps) step(way direction, stopOf func(row *compare.Pair) *compare.Pair) {
	found, from, shown := g.list.Comparison, g.from(), g.list.States()
	if found == nil {
		return
	}
	wraps := g.ended.sign == way.sign && g.ended.at.Equal(from)
	g.ended = end{}
	g.going.Go(func(ctx context.Context) func() {
		row := found.At(from)
		if row == nil {
			row = found.Root()
		}
		around := false
		for row = way.by(row); ; row = way.by(row) {
			if row == nil {
				if around {
					return func() { g.host.Tell("No changes of the selected kinds.") }
				}
				around = true
				if row = way.begin(found.Root()); row == nil {
					return func() { g.host.Tell("No changes.") }
				}
			}
			if ctx.Err() != nil {
				return nil
			}
			stop := stopOf(row)
			if stop == nil || !shown.Any(stop.Counts) {
				continue
			}
			path := stop.Path()
			if !around && slices.Compare(path, from)*way.sign <= 0 {
				continue // it was seen, or is seen
			}
			return func() {
				if around && !wraps {
					g.ended = end{way.sign, from}
					g.host.Tell(compared.AtEnd("change", way.sign))
					return
				}
				if g.goTo(path); around {
					g.host.Tell(compared.Wrapped("change", way.sign))
				}
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
