package document

import (
	"context"
	"fmt"
	"image"
	"strings"
	"sync"

	"assay/formats/gpb"
	"assay/model"
	"assay/model/font"
)

// glyphsMost is how many glyphs of a size are boxed, and set.
const glyphsMost = 20_000

// fontView returns some sizes of a font: their pictures with the boxes of their glyphs, and what sets a text in them.
func fontView(sizes ...*gpb.FontSize) (model.View, error) {
	if len(sizes) == 0 {
		return nil, nil
	}
	first := sizes[0]
	picture, err := first.Picture()
	for _, s := range sizes[1:] { // a damaged one does not hide the others
		if err == nil {
			break
		}
		if sound, e := s.Picture(); e == nil {
			first, picture, err = s, sound, nil
		}
	}
	if err != nil {
		return nil, err
	}
	p := model.Picture{Image: picture, Format: pixelFormat(first), Boxes: boxes(first)}
	if len(sizes) > 1 {
		for _, s := range sizes {
			p.Parts = append(p.Parts, model.Part{Name: fmt.Sprintf("%d px, %d × %d", s.Size, s.Width, s.Height),
				Boxes: boxes(s),
				Load: func(context.Context) (image.Image, error) {
					img, err := s.Picture()
					if err != nil {
						return nil, err
					}
					return img, nil
				}})
		}
	}
	var bitmaps []func() (*font.Bitmap, error)
	for _, s := range sizes {
		bitmaps = append(bitmaps, sync.OnceValues(func() (*font.Bitmap, error) { return bitmap(s) }))
	}
	p.Lines = func(ctx context.Context, text string) (lines []model.Line, err error) {
		for i, s := range sizes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			b, err := bitmaps[i]()
			l := model.Line{Name: fmt.Sprintf("%d px", s.Size)}
			if err != nil {
				b = &font.Bitmap{Size: int(s.Size)} // without glyphs
				l.Name += ": " + strings.TrimPrefix(err.Error(), "gpb: ")
			}
			l.Alpha = b.Line(text)
			lines = append(lines, l)
		}
		return lines, nil
	}
	return p, nil
}

// pixelFormat says what the pixels of a size are.
func pixelFormat(s *gpb.FontSize) string {
	if s.Format == gpb.DistanceField {
		return "distance field, 8 bits"
	}
	return "coverage, 8 bits"
}

// boxes returns the boxes of the glyphs that are in the picture.
func boxes(s *gpb.FontSize) (boxes []model.Box) {
	if s.Glyphs.Count > glyphsMost {
		return nil
	}
	all, err := s.Glyphs.All()
	if err != nil {
		return nil
	}
	for i := range all {
		if r := s.Box(&all[i]); !r.Empty() {
			boxes = append(boxes, model.Box{Rectangle: r, Name: gpb.Character(all[i].Index), Span: s.Glyphs.Span(i)})
		}
	}
	return boxes
}

// bitmap returns a size of a font for setting text in it.
func bitmap(s *gpb.FontSize) (*font.Bitmap, error) {
	picture, err := s.Picture()
	if err != nil {
		return nil, err
	}
	if s.Glyphs.Count > glyphsMost {
		return nil, fmt.Errorf("%d glyphs are too many", s.Glyphs.Count)
	}
	all, err := s.Glyphs.All()
	if err != nil {
		return nil, err
	}
	b := &font.Bitmap{Size: int(s.Size), Picture: picture, DistanceField: s.Format == gpb.DistanceField,
		Glyphs: make(map[rune]font.Glyph, len(all))}
	for i := range all {
		g := &all[i]
		b.Glyphs[rune(g.Index)] = font.Glyph{Box: s.Box(g), Bearing: int(g.BearingX), Advance: s.Advance(g)}
	}
	return b, nil
}
