package picture

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/picture"
)

// photo is a picture whose colors are all in the range of RGB.
func photo(r image.Rectangle, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
	img := image.NewYCbCr(r, ratio)
	for i := range img.Y {
		img.Y[i] = uint8(100 + rand.IntN(56))
	}
	for i := range img.Cb {
		img.Cb[i], img.Cr[i] = uint8(108+rand.IntN(40)), uint8(108+rand.IntN(40))
	}
	return img
}

var ratios = []image.YCbCrSubsampleRatio{
	image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
	image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
}

func TestColorsAreThoseOfThePicture(t *testing.T) {
	for _, ratio := range ratios {
		for _, r := range []image.Rectangle{image.Rect(0, 0, 31, 17), image.Rect(0, 0, 1, 1)} {
			plane := photo(image.Rect(0, 0, 61, 53), ratio)
			for _, corner := range []image.Point{{}, {X: 3, Y: 5}, {X: 2, Y: 1}} {
				img := plane.SubImage(r.Add(corner)).(*image.YCbCr)
				l := ycbcrLevel{img}
				for y := range r.Dy() {
					for from := range r.Dx() {
						row := l.row(y, from, r.Dx(), make([]byte, 4*r.Dx()))
						require.Len(t, row, 4*(r.Dx()-from))
						for i := 0; i < len(row); i += 4 {
							c := color.NRGBAModel.Convert(img.At(corner.X+from+i/4, corner.Y+y)).(color.NRGBA)
							require.Equal(t, []byte{c.R, c.G, c.B, c.A}, row[i:i+4], "%v %v (%d, %d)", ratio, img.Rect,
								from, y)
						}
					}
				}
			}
		}
	}
}

func TestHalvesOfYCbCrAreMeans(t *testing.T) {
	for _, ratio := range ratios {
		for _, r := range []image.Rectangle{image.Rect(0, 0, 200, 150), image.Rect(3, 5, 204, 156)} {
			img := photo(image.Rect(0, 0, 210, 160), ratio).SubImage(r).(*image.YCbCr)
			p, err := newPyramid(t.Context(), img, picture.Tone{})
			require.NoError(t, err)
			require.Len(t, p.levels, 3)
			full, err := to8Bit(t.Context(), img, picture.Tone{})
			require.NoError(t, err)
			means := half(full)
			require.Equal(t, means.Rect, p.levels[1].Bounds())
			got := p.levels[1].(nrgbaLevel).Pix
			for i, v := range means.Pix {
				if !assert.InDelta(t, v, got[i], 2, "%v %v: byte %d", ratio, r, i) {
					break
				}
			}
		}
	}
}

// at returns the pixel of a level.
func at(l level, x, y int) color.NRGBA {
	p := l.row(y, x, x+1, make([]byte, 4))
	return color.NRGBA{R: p[0], G: p[1], B: p[2], A: p[3]}
}
