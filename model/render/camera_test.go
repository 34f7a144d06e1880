package render_test

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/render"
	"assay/model/scene"
)

// deepBox returns two squares, one far behind the other.
func deepBox() *scene.Scene {
	return sceneOf(square(0, 1, unlit(1, 0, 0, 1)), square(6, 1, unlit(0, 1, 0, 1)))
}

// drawn draws a model in a view, and returns the bounds of the drawn pixels.
func drawn(t *testing.T, m *render.Model, v render.View) image.Rectangle {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	r := render.Renderer{Samples: 2}
	require.NoError(t, r.Draw(t.Context(), img, m, v))
	_, where := covered(img)
	return where
}

func TestTightViewsTouchTheEdges(t *testing.T) {
	m, err := render.Load(t.Context(), deepBox())
	require.NoError(t, err)
	for _, parallel := range []bool{false, true} {
		for _, yaw := range []float64{0, .6, 1.2} {
			where := drawn(t, m, render.View{Tight: true, Orthographic: parallel, Yaw: yaw, Pitch: .3})
			assert.InDelta(t, 96, max(where.Dx(), where.Dy()), 3, "parallel %v, yaw %v: %v", parallel, yaw, where)
			assert.InDelta(t, 100, where.Min.X+where.Max.X, 3, "it is centered")
		}
	}
}

func TestUnlockedCameraShowsTheSame(t *testing.T) {
	m, err := render.Load(t.Context(), deepBox())
	require.NoError(t, err)
	for _, parallel := range []bool{false, true} {
		tight := render.View{Tight: true, Orthographic: parallel, Yaw: .6, Pitch: .3}
		unlocked := m.UnlockCamera(tight, 100, 100)
		assert.False(t, unlocked.Tight)
		assert.Equal(t, drawn(t, m, tight), drawn(t, m, unlocked), "parallel %v", parallel)
	}
}

// eye returns a node with a camera that is rotated around y and then moved back by a distance.
func eye(angle, distance float64, c *scene.Camera) *scene.Node {
	n := &scene.Node{Name: "eye", Transform: scene.Identity, Camera: c}
	s, k := float32(math.Sin(angle)), float32(math.Cos(angle))
	n.Transform[0], n.Transform[2], n.Transform[8], n.Transform[10] = k, -s, s, k
	n.Transform[12], n.Transform[14] = s*float32(distance), k*float32(distance)
	return n
}

func TestUnlockedSceneCameraKeepsItsDirection(t *testing.T) {
	wide := &scene.Camera{FieldOfView: 1.2, Aspect: 1, Near: .1, Far: 100}
	flat := &scene.Camera{Orthographic: true, Width: 4, Height: 4, Near: .1, Far: 100}
	for _, c := range []*scene.Camera{wide, flat} {
		n := eye(.5, 8, c)
		m, err := render.Load(t.Context(), sceneOf(square(0, 1, unlit(1, 0, 0, 1)), n))
		require.NoError(t, err)
		through := render.View{Camera: n}
		unlocked := m.UnlockCamera(through, 100, 100)
		assert.Nil(t, unlocked.Camera)
		assert.InDelta(t, .5, unlocked.Yaw, 1e-5)
		assert.InDelta(t, 0, unlocked.Pitch, 1e-5)
		assert.Equal(t, c.Orthographic, unlocked.Orthographic)
		a, b := drawn(t, m, through), drawn(t, m, unlocked)
		assert.InDelta(t, a.Dx(), b.Dx(), 2)
		assert.InDelta(t, a.Min.X, b.Min.X, 2)
	}
}

// Some cameras lean to a side, and one looks straight down.
func TestUnlockedCameraKeepsItsTilt(t *testing.T) {
	long := square(0, 1, unlit(1, 0, 0, 1))
	long.Transform[0] = 3 // three times as wide as high
	for what, axes := range map[string][3][3]float64{
		"to its left":  {{.8, .6, 0}, {-.6, .8, 0}, {0, 0, 1}},
		"to its right": {{.8, -.6, 0}, {.6, .8, 0}, {0, 0, 1}},
		"on its head":  {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
		"from a side":  {{.64, .6, -.48}, {-.48, .8, .36}, {.6, 0, .8}},
		"from above":   {{.6, 0, -.8}, {-.8, 0, -.6}, {0, 1, 0}},
	} {
		t.Run(what, func(t *testing.T) {
			n := &scene.Node{Transform: scene.Identity, Camera: &scene.Camera{FieldOfView: .8, Aspect: 1}}
			for k, axis := range axes {
				for i := range axis {
					n.Transform[4*k+i] = float32(axis[i])
				}
			}
			for i := range 3 {
				n.Transform[12+i] = 12 * n.Transform[8+i]
			}
			model := sceneOf(long, n)
			if what == "from above" {
				flat := square(0, 1, unlit(1, 0, 0, 1))
				flat.Transform = scene.Matrix{3, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1}
				model = sceneOf(flat, n)
			}
			m, err := render.Load(t.Context(), model)
			require.NoError(t, err)
			through := render.View{Camera: n}
			a, b := drawn(t, m, through), drawn(t, m, m.UnlockCamera(through, 100, 100))
			require.Greater(t, a.Dx()*a.Dy(), 200)
			assert.InDeltaSlice(t, []int{a.Min.X, a.Min.Y, a.Max.X, a.Max.Y}, []int{b.Min.X, b.Min.Y, b.Max.X, b.Max.Y},
				2)
		})
	}
}

// The cameras are between two squares, and past both.
func TestUnlockedCameraInsideTheModelStays(t *testing.T) {
	for _, away := range []float64{.1, -1.4} {
		n := eye(.5, away, &scene.Camera{FieldOfView: 1.2, Aspect: 1, Near: .1, Far: 100})
		m, err := render.Load(t.Context(), sceneOf(square(-1, 1, unlit(1, 0, 0, 1)), square(1, 1, unlit(1, 0, 0, 1)),
			square(-5, .5, unlit(1, 0, 0, 1)), n))
		require.NoError(t, err)
		through := render.View{Camera: n}
		unlocked := m.UnlockCamera(through, 100, 100)
		assert.InDelta(t, .5, unlocked.Yaw, 1e-5)
		assert.Equal(t, drawn(t, m, through), drawn(t, m, unlocked))
		assert.Equal(t, unlocked, m.UnlockCamera(unlocked, 100, 100))
	}
}

// One square is beyond the far plane, the other is not.
func TestItemsBeyondTheFarPlaneOfACameraAreNotDrawn(t *testing.T) {
	n := eye(0, 8, &scene.Camera{FieldOfView: 1.2, Aspect: 1, Near: .1, Far: 20})
	m, err := render.Load(t.Context(), sceneOf(square(0, 1, unlit(1, 0, 0, 1)), square(-30, 30, unlit(0, 1, 0, 1)), n))
	require.NoError(t, err)
	where := drawn(t, m, render.View{Camera: n})
	assert.Less(t, where.Dx(), 40)
	assert.Equal(t, 100, drawn(t, m, m.UnlockCamera(render.View{Camera: n}, 100, 100)).Dx(), "a free camera has no far plane")
}
