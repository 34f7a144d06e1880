package gpb

import (
	"assay/formats/decode"
	"assay/model"
)

// font: family, style, then one size, or since 1.4 a count and as many.
func (r *reader) font() *Font {
	c := r.c
	f := &Font{ID: r.begin(TypeFont), place: r.c.Node()}
	f.Family = c.Prefixed("family", model.U32)
	style, known := c.Enum("style", "enum FontStyle", model.U32, fontStyles)
	if !known {
		c.Warn("%d is not a style of a font", style)
	}
	f.Style = uint32(style)
	if !r.layout.fontSizes {
		f.Sizes = []*FontSize{r.fontSize()}
		return f
	}
	n := c.Count("sizeCount", model.U32, 24, "FontSize")
	c.Struct("sizes", "FontSize[]", func() {
		c.Repeat("FontSize", n, func(int) {
			s := r.fontSize()
			c.Key(model.FormatValue(uint64(s.Size))) // sizes are in the order of a command line
			f.Sizes = append(f.Sizes, s)
		})
	})
	return f
}

// fontSize: size, charset, glyphs, texMapWidth, texMapHeight, texMap, and since 1.3 format.
func (r *reader) fontSize() *FontSize {
	c := r.c
	s := &FontSize{place: c.Node()}
	s.Size = c.U32("size")
	s.Charset = c.Prefixed("charset", model.U32)
	s.Glyphs = r.glyphs()
	s.Width = c.U32("texMapWidth")
	s.Height = c.U32("texMapHeight")
	s.Map = c.PrefixedBytes("texMap", "byte[]", model.U32)
	if want := uint64(s.Width) * uint64(s.Height); c.Err() == nil && uint64(s.Map.Span.Size) != want {
		r.doubt("a picture of %d × %d needs %d bytes, there are %d", s.Width, s.Height, want, s.Map.Span.Size)
	}
	if r.layout.fontFormat {
		format, known := c.Enum("format", "uint", model.U32, fontFormats)
		if !known {
			r.doubt("%d is not a format of a font", format)
		}
		s.Format = uint32(format)
	}
	return s
}

// glyphs: Glyph[] { index, width, (bearingX, advance,) uvCoords }.
func (r *reader) glyphs() Glyphs {
	c := r.c
	g := Glyphs{Source: c.Source(), Wide: r.layout.bearing}
	c.Struct("glyphs", "Glyph[]", func() {
		g.Count = c.Count("count", model.U32, g.size(), "Glyph")
		g.Offset = c.Pos()
		c.Records("Glyph", g.Count, g.size(), glyph(g.Wide))
		c.Summaries(g.summaries())
	})
	return g
}

func glyph(wide bool) func(e *decode.Cursor, _ int) {
	return func(e *decode.Cursor, _ int) {
		index := e.U32("index")
		if e.Recording() {
			e.Key(model.FormatValue(uint64(index)))
		}
		if index >= 0x20 && index < 0x7f {
			e.Symbol(printable[index-0x20 : index-0x1f])
		}
		e.U32("width")
		if wide {
			e.S32("bearingX")
			e.U32("advance")
		}
		e.Array("uvCoords", "float[4]", model.F32, 4)
	}
}

// printable is the characters of ASCII that are seen.
const printable = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
