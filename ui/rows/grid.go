package rows

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/ui/command"
	"assay/ui/host"
	"assay/ui/paint"
)

// Data is the content of a grid. Its methods are called on the UI thread and must not block.
type Data interface {
	Len() int64
	Tile(i int64) Tile
}

// GridEvents are the callbacks of a grid. Any may be nil.
type GridEvents struct {
	OnSelection func()                           // the current or the selected items changed
	OnActivate  func(i int64)                    // Enter or double click
	OnMenu      func(i int64, pos fyne.Position) // secondary click or menu key; i may be -1
	OnTypeAhead func(prefix string)              // letters typed so far
	OnClick     func(i int64)                    // a click without a modifier
	// OnDrag is called when a drag begins on a tile. It returns nil if the tile cannot be dragged.
	OnDrag func(i int64, pos fyne.Position) Drag
	// OnVisible is called before a frame with the visible items, and the number of pixels of a device-independent
	// pixel.
	OnVisible func(from, to int64, scale float32)
	// BeforeKey gets keys first; true stops the grid from using them.
	BeforeKey func(key *fyne.KeyEvent, shift bool) bool
	// OnZoom is called when the wheel is turned with Ctrl: 1 for larger pictures, -1 for smaller ones.
	OnZoom func(step int)
	// BeforeShortcut gets shortcuts first; true stops the grid from using them.
	BeforeShortcut func(s fyne.Shortcut) bool
	AllFrom        func() int64 // as in Events
}

// Grid is a widget that displays items as tiles.
type Grid struct {
	widget.BaseWidget
	keys *command.Keys
	GridEvents

	// side is the side of a picture in device-independent pixels; 0 displays only names.
	side float32

	rows            *Rows
	style           *paint.Style
	data            Data
	perRow          int64 // tiles in a row
	tileWidth       int   // width of a tile in pixels
	current         int64
	anchor          int64
	selection       Intervals
	showsFolders    bool // tiles have a line for Where
	pressed         int64
	plainPress      bool // the last press had no modifier
	selectOnRelease bool // a plain click on one of many selected tiles: select it alone on release
}

var _ fyne.Widget = (*Grid)(nil)

// The space around a picture, and the width of a tile without pictures, in device-independent pixels.
const (
	picturePadding = 6
	nameTileWidth  = 260
)

// NewGrid returns a grid; side is the side of the pictures in device-independent pixels, or 0 for a list without them.
func NewGrid(h host.Host, style *paint.Style, data Data, side float32) *Grid {
	g := &Grid{keys: h.Keys(), style: style, data: data, side: side, perRow: 1, current: -1, anchor: -1, pressed: -1}
	g.rows = New(h, style, (*tileRows)(g), Options{Plain: true, Height: g.height})
	g.rows.Events = Events{
		OnPress: g.press, OnClick: func(int64) { g.release() },
		OnActivate: func(int64) {
			if g.OnActivate != nil && g.current >= 0 {
				g.OnActivate(g.current)
			}
		},
		OnMenu: func(_ int64, pos fyne.Position) {
			if g.OnMenu != nil {
				g.OnMenu(g.current, pos)
			}
		},
		OnDrag: func(_ int64, pos fyne.Position) Drag {
			g.selectOnRelease = false
			if g.OnDrag == nil || g.pressed < 0 {
				return nil
			}
			return g.OnDrag(g.pressed, pos)
		},
		OnTypeAhead: func(prefix string) {
			if g.OnTypeAhead != nil {
				g.OnTypeAhead(prefix)
			}
		},
		BeforeKey: g.handleKey, BeforeShortcut: g.handleShortcut,
		OnZoom: func(step int) bool {
			if g.OnZoom != nil {
				g.OnZoom(step)
			}
			return g.OnZoom != nil
		},
	}
	g.ExtendBaseWidget(g)
	return g
}

// CreateRenderer implements fyne.Widget.
func (g *Grid) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(g.rows) }

// SetSide sets the side of a picture in device-independent pixels. The current item stays in view.
func (g *Grid) SetSide(side float32) {
	g.side = side
	g.rows.Refresh()
	g.reveal()
}

// Refresh implements fyne.CanvasObject.
func (g *Grid) Refresh() { g.rows.Refresh() }

// Focus gives the keyboard focus to the grid.
func (g *Grid) Focus() { g.rows.Focus() }

// Focused reports whether the grid has the keyboard focus.
func (g *Grid) Focused() bool { return g.rows.Focused() }

// Reset scrolls to the first tile, and clears the current tile and the selection.
func (g *Grid) Reset() {
	g.current, g.anchor, g.selection = -1, -1, Intervals{}
	g.rows.SetSource((*tileRows)(g))
}

// Current returns the index of the current tile, or -1.
func (g *Grid) Current() int64 { return g.current }

// Selection returns the selected tiles.
func (g *Grid) Selection() Intervals { return g.selection.Clone() }

// Select selects tiles, makes one of them current and scrolls to it. It calls no event.
func (g *Grid) Select(current int64, selection Intervals) {
	g.current, g.anchor, g.selection = current, current, selection.Clone()
	g.reveal()
	g.rows.Refresh()
}

func (g *Grid) reveal() {
	if g.current >= 0 {
		g.rows.GoTo(g.current / g.perRow)
	}
}

// textLines returns the number of lines of text below a picture: two of the name, one of the note, and one of the
// folder if that is visible. A list without pictures has one line.
func (g *Grid) textLines() int {
	if g.side == 0 {
		return 1
	}
	if g.showsFolders {
		return 4
	}
	return 3
}

// ShowFolders shows or hides the line for the folders of the items.
func (g *Grid) ShowFolders(visible bool) {
	if g.showsFolders != visible {
		g.showsFolders = visible
		g.rows.Refresh()
	}
}

// TileHeight returns the height of a tile, in device-independent pixels.
func (g *Grid) TileHeight() float32 { return float32(g.height(1)) }

func (g *Grid) height(scale float32) int {
	text := g.textLines() * g.style.RowHeight(scale)
	if g.side == 0 {
		return text
	}
	return text + int((g.side+2*picturePadding)*scale)
}

// tileAt returns the index of the tile at a position, or -1.
func (g *Grid) tileAt(p Pointer) int64 {
	column := int64(p.X / max(1, g.tileWidth))
	i := p.Row*g.perRow + column
	if p.X < 0 || p.Row < 0 || column >= g.perRow || i >= g.data.Len() {
		return -1
	}
	return i
}

func (g *Grid) press(p Pointer) PressResult {
	i := g.tileAt(p)
	g.pressed, g.selectOnRelease, g.plainPress = i, false, p.Modifier == 0
	ctrl := p.Modifier&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0
	switch {
	case i < 0:
		g.selectOnly(-1)
	case p.Modifier&fyne.KeyModifierShift != 0 && g.anchor >= 0:
		g.extend(i)
	case ctrl:
		g.selection.Toggle(i)
		g.current, g.anchor = i, i
		g.selectionChanged()
	case g.selection.Has(i):
		g.selectOnRelease = g.selection.Count() > 1
		g.current = i
		g.selectionChanged()
	default:
		g.selectOnly(i)
	}
	return Pass
}

func (g *Grid) release() {
	if g.selectOnRelease {
		g.selectOnRelease = false
		g.selectOnly(g.pressed)
	}
	if g.OnClick != nil && g.plainPress && g.pressed >= 0 {
		g.OnClick(g.pressed)
	}
}

func (g *Grid) selectOnly(i int64) {
	g.selection = Intervals{}
	if i >= 0 {
		g.selection.Add(i, i+1)
	}
	g.current, g.anchor = i, i
	g.selectionChanged()
}

func (g *Grid) extend(to int64) {
	g.selection = Intervals{}
	g.selection.Add(min(g.anchor, to), max(g.anchor, to)+1)
	g.current = to
	g.selectionChanged()
}

func (g *Grid) selectionChanged() {
	g.rows.Refresh()
	if g.OnSelection != nil {
		g.OnSelection()
	}
}

func (g *Grid) handleKey(ev *fyne.KeyEvent, shift bool) bool {
	if g.BeforeKey != nil && g.BeforeKey(ev, shift) {
		return true
	}
	step := int64(0)
	switch g.keys.At(command.List, command.KeyOf(ev, shift)) {
	case "list.to-left":
		step = -1
	case "list.to-right":
		step = 1
	case "list.to-previous":
		step = -g.perRow
	case "list.to-next":
		step = g.perRow
	case "list.to-previous-page":
		step = -g.perRow * g.rows.Page()
	case "list.to-next-page":
		step = g.perRow * g.rows.Page()
	case "list.to-home", "list.to-first":
		step = -g.data.Len()
	case "list.to-end", "list.to-last":
		step = g.data.Len()
	default:
		return false
	}
	g.move(step, shift)
	return true
}

func (g *Grid) move(step int64, extend bool) {
	n := g.data.Len()
	if n == 0 {
		return
	}
	to := max(0, min(g.current+step, n-1))
	switch {
	case g.current < 0:
		to = 0
	case to == g.current:
		return
	}
	if extend && g.anchor >= 0 {
		g.extend(to)
	} else {
		g.selectOnly(to)
	}
	g.reveal()
}

func (g *Grid) handleShortcut(s fyne.Shortcut) bool {
	if g.BeforeShortcut != nil && g.BeforeShortcut(s) {
		return true
	}
	if _, ok := s.(*fyne.ShortcutSelectAll); ok {
		g.selection = rowsFrom(g.AllFrom, g.data.Len())
		g.selectionChanged()
		return true
	}
	return false
}

// tileRows implements rows of tiles for a Grid.
type tileRows Grid

func (t *tileRows) Len() int64 { return (t.data.Len() + t.perRow - 1) / t.perRow }

// Frame divides the width among tiles.
func (t *tileRows) Frame(c *paint.Canvas, width, height int) {
	preferred := c.Px(nameTileWidth)
	if t.side > 0 {
		preferred = c.Px(t.side + 2*picturePadding)
	}
	t.setPerRow(max(1, int64(width/preferred)))
	t.tileWidth = max(1, width/int(t.perRow))
	if t.OnVisible != nil {
		from := t.rows.First() * t.perRow
		rowHeight := max(1, (*Grid)(t).height(c.Scale))
		t.OnVisible(from, min(t.data.Len(), from+t.perRow*int64(height/rowHeight+2)), c.Scale)
	}
}

// setPerRow sets the number of tiles in a row. The current tile stays at the same height if it is in view, else the
// first one in view does.
func (t *tileRows) setPerRow(n int64) {
	old, first := t.perRow, t.rows.First()
	if n == old {
		return
	}
	t.perRow = n
	if row := t.current / old; t.current >= 0 && row >= first && row <= first+t.rows.Page() {
		t.rows.SetFirst(t.current/n - min(row-first, t.rows.Page()-1))
		return
	}
	t.rows.SetFirst(first * old / n)
}

// PaintRow paints the tiles of a row.
func (t *tileRows) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state State) {
	for k := range t.perRow {
		i := row*t.perRow + k
		if i >= t.data.Len() {
			return
		}
		x := bounds.Min.X + int(k)*t.tileWidth
		box := image.Rect(x, bounds.Min.Y, x+t.tileWidth, bounds.Max.Y)
		c.Clipped(box, func() { t.paint(c, i, box, state.Focused) })
	}
}
