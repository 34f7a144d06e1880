package rows

import (
	"image"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/ui/command"
	"assay/ui/host"
	"assay/ui/paint"
)

// Tile is one item of a grid.
type Tile struct {
	Name    string
	Note    string // dim text below the name
	Where   string // dim text below the note, or after the name in a grid of names
	Picture image.Image
	Word    string // displayed on the icon if there is no picture
	Tone    paint.Tone
	Icon    Icon
	Frame   paint.Color // color of the frame of the picture and the note; zero: no frame
}

// Data is the content of a grid. Its methods are called on the UI thread and must not block.
type Data interface {
	Len() int64
	Tile(i int64) Tile
}

// GridEvents are the callbacks of a grid. Any may be nil.
type GridEvents struct {
	OnSelection func() // the current or the selected items changed
	OnActivate  func(i int64)
	OnMenu      func(i int64, pos fyne.Position)
	OnDrag      func(i int64, pos fyne.Position) Drag
	OnTypeAhead func(prefix string)
	OnClick     func(i int64) // a click without a modifier
	// OnVisible is called before a frame with the visible items, and the number of pixels of a device-independent
	// pixel.
	OnVisible func(from, to int64, scale float32)
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

	// Side is the side of a picture in device-independent pixels; 0 displays only names.
	side float32

	rows            *Rows
	style           *paint.Style
	data            Data
	perRow          int64 // tiles in a row
	tileWidth       int   // width of a tile in pixels
	current         int64
	anchor          int64
	selection       Intervals
	showsWhere      bool // tiles have a line for Where
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

// Top scrolls to the first tile and clears the selection.
func (g *Grid) Top() {
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

// textLines returns the number of lines of text below a picture: two of the name, and the note.
func (g *Grid) textLines() int {
	if g.side == 0 {
		return 1
	}
	if g.showsWhere {
		return 4
	}
	return 3
}

// SetWhere shows or hides the line for the folders of the items.
func (g *Grid) SetWhere(visible bool) {
	if g.showsWhere != visible {
		g.showsWhere = visible
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
	control := p.Modifier&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0
	switch {
	case i < 0:
		g.selectOnly(-1)
	case p.Modifier&fyne.KeyModifierShift != 0 && g.anchor >= 0:
		g.extend(i)
	case control:
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
		g.selection = Intervals{}
		from := int64(0)
		if g.AllFrom != nil {
			from = g.AllFrom()
		}
		g.selection.Add(from, g.data.Len())
		g.selectionChanged()
		return true
	}
	return false
}

// tileRows implements rows of tiles for a Grid.
type tileRows Grid

func (b *tileRows) Len() int64 { return (b.data.Len() + b.perRow - 1) / b.perRow }

// Frame divides the width among tiles.
func (b *tileRows) Frame(c *paint.Canvas, width, height int) {
	preferred := c.Px(nameTileWidth)
	if b.side > 0 {
		preferred = c.Px(b.side + 2*picturePadding)
	}
	b.setPerRow(max(1, int64(width/preferred)))
	b.tileWidth = max(1, width/int(b.perRow))
	if b.OnVisible != nil {
		from := b.rows.First() * b.perRow
		rowHeight := max(1, (*Grid)(b).height(c.Scale))
		b.OnVisible(from, min(b.data.Len(), from+b.perRow*int64(height/rowHeight+2)), c.Scale)
	}
}

// setPerRow sets the number of tiles in a row. The current tile stays at the same height if it is in view, else the
// first one in view does.
func (b *tileRows) setPerRow(n int64) {
	old, first := b.perRow, b.rows.First()
	if n == old {
		return
	}
	b.perRow = n
	if row := b.current / old; b.current >= 0 && row >= first && row <= first+b.rows.Page() {
		b.rows.SetFirst(b.current/n - min(row-first, b.rows.Page()-1))
		return
	}
	b.rows.SetFirst(first * old / n)
}

// PaintRow paints the tiles of a row.
func (b *tileRows) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state State) {
	for k := range b.perRow {
		i := row*b.perRow + k
		if i >= b.data.Len() {
			return
		}
		x := bounds.Min.X + int(k)*b.tileWidth
		box := image.Rect(x, bounds.Min.Y, x+b.tileWidth, bounds.Max.Y)
		c.Clipped(box, func() { b.paint(c, i, box, state.Focused) })
	}
}

func (b *tileRows) paint(c *paint.Canvas, i int64, box image.Rectangle, focused bool) {
	t := b.data.Tile(i)
	inner := box.Inset(c.Px(1))
	if colors := c.Colors; b.selection.Has(i) {
		c.Colors = colors.ForSelected()
		defer func() { c.Colors = colors }()
	}
	switch {
	case b.selection.Has(i) && focused:
		c.Round(inner, c.Px(4), c.Colors.Selection)
	case b.selection.Has(i):
		c.Round(inner, c.Px(4), c.Colors.Inactive)
	}
	line := b.style.RowHeight(c.Scale)
	text := box.Inset(c.Px(4))
	text.Min.Y = box.Max.Y - (*Grid)(b).textLines()*line
	text.Max.Y = text.Min.Y + line
	if b.side == 0 {
		text = image.Rect(box.Min.X+c.Px(4), box.Min.Y, box.Max.X-c.Px(4), box.Max.Y)
		lead := text
		lead.Max.X = lead.Min.X + line
		if lead = lead.Inset(c.Px(2)); t.Picture != nil {
			c.Picture(paint.Centered(lead, t.Picture.Bounds().Size()).Min, t.Picture)
		} else {
			PaintIcon(c, lead, t.Icon)
		}
		text.Min.X = lead.Max.X + c.Px(4)
		text.Min.X += c.LabelMiddle(text, t.Name, paint.Regular, c.Colors.ForTone(t.Tone)) + c.Px(hintGap)
		if text.Dx() > 2*line {
			c.LabelMiddle(text, t.Where, paint.Regular, c.Colors.Dim)
		}
		return
	}
	padding := c.Px(picturePadding)
	picture := image.Rect(box.Min.X+padding, box.Min.Y+padding, box.Max.X-padding, text.Min.Y-c.Px(2))
	b.paintPicture(c, t, picture)
	note := c.Colors.Dim
	if t.Frame.A > 0 {
		note = t.Frame
		c.Frame(picture, c.Px(2), t.Frame)
	}
	first, second := twoLines(c, t.Name, text.Dx())
	for _, part := range []struct {
		text string
		col  paint.Color
	}{{first, c.Colors.ForTone(t.Tone)}, {second, c.Colors.ForTone(t.Tone)}, {t.Note, note}, {t.Where, c.Colors.Dim}} {
		if part.text != "" {
			paintCentered(c, text, part.text, part.col)
			text = text.Add(image.Pt(0, line))
		}
	}
}

// twoLines splits a name that does not fit into one line, after a separator unless the first part becomes too short.
func twoLines(c *paint.Canvas, name string, width int) (first, second string) {
	lines := c.Wrap(paint.PlainPieces(name), paint.Regular, width)
	if len(lines) < 2 {
		return name, ""
	}
	first = paint.JoinPieces(lines[0])
	if end := strings.LastIndexAny(first, "_- .") + 1; end > len(first)/3 {
		first = first[:end]
	}
	return first, strings.TrimSpace(strings.TrimPrefix(name, first))
}

// paintCentered paints a text centered, or truncated in the middle if it is too long.
func paintCentered(c *paint.Canvas, r image.Rectangle, s string, col paint.Color) {
	if c.MeasureUpTo(s, paint.Regular, r.Dx()) > r.Dx() {
		c.LabelMiddle(r, s, paint.Regular, col)
		return
	}
	c.Label(r, s, paint.Regular, col, paint.Center)
}

func (b *tileRows) paintPicture(c *paint.Canvas, t Tile, box image.Rectangle) {
	if t.Picture != nil {
		c.Picture(paint.Centered(box, t.Picture.Bounds().Size()).Min, t.Picture)
		return
	}
	side := min(box.Dx(), box.Dy()) / 2
	icon := paint.Centered(box, image.Pt(side, side))
	PaintIcon(c, icon, t.Icon)
	// A word that is wider than the sheet would be illegible.
	if t.Word != "" && t.Icon == File && c.Measure(t.Word, paint.Bold) < icon.Dx()*2/3 {
		c.Label(icon, t.Word, paint.Bold, c.Colors.Background, paint.Center)
	}
}

// Icon is the icon of an item without a picture.
type Icon uint8

// The icons.
const (
	File Icon = iota
	Folder
	Image
	Sound
	Text
	Scene
	Font
)

// iconShapes are the symbols on the sheet of an icon: polygons in the unit square.
var iconShapes = map[Icon]struct {
	name string
	tone paint.Tone
	draw [][]float32
}{
	Image: {"grid.image", paint.Word, [][]float32{{.22, .8, .42, .46, .54, .62, .64, .5, .78, .8},
		{.3, .34, .38, .26, .46, .34, .38, .42}}},
	Sound: {"grid.sound", paint.Name, [][]float32{{.28, .5, .36, .5, .36, .8, .28, .8},
		{.46, .38, .54, .38, .54, .8, .46, .8}, {.64, .56, .72, .56, .72, .8, .64, .8}}},
	Text: {"grid.text", paint.Number, [][]float32{{.26, .38, .6, .38, .6, .46, .26, .46},
		{.26, .54, .74, .54, .74, .62, .26, .62}, {.26, .7, .66, .7, .66, .78, .26, .78}}},
	Scene: {"grid.scene", paint.Bytes, [][]float32{{.5, .34, .76, .46, .5, .58, .24, .46},
		{.24, .52, .47, .63, .47, .86, .24, .75}, {.76, .52, .53, .63, .53, .86, .76, .75}}},
	Font: {"grid.font", paint.Link, [][]float32{{.46, .32, .56, .32, .76, .82, .66, .82, .51, .46, .36, .82, .26, .82}}},
}

// PaintIcon paints an icon as large as a square: a folder, or a sheet with the symbol of the file type.
func PaintIcon(c *paint.Canvas, r image.Rectangle, icon Icon) {
	if icon == Folder {
		c.Shape(r, "grid.folder", c.Colors.Warning, func(p paint.Pen) {
			p.Polygon(.04, .2, .4, .2, .48, .3, .96, .3, .96, .86, .04, .86)
		})
		return
	}
	sign, ok := iconShapes[icon]
	paper := c.Colors.Faint
	if ok {
		paper = paint.Mix(c.Colors.Faint, c.Colors.Background, 0.45)
	}
	c.Shape(r, "grid.file", paper, func(p paint.Pen) {
		p.Polygon(.16, .04, .62, .04, .84, .27, .84, .96, .16, .96)
	})
	if ok {
		c.Shape(r, sign.name, c.Colors.Legible(c.Colors.ForTone(sign.tone), paper), func(p paint.Pen) {
			for _, polygon := range sign.draw {
				p.Polygon(polygon...)
			}
		})
	}
}
