package gpb

import (
	"context"
	"fmt"
	"image"
	"math"

	"assay/model"
)

// view returns some sizes of a font: their pictures with the boxes of their glyphs, and what sets a text in them.
func (f *Font) view(sizes ...*FontSize) (model.View, error) {
	if len(sizes) == 0 {
		return nil, nil
	}
	first, err := sizes[0].Picture()
	if err != nil {
		return nil, err
	}
	p := model.Picture{Image: first, Format: sizes[0].kind(), Boxes: sizes[0].boxes()}
	if len(sizes) > 1 {
		for _, s := range sizes {
			p.Parts = append(p.Parts, model.Part{Name: fmt.Sprintf("%d px, %d × %d", s.Size, s.Width, s.Height),
				Boxes: s.boxes(),
				Load: func(context.Context) (image.Image, error) {
					img, err := s.Picture()
					if err != nil {
						return nil, err
					}
					return img, nil
				}})
		}
	}
	p.Lines = func(ctx context.Context, text string) (lines []model.Line, err error) {
		for _, s := range sizes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if line, err := s.line(text); err == nil {
				lines = append(lines, model.Line{Name: fmt.Sprintf("%d px", s.Size), Alpha: line})
			}
		}
		return lines, nil
	}
	return p, nil
}

// kind says what the pixels of a size are.
func (s *FontSize) kind() string {
	if s.Format == distanceField {
		return "distance field, 8 bits"
	}
	return "coverage, 8 bits"
}

const (
	distanceField = 1
	glyphsMost    = 20_000 // that are boxed and set
	lineMost      = 1 << 14
)

// box is where a glyph is in the picture; false if that is outside of it.
func (s *FontSize) box(g *Glyph) (image.Rectangle, bool) {
	at := func(v float32, size uint32) int { return int(math.Round(float64(v) * float64(size))) }
	for _, v := range g.UV {
		if !(v >= 0 && v <= 1) {
			return image.Rectangle{}, false
		}
	}
	r := image.Rect(at(g.UV[0], s.Width), at(g.UV[1], s.Height), at(g.UV[2], s.Width), at(g.UV[3], s.Height))
	return r, !r.Empty()
}

func (s *FontSize) boxes() (boxes []model.Box) {
	if s.Glyphs.Count > glyphsMost {
		return nil
	}
	all, err := s.Glyphs.All()
	if err != nil {
		return nil
	}
	for i := range all {
		if r, ok := s.box(&all[i]); ok {
			boxes = append(boxes, model.Box{Rectangle: r, Name: character(all[i].Index), Span: s.Glyphs.span(i)})
		}
	}
	return boxes
}

// spacing is the share of a font's size that the engine leaves after each character before 1.5, which has advances.
const spacing = 0.125

// advance is how far the next character stands from this one, in pixels of the font's size. Before 1.5 the engine does
// not look at the width of a space.
func (s *FontSize) advance(g *Glyph) int {
	size := min(s.Size, lineMost)
	switch {
	case s.Glyphs.Wide:
		return int(min(g.Advance, lineMost))
	case g.Index == ' ':
		return int(size / 2)
	}
	return int(min(g.Width, lineMost)) + int(float64(size)*spacing)
}

// line sets a text: each glyph at its bearing, the next one after its advance. What the font does not have is left out.
func (s *FontSize) line(text string) (*image.Alpha, error) {
	picture, err := s.Picture()
	if err != nil {
		return nil, err
	}
	if s.Glyphs.Count > glyphsMost {
		return nil, fmt.Errorf("gpb: %d glyphs are too many", s.Glyphs.Count)
	}
	all, err := s.Glyphs.All()
	if err != nil {
		return nil, err
	}
	glyphs := make(map[rune]*Glyph, len(all))
	for i := range all {
		glyphs[rune(all[i].Index)] = &all[i]
	}
	var set []*Glyph
	width, height := 0, 1
	for _, r := range text {
		g := glyphs[r]
		if g == nil || width > lineMost {
			continue
		}
		set = append(set, g)
		width += s.advance(g)
		if box, ok := s.box(g); ok {
			height = max(height, box.Dy())
		}
	}
	out := image.NewAlpha(image.Rect(0, 0, min(width, lineMost)+int(min(s.Size, 512)), min(height, 1024)))
	x := 0
	for _, g := range set {
		if box, ok := s.box(g); ok {
			s.put(out, picture, box, x+int(max(-512, min(g.BearingX, 512))))
		}
		x += s.advance(g)
	}
	return out, nil
}

// put puts the picture of a glyph at x.
func (s *FontSize) put(out *image.Alpha, picture *image.Gray, box image.Rectangle, x int) {
	for dy := range min(box.Dy(), out.Rect.Dy()) {
		for dx := range box.Dx() {
			if x+dx < 0 || x+dx >= out.Rect.Dx() {
				continue
			}
			v := picture.Pix[(box.Min.Y+dy)*picture.Stride+box.Min.X+dx]
			if s.Format == distanceField { // the outline is at a half
				v = uint8(max(0, min(255, (int(v)-112)*8)))
			}
			at := dy*out.Stride + x + dx
			out.Pix[at] = max(out.Pix[at], v)
		}
	}
}
