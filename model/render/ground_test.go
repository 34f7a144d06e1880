package render_test

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/render"
)

func TestPicturesThatWouldVanishStandOnABoard(t *testing.T) {
	half := func(c color.NRGBA) image.Image { // of which one half is clear
		img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
		for i := range 64 * 32 {
			img.SetNRGBA(i%32, i/32, c)
		}
		return img
	}
	for name, c := range map[string]struct {
		seen  color.NRGBA
		board bool
	}{
		"black": {color.NRGBA{0, 0, 0, 255}, true}, "white": {color.NRGBA{255, 255, 255, 255}, true},
		"clear": {color.NRGBA{}, true}, "red": {color.NRGBA{200, 30, 30, 255}, false},
	} {
		d := model.NewDocument(nil, "t", "", &model.Node{})
		d.View = func(context.Context, *model.Node) (model.View, error) {
			return model.Picture{Image: half(c.seen)}, nil
		}
		img, err := (&render.Painter{Size: 64}).Thumbnail(t.Context(), d)
		require.NoError(t, err, name)
		want := uint8(0)
		if c.board {
			want = 255
		}
		assert.Equal(t, want, img.NRGBAAt(60, 30).A, "%s: what is clear", name)
		if c.board {
			assert.NotEqual(t, img.NRGBAAt(60, 4), img.NRGBAAt(60, 12), "%s: fields of a board", name)
		}
	}
}
