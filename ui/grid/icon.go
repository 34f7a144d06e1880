package grid

import (
	"image"

	"golang.org/x/image/vector"

	"assay/ui/paint"
)

// PaintIcon paints a sheet of paper, or a folder, as large as a square.
func PaintIcon(c *paint.Canvas, r image.Rectangle, folder bool) {
	if folder {
		c.Shape(r, "grid.folder", c.Colors.Warning, func(z *vector.Rasterizer, w, h float32) {
			trace(z, w, h, .04, .2, .4, .2, .48, .3, .96, .3, .96, .86, .04, .86)
		})
		return
	}
	c.Shape(r, "grid.file", c.Colors.Faint, func(z *vector.Rasterizer, w, h float32) {
		trace(z, w, h, .16, .04, .62, .04, .84, .27, .84, .96, .16, .96)
	})
}

// trace draws a polygon in a square of which both sides are 1.
func trace(z *vector.Rasterizer, w, h float32, points ...float32) {
	z.MoveTo(points[0]*w, points[1]*h)
	for i := 2; i+1 < len(points); i += 2 {
		z.LineTo(points[i]*w, points[i+1]*h)
	}
	z.ClosePath()
}
