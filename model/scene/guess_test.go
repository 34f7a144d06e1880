package scene_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

func TestPlainColorsAreMuted(t *testing.T) {
	different := make(map[[3]uint8]bool)
	for i := range 1000 {
		c := scene.PlainColor(fmt.Sprint("part", i))
		low, high := min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
		assert.GreaterOrEqual(t, low, uint8(130), "light")
		assert.LessOrEqual(t, high-low, uint8(48), "muted")
		different[c] = true
	}
	assert.Greater(t, len(different), 300)
	assert.Equal(t, scene.PlainColor("flag"), scene.PlainColor("flag"))
}

func TestPicturesOnTransparentBlackAreCutOut(t *testing.T) {
	of := func(ground color.NRGBA, line image.Rectangle) image.Image {
		img := image.NewNRGBA(image.Rect(0, 0, 100, 100))
		for i := range 10_000 {
			img.SetNRGBA(i%100, i/100, ground)
		}
		for y := line.Min.Y; y < line.Max.Y; y++ {
			for x := line.Min.X; x < line.Max.X; x++ {
				img.SetNRGBA(x, y, color.NRGBA{A: 255})
			}
		}
		return img
	}
	line := image.Rect(0, 0, 100, 10)
	assert.True(t, scene.IsCutOut(of(color.NRGBA{}, line)), "a line on transparent black")
	assert.False(t, scene.IsCutOut(of(color.NRGBA{}, image.Rect(0, 0, 100, 60))), "a picture with a hole")
	assert.False(t, scene.IsCutOut(of(color.NRGBA{R: 200}, line)), "gloss")
	assert.False(t, scene.IsCutOut(of(color.NRGBA{A: 255}, line)), "black")
	assert.False(t, scene.IsCutOut(image.NewNRGBA(image.Rectangle{})), "nothing")
	assert.False(t, scene.IsCutOut(image.NewGray(image.Rect(0, 0, 1, 1))), "without alpha")

	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, of(color.NRGBA{}, line)))
	drawing := &scene.Texture{Name: "cat.png", Path: "cat.png", MediaType: "image/png",
		Open:  func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file.Bytes())), nil },
		Image: func(context.Context) (image.Image, error) { return of(color.NRGBA{}, line), nil }}
	p, lost := parse(t, mapped(&scene.Material{Name: "cat", Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1},
		Texture: sampler(drawing)}))
	assert.Equal(t, []any{"MASK", .5}, []any{p.doc.Materials[0]["alphaMode"], p.doc.Materials[0]["alphaCutoff"]})
	assert.Contains(t, lost, `guessed: an alpha cutoff for mostly transparent textures of materials that do not blend (1, in "cat")`)
}
