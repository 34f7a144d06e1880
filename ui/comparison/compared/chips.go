package compared

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"assay/model/compare"
	"assay/ui/host"
	"assay/ui/paint"
)

// Chips are the toggles of the statuses, with the numbers of items or rows.
type Chips struct {
	paint.Surface
	style    *paint.Style
	counts   compare.Counts // the displayed numbers
	rows     compare.Counts // the rows that the toggles show or hide
	statuses Statuses
	edges    []int
	hover    int
	toggle   func(s compare.Status)
}

var (
	_ fyne.Tappable      = (*Chips)(nil)
	_ desktop.Hoverable  = (*Chips)(nil)
	_ desktop.Cursorable = (*Chips)(nil)
)

// chipOrder is the order of the chips, from left to right.
var chipOrder = []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed, compare.Same}

// NewChips returns the chips. toggle is called with the status of a clicked chip.
func NewChips(style *paint.Style, toggle func(s compare.Status)) *Chips {
	c := &Chips{style: style, hover: -1, toggle: toggle}
	c.InitSurface(c, style, c.paint)
	return c
}

// Set displays other numbers and the visible statuses: an item counts once, regardless of the number of its rows.
func (c *Chips) Set(counts, rows compare.Counts, s Statuses) {
	c.counts, c.rows, c.statuses = counts, rows, s
	c.Refresh()
}

// MinSize returns the size that all chips need.
func (c *Chips) MinSize() fyne.Size {
	canvas := c.style.NewCanvas(nil, 1, paint.Colors{})
	edges := c.layout(canvas)
	return fyne.NewSize(float32(edges[len(edges)-1]), float32(c.style.RowHeight(1))+10)
}

func (c *Chips) text(s compare.Status) string {
	// Unchanged subtrees are not counted, and rows in an item of another status only have the toggle.
	if s == compare.Same || c.counts.OwnRows(s) == 0 && c.rows.Rows(s) > 0 {
		return Sign(s) + "  " + s.String()
	}
	return Sign(s) + "  " + host.Number(c.counts.OwnRows(s)) + " " + s.String()
}

func (c *Chips) layout(canvas *paint.Canvas) []int {
	edges := []int{canvas.Px(4)}
	for _, s := range chipOrder {
		edges = append(edges, edges[len(edges)-1]+canvas.Measure(c.text(s), paint.Regular)+canvas.Px(18)+canvas.Px(5))
	}
	return edges
}

func (c *Chips) paint(canvas *paint.Canvas) {
	height := canvas.Img.Rect.Dy()
	headerColor := theme.ColorForWidget(theme.ColorNameHeaderBackground, c)
	r, g, b, _ := headerColor.RGBA()
	canvas.Fill(canvas.Img.Rect, paint.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff})
	c.edges = c.layout(canvas)
	for i, s := range chipOrder {
		box := image.Rect(c.edges[i], canvas.Px(4), c.edges[i+1]-canvas.Px(5), height-canvas.Px(4))
		col := canvas.Colors.ForTone(StatusTone(s))
		enabled := c.statuses.Has(s) && c.rows.Rows(s) > 0
		background, text := canvas.Colors.Background, canvas.Colors.Dim
		if enabled {
			background, text = paint.Mix(col, canvas.Colors.Background, 0.24), canvas.Colors.Foreground
		}
		if c.rows.Rows(s) == 0 {
			text = canvas.Colors.Faint
		}
		if i == c.hover {
			background = paint.Mix(canvas.Colors.Foreground, background, 0.08)
		}
		col, text = canvas.Colors.Legible(col, background), canvas.Colors.Legible(text, background)
		edge := canvas.Colors.Separator
		if enabled {
			edge = paint.Mix(col, canvas.Colors.Background, 0.6)
		}
		canvas.Round(box, canvas.Px(4), edge)
		canvas.Round(box.Inset(canvas.Px(1)), canvas.Px(3), background)
		inner := box
		inner.Min.X += canvas.Px(9)
		sign := Sign(s)
		if c.rows.Rows(s) == 0 {
			col = text
		}
		x := canvas.Label(inner, sign, paint.Bold, col, paint.Left)
		inner.Min.X += x
		canvas.Label(inner, c.text(s)[len(sign):], paint.Regular, text, paint.Left)
	}
}

func (c *Chips) chipAt(p fyne.Position) int {
	x := c.Pixel(p).X
	for i := range len(c.edges) - 1 {
		if x >= c.edges[i] && x < c.edges[i+1] {
			return i
		}
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (c *Chips) Tapped(ev *fyne.PointEvent) {
	if i := c.chipAt(ev.Position); i >= 0 && c.toggle != nil {
		c.toggle(chipOrder[i])
	}
}

// MouseIn implements desktop.Hoverable.
func (c *Chips) MouseIn(ev *desktop.MouseEvent) { c.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (c *Chips) MouseMoved(ev *desktop.MouseEvent) {
	if i := c.chipAt(ev.Position); i != c.hover {
		c.hover = i
		c.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (c *Chips) MouseOut() {
	c.hover = -1
	c.Refresh()
}

// Cursor returns the shape of the pointer.
func (c *Chips) Cursor() desktop.Cursor { return desktop.PointerCursor }
