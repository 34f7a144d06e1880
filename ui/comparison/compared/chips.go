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
	style  *paint.Style
	counts compare.Counts // the displayed numbers
	rows   compare.Counts // the rows that the toggles show or hide
	states States
	edges  []int
	hover  int
	toggle func(s compare.Status)
}

var (
	_ fyne.Tappable      = (*Chips)(nil)
	_ desktop.Hoverable  = (*Chips)(nil)
	_ desktop.Cursorable = (*Chips)(nil)
)

// chipOrder is the order of the statuses: the least frequent first.
var chipOrder = []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed, compare.Same}

// NewChips returns the chips. toggle is called with the status of a clicked chip.
func NewChips(style *paint.Style, toggle func(s compare.Status)) *Chips {
	c := &Chips{style: style, hover: -1, toggle: toggle}
	c.InitSurface(c, style, c.paint)
	return c
}

// Set displays other numbers and the visible statuses: an item counts once, regardless of the number of its rows.
func (h *Chips) Set(counts, rows compare.Counts, s States) {
	h.counts, h.rows, h.states = counts, rows, s
	h.Refresh()
}

// MinSize returns the size that all chips need.
func (h *Chips) MinSize() fyne.Size {
	c := h.style.NewCanvas(nil, 1, paint.Colors{})
	edges := h.layout(c)
	return fyne.NewSize(float32(edges[len(edges)-1]), float32(h.style.RowHeight(1))+10)
}

func (h *Chips) text(s compare.Status) string {
	// Unchanged subtrees are not counted, and rows in an item of another status only have the toggle.
	if s == compare.Same || h.counts.OwnRows(s) == 0 && h.rows.Rows(s) > 0 {
		return Sign(s) + "  " + s.String()
	}
	return Sign(s) + "  " + host.Number(h.counts.OwnRows(s)) + " " + s.String()
}

func (h *Chips) layout(c *paint.Canvas) []int {
	edges := []int{c.Px(4)}
	for _, s := range chipOrder {
		edges = append(edges, edges[len(edges)-1]+c.Measure(h.text(s), paint.Regular)+c.Px(18)+c.Px(5))
	}
	return edges
}

func (h *Chips) paint(c *paint.Canvas) {
	height := c.Img.Rect.Dy()
	headerColor := theme.ColorForWidget(theme.ColorNameHeaderBackground, h)
	r, g, b, _ := headerColor.RGBA()
	c.Fill(c.Img.Rect, paint.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff})
	h.edges = h.layout(c)
	for i, s := range chipOrder {
		box := image.Rect(h.edges[i], c.Px(4), h.edges[i+1]-c.Px(5), height-c.Px(4))
		col := c.Colors.ForTone(StatusTone(s))
		enabled := h.states.Has(s) && h.rows.Rows(s) > 0
		background, text := c.Colors.Background, c.Colors.Dim
		if enabled {
			background, text = paint.Mix(col, c.Colors.Background, 0.24), c.Colors.Foreground
		}
		if h.rows.Rows(s) == 0 {
			text = c.Colors.Faint
		}
		if i == h.hover {
			background = paint.Mix(c.Colors.Foreground, background, 0.08)
		}
		col, text = c.Colors.Legible(col, background), c.Colors.Legible(text, background)
		edge := c.Colors.Separator
		if enabled {
			edge = paint.Mix(col, c.Colors.Background, 0.6)
		}
		c.Round(box, c.Px(4), edge)
		c.Round(box.Inset(c.Px(1)), c.Px(3), background)
		inner := box
		inner.Min.X += c.Px(9)
		sign := Sign(s)
		if h.rows.Rows(s) == 0 {
			col = text
		}
		x := c.Label(inner, sign, paint.Bold, col, paint.Left)
		inner.Min.X += x
		c.Label(inner, h.text(s)[len(sign):], paint.Regular, text, paint.Left)
	}
}

func (h *Chips) chipAt(p fyne.Position) int {
	x := h.Pixel(p).X
	for i := range len(h.edges) - 1 {
		if x >= h.edges[i] && x < h.edges[i+1] {
			return i
		}
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (h *Chips) Tapped(ev *fyne.PointEvent) {
	if i := h.chipAt(ev.Position); i >= 0 && h.toggle != nil {
		h.toggle(chipOrder[i])
	}
}

// MouseIn implements desktop.Hoverable.
func (h *Chips) MouseIn(ev *desktop.MouseEvent) { h.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (h *Chips) MouseMoved(ev *desktop.MouseEvent) {
	if i := h.chipAt(ev.Position); i != h.hover {
		h.hover = i
		h.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (h *Chips) MouseOut() {
	h.hover = -1
	h.Refresh()
}

// Cursor returns the shape of the pointer.
func (h *Chips) Cursor() desktop.Cursor { return desktop.PointerCursor }
