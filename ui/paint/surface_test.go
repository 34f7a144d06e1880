package paint_test

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
)

// tile is a widget that paints itself.
type tile struct {
	paint.Surface
	painted []image.Point // the sizes of its frames
}

func newTile() *tile {
	t := new(tile)
	t.Paints(t, paint.NewStyle(),
		func(c *paint.Canvas) { t.painted = append(t.painted, c.Img.Rect.Size()) })
	return t
}

func TestAFrameHasThePixelsThatAreOnTheScreen(t *testing.T) {
	test.NewTempApp(t)
	a := newTile()
	w := test.NewTempWindow(t, container.NewWithoutLayout(a))
	w.SetPadded(false)
	w.Resize(fyne.NewSize(300, 100))
	raster := test.WidgetRenderer(a).Objects()[0].(*canvas.Raster)
	for _, tt := range []struct {
		x, wide float32
		asked   int
		pixels  int
	}{
		{10, 100, 100, 100},
		{10.4, 100.3, 100, 101}, // from 10 to 111
		{10.6, 100.6, 101, 100}, // from 11 to 111
		{10, 100, 200, 200},     // a screen of twice as many pixels
	} {
		a.Move(fyne.NewPos(tt.x, 0))
		a.Resize(fyne.NewSize(tt.wide, 20))
		a.painted = nil
		raster.Generator(tt.asked, 20)
		assert.Equal(t, []image.Point{{X: tt.pixels, Y: 20}}, a.painted, tt)
	}
	raster.Generator(0, 20)
	assert.Len(t, a.painted, 1, "what has no size is not painted")
}

func TestPositionsArePixelsAtTheScaleOfTheLastFrame(t *testing.T) {
	test.NewTempApp(t)
	a := newTile()
	w := test.NewTempWindow(t, a)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(100, 20))
	test.WidgetRenderer(a).Objects()[0].(*canvas.Raster).Generator(200, 40)
	assert.EqualValues(t, 2, a.Scale())
	assert.Equal(t, image.Pt(21, 10), a.Pixel(fyne.NewPos(10.5, 5)))
}
