package tree

import (
	"image"

	"assay/ui/paint"
)

// icon is a small picture.
type icon struct {
	name string
	draw func(p pen)
}

// paint paints the icon in a square.
func (i icon) paint(c *paint.Canvas, r image.Rectangle, col paint.Color) {
	c.Shape(r, i.name, col, func(p paint.Pen) { i.draw(pen{p}) })
}

var icons = [...]icon{
	structKind: {"tree.struct", func(p pen) {
		p.box(.1, .12, .9, .88)
		p.hole(.22, .36, .78, .76)
	}},
	listKind: {"tree.list", func(p pen) {
		for i := range 3 {
			y := .18 + .27*float32(i)
			p.box(.08, y, .2, y+.12)
			p.box(.32, y, .92, y+.12)
		}
	}},
	integerKind: {"tree.integer", func(p pen) {
		for _, y := range []float32{.3, .6} {
			p.box(.1, y, .9, y+.12)
		}
		for _, x := range []float32{.28, .62} {
			p.box(x, .12, x+.12, .3)
			p.box(x, .42, x+.12, .6)
			p.box(x, .72, x+.12, .88)
		}
	}},
	floatKind: {"tree.float", func(p pen) {
		z, w, h := p.Z, p.W, p.H
		z.MoveTo(w*.08, h*.62)
		z.CubeTo(w*.25, h*.05, w*.45, h*.35, w*.55, h*.52)
		z.CubeTo(w*.65, h*.68, w*.75, h*.55, w*.84, h*.34)
		z.LineTo(w*.94, h*.4)
		z.CubeTo(w*.8, h*.85, w*.6, h*.85, w*.46, h*.62)
		z.CubeTo(w*.36, h*.45, w*.28, h*.38, w*.18, h*.68)
		z.ClosePath()
	}},
	textKind: {"tree.text", func(p pen) {
		p.box(.16, .14, .84, .28)
		p.box(.43, .28, .57, .88)
	}},
	boolKind: {"tree.bool", func(p pen) {
		p.Polygon(.1, .52, .22, .4, .4, .6, .78, .16, .9, .27, .41, .84)
	}},
	enumKind: {"tree.enum", func(p pen) {
		p.Polygon(.5, .08, .92, .5, .5, .92, .08, .5)
		p.Polygon(.5, .27, .27, .5, .5, .73, .73, .5)
	}},
	arrayKind: {"tree.array", func(p pen) {
		for _, side := range []struct{ edge, hook float32 }{{.08, .2}, {.8, .64}} {
			p.box(side.edge, .12, side.edge+.12, .88)
			p.box(side.hook, .12, side.hook+.16, .23)
			p.box(side.hook, .77, side.hook+.16, .88)
		}
		p.box(.43, .43, .57, .57)
	}},
	bytesKind: {"tree.bytes", func(p pen) {
		for i := range 9 {
			x, y := .1+.3*float32(i%3), .1+.3*float32(i/3)
			p.box(x, y, x+.2, y+.2)
		}
	}},
	noneKind: {"tree.none", func(p pen) {
		p.box(.2, .44, .8, .56)
	}},
	gapKind: {"tree.gap", func(p pen) {
		for i := range 3 {
			x := .02 + .3*float32(i)
			p.Polygon(x, .9, x+.24, .1, x+.36, .1, x+.12, .9)
		}
	}},
	linkKind: {"tree.link", func(p pen) {
		p.box(.06, .43, .6, .57)
		p.Polygon(.52, .18, .94, .5, .52, .82)
	}},
}

// problemIcon is the mark of a problem.
var problemIcon = icon{"tree.mark", func(p pen) {
	p.Polygon(.5, .04, 1, .94, 0, .94)
	p.hole(.44, .36, .56, .66)
	p.hole(.44, .74, .56, .85)
}}

// pen draws in the unit square.
type pen struct{ paint.Pen }

func (p pen) box(x0, y0, x1, y1 float32) { p.Polygon(x0, y0, x1, y0, x1, y1, x0, y1) }

// hole adds a rectangle in the opposite direction, so that it is cut out.
func (p pen) hole(x0, y0, x1, y1 float32) { p.Polygon(x0, y0, x0, y1, x1, y1, x1, y0) }
