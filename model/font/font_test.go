package font_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"

	"assay/model"
	"assay/model/font"
)

func source(b []byte) *model.Source {
	return model.NewSource("a.ttf", bytes.NewReader(b), int64(len(b)))
}

func TestSheetAndLines(t *testing.T) {
	assert.Equal(t, "TrueType", font.Recognise(goregular.TTF))
	assert.Empty(t, font.Recognise([]byte("text")))
	p, err := font.Open(t.Context(), source(goregular.TTF))
	require.NoError(t, err)
	assert.Contains(t, p.Format, "Go Regular · ")
	assert.Equal(t, "! U+0021", p.Boxes[0].Name)
	ink := 0
	box := p.Boxes['A'-'!']
	require.Equal(t, "A U+0041", box.Name)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if r, _, _, _ := p.At(x, y).RGBA(); r > 0x8000 {
				ink++
			}
		}
	}
	assert.Greater(t, ink, 20, "the letter is in its box")
	short, err := p.Lines(t.Context(), "A")
	require.NoError(t, err)
	long, err := p.Lines(t.Context(), "A duck and another one")
	require.NoError(t, err)
	require.Len(t, long, 6)
	assert.Equal(t, "12 px", long[0].Name)
	assert.Greater(t, long[0].Rect.Dx(), short[0].Rect.Dx())
	assert.Greater(t, long[5].Rect.Dy(), long[0].Rect.Dy())
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

func TestBrokenFontsAreSentences(t *testing.T) {
	for _, n := range []int{0, 4, 100, 10_000} {
		_, err := font.Open(t.Context(), source(goregular.TTF[:n]))
		assert.Error(t, err, n)
		_, err = font.Sample(t.Context(), source(goregular.TTF[:n]), 96)
		assert.Error(t, err, n)
	}
}
