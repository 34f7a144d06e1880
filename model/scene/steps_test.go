package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// cloud is a scene of points.
func cloud(dots ...scene.Dot) *scene.Scene {
	points := &scene.Points{Count: len(dots), Edge: 1, Read: func(first int, into []scene.Dot) error {
		copy(into, dots[first:])
		return nil
	}}
	return &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Points: points}}}
}

// dotsOf returns the points of a scene.
func dotsOf(t *testing.T, s *scene.Scene) []scene.Dot {
	t.Helper()
	out := make([]scene.Dot, s.Roots[0].Points.Count)
	require.NoError(t, s.Roots[0].Points.Read(0, out))
	return out
}

func TestInterpolationBetweenSteps(t *testing.T) {
	a := cloud(scene.Dot{ID: 1, Color: [4]uint8{0, 100, 0, 255}}, scene.Dot{ID: 2, Position: [3]float32{5, 5, 5}})
	b := cloud(scene.Dot{ID: 3, Position: [3]float32{7, 7, 7}},
		scene.Dot{ID: 1, Position: [3]float32{4, 0, -8}, Color: [4]uint8{200, 0, 0, 255}})
	s, err := scene.Interpolate(a, b, .25)
	require.NoError(t, err)
	assert.Equal(t, []scene.Dot{{ID: 1, Position: [3]float32{1, 0, -2}, Color: [4]uint8{50, 75, 0, 255}},
		{ID: 2, Position: [3]float32{5, 5, 5}}}, dotsOf(t, s), "what is gone later is still there")
	s, err = scene.Interpolate(a, b, .75)
	require.NoError(t, err)
	assert.Equal(t, []scene.Dot{{ID: 1, Position: [3]float32{3, 0, -6}, Color: [4]uint8{150, 25, 0, 255}},
		{ID: 3, Position: [3]float32{7, 7, 7}}}, dotsOf(t, s))
	assert.Equal(t, float32(1), s.Roots[0].Points.Edge)
	s, err = scene.Interpolate(a, &scene.Scene{}, 0)
	require.NoError(t, err)
	assert.Len(t, dotsOf(t, s), 2)
}

func TestLoadedPointsStayInMemory(t *testing.T) {
	list := []scene.Dot{{ID: 1}, {ID: 2}}
	p, err := cloud(list...).Roots[0].Points.Load()
	require.NoError(t, err)
	list[1].ID = 9
	into := make([]scene.Dot, 1)
	require.NoError(t, p.Read(1, into))
	assert.EqualValues(t, 2, into[0].ID)
	_, err = (&scene.Points{Count: 1 << 30}).Load()
	assert.ErrorContains(t, err, "points to play the series: 1073741824")
}
