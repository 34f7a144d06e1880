package tree

import (
	"slices"
	"sort"

	"assay/model"
	"assay/model/find"
)

// mirror is the opened part of a structure: a branch for every opened node and nothing for closed ones, so that a list
// of ten million elements costs no more than its page. Row 0 is the root.
type mirror struct {
	root *model.Node
	top  *branch // whose only child is the root
	view view
}

// view is what a mirror shows of a node's children, and in which order.
type view struct {
	kept  *find.Kept                      // what a filter left of the root; nil without a filter
	order func(n *model.Node) []int32     // the order of a node's children; nil as they come
	link  func(n *model.Node) *model.Node // the node whose children are shown for n, if not n's own
}

// branch is an opened node.
type branch struct {
	node   *model.Node
	parent *branch
	at     int        // position among what the parent shows
	shown  int        // children that are shown
	order  []int32    // the child at each position; nil: as they come
	kept   *find.Kept // what the filter left of the children; nil: all
	open   []*branch  // opened children by position
	rows   int64      // rows below this node
	before []int64    // rows below the opened children before each; nil when it is to be counted again
}

func newMirror(root *model.Node, v view) *mirror {
	m := &mirror{root: root, view: v}
	m.top = &branch{shown: 1, rows: 1}
	if root == nil || v.kept != nil && len(v.kept.Index) == 0 {
		m.top.shown, m.top.rows = 0, 0
	}
	return m
}

// Len is the number of rows.
func (m *mirror) Len() int64 { return m.top.rows }

// child gives the node at a position of a branch, as it is in the structure.
func (m *mirror) child(b *branch, pos int) *model.Node {
	if b == m.top {
		return m.root
	}
	return b.node.Child(b.index(pos))
}

// index is the position among a node's own children.
func (b *branch) index(pos int) int {
	if b.order != nil {
		return int(b.order[pos])
	}
	return pos
}

// position is where a child of the node is shown; false if a filter left it out.
func (b *branch) position(index int) (int, bool) {
	switch {
	case b.order == nil:
		return index, index >= 0 && index < b.shown
	case b.kept != nil && len(b.order) > 0 && &b.order[0] == &b.kept.Index[0]: // in the file's order
		return slices.BinarySearch(b.order, int32(index))
	}
	pos := slices.Index(b.order, int32(index))
	return pos, pos >= 0
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
	open  *branch // the branch of the node itself, if it is open
}

// at gives the place of a row, which must be there.
func (m *mirror) at(row int64) place {
	b, depth := m.top, 0
	for {
		b.count()
		i := sort.Search(len(b.open), func(i int) bool { return int64(b.open[i].at)+b.before[i] > row }) - 1
		if i < 0 {
			return place{in: b, pos: int(row), depth: depth}
		}
		o := b.open[i]
		head := int64(o.at) + b.before[i]
		switch {
		case row == head:
			return place{b, o.at, depth, o}
		case row <= head+o.rows:
			row -= head + 1
			b = o
			depth++
		default:
			return place{in: b, pos: int(row - b.before[i+1]), depth: depth}
		}
	}
}

// next gives the place of the row behind p; false at the end.
func (m *mirror) next(p place) (place, bool) {
	if p.open != nil && p.open.shown > 0 {
		o, _ := p.open.opened(0)
		return place{p.open, 0, p.depth + 1, o}, true
	}
	b, pos, depth := p.in, p.pos+1, p.depth
	for pos >= b.shown {
		if b.parent == nil {
			return place{}, false
		}
		b, pos, depth = b.parent, b.at+1, depth-1
	}
	o, _ := b.opened(pos)
	return place{b, pos, depth, o}, true
}

// row is the row of a position of a branch.
func (m *mirror) row(b *branch, pos int) int64 {
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

// keptBelow is what the filter left below a position: all of it if the node itself is what matches.
func (m *mirror) keptBelow(b *branch, pos int) *find.Kept {
	if b == m.top {
		return m.view.kept
	}
	if b.kept == nil {
		return nil
	}
	return b.kept.Below[int32(b.index(pos))]
}

// expand opens the node at a place and gives the number of rows that came in.
func (m *mirror) expand(p place) (*branch, int64) {
	if o, _ := p.in.opened(p.pos); o != nil {
		return o, 0
	}
	n := m.child(p.in, p.pos)
	if m.view.link != nil {
		if to := m.view.link(n); to != nil {
			n = to
		}
	}
	o := &branch{node: n, parent: p.in, at: p.pos, shown: n.Len(), kept: m.keptBelow(p.in, p.pos)}
	if o.shown == 0 {
		return nil, 0
	}
	if m.view.order != nil {
		o.order = m.view.order(n)
	}
	if o.kept != nil {
		o.shown = len(o.kept.Index)
		if o.order == nil {
			o.order = o.kept.Index
		} else {
			left := make(map[int32]bool, o.shown)
			for _, i := range o.kept.Index {
				left[i] = true
			}
			o.order = slices.DeleteFunc(slices.Clone(o.order), func(i int32) bool { return !left[i] })
		}
	}
	o.rows = int64(o.shown)
	_, i := p.in.opened(p.pos)
	p.in.open = slices.Insert(p.in.open, i, o)
	m.grow(p.in, o.rows)
	return o, o.rows
}

// collapse closes the node at a place and gives the number of rows that went.
func (m *mirror) collapse(p place) int64 {
	o, i := p.in.opened(p.pos)
	if o == nil {
		return 0
	}
	p.in.open = slices.Delete(p.in.open, i, i+1)
	m.grow(p.in, -o.rows)
	return o.rows
}

func (m *mirror) grow(b *branch, by int64) {
	for ; b != nil; b = b.parent {
		b.rows += by
		b.before = nil
	}
}

// Trail is a way down the rows of a tree: positions among the nodes' own children, from the root's. For a tree that
// shows a document's structure it is the node's Path.
type trail = model.Path

// trailOf is the way to a place.
func (m *mirror) trailOf(p place) trail {
	if p.in == m.top {
		return trail{}
	}
	t := make(trail, p.depth)
	t[p.depth-1] = p.in.index(p.pos)
	for b, i := p.in, p.depth-2; i >= 0; b, i = b.parent, i-1 {
		t[i] = b.parent.index(b.at)
	}
	return t
}

// find gives the place at the end of a trail, opening what it is in; false if a filter left it out or it is not there.
func (m *mirror) find(t trail) (place, bool) {
	p := place{in: m.top}
	if m.top.shown == 0 {
		return p, false
	}
	p.open, _ = m.top.opened(0)
	for _, index := range t {
		b, _ := m.expand(p)
		if b == nil {
			return p, false
		}
		pos, ok := b.position(index)
		if !ok {
			return p, false
		}
		o, _ := b.opened(pos)
		p = place{b, pos, p.depth + 1, o}
	}
	return p, true
}

// openTrails lists the ways to all opened nodes, parents first.
func (m *mirror) openTrails() []trail {
	type step struct {
		b *branch
		t trail
	}
	var trails []trail
	way := []step{{m.top, nil}}
	for len(way) > 0 {
		s := way[len(way)-1]
		way = way[:len(way)-1]
		for i := len(s.b.open) - 1; i >= 0; i-- {
			o := s.b.open[i]
			t := trail{}
			if s.b != m.top {
				t = append(append(t, s.t...), s.b.index(o.at))
			}
			way = append(way, step{o, t})
		}
		if s.b != m.top {
			trails = append(trails, s.t)
		}
	}
	return trails
}

// reopen opens the nodes at the ends of trails, as far as they are there.
func (m *mirror) reopen(trails []trail) {
	for _, t := range trails {
		if p, ok := m.find(t); ok {
			m.expand(p)
		}
	}
}

// openAll opens everything below a place, up to limit rows; it reports whether that was all. A node is looked at for
// every row, so limit bounds the work too.
func (m *mirror) openAll(p place, limit int64) bool {
	looked := int64(0)
	way := []place{p}
	for len(way) > 0 {
		p := way[len(way)-1]
		way = way[:len(way)-1]
		b, _ := m.expand(p)
		if b == nil {
			continue
		}
		for pos := range b.shown {
			if looked++; looked > limit {
				return false
			}
			if !m.child(b, pos).Leaf() {
				o, _ := b.opened(pos)
				way = append(way, place{b, pos, p.depth + 1, o})
			}
		}
	}
	return true
}

// openMatches opens what a filter left: the ways to all matches, up to limit rows.
func (m *mirror) openMatches(limit int64) {
	way := []place{{in: m.top}}
	for len(way) > 0 && m.top.rows < limit {
		p := way[0]
		way = way[1:]
		kept := m.keptBelow(p.in, p.pos)
		if kept == nil {
			continue
		}
		b, _ := m.expand(p)
		if b == nil {
			continue
		}
		for index := range kept.Below {
			if pos, ok := b.position(int(index)); ok {
				way = append(way, place{in: b, pos: pos, depth: p.depth + 1})
			}
		}
	}
}
