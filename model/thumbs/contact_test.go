package thumbs

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var red = color.NRGBA{R: 255, A: 255}

// square returns a picture of one color.
func square(side int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	draw.Draw(img, img.Rect, image.NewUniform(red), image.Point{}, draw.Src)
	return img
}

func names(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("folder/%d.png", i))
	}
	return all
}

// written reports whether something has the color of letters in a part of a sheet.
func written(img *image.NRGBA, in image.Rectangle, ink color.NRGBA) bool {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if img.NRGBAAt(x, y) == ink {
				return true
			}
		}
	}
	return false
}

func TestSheetHasPicturesAndNames(t *testing.T) {
	for _, isDark := range []bool{false, true} {
		s := Sheet{Names: names(5), Side: 64, Dark: isDark, Picture: func(_ context.Context, i int) image.Image {
			return []image.Image{square(64), square(200), square(8), nil, square(64)}[i]
		}}
		img, err := s.Draw(t.Context())
		require.NoError(t, err)
		want := light
		if isDark {
			want = dark
		}
		const step, tall = 64 + margin, 64 + 2*minLetterHeight + margin
		assert.Equal(t, image.Pt(margin+3*step, margin+2*tall), img.Rect.Size(), "three beside each other")
		at := func(i int) image.Point { return image.Pt(margin+i%3*step+32, margin+i/3*tall+32) }
		for i, c := range []color.NRGBA{red, red, red, want.card, red} {
			middle := at(i)
			if i == 3 {
				assert.True(t, written(img, image.Rect(middle.X-20, middle.Y-8, middle.X+20, middle.Y+8), want.dim))
				middle = middle.Add(image.Pt(0, 25))
			}
			assert.Equal(t, c, img.NRGBAAt(middle.X, middle.Y), i)
			name := image.Rect(middle.X-32, middle.Y+32, middle.X+32, middle.Y+32+2*minLetterHeight)
			assert.True(t, written(img, name.Sub(image.Pt(0, 25*(i/3)*(4-i))), want.ink), "name %d", i)
		}
		assert.Equal(t, want.card, img.NRGBAAt(at(2).X+10, at(2).Y), "a small picture stays as it is")
		assert.Equal(t, want.paper, img.NRGBAAt(2, 2))
	}
}

func TestLargeSheetsAreBounded(t *testing.T) {
	drawn := make(chan int, 2*MaxPictures)
	s := Sheet{Names: names(MaxPictures + 5), Total: 1 << 20, Side: 16}
	s.Picture = func(_ context.Context, i int) image.Image {
		drawn <- i
		return nil
	}
	img, err := s.Draw(t.Context())
	require.NoError(t, err)
	assert.Len(t, drawn, MaxPictures)
	last := image.Rect(0, img.Rect.Dy()-2*minLetterHeight, img.Rect.Dx(), img.Rect.Dy())
	assert.True(t, written(img, last, light.dim))
	s.Side, s.Names = 1024, names(500)
	c, err := s.plan()
	require.NoError(t, err)
	assert.Less(t, c.count, 500)
	assert.LessOrEqual(t, c.size.X*c.size.Y, maxSheetPixels)
}

func TestEmptyAndCanceledSheetsAreErrors(t *testing.T) {
	_, err := (&Sheet{Side: 64}).Draw(t.Context())
	assert.EqualError(t, err, "no images for a contact sheet")
	ctx, stop := context.WithCancel(t.Context())
	_, err = (&Sheet{Side: 64, Names: names(9), Picture: func(context.Context, int) image.Image {
		stop()
		return nil
	}}).Draw(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestLongNamesAreCutInTheirMiddle(t *testing.T) {
	s := Sheet{Names: []string{strings.Repeat("long ", 50) + ".png"}, Side: 64,
		Picture: func(context.Context, int) image.Image { return square(64) }}
	img, err := s.Draw(t.Context())
	require.NoError(t, err)
	for y := range img.Rect.Dy() {
		assert.Equal(t, light.paper, img.NRGBAAt(margin/2, y), "the name does not exceed the tile")
	}
}
