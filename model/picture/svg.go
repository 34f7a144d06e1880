package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"math"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"

	"assay/model"
)

const (
	svgMost  = 4 << 20 // bytes of a drawing
	svgSide  = 1024    // that it is drawn in
	svgPaths = 50_000
)

func isSVG(f *sample) bool {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(f.head, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(trimmed, []byte("<svg")) ||
		bytes.HasPrefix(trimmed, []byte("<?xml")) && bytes.Contains(f.head, []byte("<svg"))
}

// openSVG draws a vector drawing.
func openSVG(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	if src.Size() > svgMost {
		return p, fmt.Errorf("a drawing of %d bytes is too large to be shown", src.Size())
	}
	drawing, err := oksvg.ReadIconStream(stream(ctx, src), oksvg.IgnoreErrorMode)
	if err != nil {
		return p, err
	}
	w, h := drawing.ViewBox.W, drawing.ViewBox.H
	if !(w > 0 && h > 0) || math.IsInf(w, 0) || math.IsInf(h, 0) {
		return p, fmt.Errorf("the drawing has no size")
	}
	if len(drawing.SVGPaths) > svgPaths {
		return p, fmt.Errorf("a drawing of %d paths is too large to be shown", len(drawing.SVGPaths))
	}
	scale := svgSide / max(w, h)
	width, height := max(1, int(w*scale)), max(1, int(h*scale))
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	drawing.SetTarget(0, 0, float64(width), float64(height))
	scanner := rasterx.NewScannerGV(width, height, img, img.Rect)
	drawing.Draw(rasterx.NewDasher(width, height, scanner), 1)
	return model.Picture{Image: img, Drawn: true, Format: fmt.Sprintf("drawing of %g × %g", w, h)}, ctx.Err()
}
