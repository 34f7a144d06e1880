package picture

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// The pictures are the frames of an animation, one picture, and none.
func TestAllPicturesFormWritesEachPart(t *testing.T) {
	var all gif.GIF
	for i := range 12 {
		frame := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.Gray{uint8(20 * i)}})
		all.Image, all.Delay = append(all.Image, frame), append(all.Delay, 5)
	}
	encoded := func(g *gif.GIF) []byte {
		var b bytes.Buffer
		require.NoError(t, gif.EncodeAll(&b, g))
		return b.Bytes()
	}
	opened := 0
	form := func(data []byte) (model.Form, error) {
		return Forms("GIF", func(_ context.Context, use func(*model.Source) error) error {
			opened++
			return use(model.NewSource("a.gif", bytes.NewReader(data), int64(len(data))))
		})[1].Files(t.Context())
	}
	f, err := form(encoded(&all))
	require.NoError(t, err)
	require.Len(t, f.Extensions, 12)
	assert.Equal(t, []string{"-01.png", "-12.png"}, []string{f.Extensions[0], f.Extensions[11]})
	for i := range f.Extensions {
		var b bytes.Buffer
		require.NoError(t, f.WriteFiles(t.Context(), &b, i, nil))
		img, err := png.Decode(&b)
		require.NoError(t, err)
		assert.Equal(t, color.Gray{uint8(20 * i)}, color.GrayModel.Convert(img.At(1, 0)))
	}
	assert.Equal(t, 1, opened)
	assert.ErrorContains(t, f.WriteFiles(t.Context(), &bytes.Buffer{}, 12, nil), "changed")

	all.Image, all.Delay = all.Image[:1], all.Delay[:1]
	f, err = form(encoded(&all))
	require.NoError(t, err)
	assert.Equal(t, []string{".png"}, f.Extensions)
	require.NoError(t, f.WriteFiles(t.Context(), &bytes.Buffer{}, 0, nil))
	_, err = form([]byte("GIF8"))
	assert.Error(t, err)
	assert.Equal(t, []string{"-1-level-0-64x32.png", "-2-x+.png"},
		partExtensions([]model.Part{{Name: "level 0, 64 × 32"}, {Name: "x+"}}))
	assert.True(t, hasSeveral(".dds") && hasSeveral("GIF") && !hasSeveral(".png"))
}
