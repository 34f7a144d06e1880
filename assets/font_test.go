package assets_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
)

// goRegular is the Go font as a bundle: the printable ASCII characters in three sizes.
func goRegular(t *testing.T) *gpb.File {
	parsed, err := opentype.Parse(goregular.TTF)
	require.NoError(t, err)
	f := &gpb.Font{ID: "Go Regular", Family: "Go Regular"}
	for _, size := range []struct{ pixels, width int }{{24, 256}, {12, 128}, {16, 192}} {
		face, err := opentype.NewFace(parsed,
			&opentype.FaceOptions{Size: float64(size.pixels) * 0.8, DPI: 72, Hinting: font.HintingFull})
		require.NoError(t, err)
		f.Sizes = append(f.Sizes, atlas(t, face, size.pixels, size.width))
	}
	return &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}
}

// atlas draws the characters in rows that are as high as the size.
func atlas(t *testing.T, face font.Face, size, width int) *gpb.FontSize {
	picture := image.NewAlpha(image.Rect(0, 0, width, width))
	baseline := face.Metrics().Ascent.Round()
	var glyphs []gpb.Glyph
	x, y := 1, 0
	for r := ' '; r <= '~'; r++ {
		at, mask, from, advance, ok := face.Glyph(fixed.P(0, 0), r)
		require.True(t, ok)
		w := max(at.Dx(), 1)
		if x+w+1 > width {
			x, y = 1, y+size+1
		}
		draw.DrawMask(picture, image.Rect(x, y, x+w, y+size), image.NewUniform(color.Opaque), image.Point{}, mask,
			from.Sub(image.Pt(0, baseline+at.Min.Y)), draw.Over)
		glyphs = append(glyphs, gpb.Glyph{Index: uint32(r), Width: uint32(w), BearingX: int32(at.Min.X),
			Advance: uint32(advance.Round()), UV: [4]float32{
				float32(x) / float32(width), float32(y), float32(x+w) / float32(width), float32(y + size)}})
		x += w + 1
	}
	height := (y + size + 7) / 8 * 8
	require.LessOrEqual(t, height, width, "the characters do not fit")
	for i := range glyphs {
		glyphs[i].UV[1] /= float32(height)
		glyphs[i].UV[3] /= float32(height)
	}
	return &gpb.FontSize{Size: uint32(size), Glyphs: gpbtest.Glyphs(glyphs...), Width: uint32(width),
		Height: uint32(height), Map: gpbtest.Bytes(picture.Pix[:width*height])}
}
