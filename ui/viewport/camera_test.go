package viewport

import (
	"bytes"
	"image"
	"image/color"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/render"
	"assay/model/scene"
	"assay/ui/control"
)

// longer returns moving with an animation of a length in seconds.
func longer(name string, seconds float32) *scene.Scene {
	s := moving()
	s.Animations[0].Name = name
	s.Animations[0].Channels[0].Read = func() ([]float32, []float32, error) {
		return []float32{0, seconds}, []float32{0, seconds}, nil
	}
	return s
}

func TestSyncedViewportsPlayTheSameMoment(t *testing.T) {
	a, _ := shown(t, moving())
	b, _ := shown(t, longer("up", 4))
	Sync(a, b)
	a.play.choose(1)
	assert.Equal(t, "up", b.play.name(), "the same animation")
	assert.Equal(t, "0.00 / 4.00 s", a.play.clock.Text, "as long as the longer one takes")
	still := bytes.Clone(pixels(b))
	a.play.slider.SetValue(1)
	assert.InDelta(t, 1, b.play.time, .001, "scrubbed with the other one")
	assert.InDelta(t, 1, b.play.slider.Value, .001)
	assert.NotEqual(t, still, pixels(b))

	b.play.slider.SetValue(3)
	at, time3 := a.play.posePlayer()
	assert.NotNil(t, at)
	assert.Equal(t, float32(2), time3, "the shorter one stands at its end")
	b.play.choose(0)
	assert.Equal(t, "half", a.play.name())
	a.play.choose(-1)
	assert.Empty(t, b.play.name())

	a.play.choose(1)
	a.play.playing = true
	a.play.syncOthers()
	assert.Equal(t, a.play.leader(), b.play.leader())
	a.play.advance(time.Second / 2)
	assert.InDelta(t, .5, b.play.time, .001)
	b.play.toggle()
	assert.False(t, a.play.playing, "either button stops both")
}

func TestOneWithoutAnimationsPlaysTheOther(t *testing.T) {
	plain := moving()
	plain.Animations = nil
	a, _ := shown(t, plain)
	b, _ := shown(t, moving())
	assert.False(t, a.play.bar.Visible())
	Sync(a, b)
	b.play.choose(1)
	assert.True(t, a.play.bar.Visible(), "both pictures are as large")
	a.play.slider.SetValue(1.5)
	assert.InDelta(t, 1.5, b.play.time, .001)
}

func TestTimeIsKeptForAReloadedScene(t *testing.T) {
	v, _ := shown(t, moving())
	v.Keep = true
	v.play.choose(1)
	v.play.goTo(1.5)
	m, err := render.Load(t.Context(), moving())
	require.NoError(t, err)
	v.SetModel(m)
	assert.Equal(t, "up", v.play.name())
	assert.InDelta(t, 1.5, v.play.time, .001)
}

// two returns a viewport with a model and a higher second model at the same position.
func two(t *testing.T, way control.ViewMode, share float64) *Viewport {
	t.Helper()
	v, _ := shown(t, moving())
	own, err := render.Load(t.Context(), moving())
	require.NoError(t, err)
	other, err := render.Load(t.Context(), moving())
	require.NoError(t, err)
	other.Scene().Roots[0].Transform[13] = 2
	other.Pose().Reset()
	other.Update()
	own.FrameWith(other)
	other.FrameWith(own)
	own.SetFraming(other.Framing())
	v.SetModels(own, other, way, share, 1)
	v.redraw(false)
	return v
}

func TestALineBetweenTwoModels(t *testing.T) {
	v := two(t, control.Swipe, 0)
	own := bytes.Clone(pixels(v))
	v.SetSecond(control.Swipe, 1, 1)
	other := bytes.Clone(pixels(v))
	assert.NotEqual(t, own, other)
	v.SetSecond(control.Swipe, .5, 1)
	img := v.canvas.picture.(*image.RGBA)
	width := img.Rect.Dx()
	for _, c := range []struct {
		x    int
		from []byte
	}{{width / 4, other}, {3 * width / 4, own}} {
		for y := range img.Rect.Dy() {
			i := img.PixOffset(c.x, y)
			require.Equal(t, c.from[i:i+4], img.Pix[i:i+4])
		}
	}
	var reported float64
	v.OnShare = func(share float64) { reported = share }
	w := v.canvas.size.Width
	at := fyne.NewPos(w/2, 50)
	v.canvas.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	assert.Equal(t, desktop.HResizeCursor, v.canvas.Cursor())
	pose := v.Pose()
	v.canvas.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(w/4, 0)},
		Dragged: fyne.NewDelta(w/4, 0)})
	assert.InDelta(t, .75, reported, .01)
	assert.Equal(t, pose, v.Pose(), "the camera stays")
	v.canvas.DragEnd()
	v.canvas.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(9, 9)},
		Dragged: fyne.NewDelta(5, 5)})
	assert.NotEqual(t, pose, v.Pose(), "away from the line the camera is turned")
}

func TestTheDifferenceOfTwoModels(t *testing.T) {
	v := two(t, control.Difference, .5)
	img := v.canvas.picture.(*image.RGBA)
	same := img.RGBAAt(1, 1)
	assert.Equal(t, color.RGBA{same.R, same.R, same.R, 255}, same, "what is the same is gray")
	lit := 0
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] != img.Pix[i+2] {
			lit++
		}
	}
	assert.Greater(t, lit, 100)
	v.play.choose(1)
	player, at := v.second.at(1.5)
	assert.NotNil(t, player, "the second model plays too")
	assert.Equal(t, float32(1.5), at)
}

func TestInvisibleViewportDoesNotDraw(t *testing.T) {
	v, _ := shown(t, moving())
	v.SetPaused(true)
	before := bytes.Clone(pixels(v))
	v.rune('7')
	assert.Equal(t, before, pixels(v))
	v.SetPaused(false)
	assert.NotEqual(t, before, pixels(v), "as it is by now")
}

func TestSharedBarPlaysAll(t *testing.T) {
	a, _ := shown(t, moving())
	b, _ := shown(t, moving())
	all, _ := shown(t, moving())
	all.SetModel(nil)
	Sync(a, b, all)
	bar := all.TakeBar()
	a.play.choose(1)
	assert.True(t, bar.Visible())
	for _, v := range []*Viewport{a, b} {
		assert.False(t, v.play.row.Visible())
	}
	all.play.slider.SetValue(1.5)
	assert.InDelta(t, 1.5, a.play.time, .001)
	assert.InDelta(t, 1.5, b.play.time, .001)
	all.play.toggle()
	assert.True(t, a.play.playing || b.play.playing)
	assert.Equal(t, theme.MediaPauseIcon(), all.play.button.Icon)
	all.play.toggle()
	assert.False(t, a.play.playing || b.play.playing)
}

// blank reports whether one color fills a part of the width of the picture.
func blank(v *Viewport, from, to int) bool {
	img := v.canvas.picture.(*image.RGBA)
	for y := range img.Rect.Dy() {
		for x := from; x < to; x++ {
			if img.RGBAAt(x, y) != img.RGBAAt(img.Rect.Dx()/2+2, 0) {
				return false
			}
		}
	}
	return true
}

func TestBothModelsOfASwipeAreHidden(t *testing.T) {
	v := two(t, control.Swipe, .5)
	wide := v.canvas.picture.(*image.RGBA).Rect.Dx()
	line := wide / 2
	assert.False(t, blank(v, 0, line-2))
	assert.False(t, blank(v, line+2, wide))
	v.Select(v.model.Scene().Roots[0])
	v.SelectSecond(v.second.model.Scene().Roots[0])
	v.hide()
	assert.True(t, blank(v, 0, line-2), "the old one")
	assert.True(t, blank(v, line+2, wide), "the new one")
	v.showAll()
	assert.False(t, blank(v, 0, line-2))
	assert.False(t, blank(v, line+2, wide))

	v.Select(v.model.Scene().Roots[0])
	v.isolate()
	assert.True(t, blank(v, 0, line-2), "nothing of it is isolated")
	v.Select(nil)
	assert.False(t, blank(v, line+2, wide))
}

func TestHidingAppliesToSyncedViewports(t *testing.T) {
	a, _ := shown(t, moving())
	b, _ := shown(t, moving())
	Sync(a, b)
	wide := a.canvas.picture.(*image.RGBA).Rect.Dx()
	for _, v := range []*Viewport{a, b} {
		v.Select(v.model.Scene().Roots[0])
	}
	a.hide()
	assert.True(t, blank(a, 0, wide))
	assert.True(t, blank(b, 0, wide))
	b.showAll()
	assert.False(t, blank(a, 0, wide))
	b.HasSelection = func() bool { return false }
	for _, v := range []*Viewport{a, b} {
		v.Select(v.model.Scene().Roots[0])
	}
	a.hide()
	assert.True(t, blank(a, 0, wide))
	assert.False(t, blank(b, 0, wide), "what is selected is not in it")
}
