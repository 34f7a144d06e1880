package comparison

import (
	"context"
	"image"
	"strconv"

	"assay/model"
	"assay/model/compare"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/wording"
)

// Columns of the merged tree.
const (
	nameColumn = iota
	typeColumn
	oldColumn
	newColumn
	changeColumn
)

// Lengths in device-independent pixels.
const (
	signWide   = 16
	indentStep = 13
	triangle   = 11
	deepest    = 24
)

// item is what a row shows; made once for as long as the row is about.
type item struct {
	pair     *compare.Pair
	leaf     bool
	row      bool // a row of the report
	name     string
	hint     string // the key
	kind     string
	old, new []piece
	change   string
	dim      bool // a value of what is not a leaf: how large it is
	asked    bool // what changed in a long value is being found out
}

// toldMost is the size of values in which the first difference is looked for unasked.
const toldMost = 64 << 20

// itemsKept is how many rows are remembered: some pages.
const itemsKept = 1024

// item describes a place.
func (l *list) item(at place) *item {
	key := place{In: at.In, Pos: at.Pos}
	if it := l.items[key]; it != nil {
		return it
	}
	if len(l.items) >= itemsKept {
		clear(l.items)
		l.untold = l.untold[:0]
	}
	p := l.pairs.pair(at)
	it := describe(l.c, p)
	if it.change == "" && p.Status == compare.Changed && it.leaf && long(p.Old) && long(p.New) && !l.c.BytesOnly && p.New.Size <= toldMost {
		l.untold = append(l.untold, key)
	}
	l.items[key] = it
	return it
}

func describe(c *compare.Comparison, p *compare.Pair) *item {
	n := p.Node()
	it := &item{pair: p, leaf: p.Leaf(), row: p.Row(), name: n.Name, kind: n.Type}
	if p.Parent() == nil {
		it.name = c.New.Source.Name()
		if old := c.Old.Source.Name(); old != it.name {
			it.name = old + " → " + it.name
		}
		it.old, it.new = plain(c.Old.Format+" "+c.Old.Variant), plain(c.New.Format+" "+c.New.Variant)
		if c.Old.Format == c.New.Format {
			it.old, it.new = differ(c.Old.Format+" "+c.Old.Variant, c.New.Format+" "+c.New.Variant, false)
		}
		it.change = changeOf(c, p)
		return it
	}
	if n.Key != "" && n.Key != n.Name {
		it.hint = n.Key
	}
	old, new := valueOf(p.Old), valueOf(p.New)
	it.dim = !it.leaf && n.Value == nil
	switch {
	case p.Old == nil || p.New == nil:
		if old+new == "" {
			it.dim = true
			size := wording.Count(n.Size, "byte")
			if p.Old != nil {
				old = size
			} else {
				new = size
			}
		}
		it.old, it.new = plain(old), plain(new)
	case p.Status == compare.Changed && it.leaf:
		if p.Old.Leaf() != p.New.Leaf() {
			old, new = orType(p.Old, old), orType(p.New, new)
		}
		it.old, it.new = differ(old, new, true)
	default:
		it.old, it.new = plain(old), plain(new)
		if old != new && p.Status != compare.Same {
			it.old, it.new = differ(old, new, true)
		}
	}
	it.change = changeOf(c, p)
	return it
}

func orType(n *model.Node, value string) string {
	if value == "" {
		return "[" + n.Type + "]"
	}
	return value
}

// tellLong reads what changed in the long values that are in view, off the UI thread.
func (l *list) tellLong() {
	if len(l.untold) == 0 || l.telling {
		return
	}
	keys := l.untold
	l.untold = nil
	var its []*item
	for _, k := range keys {
		if it := l.items[k]; it != nil && !it.asked {
			it.asked = true
			its = append(its, it)
		}
	}
	l.telling = true
	l.group.Go(func(ctx context.Context) func() {
		texts := make([]string, len(its))
		for i, it := range its {
			if ctx.Err() != nil {
				return nil
			}
			texts[i] = changeOfLong(ctx, it.pair)
		}
		return func() {
			l.telling = false
			for i, it := range its {
				it.change = texts[i]
			}
			for _, r := range l.all {
				r.Refresh()
			}
		}
	})
}

// face is the list as one of its widgets sees it: 0 merged, 1 the old tree, 2 the new one.
type face struct {
	l    *list
	side int
}

// Len is the number of rows.
func (f face) Len() int64 { return f.l.pairs.Len() }

// Frame is where the tree learns that it is in a window.
func (f face) Frame(*paint.Canvas, int, int) { f.l.focusLater() }

// PaintRow paints one row.
func (f face) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state rows.State) {
	l := f.l
	at := l.pairs.At(row)
	it := l.item(at)
	col := stateColor(c.Colors, it.pair)
	cell := state.Cell(bounds, nameColumn)
	here := f.side == 0 || f.node(it) != nil
	c.Clipped(image.Rect(cell.Min.X, bounds.Min.Y, cell.Max.X, bounds.Max.Y), func() { f.paintName(c, cell, at, it, col, here) })
	if !here {
		return
	}
	c.Label(state.Cell(bounds, typeColumn), it.kind, paint.Regular, c.Colors.Dim, paint.Left)
	if f.side > 0 {
		pieces := it.old
		if f.side == 2 {
			pieces = it.new
		}
		f.paintValue(c, state.Cell(bounds, 2), bounds, pieces, it, col, f.side)
		l.tellLong()
		return
	}
	f.paintValue(c, state.Cell(bounds, oldColumn), bounds, it.old, it, col, 1)
	f.paintValue(c, state.Cell(bounds, newColumn), bounds, it.new, it, col, 2)
	c.Label(state.Cell(bounds, changeColumn), it.change, paint.Regular, col, paint.Left)
	l.tellLong()
}

func (f face) node(it *item) *model.Node {
	if f.side == 1 {
		return it.pair.Old
	}
	return it.pair.New
}

// stateColor is the colour of a pair's state; what has no row of its own steps back.
func stateColor(c paint.Colors, p *compare.Pair) paint.Color {
	if p.OneVersion {
		return c.Dim
	}
	return colorOf(c, p.Status)
}

func colorOf(c paint.Colors, s compare.Status) paint.Color {
	switch s {
	case compare.Changed:
		return c.States.Changed
	case compare.Moved:
		return c.States.Moved
	case compare.Added:
		return c.States.Added
	case compare.Removed:
		return c.States.Removed
	}
	return c.Dim
}

func (f face) paintName(c *paint.Canvas, cell image.Rectangle, at place, it *item, col paint.Color, here bool) {
	sign := signOf(it.pair.Status)
	if it.pair.Status == compare.Same {
		sign = "="
	}
	if it.row || it.pair.Status != compare.Changed {
		c.Label(image.Rect(cell.Min.X, cell.Min.Y, cell.Min.X+c.Px(signWide), cell.Max.Y), sign, paint.Bold, col, paint.Left)
	} else if it.pair.Counts.Differences() > 0 { // not changed itself, but something below it
		d := c.Px(4)
		x, y := cell.Min.X+c.Px(2), cell.Min.Y+(cell.Dy()-d)/2
		c.Round(image.Rect(x, y, x+d, y+d), d/2, col)
	}
	x := cell.Min.X + c.Px(signWide) + c.Px(float32(min(at.Depth(), deepest)*indentStep))
	if at.Depth() > deepest {
		x += c.Label(image.Rect(x, cell.Min.Y, cell.Max.X, cell.Max.Y), strconv.Itoa(at.Depth()), paint.Regular, c.Colors.Faint, paint.Left) + c.Px(4)
	}
	side := c.Px(triangle)
	if !it.leaf && here {
		direction := paint.Right
		if at.Open != nil {
			direction = paint.Down
		}
		y := cell.Min.Y + (cell.Dy()-side)/2
		c.Triangle(image.Rect(x, y, x+side, y+side), direction, c.Colors.Dim)
	}
	if !here {
		return
	}
	x += side + c.Px(5)
	text, face := c.Colors.Foreground, paint.Regular
	switch {
	case at.Top():
		face = paint.Bold
	case it.pair.Status == compare.Same || it.pair.OneVersion:
		text = c.Colors.Dim
	case it.pair.Status == compare.Added || it.pair.Status == compare.Removed || it.pair.Status == compare.Moved:
		text = col
	}
	name, hint := it.name, it.hint
	if f.side > 0 {
		n := f.node(it)
		if at.Top() {
			name = f.l.c.Old.Source.Name()
			if f.side == 2 {
				name = f.l.c.New.Source.Name()
			}
		} else if name = n.Name; n.Key != "" && n.Key != n.Name {
			hint = n.Key
		}
	}
	x += c.Label(image.Rect(x, cell.Min.Y, cell.Max.X, cell.Max.Y), name, face, text, paint.Left)
	if hint != "" {
		c.Label(image.Rect(x+c.Px(8), cell.Min.Y, cell.Max.X, cell.Max.Y), hint, paint.Regular, c.Colors.Dim, paint.Left)
	}
}

// paintValue paints a value with what differs lit.
func (f face) paintValue(c *paint.Canvas, cell, bounds image.Rectangle, pieces []piece, it *item, col paint.Color, side int) {
	if it.pair.Old == nil && side == 1 || it.pair.New == nil && side == 2 {
		return
	}
	text := c.Colors.Foreground
	switch {
	case it.dim || it.pair.Status == compare.Same || it.pair.OneVersion:
		text = c.Colors.Dim
	case it.pair.Status == compare.Added || it.pair.Status == compare.Removed:
		text = col
	}
	paintPieces(c, cell, pieces, text, paint.Mix(col, c.Colors.Background, 0.30))
}

// paintPieces paints pieces of a text one after the other, hot ones on a ground of their own.
func paintPieces(c *paint.Canvas, cell image.Rectangle, pieces []piece, text, ground paint.Color) int {
	x := cell.Min.X
	c.Clipped(cell, func() {
		for _, p := range pieces {
			if x >= cell.Max.X {
				return
			}
			rest := image.Rect(x, cell.Min.Y, cell.Max.X, cell.Max.Y)
			if !p.hot {
				x += c.Label(rest, p.text, paint.Regular, text, paint.Left)
				continue
			}
			w := min(c.MeasureUpTo(p.text, paint.Regular, rest.Dx()), rest.Dx())
			pad := c.Px(2)
			c.Round(image.Rect(x-pad, cell.Min.Y+pad, x+w+pad, cell.Max.Y-pad), c.Px(3), ground)
			x += c.Label(rest, p.text, paint.Regular, text, paint.Left)
		}
	})
	return x
}
