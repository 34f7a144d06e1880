package font

import "image"

// Bitmap is one size of a font whose characters are parts of a picture.
type Bitmap struct {
	Size    int         // pixels
	Picture *image.Gray // the opacity of the characters, or, of a distance field, the distance from their outlines
	// DistanceField says that the outlines are where the picture has half of its highest value.
	DistanceField bool
	Glyphs        map[rune]Glyph
}

// Glyph is a character of a Bitmap, in pixels.
type Glyph struct {
	Box     image.Rectangle // in the picture; empty for a character that is not drawn
	Bearing int             // from where the character stands to the left of its box
	Advance int             // from where the character stands to where the next one does
}

// The bounds of a line that is set, in pixels.
const (
	bitmapWidthMost  = 1 << 14
	bitmapHeightMost = 1024
	bitmapBearing    = 512
)

// Line sets a text: each character at its bearing, the next one after its advance. Characters that the font does not
// have are left out.
func (b *Bitmap) Line(text string) *image.Alpha {
	var line []Glyph
	width, height := 0, 1
	for _, r := range text {
		g, ok := b.Glyphs[r]
		if !ok || width > bitmapWidthMost {
			continue
		}
		line = append(line, g)
		width += g.Advance
		height = max(height, g.Box.Dy())
	}
	out := image.NewAlpha(image.Rect(0, 0, min(width, bitmapWidthMost)+min(b.Size, bitmapBearing),
		min(height, bitmapHeightMost)))
	x := 0
	for _, g := range line {
		b.draw(out, g.Box, x+max(-bitmapBearing, min(g.Bearing, bitmapBearing)))
		x += g.Advance
	}
	return out
}

// draw draws a part of the picture at x.
func (b *Bitmap) draw(out *image.Alpha, box image.Rectangle, x int) {
	for dy := range min(box.Dy(), out.Rect.Dy()) {
		for dx := range box.Dx() {
			if x+dx < 0 || x+dx >= out.Rect.Dx() {
				continue
			}
			v := b.Picture.Pix[(box.Min.Y+dy)*b.Picture.Stride+box.Min.X+dx]
			if b.DistanceField {
				v = uint8(max(0, min(255, (int(v)-112)*8)))
			}
			at := dy*out.Stride + x + dx
			out.Pix[at] = max(out.Pix[at], v)
		}
	}
}
