package tree

import (
	"cmp"
	"slices"

	"assay/model"
	"assay/model/find"
	"assay/ui/outline"
	"assay/ui/rows"
)

type place = outline.Place[*children]

// children are what is shown of a node's children.
type children struct {
	node  *model.Node // nil: the root alone is shown
	shown int
	order []int32    // the child at each position; nil: as they come
	kept  *find.Kept // what the filter left of the children; nil: all
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

// source is a Tree as its view sees it.
type source Tree

// above is the level above the root.
func (s *source) above() *children {
	c := new(children)
	if s.root != nil && (s.filter == nil || s.filter.Kept != nil && len(s.filter.Kept.Index) > 0) {
		c.shown = 1
	}
	return c
}

// node returns the node at a place, as it is in the structure.
func (s *source) node(p place) *model.Node {
	if p.Top() {
		return s.root
	}
	return p.In.Level.node.Child(p.Index())
}

// keptBelow is what the filter left below a place: all of it if the node itself is what matches.
func (s *source) keptBelow(p place) *find.Kept {
	switch kept := p.In.Level.kept; {
	case p.Top() && s.filter != nil:
		return s.filter.Kept
	case kept != nil:
		return kept.Below[int32(p.Index())]
	}
	return nil
}

// Below returns what is shown when the node at a place is opened.
func (s *source) Below(p place) *children {
	n := s.node(p)
	if s.link != nil {
		n = cmp.Or(s.link(n), n)
	}
	c := &children{node: n, shown: n.Len(), kept: s.keptBelow(p)}
	if c.shown == 0 {
		return c
	}
	if s.sortOrder != rows.Unsorted {
		c.order = (*Tree)(s).orderOf(n)
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

// Opens reports whether there is anything below the node at a place.
func (s *source) Opens(p place) bool {
	n := s.node(p)
	return !n.Leaf() || s.link != nil && n.Link != nil && levelOf(n).root == s.root
}

// Names returns a node's name and what it is called.
func (s *source) Names(p place) (name, called string) {
	n := s.node(p)
	return n.Name, n.CallName()
}
