// Package outline keeps the expanded part of a tree as rows. Only expanded nodes have a Branch, so a list of ten
// million elements costs no more than the page in view. Row 0 is the root. Outline stores positions only: its owner
// maps them to nodes and chooses which children are displayed (Level). View displays an Outline as rows that expand and
// collapse.
package outline

import (
	"slices"
	"sort"

	"assay/model"
)

// Level is the displayed children of an expanded node, in order.
type Level interface {
	// Len returns the number of displayed children.
	Len() int
	// Index returns the index, among all children, of the displayed child at a position.
	Index(pos int) int
	// Position returns the position of a child, and false if it is not displayed.
	Position(index int) (int, bool)
}

// Outline is the expanded part of a tree as rows.
type Outline[L Level] struct {
	top        *Branch[L] // level above the root
	childLevel func(p RowPos[L]) L

	last    RowPos[L] // the result of the latest call of At
	lastRow int64     // row of last, or -1
}

// Branch is an expanded node.
type Branch[L Level] struct {
	Level      L
	parent     *Branch[L]
	position   int // position among the displayed children of the parent
	depth      int
	open       []*Branch[L] // expanded children by position
	rows       int64        // rows below this node
	rowsBefore []int64      // rows below the expanded children before each; nil: to be counted again
}

// RowPos is a row: a position in a branch.
type RowPos[L Level] struct {
	In   *Branch[L]
	Pos  int
	Open *Branch[L] // the branch of the node itself, if it is expanded
}

// New returns an outline with the root collapsed. rootLevel displays only the root, or is empty. childLevel
// returns the level of a node when it is expanded.
func New[L Level](rootLevel L, childLevel func(p RowPos[L]) L) *Outline[L] {
	return &Outline[L]{top: &Branch[L]{Level: rootLevel, rows: int64(rootLevel.Len())}, childLevel: childLevel,
		lastRow: -1}
}

// Len returns the number of rows.
func (o *Outline[L]) Len() int64 { return o.top.rows }

// Root returns the first row.
func (o *Outline[L]) Root() RowPos[L] { return o.top.RowAt(0) }

// RowAt returns the row at a position of a branch.
func (b *Branch[L]) RowAt(pos int) RowPos[L] {
	open, _ := b.expandedChild(pos)
	return RowPos[L]{b, pos, open}
}

// Rows returns the number of rows below an expanded node.
func (b *Branch[L]) Rows() int64 { return b.rows }

// expandedChild returns the expanded child at a position, or nil, and the number of expanded children before it.
func (b *Branch[L]) expandedChild(pos int) (*Branch[L], int) {
	i := sort.Search(len(b.open), func(i int) bool { return b.open[i].position >= pos })
	if i < len(b.open) && b.open[i].position == pos {
		return b.open[i], i
	}
	return nil, i
}

func (b *Branch[L]) countRows() {
	if b.rowsBefore != nil {
		return
	}
	b.rowsBefore = make([]int64, len(b.open)+1)
	for i, o := range b.open {
		b.rowsBefore[i+1] = b.rowsBefore[i] + o.rows
	}
}

// Depth returns the number of ancestors.
func (p RowPos[L]) Depth() int { return p.In.depth }

// Index returns the index among all children of the parent.
func (p RowPos[L]) Index() int { return p.In.Level.Index(p.Pos) }

// IsRoot reports whether p is the root.
func (p RowPos[L]) IsRoot() bool { return p.In.parent == nil }

// Up returns the row of the parent, and false for the root.
func (p RowPos[L]) Up() (RowPos[L], bool) {
	if p.IsRoot() {
		return p, false
	}
	return RowPos[L]{p.In.parent, p.In.position, p.In}, true
}

// Path returns the path of a row: the indexes among all children, from the root.
func (p RowPos[L]) Path() model.Path {
	path := make(model.Path, p.Depth())
	for i := len(path) - 1; i >= 0; i-- {
		path[i] = p.Index()
		p, _ = p.Up()
	}
	return path
}

// At returns row, which must exist. The row after the last returned one is found at once, as rows are visited in order.
func (o *Outline[L]) At(row int64) RowPos[L] {
	switch {
	case o.lastRow < 0 || row != o.lastRow && row != o.lastRow+1:
		o.last = o.search(row)
	case row == o.lastRow+1:
		o.last = o.last.next()
	}
	o.lastRow = row
	return o.last
}

func (o *Outline[L]) search(row int64) RowPos[L] {
	b := o.top
	for {
		b.countRows()
		i := sort.Search(len(b.open), func(i int) bool { return int64(b.open[i].position)+b.rowsBefore[i] > row }) - 1
		if i < 0 {
			return RowPos[L]{In: b, Pos: int(row)}
		}
		child := b.open[i]
		head := int64(child.position) + b.rowsBefore[i]
		switch {
		case row == head:
			return RowPos[L]{b, child.position, child}
		case row <= head+child.rows:
			row -= head + 1
			b = child
		default:
			return RowPos[L]{In: b, Pos: int(row - b.rowsBefore[i+1])}
		}
	}
}

// next returns the next row, which must exist.
func (p RowPos[L]) next() RowPos[L] {
	if p.Open != nil {
		return p.Open.RowAt(0)
	}
	for p.Pos+1 >= p.In.Level.Len() {
		p, _ = p.Up()
	}
	return p.In.RowAt(p.Pos + 1)
}

// RowOf returns the index of a row.
func (o *Outline[L]) RowOf(p RowPos[L]) int64 {
	row := int64(0)
	for {
		p.In.countRows()
		_, i := p.In.expandedChild(p.Pos)
		row += int64(p.Pos) + p.In.rowsBefore[i]
		parent, ok := p.Up()
		if !ok {
			return row
		}
		row++
		p = parent
	}
}

// Expand expands the node of a row. It returns its branch, or nil if the node has no children, and the number of added
// rows.
func (o *Outline[L]) Expand(p RowPos[L]) (*Branch[L], int64) {
	if b, _ := p.In.expandedChild(p.Pos); b != nil {
		return b, 0
	}
	return o.ExpandWith(p, o.childLevel(p))
}

// ExpandWith expands the node of a row with a given level, as Expand does.
func (o *Outline[L]) ExpandWith(p RowPos[L], level L) (*Branch[L], int64) {
	b, i := p.In.expandedChild(p.Pos)
	if b != nil {
		return b, 0
	}
	if level.Len() == 0 {
		return nil, 0
	}
	b = &Branch[L]{Level: level, parent: p.In, position: p.Pos, depth: p.In.depth + 1, rows: int64(level.Len())}
	p.In.open = slices.Insert(p.In.open, i, b)
	o.grow(p.In, b.rows)
	return b, b.rows
}

// Collapse collapses the node of a row and all nodes below it, and returns the number of removed rows.
func (o *Outline[L]) Collapse(p RowPos[L]) int64 {
	b, i := p.In.expandedChild(p.Pos)
	if b == nil {
		return 0
	}
	p.In.open = slices.Delete(p.In.open, i, i+1)
	o.grow(p.In, -b.rows)
	return b.rows
}

func (o *Outline[L]) grow(b *Branch[L], step int64) {
	for ; b != nil; b = b.parent {
		b.rows += step
		b.rowsBefore = nil
	}
	o.lastRow = -1
}

// Find returns the row at a path and expands its ancestors. It returns false if a node of the path is not displayed.
func (o *Outline[L]) Find(path model.Path) (RowPos[L], bool) {
	p := o.Root()
	if o.Len() == 0 {
		return p, false
	}
	for _, index := range path {
		b, _ := o.Expand(p)
		if b == nil {
			return p, false
		}
		pos, ok := b.Level.Position(index)
		if !ok {
			return p, false
		}
		p = b.RowAt(pos)
	}
	return p, true
}

// Expanded lists the paths of all expanded nodes, parents first.
func (o *Outline[L]) Expanded() []model.Path {
	var paths []model.Path
	stack := slices.Clone(o.top.open)
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		paths = append(paths, b.parent.RowAt(b.position).Path())
		for _, child := range slices.Backward(b.open) {
			stack = append(stack, child)
		}
	}
	return paths
}

// Reopen expands the nodes at the paths, as far as they are displayed.
func (o *Outline[L]) Reopen(paths []model.Path) {
	for _, path := range paths {
		if p, ok := o.Find(path); ok {
			o.Expand(p)
		}
	}
}
