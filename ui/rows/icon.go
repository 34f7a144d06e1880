package rows

import (
	"image"

	"assay/ui/paint"
)

// Icon is what stands for a thing without a picture.
type Icon uint8

// The icons.
const (
	File Icon = iota
	Folder
	Image
	Sound
	Text
	Scene
	Font
)

// signs are what stands on the sheet of paper of an icon: polygons in a square of which both sides are 1.
var signs = map[Icon]struct {
	name string
	tone paint.Tone
	draw [][]float32
}{
	Image: {"grid.image", paint.Word, [][]float32{{.22, .8, .42, .46, .54, .62, .64, .5, .78, .8},
		{.3, .34, .38, .26, .46, .34, .38, .42}}},
	Sound: {"grid.sound", paint.Name, [][]float32{{.28, .5, .36, .5, .36, .8, .28, .8},
		{.46, .38, .54, .38, .54, .8, .46, .8}, {.64, .56, .72, .56, .72, .8, .64, .8}}},
	Text: {"grid.text", paint.Number, [][]float32{{.26, .38, .6, .38, .6, .46, .26, .46},
		{.26, .54, .74, .54, .74, .62, .26, .62}, {.26, .7, .66, .7, .66, .78, .26, .78}}},
	Scene: {"grid.scene", paint.Bytes, [][]float32{{.5, .34, .76, .46, .5, .58, .24, .46},
		{.24, .52, .47, .63, .47, .86, .24, .75}, {.76, .52, .53, .63, .53, .86, .76, .75}}},
	Font: {"grid.font", paint.Link, [][]float32{{.46, .32, .56, .32, .76, .82, .66, .82, .51, .46, .36, .82, .26, .82}}},
}

// PaintIcon paints an icon as large as a square: a folder, or a sheet of paper with the sign of what it is.
func PaintIcon(c *paint.Canvas, r image.Rectangle, icon Icon) {
	if icon == Folder {
		c.Shape(r, "grid.folder", c.Colors.Warning, func(p paint.Pen) {
			p.Polygon(.04, .2, .4, .2, .48, .3, .96, .3, .96, .86, .04, .86)
		})
		return
	}
	sign, ok := signs[icon]
	paper := c.Colors.Faint
	if ok {
		paper = paint.Mix(c.Colors.Faint, c.Colors.Background, 0.45)
	}
	c.Shape(r, "grid.file", paper, func(p paint.Pen) {
		p.Polygon(.16, .04, .62, .04, .84, .27, .84, .96, .16, .96)
	})
	if ok {
		c.Shape(r, sign.name, c.Colors.Of(sign.tone), func(p paint.Pen) {
			for _, polygon := range sign.draw {
				p.Polygon(polygon...)
			}
		})
	}
}
