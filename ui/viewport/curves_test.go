package viewport

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
	"assay/ui/paint"
)

func TestAChannelIsPlottedAndPosesTheScene(t *testing.T) {
	s := moving()
	v, _ := shown(t, s)
	c := s.Animations[0].Channels[0]
	k, problems, err := c.Curve()
	require.NoError(t, err)
	assert.Empty(t, problems)
	plot := v.play.curves
	assert.False(t, plot.Visible())
	v.ShowChannel(c, k, 1.5, true)
	assert.True(t, plot.Visible())
	assert.Equal(t, "up", v.play.name(), "the animation that has the channel, and not a clip of it")
	assert.Same(t, s.Roots[0], v.view.Marks.Selected)
	assert.Equal(t, float32(1.5), v.play.time)
	assert.Equal(t, "1.50 / 2.00 s", v.play.clock.Text)
	assert.InDelta(t, 1.5, v.model.Pose().World[0][13], 1e-6, "it went up by 1 a second")

	area := plot.Size().Width - 2*lanePad
	test.TapAt(plot, fyne.NewPos(lanePad+area/4, 10))
	assert.InDelta(t, .5, v.play.time, .01, "a quarter of two seconds")
	plot.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(10_000, 10)}})
	assert.Equal(t, float32(2), v.play.time, "beyond the end is the end")

	v.ShowChannel(c, k, 0, false)
	assert.Equal(t, float32(2), v.play.time, "no key was selected")
	v.HideChannel()
	assert.False(t, plot.Visible())
}

func TestLanesOfACurve(t *testing.T) {
	k := &scene.Curve{
		Components: []scene.Component{scene.ScaleX, scene.ScaleY, scene.ScaleZ, scene.TranslateX, scene.TranslateY},
		Times:      []float32{0, 1}, Values: []float32{1, 1, 1, 0, -1, 1, 1, 1, 3, 1}}
	lanes := lanesOf(k, 0, 1)
	require.Len(t, lanes, 2)
	assert.Equal(t, "scale", lanes[0].title)
	assert.True(t, lanes[0].constant)
	assert.Equal(t, []int{3, 4}, lanes[1].parts)
	assert.False(t, lanes[1].constant)
	assert.InDelta(t, -1.2, lanes[1].low, 1e-6, "the least value, and a twentieth of the range")
	assert.InDelta(t, 3.2, lanes[1].high, 1e-6)
}

// TestACurveIsDrawnWhereItsValuesAre looks for the line in the picture.
func TestACurveIsDrawnWhereItsValuesAre(t *testing.T) {
	s := moving()
	v, _ := shown(t, s)
	c := s.Animations[0].Channels[0]
	k, _, err := c.Curve()
	require.NoError(t, err)
	v.ShowChannel(c, k, 0, true)
	plot := v.play.curves
	picture := test.NewTempWindow(t, plot).Canvas().Capture()
	rows := func(x int) (low, high int) {
		want := componentColors[true][1]
		low = -1
		for y := laneTitle; y < picture.Bounds().Dy(); y++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			other := componentColors[false][1]
			for _, col := range [][3]uint8{{want.R, want.G, want.B}, {other.R, other.G, other.B}} {
				if [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)} == col {
					if low < 0 {
						low = y
					}
					high = y
				}
			}
		}
		return low, high
	}
	size := image.Pt(picture.Bounds().Dx(), picture.Bounds().Dy())
	left, _ := rows(lanePad + size.X/8)
	right, _ := rows(size.X - lanePad - size.X/8)
	require.GreaterOrEqual(t, left, 0)
	require.GreaterOrEqual(t, right, 0)
	assert.Greater(t, left, right, "it goes up")
}

// TestCurvesGrowWithTheView plots a curve in a small view that becomes large, and small again.
func TestCurvesGrowWithTheView(t *testing.T) {
	s := moving()
	v, _ := shown(t, s)
	c := s.Animations[0].Channels[0]
	k, _, err := c.Curve()
	require.NoError(t, err)
	w := test.NewTempWindow(t, v.Content())
	w.Resize(fyne.NewSize(400, 160))
	v.ShowChannel(c, k, 0, false)
	small := v.play.curves.Size().Height
	w.Resize(fyne.NewSize(900, 700))
	large := v.play.curves.Size().Height
	assert.EqualValues(t, lanePad+maxLaneHeight, large)
	assert.Less(t, small, large)
	w.Resize(fyne.NewSize(400, 160))
	assert.Equal(t, small, v.play.curves.Size().Height)
}

// turning is a curve whose components are far apart and change little.
func turning() *scene.Curve {
	return &scene.Curve{Components: []scene.Component{scene.RotateX, scene.RotateY, scene.RotateZ, scene.RotateW},
		Times: []float32{0, 1, 9}, Values: []float32{-.42, 0, 0, .90752, -.45, .05, 0, .89163, .78, -.6, 0, -.1778}}
}

func TestFlatComponentsHaveTheirOwnLanes(t *testing.T) {
	whole := lanesOf(turning(), 0, 1)
	require.Len(t, whole, 1)
	assert.InDelta(t, .9, whole[0].high, .08, "what is later is not seen")
	apart := separate(whole)
	require.Len(t, apart, 4)
	for i, part := range []int{2, 0, 1, 3} {
		assert.Equal(t, "rotation", apart[i].title)
		assert.Equal(t, []int{part}, apart[i].parts)
		assert.Equal(t, i == 0, apart[i].constant)
	}
	assert.InDelta(t, -.45, apart[1].low, .002)
	assert.InDelta(t, -.42, apart[1].high, .002)
	assert.Len(t, separate(lanesOf(turning(), 0, 9)), 1, "all that move are seen to")

	c := newCurves(paint.NewStyle(), nil)
	c.setSpan(0, 1)
	c.set(turning(), 900)
	assert.Len(t, c.lanes, 4)
	assert.True(t, c.fit(200), "there is no room for so many")
	assert.Len(t, c.lanes, 1)
	assert.False(t, c.fit(200))
	c.fit(900)
	assert.True(t, c.setSpan(0, 9))
	assert.Len(t, c.lanes, 1)
	assert.Equal(t, []float32{0, 1, 9}, c.visibleKeys())
	c.setSpan(0, 1)
	assert.Equal(t, []float32{0, 1}, c.visibleKeys())
}
