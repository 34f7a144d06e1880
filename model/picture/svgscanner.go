package picture

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"

	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The cost of drawing, in steps.
const (
	stepsOfLine  = 12      // besides the rows and columns that it crosses
	stepsOfColor = 24      // a pixel of a gradient
	maxPathLines = 1 << 16 // of a path, until its extent is computed; a longer one counts as filling the picture
)

// svgStop is the panic that ends the library's work.
type svgStop struct{ error }

var errSVGWork = errors.New("the drawing is too complex to display: too many curves, dashes or large areas")

// svgLine is an edge of a path.
type svgLine struct{ a, b fixed.Point26_6 }

// svgScanner is a rasterx.Scanner that clips lines to the picture before they are drawn, draws only where a path is,
// and ends by a panic with svgStop when its budget is spent or its context ends.
type svgScanner struct {
	ctx        context.Context
	img        *image.RGBA
	remaining  int // steps
	origin     fixed.Point26_6
	extent     fixed.Rectangle26_6
	lines      []svgLine
	isDirect   bool            // lines are drawn at once, as the path has too many to keep
	area       image.Rectangle // of the picture that the raster is for
	raster     vector.Rasterizer
	paint      image.Image
	pixelSteps int // steps of a pixel of the paint
}

func (s *svgScanner) spendSteps(steps int) {
	if s.remaining -= steps; s.remaining < 0 {
		panic(svgStop{errSVGWork})
	}
}

// Start implements rasterx.Scanner.
func (s *svgScanner) Start(a fixed.Point26_6) {
	s.spendSteps(1)
	s.origin = a
	s.extendTo(a)
}

func (s *svgScanner) extendTo(p fixed.Point26_6) {
	e := &s.extent
	e.Min.X, e.Min.Y = min(e.Min.X, p.X), min(e.Min.Y, p.Y)
	e.Max.X, e.Max.Y = max(e.Max.X, p.X), max(e.Max.Y, p.Y)
}

// Line implements rasterx.Scanner.
func (s *svgScanner) Line(b fixed.Point26_6) {
	s.spendSteps(stepsOfLine)
	l := svgLine{s.origin, b}
	s.origin = b
	s.extendTo(b)
	if !s.isDirect {
		if s.lines = append(s.lines, l); len(s.lines) < maxPathLines {
			return
		}
		s.isDirect = true
		s.startRaster(s.img.Rect)
		return
	}
	s.drawLine(l)
}

// startRaster sets the raster to a part of the picture and draws the lines that were kept.
func (s *svgScanner) startRaster(area image.Rectangle) {
	if err := s.ctx.Err(); err != nil {
		panic(svgStop{err})
	}
	s.spendSteps(area.Dx() * area.Dy() * s.pixelSteps)
	s.area = area
	s.raster.Reset(area.Dx(), area.Dy())
	for _, l := range s.lines {
		s.drawLine(l)
	}
	s.lines = s.lines[:0]
}

// drawLine draws the part of a line that is in the rows of the area. Parts beyond the left or right side are drawn
// along that side: they count for the pixels beside it.
func (s *svgScanner) drawLine(l svgLine) {
	x := func(p fixed.Point26_6) float64 { return float64(p.X)/64 - float64(s.area.Min.X) }
	y := func(p fixed.Point26_6) float64 { return float64(p.Y)/64 - float64(s.area.Min.Y) }
	ax, ay, bx, by := x(l.a), y(l.a), x(l.b), y(l.b)
	w, h := float64(s.area.Dx()), float64(s.area.Dy())
	if ay == by || max(ay, by) <= 0 || min(ay, by) >= h {
		return
	}
	slope := (bx - ax) / (by - ay)
	rows := func(y float64) (float64, float64) { // the point of the line that is in the rows of the area
		clamped := min(max(y, 0), h)
		return ax + (clamped-ay)*slope, clamped
	}
	fromX, fromY := rows(ay)
	toX, toY := rows(by)
	sides := [2]float64{0, w}
	if fromX > toX {
		sides = [2]float64{w, 0}
	}
	for _, end := range sides { // cut where the line passes a side
		if (fromX < end) != (toX < end) {
			cut := min(max(ay+(end-ax)/slope, min(fromY, toY)), max(fromY, toY))
			s.drawPiece(fromX, fromY, end, cut)
			fromX, fromY = end, cut
		}
	}
	s.drawPiece(fromX, fromY, toX, toY)
}

func (s *svgScanner) drawPiece(ax, ay, bx, by float64) {
	w := float64(s.area.Dx())
	ax, bx = min(max(ax, 0), w), min(max(bx, 0), w)
	s.spendSteps(int(math.Abs(ax-bx)+math.Abs(ay-by)) + 1)
	s.raster.MoveTo(float32(ax), float32(ay))
	s.raster.LineTo(float32(bx), float32(by))
}

// Draw implements rasterx.Scanner.
func (s *svgScanner) Draw() {
	if !s.isDirect {
		e := s.extent
		area := image.Rect(e.Min.X.Floor(), e.Min.Y.Floor(), e.Max.X.Ceil(), e.Max.Y.Ceil()).Intersect(s.img.Rect)
		if e.Min.X > e.Max.X || area.Empty() {
			return
		}
		s.startRaster(area)
	}
	s.raster.Draw(s.img, s.area, s.paint, s.area.Min)
}

// Clear implements rasterx.Scanner.
func (s *svgScanner) Clear() {
	s.lines, s.isDirect, s.pixelSteps = s.lines[:0], false, stepsOfColor
	least, most := fixed.Int26_6(math.MinInt32), fixed.Int26_6(math.MaxInt32)
	s.extent = fixed.Rectangle26_6{Min: fixed.Point26_6{X: most, Y: most}, Max: fixed.Point26_6{X: least, Y: least}}
}

// SetColor implements rasterx.Scanner.
func (s *svgScanner) SetColor(paint any) {
	switch p := paint.(type) {
	case color.Color:
		s.paint, s.pixelSteps = image.NewUniform(p), 1
	case rasterx.ColorFunc:
		s.paint, s.pixelSteps = svgPaint(p), stepsOfColor
	}
}

// GetPathExtent implements rasterx.Scanner.
func (s *svgScanner) GetPathExtent() fixed.Rectangle26_6 { return s.extent }

// SetBounds implements rasterx.Scanner: the bounds are the picture's.
func (s *svgScanner) SetBounds(int, int) {}

// SetWinding implements rasterx.Scanner: the raster has one rule.
func (s *svgScanner) SetWinding(bool) {}

// SetClip implements rasterx.Scanner: the library that reads SVG does not clip.
func (s *svgScanner) SetClip(image.Rectangle) {}

// svgPaint is a gradient as an image without an end.
type svgPaint rasterx.ColorFunc

// ColorModel implements image.Image.
func (p svgPaint) ColorModel() color.Model { return color.NRGBAModel }

// Bounds implements image.Image.
func (p svgPaint) Bounds() image.Rectangle { return image.Rect(-1e9, -1e9, 1e9, 1e9) }

// At implements image.Image.
func (p svgPaint) At(x, y int) color.Color { return p(x, y) }
