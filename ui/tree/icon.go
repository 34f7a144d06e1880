package tree

import (
	"image"
	"strings"

	"golang.org/x/image/vector"

	"assay/model"
	"assay/ui/paint"
)

// kind is what a node looks like.
type kind uint8

const (
	structKind kind = iota
	listKind
	integerKind
	floatKind
	textKind
	boolKind
	enumKind
	arrayKind
	bytesKind
	noneKind
	gapKind
	linkKind
)

// kindOf tells from a node's value, children and type what it is; no format is known here.
func kindOf(n *model.Node) kind {
	switch {
	case n.Type == model.Gap:
		return gapKind
	case n.Link != nil:
		return linkKind
	case strings.HasSuffix(n.Type, "[]") && (!n.Leaf() || n.Value == nil && n.Size == 0):
		return listKind
	case !n.Leaf():
		return structKind
	case n.Symbol != "":
		return enumKind
	}
	switch n.Value.(type) {
	case int64, uint64:
		return integerKind
	case float32, float64:
		return floatKind
	case string:
		return textKind
	case bool:
		return boolKind
	case model.Array:
		return arrayKind
	case model.None:
		return noneKind
	}
	return bytesKind
}

// palette is the colours of the kinds of values.
type palette struct {
	number, text, name, bytes, muted, group, link paint.Color
}

func paletteOf(c paint.Colors) palette {
	rgb := func(v uint32) paint.Color {
		return paint.Color{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
	}
	if c.Dark {
		return palette{number: rgb(0x8fc7f0), text: rgb(0xa9cf8e), name: rgb(0xcfa7e8), bytes: rgb(0xd9b779), muted: c.Dim, group: rgb(0x9aa7b5), link: rgb(0x6cb0f2)}
	}
	return palette{number: rgb(0x1a5fa8), text: rgb(0x3a7a1e), name: rgb(0x7d3fb0), bytes: rgb(0x8a5a00), muted: c.Dim, group: rgb(0x5f6b78), link: rgb(0x1f6fc4)}
}

// color is the colour of a kind's icon and value.
func (p palette) color(k kind) paint.Color {
	switch k {
	case integerKind, floatKind, arrayKind:
		return p.number
	case textKind:
		return p.text
	case boolKind, enumKind:
		return p.name
	case bytesKind:
		return p.bytes
	case linkKind:
		return p.link
	case structKind, listKind:
		return p.group
	}
	return p.muted
}

// signs are the signs of the kinds.
var signs = [...]struct {
	name string
	draw func(p pen)
}{
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
		z, w, h := p.z, p.w, p.h
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
		p.polygon(.1, .52, .22, .4, .4, .6, .78, .16, .9, .27, .41, .84)
	}},
	enumKind: {"tree.enum", func(p pen) {
		p.polygon(.5, .08, .92, .5, .5, .92, .08, .5)
		p.polygon(.5, .27, .27, .5, .5, .73, .73, .5)
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
			p.polygon(x, .9, x+.24, .1, x+.36, .1, x+.12, .9)
		}
	}},
	linkKind: {"tree.link", func(p pen) {
		p.box(.06, .43, .6, .57)
		p.polygon(.52, .18, .94, .5, .52, .82)
	}},
}

// paintIcon paints the sign of a kind in a square.
func paintIcon(c *paint.Canvas, r image.Rectangle, k kind, col paint.Color) {
	c.Shape(r, signs[k].name, col, func(z *vector.Rasterizer, w, h float32) { signs[k].draw(pen{z, w, h}) })
}

// paintMark paints the sign of a problem: a triangle for what is wrong, a dot where something below is.
func paintMark(c *paint.Canvas, r image.Rectangle, s model.Severity, own bool) {
	col := c.Colors.Dim
	switch s {
	case model.Error:
		col = c.Colors.Error
	case model.Warning:
		col = c.Colors.Warning
	}
	if !own {
		d := r.Dx() / 2
		x, y := r.Min.X+(r.Dx()-d)/2, r.Min.Y+(r.Dy()-d)/2
		c.Round(image.Rect(x, y, x+d, y+d), d/2, col)
		return
	}
	c.Shape(r, "tree.mark", col, func(z *vector.Rasterizer, w, h float32) {
		p := pen{z, w, h}
		p.polygon(.5, .04, 1, .94, 0, .94)
		p.hole(.44, .36, .56, .66)
		p.hole(.44, .74, .56, .85)
	})
}

// pen draws in a square of which both sides are 1.
type pen struct {
	z    *vector.Rasterizer
	w, h float32
}

func (p pen) box(x0, y0, x1, y1 float32) { p.polygon(x0, y0, x1, y0, x1, y1, x0, y1) }

// hole is a box that is cut out of what it is in: its edge goes round the other way.
func (p pen) hole(x0, y0, x1, y1 float32) { p.polygon(x0, y0, x0, y1, x1, y1, x1, y0) }

func (p pen) polygon(points ...float32) {
	p.z.MoveTo(points[0]*p.w, points[1]*p.h)
	for i := 2; i+1 < len(points); i += 2 {
		p.z.LineTo(points[i]*p.w, points[i+1]*p.h)
	}
	p.z.ClosePath()
}
