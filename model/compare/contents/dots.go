package contents

import (
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/scene"
)

const dotsCompared = 4 << 20

// dots compares two clouds; nil if all points are the same, or there are too many. A point is the one that the
// comparison of the files found where they have lists of the points, else it is known by its number where both have as
// many, else by its place.
func (p *scenePair) dots(old, new *scene.Points) (a, b []compare.Status) {
	if old.Count > dotsCompared || new.Count > dotsCompared || old.Read == nil || new.Read == nil {
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
		compareByPlace(from, to, a, compare.Removed)
		compareByPlace(to, from, b, compare.Added)
	}
	changed := func(s compare.Status) bool { return s != compare.Same }
	if !slices.ContainsFunc(a, changed) && !slices.ContainsFunc(b, changed) {
		return nil, nil
	}
	return a, b
}

// pairOfLists returns the pair of two lists of the documents; nil if they are not one.
func pairOfLists(c *compare.Comparison, old, new *model.Node) *compare.Pair {
	if old == nil || new == nil || c.Old == nil || old.Top() != c.Old.Root() || new.Top() != c.New.Root() {
		return nil
	}
	p := c.PairOf(new, false)
	if p.Old == nil || p.New == nil || p.Old.Span != old.Span || p.New.Span != new.Span || p.Leaf() {
		return nil
	}
	return p
}

// compareListed takes from the pairs of two lists how each point changed.
func compareListed(list *compare.Pair, from, to []scene.Dot, a, b []compare.Status) {
	was, is := list.Old.Before(), list.New.Before()
	list.Runs(func(r compare.Run) bool {
		if r.Status == compare.Same || r.OneVersion || r.Known && r.Counts.Differences() == 0 {
			return true
		}
		for k := range r.N {
			i, j := r.Old+k-was, r.New+k-is
			old, new := r.Old >= 0 && i >= 0 && i < len(from), r.New >= 0 && j >= 0 && j < len(to)
			status := r.Status
			if old && new && status == compare.Changed && isMoved(from[i], to[j]) {
				status = compare.Moved
			}
			if old {
				a[i] = status
			}
			if new {
				b[j] = status
			}
		}
		return true
	})
}

// compareByNumber compares points with those of the same number.
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

// isMoved reports whether two points are at different places; points without a place are at the same one.
func isMoved(a, b scene.Dot) bool {
	for i, x := range a.Position {
		if y := b.Position[i]; x != y && (x == x || y == y) {
			return true
		}
	}
	return false
}

// compareByPlace compares points with those at the same place. Where there is none, a point has a status.
func compareByPlace(list, other []scene.Dot, out []compare.Status, status compare.Status) {
	at := make(map[[3]float32][4]uint8, len(other))
	for _, d := range other {
		at[d.Position] = d.Color
	}
	for i, d := range list {
		color, known := at[d.Position]
		switch {
		case !known:
			out[i] = status
		case color != d.Color:
			out[i] = compare.Changed
		}
	}
}
