package viewport

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/render"
	"assay/model/scene"
)

// walking returns the second of three scenes of a cube that moves along x; another cube is in the second one only.
func walking() *scene.Scene {
	at := func(i int) *scene.Scene {
		dots := []scene.Dot{{ID: 7, Position: [3]float32{float32(10 * i)}}}
		if i == 1 {
			dots = append(dots, scene.Dot{ID: 8, Position: [3]float32{0, 5, 0}})
		}
		return &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Points: &scene.Points{Count: len(dots),
			Edge: 1, Read: func(first int, into []scene.Dot) error {
				copy(into, dots[first:])
				return nil
			}}}}}
	}
	s := at(1)
	s.Step = 1
	for i, name := range []string{"a1", "a2", "a3"} {
		s.Steps = append(s.Steps, scene.Step{Name: name,
			Open: func(context.Context) (*scene.Scene, error) { return at(i), nil }})
	}
	return s
}

// cubes returns the positions of the displayed points.
func cubes(t *testing.T, v *Viewport) (out [][3]float32) {
	t.Helper()
	p := v.model.Scene().Roots[0].Points
	dots := make([]scene.Dot, p.Count)
	require.NoError(t, p.Read(0, dots))
	for _, d := range dots {
		out = append(out, d.Position)
	}
	return out
}

func TestASeriesIsPlayed(t *testing.T) {
	v, said := shown(t, walking())
	p := v.play
	assert.True(t, p.bar.Visible())
	assert.True(t, v.tools.animation.hasItems, "its menu has what there is to choose")
	assert.Equal(t, "2 / 3", p.clock.Text)
	assert.Contains(t, *said, "a2")
	first, frame := v.model, v.model.Framing()
	p.stepKey(1)
	assert.Equal(t, "3 / 3", p.clock.Text)
	assert.Contains(t, *said, "a3")
	assert.Equal(t, [][3]float32{{20, 0, 0}}, cubes(t, v))
	assert.Equal(t, frame, v.model.Framing(), "the picture is of the same place")
	p.slider.SetValue(0)
	assert.Equal(t, [][3]float32{{}}, cubes(t, v))
	p.stepKey(1)
	assert.Same(t, first, v.model, "the file that is open is not read again")
	p.advance(time.Second / stepsASecond)
	assert.Equal(t, [][3]float32{{20, 0, 0}}, cubes(t, v))
	p.advance(time.Second / stepsASecond)
	assert.Zero(t, p.time, "over the end, from the beginning")
}

func TestASeriesIsInterpolatedOnRequest(t *testing.T) {
	v, _ := shown(t, walking())
	p := v.play
	p.seek(1.25)
	assert.Len(t, cubes(t, v), 2, "not asked for yet: the nearest")
	p.toggleInterpolation()
	assert.Equal(t, [][3]float32{{12.5, 0, 0}, {0, 5, 0}}, cubes(t, v))
	p.seek(.5)
	assert.Equal(t, [][3]float32{{5, 0, 0}, {0, 5, 0}}, cubes(t, v))
	p.toggleInterpolation()
	assert.Equal(t, "Interpolate between Files", p.items()[0].Label)
	assert.Equal(t, [][3]float32{{10, 0, 0}, {0, 5, 0}}, cubes(t, v))
}

func TestASeriesTurnsAsAWhole(t *testing.T) {
	v, _ := shown(t, walking())
	first := v.model
	v.play.stepKey(1)
	v.SetUp(true)
	v.play.stepKey(-1)
	assert.Same(t, first, v.model)
	assert.True(t, v.model.ZUp())
	v.play.stepKey(-1)
	assert.True(t, v.model.ZUp())
}

func TestAStepThatCannotBeReadStopsTheSeries(t *testing.T) {
	s := walking()
	s.Steps[2].Open = func(context.Context) (*scene.Scene, error) { return nil, errors.New("it is gone") }
	v, _ := shown(t, s)
	v.play.playing = true
	v.play.stepKey(1)
	assert.False(t, v.play.playing)
	assert.Len(t, cubes(t, v), 2, "what was shown stays")
}

func TestCameraStaysBetweenSteps(t *testing.T) {
	v, _ := shown(t, walking())
	v.play.stepKey(1)
	pose := v.Pose()
	assert.False(t, pose.tight, "it would jump to where each step fits")
	v.play.stepKey(-1)
	assert.Equal(t, pose, v.Pose())
	v.play.stepKey(1)
	v.FrameAll()
	frame := v.model.Framing()
	for _, by := range []int{-1, -1, 1, 1} {
		v.play.stepKey(by)
		assert.Equal(t, frame, v.model.Framing(), "of the whole series")
	}
}

func TestSeriesIsFramedAsAWhole(t *testing.T) {
	v, _ := shown(t, walking())
	assert.True(t, v.Pose().tight)
	whole := v.model.Framing()
	own, err := render.Load(t.Context(), v.model.Scene())
	require.NoError(t, err)
	assert.NotEqual(t, own.Framing(), whole, "the shown step fills less")
	for _, at := range []int{0, 2} {
		step, err := v.play.steps.all[at].Open(t.Context())
		require.NoError(t, err)
		m, err := render.Load(t.Context(), step)
		require.NoError(t, err)
		assert.Equal(t, whole, whole.Union(m.Framing()))
	}
	assert.Equal(t, []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, sampledSteps(10))
	many := sampledSteps(1000)
	assert.LessOrEqual(t, len(many), sampledFiles)
	assert.Equal(t, 999, many[0])
}

// TestStepsAreDisplayedEquallyLong plays a series of three steps twice, a quarter of a step at a time.
func TestStepsAreDisplayedEquallyLong(t *testing.T) {
	v, _ := shown(t, walking())
	p := v.play
	p.goTo(0)
	p.playing = true
	seen := make(map[float32]int)
	for range 24 {
		seen[p.time]++
		p.advance(time.Second / stepsASecond / 4)
	}
	assert.Equal(t, map[float32]int{0: 8, 1: 8, 2: 8}, seen)
	p.stopsAtEnd = true
	for range 24 {
		p.advance(time.Second / stepsASecond / 4)
	}
	assert.Equal(t, float32(2), p.time)
	assert.False(t, p.playing, "it ends at the last")
}
