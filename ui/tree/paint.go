package tree

import (
	"image"
	"strconv"

	"assay/model"
	"assay/ui/paint"
	"assay/ui/rows"
)

// item is what a row shows; made once for as long as the row is about.
type item struct {
	node         *model.Node
	kind         kind
	leaf         bool
	name, hint   string // the hint is the key of what has a value
	value        string // or the key of what has none
	keyed        bool
	offset, size string
	path         string
}

// itemsKept is how many rows are remembered: some pages.
const itemsKept = 1024

// source is a Tree as the rows see it.
type source Tree

// Len is the number of rows.
func (s *source) Len() int64 { return s.mirror.Len() }

// item describes a place.
func (s *source) item(p place) *item {
	key := place{In: p.In, Pos: p.Pos}
	if it := s.items[key]; it != nil {
		return it
	}
	if len(s.items) >= itemsKept {
		clear(s.items)
	}
	n := s.mirror.node(p)
	it := &item{node: n, kind: kindOf(n), leaf: n.Leaf() && !s.standsFor(n), name: n.Name, value: n.ValueText()}
	if p.Top() {
		it.name = s.title
	}
	if it.kind == listKind {
		it.value = strconv.Itoa(n.Elements())
	}
	if n.Key != "" && n.Key != n.Name {
		if it.value == "" {
			it.value, it.keyed = n.Key, true
		} else {
			it.hint = n.Key
		}
	}
	it.offset = strconv.FormatInt(n.Offset, 16)
	it.size = strconv.FormatInt(n.Size, 10)
	if len(s.trouble) > 0 {
		it.path = n.PathText()
	}
	s.items[key] = it
	return it
}

// standsFor reports whether a node of the tree's own only stands for another one, whose children are shown.
func (s *source) standsFor(n *model.Node) bool {
	return s.mirror.view.link != nil && n.Link != nil && levelOf(n).root == s.root
}

// Lengths in device-independent pixels.
const (
	indentStep  = 12
	iconSide    = 11
	triangle    = 11
	deepest     = 24 // levels that are indented; below that a number says how deep it is
	betweenText = 8
)

// PaintRow paints one row.
func (s *source) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state rows.State) {
	p := s.mirror.At(row)
	it := s.item(p)
	colors := s.palette
	if c.Colors.Dark != s.paletteDark || s.palette == (palette{}) {
		colors = paletteOf(c.Colors)
		s.palette, s.paletteDark = colors, c.Colors.Dark
	}
	cell := state.Cell(bounds, int(Name))
	before := c.Clip
	c.Clip = before.Intersect(image.Rect(cell.Min.X, bounds.Min.Y, cell.Max.X, bounds.Max.Y))
	s.paintName(c, cell, p, it, colors)
	c.Clip = before

	c.Label(state.Cell(bounds, int(Type)), it.node.Type, paint.Regular, c.Colors.Dim, paint.Left)
	switch value := state.Cell(bounds, int(Value)); {
	case it.keyed:
		c.Ends(value, it.value, paint.Regular, c.Colors.Foreground)
	case it.kind == structKind || it.kind == listKind || it.kind == gapKind:
		c.Label(value, it.value, paint.Regular, c.Colors.Dim, paint.Left)
	default:
		c.Label(value, it.value, paint.Regular, colors.color(it.kind), paint.Left)
	}
	c.Label(state.Cell(bounds, int(Offset)), it.offset, paint.Mono, c.Colors.Dim, paint.Trailing)
	c.Label(state.Cell(bounds, int(Size)), it.size, paint.Mono, c.Colors.Dim, paint.Trailing)
}

func (s *source) paintName(c *paint.Canvas, cell image.Rectangle, p place, it *item, colors palette) {
	x := cell.Min.X + c.Px(float32(min(p.Depth(), deepest)*indentStep))
	center := func(side int) image.Rectangle {
		y := cell.Min.Y + (cell.Dy()-side)/2
		return image.Rect(x, y, x+side, y+side)
	}
	if p.Depth() > deepest {
		x += c.Label(image.Rect(x, cell.Min.Y, cell.Max.X, cell.Max.Y), strconv.Itoa(p.Depth()), paint.Regular, c.Colors.Faint, paint.Left) + c.Px(4)
	}
	side := c.Px(triangle)
	if !it.leaf {
		direction := paint.Right
		if p.Open != nil {
			direction = paint.Down
		}
		c.Triangle(center(side), direction, c.Colors.Dim)
	}
	x += side + c.Px(4)
	side = c.Px(iconSide)
	paintIcon(c, center(side), it.kind, colors.color(it.kind))
	x += side + c.Px(6)
	name := it.name
	col := c.Colors.Foreground
	if it.kind == gapKind {
		col = c.Colors.Dim
	}
	face := paint.Regular
	if p.Top() {
		face = paint.Bold
	}
	rest := image.Rect(x, cell.Min.Y, cell.Max.X, cell.Max.Y)
	mark, own := s.mark(it)
	if mark >= 0 {
		rest.Max.X = max(rest.Min.X, rest.Max.X-side-c.Px(4))
	}
	x += c.Label(rest, name, face, col, paint.Left)
	if it.hint != "" {
		rest.Min.X = x + c.Px(betweenText)
		x = rest.Min.X + c.Label(rest, it.hint, paint.Regular, c.Colors.Dim, paint.Left)
	}
	if mark >= 0 {
		x = min(x+c.Px(6), cell.Max.X-side)
		paintMark(c, center(side), model.Severity(mark), own)
	}
}

// mark is the worst problem on a row's node or, where own is false, below it; -1 if there is none.
func (s *source) mark(it *item) (worst int, own bool) {
	worst = -1
	for _, p := range it.node.Problems {
		worst = max(worst, int(p.Severity))
	}
	if worst >= 0 {
		return worst, true
	}
	if severity, ok := s.trouble[it.path]; ok && !it.leaf {
		return int(severity), false
	}
	return -1, false
}

// disclosure reports whether a pixel of a row is on its triangle.
func (s *source) disclosure(p place, it *item, x int, px func(float32) int) bool {
	left := px(6 + float32(min(p.Depth(), deepest)*indentStep))
	return !it.leaf && p.Depth() <= deepest && x >= left-px(4) && x < left+px(triangle+6)
}
