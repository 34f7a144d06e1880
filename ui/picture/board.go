package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/ui/command"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// channel selects the displayed channels of a picture's pixels.
type channel int

const (
	all channel = iota
	colors
	red
	green
	blue
	alpha
)

var channelNames = [...]string{all: "RGBA", colors: "RGB", red: "Red", green: "Green", blue: "Blue", alpha: "Alpha"}

const (
	minZoom  = 1.0 / 64
	maxZoom  = 64
	gridFrom = 12 // from this zoom on the pixels have edges
)

// board displays the picture and handles the pointer. A click gives it the keyboard, so that the host knows which panel
// the user works in; it has no keys of its own and passes them to the host.
type board struct {
	paint.Surface
	host     host.Host
	alt      host.Alt
	onChange func() // the visible part, the zoom or the current pixel changed

	pyramid      *pyramid
	second       *overlay // may be nil
	linked       *board   // synchronized with this one
	boxes        []model.Box
	showsBoxes   bool            // boxes are visible
	isFont       bool            // the boxes are glyphs, which are displayed at a readable size at first
	markedSpan   model.Span      // span of the file whose box is visible, too
	revealedPart image.Rectangle // revealed part; may be empty
	channel      channel
	zoom         float64 // screen pixels per pixel of the picture; 0: fit to the board, but at least minScale
	minScale     float64 // scale at which glyphs are readable, or 0
	center       [2]float64
	pointer      image.Point // screen pixel under the pointer
	hovered      bool
	size         image.Point // size of the board on the screen

	tracker rows.DragTracker // takes the picture out of the window
}

var (
	_ fyne.Draggable      = (*board)(nil)
	_ fyne.Scrollable     = (*board)(nil)
	_ fyne.DoubleTappable = (*board)(nil)
	_ desktop.Hoverable   = (*board)(nil)
	_ desktop.Cursorable  = (*board)(nil)
	_ desktop.Mouseable   = (*board)(nil)
	_ desktop.Keyable     = (*board)(nil)
)

func newBoard(h host.Host, style *paint.Style) *board {
	b := &board{host: h, onChange: func() {}}
	b.InitSurface(b, style, b.paint)
	return b
}

func (b *board) MinSize() fyne.Size { return fyne.NewSize(60, 60) }

// Refresh paints again, and synchronizes the linked board.
func (b *board) Refresh() {
	b.Surface.Refresh()
	b.onChange()
	if o := b.linked; o != nil && o.pyramid != nil &&
		(o.zoom != b.zoom || o.center != b.center || (o.minScale == 0) != (b.minScale == 0)) {
		o.zoom, o.center, o.minScale = b.zoom, b.center, b.minScale
		o.Refresh()
	}
}

// set displays a picture, or nothing for nil. A picture of the same size keeps the zoom and the position.
func (b *board) set(p *pyramid, boxes []model.Box) {
	b.boxes, b.revealedPart = boxes, image.Rectangle{}
	unchanged := p != nil && b.pyramid != nil && p.source.Bounds().Size() == b.pyramid.source.Bounds().Size()
	b.pyramid = p
	if p != nil && !unchanged {
		b.zoom, b.minScale = 0, b.readableScale()
	}
	b.Refresh()
}

// glyphHeight is the height of a readable glyph with its line spacing, in units of the toolkit.
const glyphHeight = 28

// readableScale returns the screen pixels per pixel at which the glyphs of a font are readable: at most their own size.
// It returns 0 for other pictures.
func (b *board) readableScale() float64 {
	if !b.isFont || len(b.boxes) == 0 {
		return 0
	}
	height := 0
	for _, box := range b.boxes {
		height += box.Dy()
	}
	scale := float64(b.Scale())
	return min(glyphHeight*scale*float64(len(b.boxes))/float64(height), scale)
}

// revealShare is the share of the board that a revealed part of the picture fills.
const revealShare = 0.25

// reveal centers a part of the picture, outlined and large enough to be visible.
func (b *board) reveal(part image.Rectangle) {
	if b.pyramid == nil || b.size.X == 0 {
		return
	}
	zoom := min(float64(b.size.X)/float64(part.Dx()), float64(b.size.Y)/float64(part.Dy())) * revealShare
	fitted := b.scale()
	if b.zoom > 0 {
		b.zoom = 0
		fitted = b.scale()
	}
	b.revealedPart = part
	b.zoom = min(max(zoom, fitted), maxZoom)
	b.center = [2]float64{float64(part.Min.X+part.Max.X) / 2, float64(part.Min.Y+part.Max.Y) / 2}
	b.clampCenter()
	b.Refresh()
}

// fit shows the whole picture.
func (b *board) fit() {
	b.zoom, b.minScale = 0, 0
	b.Refresh()
}

// isWhole reports whether the whole picture is visible because it is fit to the board.
func (b *board) isWhole() bool { return b.zoom == 0 && b.scale() > b.minScale }

// pictureSize returns the picture's size in its pixels.
func (b *board) pictureSize() (w, h float64) {
	r := b.pyramid.source.Bounds()
	return float64(r.Dx()), float64(r.Dy())
}

// scale returns the screen pixels per pixel of the picture. A small picture that fits is scaled by a whole number.
func (b *board) scale() float64 {
	if b.zoom > 0 {
		return b.zoom
	}
	w, h := b.pictureSize()
	s := min(float64(b.size.X)/w, float64(b.size.Y)/h)
	if s > 1 {
		s = math.Floor(s)
	}
	return max(min(s, maxZoom), 1e-4, b.minScale)
}

// middle returns the position of the picture in the middle of the board.
func (b *board) middle() (x, y float64) {
	w, h := b.pictureSize()
	if b.zoom == 0 { // what does not fit begins at the top left
		s := b.scale()
		return min(w/2, float64(b.size.X)/s/2), min(h/2, float64(b.size.Y)/s/2)
	}
	return b.center[0], b.center[1]
}

// pixelAt returns the position of the picture at a screen pixel.
func (b *board) pixelAt(p image.Point) (x, y float64) {
	s := b.scale()
	x, y = b.middle()
	return x + (float64(p.X)+.5-float64(b.size.X)/2)/s, y + (float64(p.Y)+.5-float64(b.size.Y)/2)/s
}

// zoomTo sets the zoom and keeps the position under a screen pixel.
func (b *board) zoomTo(z float64, fixed image.Point) {
	if b.pyramid == nil {
		return
	}
	x, y := b.pixelAt(fixed)
	b.zoom = min(max(z, minZoom), maxZoom)
	b.center = [2]float64{x - (float64(fixed.X)+.5-float64(b.size.X)/2)/b.zoom,
		y - (float64(fixed.Y)+.5-float64(b.size.Y)/2)/b.zoom}
	b.clampCenter()
	b.Refresh()
}

// step zooms by a power of two.
func (b *board) step(delta int) {
	if b.pyramid != nil {
		b.zoomTo(math.Exp2(math.Round(math.Log2(b.scale()))+float64(delta)), b.size.Div(2))
	}
}

// clampCenter keeps the picture within the board.
func (b *board) clampCenter() {
	w, h := b.pictureSize()
	b.center[0] = min(max(b.center[0], 0), w)
	b.center[1] = min(max(b.center[1], 0), h)
}

// Dragged pans the picture, or drags it out of the window if all of it is visible.
func (b *board) Dragged(e *fyne.DragEvent) {
	if b.pyramid == nil || b.second.dragged(e) {
		return
	}
	if b.isWhole() && b.tracker.Dragged(e) {
		return
	}
	x, y := b.middle()
	s, px := b.scale(), float64(b.Scale())
	b.zoom, b.center = s, [2]float64{x - float64(e.Dragged.DX)*px/s, y - float64(e.Dragged.DY)*px/s}
	b.clampCenter()
	b.Refresh()
}

func (b *board) DragEnd() {
	b.second.endDrag()
	b.tracker.DragEnd()
}

// Scrolled zooms by the wheel.
func (b *board) Scrolled(e *fyne.ScrollEvent) {
	if b.pyramid != nil {
		b.zoomTo(b.scale()*math.Exp(float64(e.Scrolled.DY)/60), b.Pixel(e.Position))
	}
}

// DoubleTapped switches between the whole picture and its pixels.
func (b *board) DoubleTapped(e *fyne.PointEvent) {
	if !b.isWhole() {
		b.fit()
		return
	}
	b.zoomTo(1, b.Pixel(e.Position))
}

// MouseDown takes the keyboard.
func (b *board) MouseDown(*desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(b); c != nil {
		c.Focus(b)
	}
}

func (b *board) MouseUp(*desktop.MouseEvent) {}

func (b *board) FocusGained() {}

func (b *board) FocusLost() { b.alt.FocusLost(b.host) }

func (b *board) KeyDown(k *fyne.KeyEvent) { b.alt.Down(b.host, k) }

func (b *board) KeyUp(k *fyne.KeyEvent) { b.alt.Up(b.host, k) }

func (b *board) TypedKey(k *fyne.KeyEvent) { b.host.Key(k, command.IsHeld(fyne.KeyModifierShift)) }

func (b *board) TypedRune(rune) {}

func (b *board) MouseIn(e *desktop.MouseEvent) { b.MouseMoved(e) }

func (b *board) MouseMoved(e *desktop.MouseEvent) {
	b.pointer, b.hovered = b.Pixel(e.Position), true
	b.onChange()
}

func (b *board) MouseOut() {
	b.hovered = false
	b.onChange()
}

func (b *board) Cursor() desktop.Cursor {
	if b.hovered && b.second.isAtDivider(b.pointer.X, b.size.X) {
		return desktop.HResizeCursor
	}
	return desktop.CrosshairCursor
}

func (b *board) zoomText() string {
	if b.pyramid == nil || b.size.X == 0 {
		return ""
	}
	percent := 100 * b.scale()
	if percent > 10 {
		return fmt.Sprintf("%.0f%%", percent)
	}
	return fmt.Sprintf("%.2g%%", percent)
}

// pixelText returns the value of the pixel under the pointer.
func (b *board) pixelText() string {
	if b.pyramid == nil || !b.hovered || b.size.X == 0 {
		return ""
	}
	fx, fy := b.pixelAt(b.pointer)
	x, y := int(math.Floor(fx)), int(math.Floor(fy))
	source := b.pyramid.source
	r := source.Bounds()
	if !image.Pt(x, y).In(image.Rect(0, 0, r.Dx(), r.Dy())) {
		return ""
	}
	text := fmt.Sprintf("(%d, %d) %s", x, y, valueOf(source, x+r.Min.X, y+r.Min.Y))
	for _, box := range b.boxes {
		if image.Pt(x, y).In(box.Rectangle) {
			return text + " · " + box.Name
		}
	}
	return text
}

// valueOf returns the value of a pixel, in the numbers of the picture.
func valueOf(img image.Image, x, y int) string {
	if v, ok := img.(interface{ Values(x, y int) []float32 }); ok {
		s := ""
		for i, f := range v.Values(x, y) {
			s += fmt.Sprintf(" %c %.4g", "RGBA"[i], f)
		}
		return strings.TrimSpace(s)
	}
	switch c := img.At(x, y).(type) {
	case color.Gray:
		return fmt.Sprintf("value %d", c.Y)
	case color.Gray16:
		return fmt.Sprintf("value %d", c.Y)
	case color.NRGBA64:
		return fmt.Sprintf("R %d G %d B %d A %d", c.R, c.G, c.B, c.A)
	case color.RGBA64:
		return fmt.Sprintf("R %d G %d B %d A %d", c.R, c.G, c.B, c.A)
	}
	n := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	s := fmt.Sprintf("R %d G %d B %d A %d #%02x%02x%02x", n.R, n.G, n.B, n.A, n.R, n.G, n.B)
	if p, ok := img.(*image.Paletted); ok {
		s += fmt.Sprintf(" color %d", p.ColorIndexAt(x, y))
	}
	return s
}

// paint paints the visible part.
func (b *board) paint(c *paint.Canvas) {
	c.Fill(c.Img.Rect, c.Colors.Background)
	if size := c.Img.Rect.Size(); size != b.size {
		b.size = size
		work.Do(b.onChange)
	}
	if b.pyramid == nil {
		return
	}
	s := b.scale()
	x0, y0 := b.pixelAt(image.Point{})
	b.paintLayers(c)
	if s >= gridFrom {
		b.grid(c, x0, y0, s)
	}
	b.outline(c, x0, y0, s)
	b.second.paintDivider(c)
}

// outline paints the edges of the boxes, if they are on, and of the box that is selected in the file.
func (b *board) outline(c *paint.Canvas, x0, y0, s float64) {
	line, highlight := color.NRGBA{R: 0x3f, G: 0xa0, B: 0xff, A: 0xa0}, color.NRGBA{R: 0xff, G: 0xa0, B: 0x20, A: 0xff}
	x := func(v int) int { return int(math.Round((float64(v) - x0) * s)) }
	y := func(v int) int { return int(math.Round((float64(v) - y0) * s)) }
	if r := b.revealedPart; !r.Empty() {
		c.Frame(image.Rect(x(r.Min.X), y(r.Min.Y), x(r.Max.X), y(r.Max.Y)).Inset(-c.Px(2)), c.Px(2), highlight)
	}
	for _, box := range b.boxes {
		isMarked := b.markedSpan.Size > 0 && box.Span.Contains(b.markedSpan.Offset) &&
			b.markedSpan.End() <= box.Span.End()
		if !b.showsBoxes && !isMarked {
			continue
		}
		r := image.Rect(x(box.Min.X), y(box.Min.Y), x(box.Max.X)+1, y(box.Max.Y)+1)
		if r.Overlaps(c.Clip) {
			if isMarked {
				c.Frame(r.Inset(-c.Px(1)), c.Px(2), highlight)
			} else {
				c.Frame(r, 1, line)
			}
		}
	}
}

// grid paints the edges of pixels.
func (b *board) grid(c *paint.Canvas, x0, y0, s float64) {
	line := color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 0x60}
	w, h := b.pictureSize()
	x := func(v float64) int { return int(math.Round((v - x0) * s)) }
	y := func(v float64) int { return int(math.Round((v - y0) * s)) }
	top, bottom := max(0, y(0)), min(b.size.Y, y(h))
	left, right := max(0, x(0)), min(b.size.X, x(w))
	for v := max(0, math.Floor(x0)); v <= w && x(v) < b.size.X; v++ {
		c.Fill(image.Rect(x(v), top, x(v)+1, bottom), line)
	}
	for v := max(0, math.Floor(y0)); v <= h && y(v) < b.size.Y; v++ {
		c.Fill(image.Rect(left, y(v), right, y(v)+1), line)
	}
}
