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

// Steps steps from change to change.
type Steps struct {
	host  host.Host
	lane  *work.Lane
	tree  *Tree
	start func() model.Path // returns the path at which the user is
	goTo  func(path model.Path)
	end   end
}

// end is a path after which there is no change in a direction.
type end struct {
	sign int
	path model.Path
}

// NewSteps returns steps through the changes of a tree, starting at the path that start returns; goTo selects a pair.
func NewSteps(h host.Host, group *work.Group, t *Tree, start func() model.Path, goTo func(path model.Path)) *Steps {
	return &Steps{host: h, lane: group.Lane(), tree: t, start: start, goTo: goTo}
}

// NextChange moves to the next changed item. After the last one it reports the end, and the next call wraps around.
func (s *Steps) NextChange() { s.step(forward, changes.StepTarget) }

// PreviousChange moves to the previous changed item, in the same way.
func (s *Steps) PreviousChange() { s.step(backward, changes.StepTarget) }

// NextField moves to the next changed field, in this item or in another.
func (s *Steps) NextField() { s.step(forward, fieldStop) }

// PreviousField moves to the previous changed field.
func (s *Steps) PreviousField() { s.step(backward, fieldStop) }

// fieldStop returns row if steps through fields stop at it, else nil.
func fieldStop(row *compare.Pair) *compare.Pair {
	if changes.IsFieldStep(row) {
		return row
	}
	return nil
}

// direction is a direction through the rows.
type direction struct {
	next  func(p *compare.Pair) *compare.Pair // the next row
	begin func(root *compare.Pair) *compare.Pair
	sign  int // the result of comparing a later path with an earlier one
}

var (
	forward  = direction{(*compare.Pair).Next, firstRow, 1}
	backward = direction{(*compare.Pair).Previous, lastRow, -1}
)

func firstRow(root *compare.Pair) *compare.Pair {
	if root.IsRow() {
		return root
	}
	return root.Next()
}

func lastRow(root *compare.Pair) *compare.Pair {
	p := last(root)
	if p.IsRow() {
		return p
	}
	return p.Previous()
}

// step moves by rows to the next visible stop. At the end it reports the end, and the next step wraps around.
func (s *Steps) step(dir direction, stopOf func(row *compare.Pair) *compare.Pair) {
	result, start, filter := s.tree.Comparison, s.start(), s.tree.filter
	if result == nil {
		return
	}
	endWasShown := s.end.sign == dir.sign && s.end.path.Equal(start)
	s.end = end{}
	s.lane.Go(func(ctx context.Context) func() {
		row := result.At(start)
		if row == nil {
			row = result.Root()
		}
		passedEnd := false
		for row = dir.next(row); ; row = dir.next(row) {
			if row == nil {
				if passedEnd {
					return func() { s.host.ShowHint("No changes of the selected kinds.") }
				}
				passedEnd = true
				if row = dir.begin(result.Root()); row == nil {
					return func() { s.host.ShowHint("No changes.") }
				}
			}
			if ctx.Err() != nil {
				return nil
			}
			stop := stopOf(row)
			if stop == nil || !filter.statuses.Any(filter.items.Counts(stop)) {
				continue
			}
			path := stop.Path()
			if !passedEnd && slices.Compare(path, start)*dir.sign <= 0 {
				continue // visited before, or later
			}
			return func() {
				if passedEnd && path.Equal(start) {
					s.host.ShowHint("This is the only change.")
					return
				}
				if passedEnd && !endWasShown {
					s.end = end{dir.sign, start}
					s.host.ShowHint(compared.EndHint("change", dir.sign))
					return
				}
				if s.goTo(path); passedEnd {
					s.host.ShowHint(compared.WrapHint("change", dir.sign))
				}
			}
		}
	})
}

// last returns the last pair at or below p.
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
