package comparison

import (
	"slices"
	"sort"

	"assay/model"
	"assay/model/compare"
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

// view is what an outline shows.
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

// outline is the opened part of a comparison: a branch for every opened pair and nothing for closed ones, and one
// segment for however many pairs follow one another, so that a million of them cost no more than their page. Row 0 is
// the root.
type outline struct {
	root *compare.Pair
	top  *branch // whose only child is the root
	view view
}

// segment is consecutive children that are shown.
type segment struct {
	child, n int
	before   int // children shown before it
}

// branch is an opened pair.
type branch struct {
	pair     *compare.Pair
	parent   *branch
	at       int // position among what the parent shows
	shown    int
	segments []segment
	kept     *kept
	open     []*branch // opened children by position
	rows     int64     // rows below this pair
	before   []int64   // rows below the opened children before each; nil when it is to be counted again
}

func newOutline(root *compare.Pair, v view) *outline {
	o := &outline{root: root, view: v, top: &branch{shown: 1, rows: 1}}
	if root == nil {
		o.top.shown, o.top.rows = 0, 0
	}
	return o
}

// Len is the number of rows.
func (o *outline) Len() int64 { return o.top.rows }

// pair makes the pair at a position of a branch.
func (o *outline) pair(b *branch, pos int) *compare.Pair {
	if b == o.top {
		return o.root
	}
	return b.pair.Child(b.index(pos))
}

// index is the position among a pair's own children.
func (b *branch) index(pos int) int {
	i := sort.Search(len(b.segments), func(i int) bool { return b.segments[i].before > pos }) - 1
	return b.segments[i].child + pos - b.segments[i].before
}

// position is where a child is shown; false if it is not.
func (b *branch) position(index int) (int, bool) {
	i := sort.Search(len(b.segments), func(i int) bool { return b.segments[i].child > index }) - 1
	if i < 0 || index >= b.segments[i].child+b.segments[i].n {
		return 0, false
	}
	return b.segments[i].before + index - b.segments[i].child, true
}

func (b *branch) add(child, n int) {
	if last := len(b.segments) - 1; last >= 0 && b.segments[last].child+b.segments[last].n == child {
		b.segments[last].n += n
	} else {
		b.segments = append(b.segments, segment{child, n, b.shown})
	}
	b.shown += n
}

func (b *branch) count() {
	if b.before != nil {
		return
	}
	b.before = make([]int64, len(b.open)+1)
	for i, o := range b.open {
		b.before[i+1] = b.before[i] + o.rows
	}
}

// opened gives the opened child at a position, or nil, and the number of opened children before it.
func (b *branch) opened(pos int) (*branch, int) {
	i := sort.Search(len(b.open), func(i int) bool { return b.open[i].at >= pos })
	if i < len(b.open) && b.open[i].at == pos {
		return b.open[i], i
	}
	return nil, i
}

// place is a row: a position of a branch.
type place struct {
	in    *branch
	pos   int
	depth int
	open  *branch // the branch of the pair itself, if it is open
}

// at gives the place of a row, which must be there.
func (o *outline) at(row int64) place {
	b, depth := o.top, 0
	for {
		b.count()
		i := sort.Search(len(b.open), func(i int) bool { return int64(b.open[i].at)+b.before[i] > row }) - 1
		if i < 0 {
			return place{in: b, pos: int(row), depth: depth}
		}
		c := b.open[i]
		head := int64(c.at) + b.before[i]
		switch {
		case row == head:
			return place{b, c.at, depth, c}
		case row <= head+c.rows:
			row -= head + 1
			b = c
			depth++
		default:
			return place{in: b, pos: int(row - b.before[i+1]), depth: depth}
		}
	}
}

// row is the row of a position of a branch.
func (o *outline) row(b *branch, pos int) int64 {
	row := int64(0)
	for {
		b.count()
		_, i := b.opened(pos)
		row += int64(pos) + b.before[i]
		if b.parent == nil {
			return row
		}
		row++
		b, pos = b.parent, b.at
	}
}

// expand opens the pair at a place, which p is, and gives the number of rows that came in.
func (o *outline) expand(at place, p *compare.Pair) (*branch, int64) {
	if b, _ := at.in.opened(at.pos); b != nil {
		return b, 0
	}
	b := &branch{pair: p, parent: at.in, at: at.pos}
	if at.in == o.top {
		b.kept = o.view.kept
	} else if at.in.kept != nil {
		b.kept = at.in.kept.below[at.in.index(at.pos)]
	}
	if b.kept != nil {
		for _, i := range b.kept.index {
			b.add(i, 1)
		}
	} else {
		p.Runs(func(r compare.Run) bool {
			if o.view.shows(r) {
				b.add(r.First, r.N)
			}
			return true
		})
	}
	if b.shown == 0 {
		return nil, 0
	}
	b.rows = int64(b.shown)
	_, i := at.in.opened(at.pos)
	at.in.open = slices.Insert(at.in.open, i, b)
	o.grow(at.in, b.rows)
	return b, b.rows
}

// collapse closes the pair at a place and gives the number of rows that went.
func (o *outline) collapse(at place) int64 {
	b, i := at.in.opened(at.pos)
	if b == nil {
		return 0
	}
	at.in.open = slices.Delete(at.in.open, i, i+1)
	o.grow(at.in, -b.rows)
	return b.rows
}

func (o *outline) grow(b *branch, by int64) {
	for ; b != nil; b = b.parent {
		b.rows += by
		b.before = nil
	}
}

// path is the way to a place among the pairs.
func (o *outline) path(p place) model.Path {
	if p.in == o.top {
		return model.Path{}
	}
	t := make(model.Path, p.depth)
	t[p.depth-1] = p.in.index(p.pos)
	for b, i := p.in, p.depth-2; i >= 0; b, i = b.parent, i-1 {
		t[i] = b.parent.index(b.at)
	}
	return t
}

// find gives the place of a pair, opening what it is in; false if it is not shown.
func (o *outline) find(path model.Path) (place, bool) {
	p := place{in: o.top}
	if o.top.shown == 0 {
		return p, false
	}
	p.open, _ = o.top.opened(0)
	for _, index := range path {
		b, _ := o.expand(p, o.pair(p.in, p.pos))
		if b == nil {
			return p, false
		}
		pos, ok := b.position(index)
		if !ok {
			return p, false
		}
		c, _ := b.opened(pos)
		p = place{b, pos, p.depth + 1, c}
	}
	return p, true
}

// unfolded is how many children a pair may show to be opened unasked.
const unfolded = 60

// openChanges opens what differs, level by level, up to limit rows. What was added or removed stays closed, and so do
// lists of which much differs.
func (o *outline) openChanges(limit int64) {
	way := []place{{in: o.top}}
	for len(way) > 0 && o.top.rows < limit {
		at := way[0]
		way = way[1:]
		p := o.pair(at.in, at.pos)
		if at.in != o.top && (!p.Ready() || o.view.kept == nil && o.shows(p) > unfolded) {
			continue
		}
		b, _ := o.expand(at, p)
		if b == nil {
			continue
		}
		if b.kept != nil {
			for i := range b.kept.below {
				if pos, ok := b.position(i); ok {
					way = append(way, place{in: b, pos: pos, depth: at.depth + 1})
				}
			}
			continue
		}
		p.Runs(func(r compare.Run) bool {
			if r.Known && r.N == 1 && (r.Status == compare.Changed || r.Counts.Differences() > 1) && r.Counts.Differences() > 0 {
				if pos, ok := b.position(r.First); ok {
					way = append(way, place{in: b, pos: pos, depth: at.depth + 1})
				}
			}
			return int64(len(way)) < limit
		})
	}
}

// shows is how many children of a pair the view shows.
func (o *outline) shows(p *compare.Pair) int {
	n := 0
	p.Runs(func(r compare.Run) bool {
		if o.view.shows(r) {
			n += r.N
		}
		return true
	})
	return n
}

// openPaths lists the ways to all opened pairs, parents first.
func (o *outline) openPaths() []model.Path {
	type step struct {
		b *branch
		t model.Path
	}
	var paths []model.Path
	way := []step{{o.top, nil}}
	for len(way) > 0 {
		s := way[len(way)-1]
		way = way[:len(way)-1]
		for i := len(s.b.open) - 1; i >= 0; i-- {
			c := s.b.open[i]
			t := model.Path{}
			if s.b != o.top {
				t = append(append(t, s.t...), s.b.index(c.at))
			}
			way = append(way, step{c, t})
		}
		if s.b != o.top {
			paths = append(paths, s.t)
		}
	}
	return paths
}
