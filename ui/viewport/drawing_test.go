package viewport

import (
	"image"
	"image/color"
	"image/png"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/render"
	"assay/model/scene"
)

// savedAs saves a picture of a size and reads it.
func savedAs(t *testing.T, v *Viewport, size image.Point, transparent bool) image.Image {
	t.Helper()
	v.save(size, transparent)
	d := v.host.(*desk)
	require.NoError(t, d.err)
	img, err := png.Decode(&d.saved)
	require.NoError(t, err)
	return img
}

func TestSavedPictureHasTheChosenSizeAndBackground(t *testing.T) {
	v, _ := shown(t, moving())
	at := func(img image.Image, x, y int) color.Color { return color.NRGBAModel.Convert(img.At(x, y)) }
	for _, size := range []image.Point{{64, 40}, {40, 64}} {
		img := savedAs(t, v, size, false)
		assert.Equal(t, size, img.Bounds().Size())
		assert.Equal(t, v.background(), at(img, 0, 0), "the corner is empty")
		assert.NotEqual(t, v.background(), at(img, size.X/2-4, size.Y/2+4), "the middle is not")
	}
	img := savedAs(t, v, image.Pt(64, 40), true)
	_, _, _, corner := img.At(0, 0).RGBA()
	_, _, _, middle := img.At(28, 24).RGBA()
	assert.Equal(t, [2]uint32{0, 0xffff}, [2]uint32{corner, middle}, "alpha")
	assert.Equal(t, "scene.png", v.host.(*desk).name)
}

func TestLabelsAreWrittenIntoPictures(t *testing.T) {
	v, _ := shown(t, moving())
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	v.writeLabels(img, []render.Label{{Text: "X", X: 100, Y: 20}, {Text: "hip", Node: new(scene.Node), X: 40, Y: 80}})
	painted := func(r image.Rectangle) bool {
		part := img.SubImage(r).(*image.RGBA)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if part.RGBAAt(x, y).A > 0 {
					return true
				}
			}
		}
		return false
	}
	assert.True(t, painted(image.Rect(94, 12, 107, 29)), "around its place")
	assert.True(t, painted(image.Rect(46, 72, 80, 88)), "beside the joint")
	assert.False(t, painted(image.Rect(0, 30, 45, 100)), "not on the joint")
}

func TestPictureSizesKeepTheProportions(t *testing.T) {
	v, _ := shown(t, moving())
	v.canvas.Resize(fyne.NewSize(4000, 1000))
	sizes := v.pictureSizes()
	assert.Equal(t, image.Pt(4000, 1000), sizes[0])
	assert.Equal(t, image.Pt(8000, 2000), sizes[1])
	assert.Equal(t, image.Pt(8192, 2048), sizes[2], "with the proportions of what is seen")
}

func TestSavingFailsAfterTheSceneChanged(t *testing.T) {
	v, _ := shown(t, moving())
	m := v.model
	other, _ := shown(t, moving())
	v.SetModel(other.model)
	_, err := v.drawStill(t.Context(), m, v.view, image.Pt(8, 8))
	assert.ErrorContains(t, err, "the scene changed; save the image again")
}
