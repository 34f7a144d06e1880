package gpb

import (
	"math"

	"github.com/zeebo/xxh3"

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

// span is the bytes of a glyph.
func (g Glyphs) span(i int) model.Span {
	return model.Span{Offset: g.Offset + int64(i)*g.size(), Size: g.size()}
}

// All reads the glyphs. Before 1.5 the bearing is 0 and the advance is the width.
func (g Glyphs) All() ([]Glyph, error) {
	if g.Count == 0 {
		return nil, nil
	}
	b, err := g.Source.Bytes(model.Span{Offset: g.Offset, Size: g.Count * g.size()})
	if err != nil {
		return nil, err
	}
	out := make([]Glyph, g.Count)
	for i := range out {
		w := &out[i]
		w.Index = order.Uint32(b)
		w.Width = order.Uint32(b[4:])
		w.Advance = w.Width
		b = b[8:]
		if g.Wide {
			w.BearingX = int32(order.Uint32(b))
			w.Advance = order.Uint32(b[4:])
			b = b[8:]
		}
		for k := range w.UV {
			w.UV[k] = math.Float32frombits(order.Uint32(b[4*k:]))
		}
		b = b[16:]
	}
	return out, nil
}

// summaries describes glyphs for a comparison, which are known by their codes.
func (g Glyphs) summaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Fill: func(first int, out []model.Summary) error {
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
