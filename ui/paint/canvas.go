package paint

import (
	"image"
	"image/draw"
)

// Style is what all widgets of a window share: the glyphs and the text size.
type Style struct {
	Atlas *Atlas
	// TextSize is in device-independent pixels; 0 means DefaultTextSize.
	TextSize float32

	recording *Recording
}

// DefaultTextSize is the text size of compact rows.
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
	before := c.Clip
	c.Clip = before.Intersect(r)
	if !c.Clip.Empty() {
		paint()
	}
	c.Clip = before
}

// Fill paints a rectangle.
func (c *Canvas) Fill(r image.Rectangle, col Color) {
	r = r.Intersect(c.Clip)
	if r.Empty() || col.A == 0 || c.Img == nil {
		return
	}
	if c.record != nil {
		c.record.ground(r, col)
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

// blend mixes a colour into one pixel, which is opaque then; a is 0 to 256.
func blend(p []uint8, col Color, a uint32) {
	b := 256 - a
	p[0] = uint8((uint32(col.R)*a + uint32(p[0])*b) >> 8)
	p[1] = uint8((uint32(col.G)*a + uint32(p[1])*b) >> 8)
	p[2] = uint8((uint32(col.B)*a + uint32(p[2])*b) >> 8)
	p[3] = 0xff
}

// Frame paints the edge of a rectangle, inside it, thick pixels wide.
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

// Picture paints a picture with its top left corner at a point.
func (c *Canvas) Picture(at image.Point, p image.Image) {
	if c.Img == nil {
		return
	}
	b := p.Bounds()
	r := image.Rectangle{at, at.Add(b.Size())}
	clip := r.Intersect(c.Clip)
	draw.Draw(c.Img, clip, p, b.Min.Add(clip.Min.Sub(r.Min)), draw.Over)
}
