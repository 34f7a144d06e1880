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
	case strings.HasSuffix(n.Type, "[]") && !n.Leaf():
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

// paintIcon paints the sign of a kind in a square.
func paintIcon(c *paint.Canvas, r image.Rectangle, k kind, col paint.Color) {
	switch k {
	case integerKind:
		c.Shape(r, "tree.integer", col, func(z *vector.Rasterizer, w, h float32) {
			box(z, w*.1, h*.3, w*.9, h*.42)
			box(z, w*.1, h*.6, w*.9, h*.72)
			box(z, w*.28, h*.12, w*.40, h*.3)
			box(z, w*.28, h*.42, w*.40, h*.6)
			box(z, w*.28, h*.72, w*.40, h*.88)
			box(z, w*.62, h*.12, w*.74, h*.3)
			box(z, w*.62, h*.42, w*.74, h*.6)
			box(z, w*.62, h*.72, w*.74, h*.88)
		})
	case floatKind:
		c.Shape(r, "tree.float", col, func(z *vector.Rasterizer, w, h float32) {
			z.MoveTo(w*.08, h*.62)
			z.CubeTo(w*.25, h*.05, w*.45, h*.35, w*.55, h*.52)
			z.CubeTo(w*.65, h*.68, w*.75, h*.55, w*.84, h*.34)
			z.LineTo(w*.94, h*.4)
			z.CubeTo(w*.8, h*.85, w*.6, h*.85, w*.46, h*.62)
			z.CubeTo(w*.36, h*.45, w*.28, h*.38, w*.18, h*.68)
			z.ClosePath()
		})
	case textKind:
		c.Shape(r, "tree.text", col, func(z *vector.Rasterizer, w, h float32) {
			box(z, w*.16, h*.14, w*.84, h*.28)
			box(z, w*.43, h*.28, w*.57, h*.88)
		})
	case boolKind:
		c.Shape(r, "tree.bool", col, func(z *vector.Rasterizer, w, h float32) {
			polygon(z, w*.1, h*.52, w*.22, h*.4, w*.4, h*.6, w*.78, h*.16, w*.9, h*.27, w*.41, h*.84)
		})
	case enumKind:
		c.Shape(r, "tree.enum", col, func(z *vector.Rasterizer, w, h float32) {
			polygon(z, w*.5, h*.08, w*.92, h*.5, w*.5, h*.92, w*.08, h*.5)
			polygon(z, w*.5, h*.27, w*.27, h*.5, w*.5, h*.73, w*.73, h*.5)
		})
	case arrayKind:
		c.Shape(r, "tree.array", col, func(z *vector.Rasterizer, w, h float32) {
			box(z, w*.08, h*.12, w*.2, h*.88)
			box(z, w*.2, h*.12, w*.36, h*.23)
			box(z, w*.2, h*.77, w*.36, h*.88)
			box(z, w*.8, h*.12, w*.92, h*.88)
			box(z, w*.64, h*.12, w*.8, h*.23)
			box(z, w*.64, h*.77, w*.8, h*.88)
			box(z, w*.43, h*.43, w*.57, h*.57)
		})
	case listKind:
		c.Shape(r, "tree.list", col, func(z *vector.Rasterizer, w, h float32) {
			for i := range 3 {
				y := h * (.18 + .27*float32(i))
				box(z, w*.08, y, w*.2, y+h*.12)
				box(z, w*.32, y, w*.92, y+h*.12)
			}
		})
	case structKind:
		c.Shape(r, "tree.struct", col, func(z *vector.Rasterizer, w, h float32) {
			box(z, w*.1, h*.12, w*.9, h*.88)
			hole(z, w*.22, h*.36, w*.78, h*.76)
		})
	case bytesKind:
		c.Shape(r, "tree.bytes", col, func(z *vector.Rasterizer, w, h float32) {
			for i := range 9 {
				x, y := w*(.1+.3*float32(i%3)), h*(.1+.3*float32(i/3))
				box(z, x, y, x+w*.2, y+h*.2)
			}
		})
	case linkKind:
		c.Shape(r, "tree.link", col, func(z *vector.Rasterizer, w, h float32) {
			box(z, w*.06, h*.43, w*.6, h*.57)
			polygon(z, w*.52, h*.18, w*.94, h*.5, w*.52, h*.82)
		})
	case gapKind:
		c.Shape(r, "tree.gap", col, func(z *vector.Rasterizer, w, h float32) {
			for i := range 3 {
				x := w * (.02 + .3*float32(i))
				polygon(z, x, h*.9, x+w*.24, h*.1, x+w*.36, h*.1, x+w*.12, h*.9)
			}
		})
	case noneKind:
		c.Shape(r, "tree.none", col, func(z *vector.Rasterizer, w, h float32) {
			box(z, w*.2, h*.44, w*.8, h*.56)
		})
	}
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
		polygon(z, w*.5, h*.04, w, h*.94, 0, h*.94)
		hole(z, w*.44, h*.36, w*.56, h*.66)
		hole(z, w*.44, h*.74, w*.56, h*.85)
	})
}

func box(z *vector.Rasterizer, x0, y0, x1, y1 float32) { polygon(z, x0, y0, x1, y0, x1, y1, x0, y1) }

// hole is a box that is cut out of what it is in: its edge goes round the other way.
func hole(z *vector.Rasterizer, x0, y0, x1, y1 float32) { polygon(z, x0, y0, x0, y1, x1, y1, x1, y0) }

func polygon(z *vector.Rasterizer, points ...float32) {
	z.MoveTo(points[0], points[1])
	for i := 2; i+1 < len(points); i += 2 {
		z.LineTo(points[i], points[i+1])
	}
	z.ClosePath()
}
