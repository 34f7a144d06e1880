package tree

import (
	"context"
	"sort"

	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/outline"
)

// kept is what a search left of the pairs below one: children by their index, and what is left below them.
type kept struct {
	index []int
	below map[int]*kept
}

// filter is which pairs are shown.
type filter struct {
	states compared.States
	kept   *kept // what a search left below the root; nil without one
}

// shows reports whether the pairs of a run are shown, themselves or for what is below them.
func (v filter) shows(r compare.Run) bool {
	switch {
	case v.states.Has(compare.Same) &&
		(r.Status == compare.Same || r.OneVersion || r.Known && r.Counts.Differences() == 0):
		return true
	case r.OneVersion || r.Status == compare.Same:
		return false
	case !r.Known: // not looked into: it may be any
		return v.states&compared.Differing != 0
	}
	return v.states.Any(r.Counts)
}

type place = outline.Place[*children]

// children are the pairs below one that are shown: one segment for however many follow one another, so that a million
// of them cost nothing.
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

// above is the level above the root.
func (l *Tree) above() *children {
	c := new(children)
	if l.Comparison != nil {
		c.add(0, 1)
	}
	return c
}

// Pair makes the pair at a place.
func (l *Tree) Pair(at place) *compare.Pair {
	if at.Top() {
		return l.Comparison.Root()
	}
	return at.In.Level.pair.Child(at.Index())
}

// Below is what is shown below a pair when it is opened.
func (l *Tree) Below(at place) *children {
	p := l.Pair(at)
	c := &children{pair: p}
	if at.Top() {
		c.kept = l.filter.kept
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
		if l.filter.shows(r) {
			c.add(r.First, r.N)
		}
		return true
	})
	return c
}

// Opens reports whether there is anything below a pair.
func (l *Tree) Opens(at place) bool {
	if l.described.at == (place{In: at.In, Pos: at.Pos}) && l.described.pair != nil {
		return !l.described.pair.Leaf()
	}
	return !l.Pair(at).Leaf()
}

// Names returns the name of a pair and what it is called.
func (l *Tree) Names(at place) (name, called string) {
	n := l.Pair(at).Node()
	return n.Name, n.CallName()
}

// openedHere is how many children a pair may have for its comparison to be made on the UI thread.
const openedHere = 4000

// Ready reports whether a pair can be opened without comparing long lists.
func (l *Tree) Ready(at place) bool {
	p := l.Pair(at)
	return p.Ready() || p.Old == nil || p.New == nil || p.Old.Len()+p.New.Len() <= openedHere
}

// Prepare compares what is below a pair in the background.
func (l *Tree) Prepare(at place, then func()) {
	p := l.Pair(at)
	l.host.Busy("Comparing", -1, nil)
	l.opening.Go(func(context.Context) func() {
		p.Len()
		return func() {
			l.host.Busy("", 0, nil)
			then()
		}
	})
}

// unfolded is how many children a pair may show to be opened unasked.
const unfolded = 60

// openChanges opens what differs, level by level, up to a bound. What was added or removed stays closed, and so do
// lists of which much differs.
func (l *Tree) openChanges() {
	o := l.View.Outline
	way := []place{o.Root()}
	for len(way) > 0 && o.Len() < opensMost {
		at := way[0]
		way = way[1:]
		p := l.Pair(at)
		if !at.Top() && (!p.Ready() || l.filter.kept == nil && l.shows(p) > unfolded) {
			continue
		}
		b, _ := o.Expand(at)
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
			if r.Known && r.N == 1 && (r.Status == compare.Changed || r.Counts.Differences() > 1) &&
				r.Counts.Differences() > 0 {
				add(r.First)
			}
			return len(way) < opensMost
		})
	}
}

// shows is how many children of a pair the view shows.
func (l *Tree) shows(p *compare.Pair) int {
	n := 0
	p.Runs(func(r compare.Run) bool {
		if l.filter.shows(r) {
			n += r.N
		}
		return true
	})
	return n
}
