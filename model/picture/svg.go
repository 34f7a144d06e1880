package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"assay/model"
)

// The drawing library is safe only with harmless documents: it follows references without end, and its work grows with
// coordinates. Documents are therefore rewritten without references before it reads them (flattenSVG), and all that it
// draws passes a scanner with a budget (svgScanner). Within these limits no drawing takes more than about a second and
// 200 MB.
const (
	maxSVG      = 4 << 20  // bytes of a file
	svgSide     = 1024     // pixels of the longer side of the picture
	svgSmall    = 256      // the same of a picture that is too much work at full size
	svgElements = 50_000   // with repetitions by use: each is a path with a style of some 400 bytes
	svgDepth    = 256      // nested elements: the library keeps a style for each
	svgExpanded = 5 << 20  // bytes after use and classes are written out: about the largest file
	svgStops    = 64       // of a gradient: they are searched for each pixel and sorted for each path
	svgDashes   = 64       // of a stroke: they are searched for each part of its path
	svgWork     = 48 << 20 // steps of drawing; a pixel that is filled with one color is one step
)

func isSVG(f *fileHead) bool {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(f.head, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(trimmed, []byte("<svg")) ||
		bytes.HasPrefix(trimmed, []byte("<?xml")) && bytes.Contains(f.head, []byte("<svg"))
}

// openSVG draws a vector drawing.
func openSVG(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	if src.Size() > maxSVG {
		return p, fmt.Errorf("the drawing is too large to display (%d bytes)", src.Size())
	}
	flat, err := flattenSVG(stream(ctx, src))
	if err != nil {
		return p, err
	}
	drawing, err := oksvg.ReadIconStream(flat, oksvg.IgnoreErrorMode)
	if err != nil {
		return p, err
	}
	w, h := drawing.ViewBox.W, drawing.ViewBox.H
	if !(w > 0 && h > 0) || math.IsInf(w, 0) || math.IsInf(h, 0) {
		return p, fmt.Errorf("the drawing has no size")
	}
	var img *image.RGBA
	drawnScale := 1.0 // of the strokes, which the previous try has scaled
	for _, side := range []float64{svgSide, svgSmall} {
		scale := side / max(w, h)
		img = image.NewRGBA(image.Rect(0, 0, max(1, int(w*scale)), max(1, int(h*scale))))
		if err = drawSVG(ctx, drawing, img, scale/drawnScale); !errors.Is(err, errSVGWork) {
			break
		}
		drawnScale = scale
	}
	if err != nil {
		return p, err
	}
	return model.Picture{Image: img, Drawn: true, Format: fmt.Sprintf("drawing of %g × %g", w, h)}, nil
}

// drawSVG draws a drawing on the whole of a picture. It changes the strokes of the drawing by strokeScale.
func drawSVG(ctx context.Context, drawing *oksvg.SvgIcon, img *image.RGBA, strokeScale float64) (err error) {
	defer func() {
		r := recover()
		if stop, ok := r.(svgStop); ok {
			err = stop.error
		} else if r != nil {
			panic(r)
		}
	}()
	width, height := img.Rect.Dx(), img.Rect.Dy()
	for i := range drawing.SVGPaths {
		if err := setStroke(&drawing.SVGPaths[i].PathStyle, strokeScale); err != nil {
			return err
		}
	}
	drawing.SetTarget(0, 0, float64(width), float64(height))
	drawing.Draw(rasterx.NewDasher(width, height, &svgScanner{ctx: ctx, img: img, remaining: svgWork}), 1)
	return nil
}

// setStroke scales a stroke as its path is, which the library does not, and sets the offset of its dashes within their
// first period: the library counts up to it.
func setStroke(s *oksvg.PathStyle, scale float64) error {
	if len(s.Dash) > svgDashes {
		return fmt.Errorf("the drawing has a line with more than %d dashes", svgDashes)
	}
	period := 0.0
	dashes := make([]float64, len(s.Dash)) // paths share the slices of their styles
	for i, d := range s.Dash {
		dashes[i] = d * scale
		period += max(dashes[i], 0)
	}
	if len(dashes)%2 == 1 {
		period *= 2
	}
	offset := math.Mod(s.DashOffset*scale, period)
	if offset < 0 {
		offset += period
	}
	if !(offset < period) { // NaN too
		offset = 0
	}
	s.LineWidth, s.Dash, s.DashOffset = s.LineWidth*scale, dashes, offset
	return nil
}

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
