// Package paint draws text and plain shapes into an image, for widgets with many rows. It also contains Assay's theme,
// in dark and in light, and helpers for the toolkit's objects.
//
// A Fyne text object needs a texture of its own; a page of rows has thousands of texts. Here every glyph is rasterized
// once into an Atlas, and a page is painted by blending those masks into one image. A Canvas is one image being
// painted, in pixels; the Atlas behind it is shared by all widgets of the program. Both belong to the UI thread.
//
// Text is displayed as data, not as prose: control, format and bidi characters are painted as escapes and have no
// effect, and glyphs are in the order of the string. Scripts that need shaping are therefore painted letter by letter.
package paint

import (
	"image"
	"image/draw"
	"slices"
)

// Style is shared by all widgets of a window: the glyphs and the text size.
type Style struct {
	Atlas *Atlas
	// TextSize is in device-independent pixels; 0 means DefaultTextSize.
	TextSize float32

	recording *Recording
}

// DefaultTextSize is the text size of the theme and of compact rows, in device-independent pixels.
const DefaultTextSize = 13

// NewStyle returns a style with an atlas of its own and the default text size.
func NewStyle() *Style { return &Style{Atlas: NewAtlas(), TextSize: DefaultTextSize} }

// Size returns the text size in device-independent pixels.
func (s *Style) Size() float32 {
	if s.TextSize <= 0 {
		return DefaultTextSize
	}
	return s.TextSize
}

// RowHeight returns the height of a compact row in pixels at a scale.
func (s *Style) RowHeight(scale float32) int {
	return max(1, int(s.Size()*scale*1.54+0.5))
}

// Canvas is one image being painted. All positions are pixels of the image; painting outside Clip has no effect.
// A Canvas without an image measures only.
type Canvas struct {
	Img    *image.RGBA
	Scale  float32
	Colors Colors
	Clip   image.Rectangle
	faces  [faceCount]*glyphs
	record *Recording // nil: not recorded
}

// NewCanvas starts painting an image at a scale (pixels for each device-independent pixel). img may be nil.
func (s *Style) NewCanvas(img *image.RGBA, scale float32, colors Colors) *Canvas {
	c := &Canvas{Img: img, Scale: scale, Colors: colors}
	for f := range faceCount {
		c.faces[f] = s.Atlas.glyphs(f, s.Size()*scale)
	}
	c.Clip = image.Rect(0, 0, 1<<30, 1<<30)
	if img != nil {
		c.Clip = img.Rect
		if c.record = s.recording; c.record != nil {
			*c.record = Recording{Clip: c.Clip}
		}
	}
	return c
}

// Px returns a device-independent length in whole pixels, at least one if it is not zero.
func (c *Canvas) Px(length float32) int {
	n := int(length*c.Scale + 0.5)
	if n == 0 && length > 0 {
		return 1
	}
	return n
}

// Clipped runs paint with the clip narrowed to r.
func (c *Canvas) Clipped(r image.Rectangle, paint func()) {
	clip := c.Clip
	c.Clip = clip.Intersect(r)
	if !c.Clip.Empty() {
		paint()
	}
	c.Clip = clip
}

// Fill paints a rectangle.
func (c *Canvas) Fill(r image.Rectangle, col Color) {
	r = r.Intersect(c.Clip)
	if r.Empty() || col.A == 0 || c.Img == nil {
		return
	}
	if c.record != nil {
		c.record.fill(r, col)
	}
	stride := c.Img.Stride
	start := c.Img.PixOffset(r.Min.X, r.Min.Y)
	n := r.Dx() * 4
	if col.A == 0xff {
		first := c.Img.Pix[start : start+n]
		first[0], first[1], first[2], first[3] = col.R, col.G, col.B, 0xff
		for done := 4; done < n; done *= 2 {
			copy(first[done:], first[:done])
		}
		for y := 1; y < r.Dy(); y++ {
			copy(c.Img.Pix[start+y*stride:start+y*stride+n], first)
		}
		return
	}
	a := uint32(col.A) + uint32(col.A>>7)
	for y := range r.Dy() {
		line := c.Img.Pix[start+y*stride : start+y*stride+n]
		for i := 0; i+3 < len(line); i += 4 {
			blend(line[i:i+4:i+4], col, a)
		}
	}
}

// blend mixes a color into one pixel and makes it opaque; a is the alpha, 0 to 256.
func blend(p []uint8, col Color, a uint32) {
	b := 256 - a
	p[0] = uint8((uint32(col.R)*a + uint32(p[0])*b) >> 8)
	p[1] = uint8((uint32(col.G)*a + uint32(p[1])*b) >> 8)
	p[2] = uint8((uint32(col.B)*a + uint32(p[2])*b) >> 8)
	p[3] = 0xff
}

// Frame paints a border inside the edges of a rectangle, thick pixels wide.
func (c *Canvas) Frame(r image.Rectangle, thick int, col Color) {
	c.Fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+thick), col)
	c.Fill(image.Rect(r.Min.X, r.Max.Y-thick, r.Max.X, r.Max.Y), col)
	c.Fill(image.Rect(r.Min.X, r.Min.Y+thick, r.Min.X+thick, r.Max.Y-thick), col)
	c.Fill(image.Rect(r.Max.X-thick, r.Min.Y+thick, r.Max.X, r.Max.Y-thick), col)
}

// Line paints a horizontal or vertical line one device-independent pixel thick from (x0,y0) up to (x1,y1).
func (c *Canvas) Line(x0, y0, x1, y1 int, col Color) {
	t := max(1, int(c.Scale))
	if y0 == y1 {
		c.Fill(image.Rect(x0, y0, x1, y0+t), col)
		return
	}
	c.Fill(image.Rect(x0, y0, x0+t, y1), col)
}

// Centered returns the rectangle of a size with the center of r.
func Centered(r image.Rectangle, size image.Point) image.Rectangle {
	pos := image.Pt(r.Min.X+(r.Dx()-size.X)/2, r.Min.Y+(r.Dy()-size.Y)/2)
	return image.Rectangle{pos, pos.Add(size)}
}

// Picture paints an image with its top left corner at a point.
func (c *Canvas) Picture(pos image.Point, p image.Image) {
	if c.Img == nil {
		return
	}
	b := p.Bounds()
	r := image.Rectangle{pos, pos.Add(b.Size())}
	clip := r.Intersect(c.Clip)
	draw.Draw(c.Img, clip, p, b.Min.Add(clip.Min.Sub(r.Min)), draw.Over)
}

// Recording is the content of a frame as text and shapes, for tests.
type Recording struct {
	Clip  image.Rectangle // the frame
	Inks  []Ink
	Fills []Fill
}

// Ink is a painted text or named shape, clipped to its visible part.
type Ink struct {
	Box   image.Rectangle // from the first to the last position of the pen, and from cap height to baseline
	Text  string          // as painted: truncated and escaped
	Shape string          // the name of the shape; empty for a text
	Face  Face
	Color Color
}

// Fill is a filled rectangle. Later fills cover earlier ones.
type Fill struct {
	Box        image.Rectangle
	Color      Color
	InksBefore int // number of inks painted before
}

// Record records the frames that are painted from now on in r; nil stops recording.
func (s *Style) Record(r *Recording) { s.recording = r }

// text records a text painted from x to end on a baseline.
func (r *Recording) text(c *Canvas, g *glyphs, x, end, y int, s string, col Color) {
	box := image.Rect(x, y-g.cap, end, y)
	if s == "" || !box.Overlaps(c.Clip) {
		return
	}
	if n := len(r.Inks); n > 0 { // a text may be painted one character at a time
		last := &r.Inks[n-1]
		if last.Shape == "" && last.Box.Max == image.Pt(x, y) && last.Face == g.face && last.Color == col {
			last.Text += s
			last.Box.Max.X = end
			return
		}
	}
	r.Inks = append(r.Inks, Ink{Box: box, Text: s, Face: g.face, Color: col})
}

func (r *Recording) shape(c *Canvas, box image.Rectangle, name string, col Color) {
	if box.Overlaps(c.Clip) {
		r.Inks = append(r.Inks, Ink{Box: box, Shape: name, Color: col})
	}
}

func (r *Recording) fill(box image.Rectangle, col Color) {
	r.Fills = append(r.Fills, Fill{Box: box, Color: col, InksBefore: len(r.Inks)})
}

// Background returns the background color of an ink.
func (r *Recording) Background(ink int) Color {
	var col Color
	box := r.Inks[ink].Box
	middle := box.Min.Add(box.Max).Div(2)
	for _, f := range r.Fills {
		if f.InksBefore <= ink && middle.In(f.Box) {
			col = f.Color
		}
	}
	return col
}

// Visible returns the inks that nothing painted later covers.
func (r *Recording) Visible() []Ink {
	var visible []Ink
	for i, ink := range r.Inks {
		covers := func(f Fill) bool { return f.InksBefore > i && f.Color.A == 0xff && ink.Box.In(f.Box) }
		if !slices.ContainsFunc(r.Fills, covers) {
			visible = append(visible, ink)
		}
	}
	return visible
}
