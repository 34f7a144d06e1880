package font_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/font"
)

func TestBitmapSetsALine(t *testing.T) {
	b := &font.Bitmap{Size: 2, Picture: &image.Gray{Pix: []uint8{10, 20, 30, 112, 120, 255}, Stride: 3,
		Rect: image.Rect(0, 0, 3, 2)},
		Glyphs: map[rune]font.Glyph{'a': {Box: image.Rect(0, 0, 2, 1), Advance: 3}, ' ': {Advance: 1},
			'b': {Box: image.Rect(0, 1, 3, 2), Bearing: -1, Advance: 2}}}
	for text, want := range map[string][]uint8{
		"":     {0, 0},
		"a":    {10, 20, 0, 0, 0},
		"a a":  {10, 20, 0, 0, 10, 20, 0, 0, 0},
		"a?b":  {10, 20, 112, 120, 255, 0, 0},
		"b":    {120, 255, 0, 0},
		"aa b": {10, 20, 0, 10, 20, 0, 112, 120, 255, 0, 0},
	} {
		assert.Equal(t, want, b.Line(text).Pix, "%q", text)
	}
	b.DistanceField = true
	assert.Equal(t, []uint8{64, 255, 0, 0}, b.Line("b").Pix, "the outline is at a half")
}
