package gpb

import (
	"context"
	"fmt"
	"image"
	"math"
	"unicode"

	"github.com/zeebo/xxh3"

	"assay/formats/decode"
	"assay/model"
)

// Glyph is a character's place in the picture of a font. UV is left, top, right, bottom as fractions of the picture.
type Glyph struct {
	Index    uint32 // the character's code
	Width    uint32
	BearingX int32
	Advance  uint32
	UV       [4]float32
}

// Glyphs is the glyphs of one size of a font, which stay in the file.
type Glyphs struct {
	Count  int64
	Source *model.Source
	Offset int64
	Wide   bool // with bearing and advance, since 1.5
}

const (
	narrowGlyph = 24
	wideGlyph   = 32
)

func (g Glyphs) size() int64 {
	if g.Wide {
		return wideGlyph
	}
	return narrowGlyph
}

// Span returns the bytes of the i-th glyph.
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
	all := make([]Glyph, g.Count)
	for i := range all {
		all[i] = readGlyph(c, g.Wide)
	}
	return all, c.Err()
}

// readGlyph: index, width, bearingX and advance since 1.5, uvCoords. Before 1.5 the bearing is 0 and the advance is the
// width.
func readGlyph(c *decode.Cursor, wide bool) (g Glyph) {
	index := c.U32("index")
	if n := c.Node(); n != nil && c.Err() == nil {
		n.Key = model.FormatValue(uint64(index))
		n.SetLabel(func() string { return Character(index) })
	}
	if index >= 0x20 && index < 0x7f {
		c.Symbol(printable[index-0x20 : index-0x1f])
	}
	g.Index = index
	g.Width = c.U32("width")
	g.Advance = g.Width
	if wide {
		g.BearingX = int32(c.Number("bearingX", model.S32))
		g.Advance = c.U32("advance")
	}
	floats(c, "uvCoords", "float[4]", g.UV[:])
	return g
}

// summaries describes the glyphs for a comparison, which pairs them by their codes.
func (g Glyphs) summaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Fill: func(_ context.Context, first int, out []model.Summary) error {
		size := g.size()
		at := g.Offset + int64(first)*size
		b, err := g.Source.Bytes(model.Span{Offset: at, Size: int64(len(out)) * size})
		if err != nil {
			return err
		}
		for i := range out {
			record := b[int64(i)*size : int64(i+1)*size]
			out[i] = model.Summary{Key: uint64(order.Uint32(record)), Digest: xxh3.Hash(record[4:]),
				Span: model.Span{Offset: at + int64(i)*size, Size: size}}
		}
		return nil
	}}
}

const (
	spacing     = 0.125   // the share of a font's size that the engine leaves after each character before 1.5
	advanceMost = 1 << 14 // of what is used
)

// Advance returns how far the next character stands from a glyph, in pixels of the font's size. Before 1.5, which has
// advances, the engine does not look at the width of a space.
func (s *FontSize) Advance(g *Glyph) int {
	size := min(s.Size, advanceMost)
	switch {
	case s.Glyphs.Wide:
		return int(min(g.Advance, advanceMost))
	case g.Index == ' ':
		return int(size / 2)
	}
	return int(min(g.Width, advanceMost)) + int(float64(size)*spacing)
}

// Box returns where a glyph is in the picture of the size; nowhere if a part of it is outside.
func (s *FontSize) Box(g *Glyph) image.Rectangle {
	at := func(v float32, size uint32) int { return int(math.Round(float64(v) * float64(size))) }
	for _, v := range g.UV {
		if !(v >= 0 && v <= 1) { // also no number
			return image.Rectangle{}
		}
	}
	return image.Rect(at(g.UV[0], s.Width), at(g.UV[1], s.Height), at(g.UV[2], s.Width), at(g.UV[3], s.Height))
}

// Character returns the character of a code as it is written, or the code of one that is not seen.
func Character(code uint32) string {
	if code <= unicode.MaxRune && unicode.IsGraphic(rune(code)) && !unicode.IsSpace(rune(code)) {
		return string(rune(code))
	}
	return fmt.Sprintf("U+%04X", code)
}

// printable is the characters of ASCII that are seen, and the space.
const printable = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
