package comparison

import (
	"sort"

	"assay/model/compare"
	"assay/ui/outline"
)

// states is a set of states of pairs.
type states uint8

const (
	allStates   states = 1<<compare.Same | differences
	differences states = 1<<compare.Changed | 1<<compare.Moved | 1<<compare.Added | 1<<compare.Removed
)

func (s states) has(st compare.Status) bool { return s&(1<<st) != 0 }

// any reports whether counts have a row in one of the states.
func (s states) any(c compare.Counts) bool {
	for _, st := range []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed} {
		if s.has(st) && c.Of(st) > 0 {
			return true
		}
	}
	return false
}

// kept is what a search left of the pairs below one: children by their index, and what is left below them.
type kept struct {
	index []int
	below map[int]*kept
}

// view is which pairs are shown.
type view struct {
	states states
	kept   *kept // what a search left below the root; nil without one
}

// shows reports whether the pairs of a run are shown, themselves or for what is below them.
func (v view) shows(r compare.Run) bool {
	switch {
	case v.states.has(compare.Same) && (r.Status == compare.Same || r.OneVersion || r.Known && r.Counts.Differences() == 0):
		return true
	case r.OneVersion || r.Status == compare.Same:
		return false
	case !r.Known: // nobody has looked: it may be any
		return v.states&differences != 0
	}
	return v.states.any(r.Counts)
}

// pairs is the opened part of a comparison.
type pairs struct {
	*outline.Outline[*children]
	root *compare.Pair
	view view
}

type place = outline.Place[*children]

// children are the pairs below one that are shown: one segment for however many follow one another, so that a million of
// them cost nothing.
type children struct {
	pair     *compare.Pair // nil: the root alone is shown
	shown    int
	segments []segment
	kept     *kept
}

// segment is consecutive children that are shown.
type segment struct {
	child, n int
	before   int // children shown before it
}

func newPairs(root *compare.Pair, v view) *pairs {
	o := &pairs{root: root, view: v}
	above := new(children)
	if root != nil {
		above.add(0, 1)
	}
	o.Outline = outline.New(above, func(at place) *children { return o.below(at, o.pair(at)) })
	return o
}

// Len is the number of children that are shown.
func (c *children) Len() int { return c.shown }

// Index is the position among a pair's own children.
func (c *children) Index(pos int) int {
	i := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].before > pos }) - 1
	return c.segments[i].child + pos - c.segments[i].before
}

// Position is where a child is shown; false if it is not.
func (c *children) Position(index int) (int, bool) {
	i := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].child > index }) - 1
	if i < 0 || index >= c.segments[i].child+c.segments[i].n {
		return 0, false
	}
	return c.segments[i].before + index - c.segments[i].child, true
}

func (c *children) add(child, n int) {
	if last := len(c.segments) - 1; last >= 0 && c.segments[last].child+c.segments[last].n == child {
		c.segments[last].n += n
	} else {
		c.segments = append(c.segments, segment{child, n, c.shown})
	}
	c.shown += n
}

// pair makes the pair at a place.
func (o *pairs) pair(at place) *compare.Pair {
	if at.Top() {
		return o.root
	}
	return at.In.Level.pair.Child(at.Index())
}

// below is what is shown below a pair, which p is, when it is opened.
func (o *pairs) below(at place, p *compare.Pair) *children {
	c := &children{pair: p}
	if at.Top() {
		c.kept = o.view.kept
	} else if kept := at.In.Level.kept; kept != nil {
		c.kept = kept.below[at.Index()]
	}
	if c.kept != nil {
		for _, i := range c.kept.index {
			c.add(i, 1)
		}
		return c
	}
	p.Runs(func(r compare.Run) bool {
		if o.view.shows(r) {
			c.add(r.First, r.N)
		}
		return true
	})
	return c
}

// open opens a pair, which p is, and gives what is shown below it, nil if there is nothing, and the number of rows that
// came in.
func (o *pairs) open(at place, p *compare.Pair) (*outline.Branch[*children], int64) {
	return o.Open(at, o.below(at, p))
}

// unfolded is how many children a pair may show to be opened unasked.
const unfolded = 60

// openChanges opens what differs, level by level, up to limit rows. What was added or removed stays closed, and so do
// lists of which much differs.
func (o *pairs) openChanges(limit int64) {
	way := []place{o.Root()}
	for len(way) > 0 && o.Len() < limit {
		at := way[0]
		way = way[1:]
		p := o.pair(at)
		if !at.Top() && (!p.Ready() || o.view.kept == nil && o.shows(p) > unfolded) {
			continue
		}
		b, _ := o.open(at, p)
		if b == nil {
			continue
		}
		add := func(child int) {
			if pos, ok := b.Level.Position(child); ok {
				way = append(way, b.Place(pos))
			}
		}
		if kept := b.Level.kept; kept != nil {
			for i := range kept.below {
				add(i)
			}
			continue
		}
		p.Runs(func(r compare.Run) bool {
			if r.Known && r.N == 1 && (r.Status == compare.Changed || r.Counts.Differences() > 1) && r.Counts.Differences() > 0 {
				add(r.First)
			}
			return int64(len(way)) < limit
		})
	}
}

// shows is how many children of a pair the view shows.
func (o *pairs) shows(p *compare.Pair) int {
	n := 0
	p.Runs(func(r compare.Run) bool {
		if o.view.shows(r) {
			n += r.N
		}
		return true
	})
	return n
}
