package tree

import (
	"slices"

	"assay/model"
	"assay/model/find"
	"assay/ui/outline"
)

// mirror is the opened part of a structure.
type mirror struct {
	*outline.Outline[*children]
	root *model.Node
	view view
}

// view is what a mirror shows of a node's children, and in which order.
type view struct {
	kept  *find.Kept                      // what a filter left of the root; nil without a filter
	order func(n *model.Node) []int32     // the order of a node's children; nil as they come
	link  func(n *model.Node) *model.Node // the node whose children are shown for n, if not n's own
}

type place = outline.Place[*children]

// children are what is shown of a node's children.
type children struct {
	node  *model.Node // nil: the root alone is shown
	shown int
	order []int32    // the child at each position; nil: as they come
	kept  *find.Kept // what the filter left of the children; nil: all
}

func newMirror(root *model.Node, v view) *mirror {
	m := &mirror{root: root, view: v}
	above := new(children)
	if root != nil && (v.kept == nil || len(v.kept.Index) > 0) {
		above.shown = 1
	}
	m.Outline = outline.New(above, m.below)
	return m
}

// Len is the number of children that are shown.
func (c *children) Len() int { return c.shown }

// Index is the position among a node's own children.
func (c *children) Index(pos int) int {
	if c.order != nil {
		return int(c.order[pos])
	}
	return pos
}

// Position is where a child of the node is shown; false if a filter left it out.
func (c *children) Position(index int) (int, bool) {
	switch {
	case c.order == nil:
		return index, index >= 0 && index < c.shown
	case c.kept != nil && len(c.order) > 0 && &c.order[0] == &c.kept.Index[0]: // in the file's order
		return slices.BinarySearch(c.order, int32(index))
	}
	pos := slices.Index(c.order, int32(index))
	return pos, pos >= 0
}

// node gives the node at a place, as it is in the structure.
func (m *mirror) node(p place) *model.Node {
	if p.Top() {
		return m.root
	}
	return p.In.Level.node.Child(p.Index())
}

// keptBelow is what the filter left below a place: all of it if the node itself is what matches.
func (m *mirror) keptBelow(p place) *find.Kept {
	if p.Top() {
		return m.view.kept
	}
	if kept := p.In.Level.kept; kept != nil {
		return kept.Below[int32(p.Index())]
	}
	return nil
}

// below is what is shown when the node at a place is opened.
func (m *mirror) below(p place) *children {
	n := m.node(p)
	if m.view.link != nil {
		if to := m.view.link(n); to != nil {
			n = to
		}
	}
	c := &children{node: n, shown: n.Len(), kept: m.keptBelow(p)}
	if c.shown == 0 {
		return c
	}
	if m.view.order != nil {
		c.order = m.view.order(n)
	}
	if c.kept == nil {
		return c
	}
	c.shown = len(c.kept.Index)
	if c.order == nil {
		c.order = c.kept.Index
		return c
	}
	left := make(map[int32]bool, c.shown)
	for _, i := range c.kept.Index {
		left[i] = true
	}
	c.order = slices.DeleteFunc(slices.Clone(c.order), func(i int32) bool { return !left[i] })
	return c
}

// openAll opens everything below a place, up to limit rows; it reports whether that was all. A node is looked at for
// every row, so limit bounds the work too.
func (m *mirror) openAll(p place, limit int64) bool {
	looked := int64(0)
	way := []place{p}
	for len(way) > 0 {
		p := way[len(way)-1]
		way = way[:len(way)-1]
		b, _ := m.Expand(p)
		if b == nil {
			continue
		}
		for pos := range b.Level.shown {
			if looked++; looked > limit {
				return false
			}
			if below := b.Place(pos); !m.node(below).Leaf() {
				way = append(way, below)
			}
		}
	}
	return true
}

// openMatches opens what a filter left: the ways to all matches, up to limit rows.
func (m *mirror) openMatches(limit int64) {
	if m.Len() == 0 {
		return
	}
	way := []place{m.Root()}
	for len(way) > 0 && m.Len() < limit {
		p := way[0]
		way = way[1:]
		kept := m.keptBelow(p)
		if kept == nil {
			continue
		}
		b, _ := m.Expand(p)
		if b == nil {
			continue
		}
		for _, index := range kept.Index {
			if kept.Below[index] == nil {
				continue
			}
			if pos, ok := b.Level.Position(int(index)); ok {
				way = append(way, b.Place(pos))
			}
		}
	}
}
