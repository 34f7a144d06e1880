package contents

import (
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/scene"
)

const maxDots = 4 << 20

// compareDots compares two clouds. It returns nil if all points are the same, or there are too many. Points are matched
// as in the comparison of the files if both have lists of the points; else by index if both have the same number; else
// by position.
func (p *scenePair) compareDots(old, new *scene.Points) (a, b []compare.Status) {
	if old.Count > maxDots || new.Count > maxDots || old.Read == nil || new.Read == nil {
		return nil, nil
	}
	from, to := make([]scene.Dot, old.Count), make([]scene.Dot, new.Count)
	if old.Read(0, from) != nil || new.Read(0, to) != nil {
		return nil, nil
	}
	a, b = make([]compare.Status, len(from)), make([]compare.Status, len(to))
	list := pairOfLists(p.c, old.List, new.List)
	switch {
	case list != nil:
		compareListed(list, from, to, a, b)
	case len(from) == len(to):
		compareByNumber(from, to, a, b)
	default:
		compareByPosition(from, to, a, compare.Removed)
		compareByPosition(to, from, b, compare.Added)
	}
	changed := func(s compare.Status) bool { return s != compare.Same }
	if !slices.ContainsFunc(a, changed) && !slices.ContainsFunc(b, changed) {
		return nil, nil
	}
	return a, b
}

// pairOfLists returns the pair of two lists of the documents; nil if they are not one.
func pairOfLists(c *compare.Comparison, old, new *model.Node) *compare.Pair {
	if old == nil || new == nil || c.Old == nil || old.Root() != c.Old.Root() || new.Root() != c.New.Root() {
		return nil
	}
	p := c.PairOf(new, false)
	if p.Old == nil || p.New == nil || p.Old.Span != old.Span || p.New.Span != new.Span || p.Leaf() {
		return nil
	}
	return p
}

// compareListed sets the status of each point by the pairs of two lists.
func compareListed(list *compare.Pair, from, to []scene.Dot, a, b []compare.Status) {
	oldFirst, newFirst := list.Old.FirstElementIndex(), list.New.FirstElementIndex()
	list.Runs(func(r compare.Run) bool {
		if r.Status == compare.Same || r.Uncounted || r.Known && r.Counts.Differences() == 0 {
			return true
		}
		for k := range r.N {
			i, j := r.Old+k-oldFirst, r.New+k-newFirst
			hasOld, hasNew := r.Old >= 0 && i >= 0 && i < len(from), r.New >= 0 && j >= 0 && j < len(to)
			status := r.Status
			if hasOld && hasNew && status == compare.Changed && isMoved(from[i], to[j]) {
				status = compare.Moved
			}
			if hasOld {
				a[i] = status
			}
			if hasNew {
				b[j] = status
			}
		}
		return true
	})
}

// compareByNumber compares points of one index.
func compareByNumber(from, to []scene.Dot, a, b []compare.Status) {
	for i := range from {
		switch {
		case isMoved(from[i], to[i]):
			a[i], b[i] = compare.Moved, compare.Moved
		case from[i].Color != to[i].Color:
			a[i], b[i] = compare.Changed, compare.Changed
		}
	}
}

// isMoved reports whether two points have different positions; points without a position count as equal.
func isMoved(a, b scene.Dot) bool {
	for i, x := range a.Position {
		if y := b.Position[i]; x != y && (x == x || y == y) {
			return true
		}
	}
	return false
}

// compareByPosition compares points at one position. A point without counterpart gets the status.
func compareByPosition(list, other []scene.Dot, out []compare.Status, status compare.Status) {
	colors := make(map[[3]float32][4]uint8, len(other))
	for _, d := range other {
		colors[d.Position] = d.Color
	}
	for i, d := range list {
		color, known := colors[d.Position]
		switch {
		case !known:
			out[i] = status
		case color != d.Color:
			out[i] = compare.Changed
		}
	}
}
