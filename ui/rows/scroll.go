package rows

import (
	"image"

	"assay/ui/paint"
)

// Lengths in device-independent pixels.
const (
	barWidth = 12
	minThumb = 28
	cellPad  = 6
)

// geometry is the layout of the widget, in pixels of the raster.
type geometry struct {
	scale      float32
	all        image.Rectangle
	header     image.Rectangle
	body       image.Rectangle
	vbar, hbar image.Rectangle // empty if not needed
	row        int
	width      int // width of the content, at least that of the body
}

// scale returns the pixels for each device-independent pixel.
func (r *Rows) scale() float32 {
	if c := r.fyneCanvas(); c != nil {
		return paint.Scale(c)
	}
	if r.rasterScale > 0 {
		return r.rasterScale
	}
	return 1
}

// geometry computes the layout for the current size.
func (r *Rows) geometry() geometry {
	scale := r.scale()
	size := r.Size()
	return r.geometryFor(int(size.Width*scale+0.5), int(size.Height*scale+0.5), scale)
}

func (r *Rows) geometryFor(w, h int, scale float32) geometry {
	g := geometry{scale: scale, all: image.Rect(0, 0, max(0, w), max(0, h)), row: r.style.RowHeight(scale)}
	header := g.row + int(3*scale)
	if r.options.Height != nil {
		g.row = max(1, r.options.Height(scale))
	}
	g.body = g.all
	if r.options.Header {
		g.header = g.all
		g.header.Max.Y = min(g.all.Max.Y, header)
		g.body.Min.Y = g.header.Max.Y
	}
	width := r.contentWidth
	if len(r.columns) > 0 {
		width = r.columnsWidth(scale)
	}
	bar := int(barWidth*scale + 0.5)
	v := r.Len() > int64(g.body.Dy()/g.row)
	side := 0
	if v {
		side = bar
	}
	horizontal := width > g.body.Dx()-side
	if horizontal {
		g.body.Max.Y = max(g.body.Min.Y, g.body.Max.Y-bar)
		if !v && r.Len() > int64(g.body.Dy()/g.row) {
			v, side = true, bar
		}
	}
	if v {
		g.body.Max.X = max(g.body.Min.X, g.body.Max.X-bar)
		g.vbar = image.Rect(g.body.Max.X, g.body.Min.Y, g.all.Max.X, g.body.Max.Y)
	}
	if horizontal {
		g.hbar = image.Rect(g.body.Min.X, g.body.Max.Y, g.body.Max.X, g.all.Max.Y)
	}
	g.width = max(width, g.body.Dx())
	return g
}

// layout divides the width among the columns, lets the source prepare a frame, and corrects the position.
func (r *Rows) layout() {
	r.divideColumns()
	g := r.geometry()
	r.prepareFrame(g)
	r.clamp(r.geometry())
}

func (r *Rows) prepareFrame(g geometry) {
	r.growColumns()
	if f, ok := r.source.(Framer); ok && !r.inFrame {
		r.inFrame = true
		f.Frame(r.style.NewCanvas(nil, g.scale, paint.Colors{}), g.all.Dx()-int(barWidth*g.scale+0.5), g.body.Dy())
		r.inFrame = false
	}
}

// lastPosition returns the scroll position with the end of the last row at the bottom.
func (r *Rows) lastPosition(g geometry) (first int64, offset int) {
	return g.positionEndingWith(r.Len() - 1)
}

// positionEndingWith returns the scroll position with the end of a row at the bottom, or 0, 0 if all rows above it fit.
func (g *geometry) positionEndingWith(row int64) (first int64, offset int) {
	if g.body.Dy() < g.row { // there is no room for a row, yet
		return max(0, row), 0
	}
	first = row + 1 - int64(g.body.Dy()/g.row)
	if remainder := g.body.Dy() % g.row; remainder > 0 {
		first, offset = first-1, g.row-remainder
	}
	if first < 0 {
		return 0, 0
	}
	return first, offset
}

// keepInView scrolls to the current row if it was in view before the body became lower.
func (r *Rows) keepInView() {
	g := r.geometry()
	before, now := r.bodyHeight, g.body.Dy()
	r.bodyHeight = now
	if end := int(r.current-r.first+1)*g.row - r.offset; r.current >= r.first && end <= before && end > now {
		r.ScrollTo(r.current)
	}
}

func (r *Rows) clamp(g geometry) {
	first, offset := r.lastPosition(g)
	if r.first > first || r.first == first && r.offset > offset {
		r.first, r.offset = first, offset
	}
	if r.first < 0 {
		r.first, r.offset = 0, 0
	}
	if r.offset >= g.row {
		r.offset = 0
	}
	r.scrollX = max(0, min(r.scrollX, g.width-g.body.Dx()))
}

// move scrolls by pixels.
func (r *Rows) move(dx, dy int) {
	g := r.geometry()
	first, offset, shift := r.first, r.offset, r.scrollX
	r.scrollX += dx
	pos := r.offset + dy
	rows := pos / g.row
	if pos%g.row < 0 {
		rows--
	}
	r.first += int64(rows)
	r.offset = pos - rows*g.row
	r.clamp(g)
	r.scrolled(first, offset, shift)
}

func (r *Rows) scrolled(first int64, offset, shift int) {
	if first == r.first && offset == r.offset && shift == r.scrollX {
		return
	}
	r.pointerMoved(-1, -1)
	if (first != r.first || offset != r.offset) && r.OnScroll != nil && !r.inFrame {
		r.OnScroll()
	}
	r.repaint()
}

// First returns the topmost row in view.
func (r *Rows) First() int64 { return r.first }

// Page returns the number of rows that fit completely into the body, at least 1.
func (r *Rows) Page() int64 {
	g := r.geometry()
	return max(1, int64(g.body.Dy()/g.row))
}

// SetFirst scrolls so that a row is the topmost, as far as there are rows below it.
func (r *Rows) SetFirst(row int64) {
	first, offset := r.first, r.offset
	r.first, r.offset = max(0, row), 0
	r.clamp(r.geometry())
	r.scrolled(first, offset, r.scrollX)
}

// Follow scrolls to the position of another widget with the same rows, without an event.
func (r *Rows) Follow(o *Rows) {
	if r.first == o.first && r.offset == o.offset {
		return
	}
	r.first, r.offset = o.first, o.offset
	r.clamp(r.geometry())
	r.repaint()
}

// ScrollTo scrolls to a row: not at all if it is visible, to the nearest edge if it is near, else to the middle.
func (r *Rows) ScrollTo(row int64) {
	n := r.Len()
	if n == 0 {
		return
	}
	row = max(0, min(row, n-1))
	g := r.geometry()
	page := r.Page()
	first, offset := r.first, r.offset
	switch {
	case row < r.first-page || row > r.first+2*page:
		r.first, r.offset = max(0, row-page/2), 0
	case row < r.first || row == r.first && r.offset > 0:
		r.first, r.offset = row, 0
	case int(row-r.first+1)*g.row-r.offset > g.body.Dy():
		r.first, r.offset = g.positionEndingWith(row)
	}
	r.clamp(g)
	r.scrolled(first, offset, r.scrollX)
}

// SetContentWidth sets the width of rows without columns, in pixels; wider content can be scrolled.
func (r *Rows) SetContentWidth(pixels int) {
	if r.contentWidth != pixels {
		r.contentWidth = pixels
		r.repaint()
	}
}

// vthumb returns the thumb of the vertical bar.
func (r *Rows) vthumb(g geometry) image.Rectangle {
	if g.vbar.Empty() {
		return image.Rectangle{}
	}
	first, offset := r.lastPosition(g)
	visibleShare := float64(g.body.Dy()) / float64(g.row) / float64(r.Len())
	length := thumbLength(g.vbar.Dy(), visibleShare, g.scale)
	pos := 0
	if total := float64(first) + float64(offset)/float64(g.row); total > 0 {
		pos = int((float64(r.first)+float64(r.offset)/float64(g.row))/total*float64(g.vbar.Dy()-length) + 0.5)
	}
	return image.Rect(g.vbar.Min.X, g.vbar.Min.Y+pos, g.vbar.Max.X, g.vbar.Min.Y+pos+length)
}

// hthumb returns the thumb of the horizontal bar.
func (r *Rows) hthumb(g geometry) image.Rectangle {
	if g.hbar.Empty() {
		return image.Rectangle{}
	}
	length := thumbLength(g.hbar.Dx(), float64(g.body.Dx())/float64(g.width), g.scale)
	pos := 0
	if remainder := g.width - g.body.Dx(); remainder > 0 {
		pos = r.scrollX * (g.hbar.Dx() - length) / remainder
	}
	return image.Rect(g.hbar.Min.X+pos, g.hbar.Min.Y, g.hbar.Min.X+pos+length, g.hbar.Max.Y)
}

func thumbLength(barLength int, visibleShare float64, scale float32) int {
	return min(barLength, max(int(minThumb*scale), int(float64(barLength)*min(1, visibleShare))))
}

// dragThumbV moves the vertical thumb so that its top is at y.
func (r *Rows) dragThumbV(g geometry, y int) {
	length := r.vthumb(g).Dy()
	room := g.vbar.Dy() - length
	y -= g.vbar.Min.Y
	first, offset := r.first, r.offset
	switch lastFirst, lastOffset := r.lastPosition(g); {
	case y <= 0 || room <= 0:
		r.first, r.offset = 0, 0
	case y >= room: // exact for any number of rows
		r.first, r.offset = lastFirst, lastOffset
	default:
		pos := (float64(lastFirst) + float64(lastOffset)/float64(g.row)) * float64(y) / float64(room)
		r.first = int64(pos)
		r.offset = min(g.row-1, int((pos-float64(r.first))*float64(g.row)))
		if lastFirst > int64(room)*4 { // the pointer moves by several rows: scroll to whole rows
			r.offset = 0
		}
	}
	r.clamp(g)
	r.scrolled(first, offset, r.scrollX)
}

func (r *Rows) dragThumbH(g geometry, x int) {
	room := g.hbar.Dx() - r.hthumb(g).Dx()
	if room <= 0 {
		return
	}
	shift := r.scrollX
	r.scrollX = max(0, x-g.hbar.Min.X) * (g.width - g.body.Dx()) / room
	r.clamp(g)
	r.scrolled(r.first, r.offset, shift)
}
