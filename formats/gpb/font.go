package gpb

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"unicode"

	"github.com/zeebo/xxh3"

	"assay/formats/decode"
	"assay/model"
)

// font: family, style, then one size, or since 1.4 a count and as many.
func (r *reader) font(c *decode.Cursor) *Font {
	o := r.beginObject(c, TypeFont)
	f := &Font{ID: o.id}
	f.Family = c.Prefixed("family", model.U32)
	style, known := c.Enum("style", "enum FontStyle", model.U32, fontStyles)
	if !known {
		c.Warnf("unknown font style %d", style)
	}
	f.Style = uint32(style)
	if r.layout.fontFlag {
		f.Unicode = fontFlag(c)
	}
	switch {
	case f.Unicode:
		n := c.Count("sizeCount", model.U32, minUintSize, "uint")
		f.FileSizes = c.Array("sizes", "uint[]", model.U32, n)
		f.File = r.byteArray(c, "file")
	case r.layout.fontSizes:
		n := c.Count("sizeCount", model.U32, minFontSizeSize, FontSizeType)
		if n == 0 && c.Remaining() > 0 && r.typeAt(c.Pos()) == 0 { // the flag of a font of the fork that was cut
			c.Fail("the font has no sizes, and the bytes after it have no reference")
		}
		c.Struct("sizes", "FontSize[]", func() {
			f.Sizes = elements(c, FontSizeType, n, minFontSizeSize, func(c *decode.Cursor) *FontSize {
				s := r.fontSize(c)
				if n := c.Node(); n != nil && c.Err() == nil {
					// Not the index: the sizes are in the order of the encoder's command line.
					n.Key = model.FormatValue(uint64(s.Size))
					n.SetLabel(func() string { return fmt.Sprintf("%d px", s.Size) })
				}
				return s
			})
		})
	default:
		f.Sizes = []*FontSize{r.fontSize(c)}
	}
	f.Span = r.endObject(c, o)
	if !r.layout.fontSizes {
		f.Sizes[0].Span = f.Span
	}
	return f
}

// fontFlag: unicode, whether a TrueType file follows. A fork of the engine has it. Without one it is not the flag: a
// font of 1.5 that was cut would be read as such a font.
func fontFlag(c *decode.Cursor) bool {
	flag := c.U32("unicode")
	switch {
	case flag > 1:
		c.Fail("the flag of a font is 0 or 1, not %d", flag)
	case flag == 1 && !fontFileFollows(c):
		c.Fail("no TrueType file follows the flag of the font")
	}
	return flag == 1
}

// fontSignatures are the first bytes of TrueType and OpenType files.
var fontSignatures = []string{"\x00\x01\x00\x00", "true", "OTTO", "ttcf"}

// fontFileFollows reports whether a list of sizes follows, and then a TrueType file.
func fontFileFollows(c *decode.Cursor) bool {
	b := c.Peek(4)
	if b == nil {
		return false
	}
	offset := 4 + 4*int64(order.Uint32(b)) + 4
	b = c.Peek(offset + 4)
	return b != nil && slices.Contains(fontSignatures, string(b[offset:]))
}

// fontSize: size, charset, glyphs, texMapWidth, texMapHeight, texMap, and since 1.3 format.
func (r *reader) fontSize(c *decode.Cursor) *FontSize {
	start := c.Pos()
	s := &FontSize{}
	s.Size = c.U32("size")
	s.Charset = c.Prefixed("charset", model.U32)
	s.Glyphs = r.glyphs(c)
	s.Width = c.U32("texMapWidth")
	s.Height = c.U32("texMapHeight")
	s.Map = r.byteArray(c, "texMap")
	if needed := uint64(s.Width) * uint64(s.Height); uint64(s.Map.Span.Size) != needed {
		r.doubt(c, "a picture of %d × %d needs %d bytes, but there are %d", s.Width, s.Height, needed, s.Map.Span.Size)
	}
	if r.layout.fontFormat {
		format, known := c.Enum("format", "uint", model.U32, fontFormats)
		if !known {
			r.doubt(c, "unknown font format %d", format)
		}
		s.Format = uint32(format)
	}
	s.Span = model.Span{Offset: start, Size: c.Pos() - start}
	return s
}

// glyphs: Glyph[].
func (r *reader) glyphs(c *decode.Cursor) Glyphs {
	g := Glyphs{Source: r.src, HasAdvance: r.layout.bearing}
	c.Struct("glyphs", "Glyph[]", func() {
		g.Count = c.Count("count", model.U32, g.size(), "Glyph")
		g.Offset = c.Pos()
		c.Records("Glyph", g.Count, g.size(), func(e *decode.Cursor, _ int) { g.readOne(e) })
		c.Summaries(g.summaries())
	})
	return g
}

// Picture returns the picture of the size: a byte a pixel, which is coverage, or distance from the outline.
func (s *FontSize) Picture() (*image.Gray, error) {
	switch needed := uint64(s.Width) * uint64(s.Height); {
	case needed == 0:
		return nil, fmt.Errorf("gpb: a picture of %d × %d has no pixels (at %#x)", s.Width, s.Height,
			s.Map.Span.Offset)
	case needed != uint64(s.Map.Span.Size):
		return nil, fmt.Errorf("gpb: a picture of %d × %d needs %d bytes, but there are %d (at %#x)", s.Width,
			s.Height, needed, s.Map.Span.Size, s.Map.Span.Offset)
	}
	pixels, err := s.Map.Source.Bytes(s.Map.Span)
	if err != nil {
		return nil, err
	}
	return &image.Gray{Pix: pixels, Stride: int(s.Width), Rect: image.Rect(0, 0, int(s.Width), int(s.Height))}, nil
}

// Glyph is the area of a character in the picture of a font. UV is left, top, right, bottom as fractions of the
// picture.
type Glyph struct {
	Index    uint32 // the character's code
	Width    uint32
	BearingX int32
	Advance  uint32
	UV       [4]float32
}

// Glyphs is the glyphs of one size of a font, which stay in the file.
type Glyphs struct {
	Count      int64
	Source     *model.Source
	Offset     int64
	HasAdvance bool // and a bearing, since 1.5
}

const (
	narrowGlyph = 24
	wideGlyph   = 32
)

func (g Glyphs) size() int64 {
	if g.HasAdvance {
		return wideGlyph
	}
	return narrowGlyph
}

// Span returns the span of the i-th glyph.
func (g Glyphs) Span(i int) model.Span {
	return model.Span{Offset: g.Offset + int64(i)*g.size(), Size: g.size()}
}

// All reads the glyphs.
func (g Glyphs) All() ([]Glyph, error) {
	if g.Count == 0 {
		return nil, nil
	}
	c := decode.NewProbe(context.Background(), g.Source, order, types)
	c.GoTo(g.Offset)
	glyphs := make([]Glyph, g.Count)
	for i := range glyphs {
		glyphs[i] = g.readOne(c)
	}
	return glyphs, c.Err()
}

// readOne reads a glyph: index, width, bearingX and advance since 1.5, uvCoords. Before 1.5 the bearing is 0 and the
// advance is the width.
func (g Glyphs) readOne(c *decode.Cursor) (out Glyph) {
	index := c.U32("index")
	if n := c.Node(); n != nil && c.Err() == nil {
		n.Key = model.FormatValue(uint64(index))
		n.SetLabel(func() string { return Character(index) })
	}
	if index >= 0x20 && index < 0x7f {
		c.Symbol(printable[index-0x20 : index-0x1f])
	}
	out.Index = index
	out.Width = c.U32("width")
	out.Advance = out.Width
	if g.HasAdvance {
		out.BearingX = int32(c.Number("bearingX", model.S32))
		out.Advance = c.U32("advance")
	}
	floats(c, "uvCoords", "float[4]", out.UV[:])
	return out
}

// summaries describes the glyphs for a comparison, which pairs them by their codes.
func (g Glyphs) summaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Fill: func(_ context.Context, first int, out []model.Summary) error {
		size := g.size()
		offset := g.Offset + int64(first)*size
		b, err := g.Source.Bytes(model.Span{Offset: offset, Size: int64(len(out)) * size})
		if err != nil {
			return err
		}
		for i := range out {
			record := b[int64(i)*size : int64(i+1)*size]
			out[i] = model.Summary{Key: uint64(order.Uint32(record)), Digest: xxh3.Hash(record[4:]),
				Span: model.Span{Offset: offset + int64(i)*size, Size: size}}
		}
		return nil
	}}
}

const (
	spacing    = 0.125   // the share of a font's size that the engine leaves after each character before 1.5
	maxAdvance = 1 << 14 // pixels; larger values are clamped
)

// Advance returns the distance from a glyph to the next character, in pixels of the font's size. Before 1.5, which
// stores advances, the engine ignores the width of a space.
func (s *FontSize) Advance(g *Glyph) int {
	size := min(s.Size, maxAdvance)
	switch {
	case s.Glyphs.HasAdvance:
		return int(min(g.Advance, maxAdvance))
	case g.Index == ' ':
		return int(size / 2)
	}
	return int(min(g.Width, maxAdvance)) + int(float64(size)*spacing)
}

// Box returns the area of a glyph in the picture of the size, or the empty rectangle if a part of it is outside.
func (s *FontSize) Box(g *Glyph) image.Rectangle {
	pixel := func(v float32, size uint32) int { return int(math.Round(float64(v) * float64(size))) }
	for _, v := range g.UV {
		if !(v >= 0 && v <= 1) { // also no number
			return image.Rectangle{}
		}
	}
	return image.Rect(pixel(g.UV[0], s.Width), pixel(g.UV[1], s.Height),
		pixel(g.UV[2], s.Width), pixel(g.UV[3], s.Height))
}

// Character returns the character of a code, or the code itself if the character is invisible.
func Character(code uint32) string {
	if code <= unicode.MaxRune && unicode.IsGraphic(rune(code)) && !unicode.IsSpace(rune(code)) {
		return string(rune(code))
	}
	return fmt.Sprintf("U+%04X", code)
}

// printable is the printable characters of ASCII, including the space.
const printable = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
