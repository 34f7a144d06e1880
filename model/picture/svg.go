package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"

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
