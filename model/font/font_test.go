package font_test

import (
	"bytes"
	"context"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	imagefont "golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"

	"assay/model"
	"assay/model/font"
)

func source(b []byte) *model.Source {
	return model.NewSource("a.ttf", bytes.NewReader(b), int64(len(b)))
}

func TestFontHasASheetOfGlyphsAndSetsLines(t *testing.T) {
	assert.Equal(t, "TrueType", font.Recognize(goregular.TTF))
	assert.Empty(t, font.Recognize([]byte("text")))
	p, err := font.Open(t.Context(), source(goregular.TTF))
	require.NoError(t, err)
	assert.Contains(t, p.Format, "Go Regular · ")
	assert.Equal(t, "! U+0021", p.Boxes[0].Name)
	ink := 0
	glyph := p.Boxes['A'-'!']
	require.Equal(t, "A U+0041", glyph.Name)
	for y := glyph.Min.Y; y < glyph.Max.Y; y++ {
		for x := glyph.Min.X; x < glyph.Max.X; x++ {
			if r, _, _, _ := p.At(x, y).RGBA(); r > 0x8000 {
				ink++
			}
		}
	}
	assert.Greater(t, ink, 20, "the glyph is in its box")
	short, err := p.Lines(t.Context(), "A")
	require.NoError(t, err)
	long, err := p.Lines(t.Context(), "A duck and another one")
	require.NoError(t, err)
	require.Len(t, long, 6)
	assert.Equal(t, "12 px", long[0].Name)
	assert.Greater(t, long[0].Rect.Dx(), short[0].Rect.Dx())
	assert.Greater(t, long[5].Rect.Dy(), long[0].Rect.Dy())
	assert.Empty(t, long[0].Missing)
	for size, with := range map[int]string{2: "A岩 A\u3000文岩", 5: "岩"} {
		lines, err := p.Lines(t.Context(), with)
		require.NoError(t, err)
		assert.Equal(t, []rune(strings.NewReplacer("A", "", " ", "", "\u3000", "", "文岩", "文").Replace(with)),
			lines[size].Missing, "each once, without spaces")
	}
	box, err := p.Lines(t.Context(), "岩")
	require.NoError(t, err)
	assert.Contains(t, box[0].Pix, uint8(0xFF), "a missing character is drawn as a box")
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = p.Lines(ended, "A")
	assert.ErrorIs(t, err, context.Canceled)
}

func TestSampleFillsASquare(t *testing.T) {
	for _, side := range []int{32, 96, 200} {
		img, err := font.Sample(t.Context(), source(goregular.TTF), side)
		require.NoError(t, err)
		assert.LessOrEqual(t, max(img.Rect.Dx(), img.Rect.Dy()), side+4)
		assert.GreaterOrEqual(t, max(img.Rect.Dx(), img.Rect.Dy()), side*8/10)
		assert.Contains(t, img.Pix, uint8(0xFF), "there is ink")
	}
}

func TestCutFontsAreErrors(t *testing.T) {
	for _, n := range []int{0, 4, 100, 10_000} {
		_, err := font.Open(t.Context(), source(goregular.TTF[:n]))
		assert.Error(t, err, n)
		_, err = font.Sample(t.Context(), source(goregular.TTF[:n]), 96)
		assert.Error(t, err, n)
	}
}

func TestBitmapSetsALine(t *testing.T) {
	b := &font.Bitmap{Size: 2, Picture: &image.Gray{Pix: []uint8{10, 20, 30, 112, 120, 255}, Stride: 3,
		Rect: image.Rect(0, 0, 3, 2)},
		Glyphs: map[rune]font.Glyph{'a': {Box: image.Rect(0, 0, 2, 1), Advance: 3}, ' ': {Advance: 1},
			'b': {Box: image.Rect(0, 1, 3, 2), Bearing: -1, Advance: 2}}}
	for text, want := range map[string][]uint8{
		"":     {0, 0},
		"a":    {10, 20, 0, 0, 0},
		"a a":  {10, 20, 0, 0, 10, 20, 0, 0, 0},
		"b":    {120, 255, 0, 0},
		"aa b": {10, 20, 0, 10, 20, 0, 112, 120, 255, 0, 0},
	} {
		line, missing := b.Line(text)
		assert.Equal(t, want, line.Pix, "%q", text)
		assert.Empty(t, missing)
	}
	b.DistanceField = true
	line, _ := b.Line("b")
	assert.Equal(t, []uint8{64, 255, 0, 0}, line.Pix, "the value of the outline is a half")
}

func TestBitmapHasPlaceholders(t *testing.T) {
	b := &font.Bitmap{Size: 8, Picture: image.NewGray(image.Rect(0, 0, 1, 8)),
		Glyphs: map[rune]font.Glyph{'a': {Box: image.Rect(0, 0, 1, 8), Advance: 2}}}
	line, missing := b.Line("aß\tßü")
	assert.Equal(t, []rune("ßü"), missing, "each once, without spaces")
	known, _ := b.Line("a")
	assert.Equal(t, known.Rect.Dx()+4*5, line.Rect.Dx(), "each placeholder has a width")
	row := func(y int) (s string) {
		for x := range 22 {
			s += string(" #"[line.Pix[y*line.Stride+x]/0xFF])
		}
		return s
	}
	assert.Equal(t, "   ###       ###  ### ", row(1), "the upper edges of boxes")
	assert.Equal(t, "   # #       # #  # # ", row(2))
	for _, large := range []int{-1, 0, 1, 1 << 30} {
		b.Size = large
		b.Line(strings.Repeat("ß", 1<<16))
	}
}

func TestLongLabelsAreCutInTheMiddle(t *testing.T) {
	l, err := font.NewLabel(12)
	require.NoError(t, err)
	assert.Equal(t, "short.png", l.Fit("short.png", 200))
	assert.Equal(t, "of two lines", l.Fit("of two\nlines", 200))
	cut := l.Fit("textures/of/a/long/way/to/rock_diffuse.png", 100)
	assert.True(t, strings.HasPrefix(cut, "textures/") && strings.HasSuffix(cut, ".png"), cut)
	assert.Equal(t, 1, strings.Count(cut, "…"))
	assert.LessOrEqual(t, imagefont.MeasureString(l, cut).Ceil(), 100)
	huge := l.Fit(strings.Repeat("ü", 1<<20), 100)
	assert.LessOrEqual(t, imagefont.MeasureString(l, huge).Ceil(), 100)
	assert.True(t, l.Has("Größe"))
	assert.False(t, l.Has("岩"))
}
