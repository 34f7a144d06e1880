package paint

import (
	"image"

	"golang.org/x/image/vector"
)

// Mask is a shape rasterised once, painted in any colour.
type Mask struct{ stencil }

type maskKey struct {
	name string
	w, h int
}

// Size returns the size of the mask in pixels.
func (m *Mask) Size() (w, h int) { return m.w, m.h }

// Pen draws a shape in a rasteriser of some width and height.
type Pen struct {
	Z    *vector.Rasterizer
	W, H float32
}

// Polygon draws a polygon by the places of its corners, x and y of each, in a square of which both sides are 1.
func (p Pen) Polygon(corners ...float32) {
	p.Z.MoveTo(corners[0]*p.W, corners[1]*p.H)
	for i := 2; i+1 < len(corners); i += 2 {
		p.Z.LineTo(corners[i]*p.W, corners[i+1]*p.H)
	}
	p.Z.ClosePath()
}

// Mask returns the named shape at a size in pixels. Draw is called when the shape is not in the atlas yet. A name
// stands for one shape for ever.
func (a *Atlas) Mask(name string, w, h int, draw func(p Pen)) *Mask {
	key := maskKey{name, w, h}
	m := a.masks[key]
	if m == nil {
		m = &Mask{}
		if w > 0 && h > 0 {
			a.raster.Reset(w, h)
			draw(Pen{&a.raster, float32(w), float32(h)})
			m.stencil = finish(&a.raster)
		}
		a.masks[key] = m
	}
	return m
}

// Mask paints a mask with its top left corner at x, y.
func (c *Canvas) Mask(x, y int, m *Mask, col Color) {
	if m != nil && c.Img != nil {
		c.blit(x, y, &m.stencil, col)
	}
}

// Shape paints the named shape into a rectangle, as Atlas.Mask makes it.
func (c *Canvas) Shape(r image.Rectangle, name string, col Color, draw func(p Pen)) {
	c.Mask(r.Min.X, r.Min.Y, c.faces[Regular].atlas.Mask(name, r.Dx(), r.Dy(), draw), col)
	if c.record != nil {
		c.record.shape(c, r, name, col)
	}
}

// Dot paints a dot half as large as a square, in its middle.
func (c *Canvas) Dot(r image.Rectangle, col Color) {
	d := r.Dx() / 2
	at := image.Pt(r.Min.X+(r.Dx()-d)/2, r.Min.Y+(r.Dy()-d)/2)
	c.Shape(image.Rectangle{at, at.Add(image.Pt(d, d))}, "paint.disc", col, disc)
}

// Swatch returns what paints a square of a color in the place of a mark. Of a transparent one, the right half is laid
// over the background.
func Swatch(col Color) func(c *Canvas, r image.Rectangle, _ Color) {
	return func(c *Canvas, r image.Rectangle, _ Color) {
		solid := col
		solid.A = 255
		c.Fill(r, solid)
		if col.A < 255 {
			half := r
			half.Min.X += r.Dx() / 2
			c.Fill(half, c.Colors.Background)
			c.Fill(half, col)
		}
		c.Frame(r, max(1, int(c.Scale)), c.Colors.Faint)
	}
}

// Direction is where a triangle points.
type Direction uint8

// The directions of a triangle.
const (
	Right Direction = iota
	Down
	Up
	Leftward
)

// Triangle paints a small triangle in the middle of a rectangle: closed and opened rows, sorted columns.
func (c *Canvas) Triangle(r image.Rectangle, d Direction, col Color) {
	side := min(r.Dx(), r.Dy())
	r = image.Rect(0, 0, side, side).Add(image.Pt(r.Min.X+(r.Dx()-side)/2, r.Min.Y+(r.Dy()-side)/2))
	t := triangles[d]
	c.Shape(r, t.name, col, func(p Pen) { p.Polygon(t.corners...) })
}

var triangles = [...]struct {
	name    string
	corners []float32
}{
	Right:    {"paint.right", []float32{0.3, 0.12, 0.82, 0.5, 0.3, 0.88}},
	Leftward: {"paint.left", []float32{0.7, 0.12, 0.18, 0.5, 0.7, 0.88}},
	Down:     {"paint.down", []float32{0.12, 0.3, 0.88, 0.3, 0.5, 0.82}},
	Up:       {"paint.up", []float32{0.12, 0.7, 0.88, 0.7, 0.5, 0.18}},
}

// Round paints a rectangle with round ends or corners: scroll bar thumbs, badges. The radius is in pixels.
func (c *Canvas) Round(r image.Rectangle, radius int, col Color) {
	radius = min(radius, r.Dx()/2, r.Dy()/2)
	if radius < 1 {
		c.Fill(r, col)
		return
	}
	m := c.faces[Regular].atlas.Mask("paint.disc", 2*radius, 2*radius, disc)
	corner := func(x, y, cx, cy int) {
		c.Clipped(image.Rect(cx, cy, cx+radius, cy+radius), func() { c.Mask(x, y, m, col) })
	}
	corner(r.Min.X, r.Min.Y, r.Min.X, r.Min.Y)
	corner(r.Max.X-2*radius, r.Min.Y, r.Max.X-radius, r.Min.Y)
	corner(r.Min.X, r.Max.Y-2*radius, r.Min.X, r.Max.Y-radius)
	corner(r.Max.X-2*radius, r.Max.Y-2*radius, r.Max.X-radius, r.Max.Y-radius)
	c.Fill(image.Rect(r.Min.X+radius, r.Min.Y, r.Max.X-radius, r.Max.Y), col)
	c.Fill(image.Rect(r.Min.X, r.Min.Y+radius, r.Min.X+radius, r.Max.Y-radius), col)
	c.Fill(image.Rect(r.Max.X-radius, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), col)
}

func disc(p Pen) {
	const k = 0.5523 // a quarter of a circle as a cubic
	z, w, h := p.Z, p.W, p.H
	x, y := w/2, h/2
	z.MoveTo(w, y)
	z.CubeTo(w, y+y*k, x+x*k, h, x, h)
	z.CubeTo(x-x*k, h, 0, y+y*k, 0, y)
	z.CubeTo(0, y-y*k, x-x*k, 0, x, 0)
	z.CubeTo(x+x*k, 0, w, y-y*k, w, y)
	z.ClosePath()
}
