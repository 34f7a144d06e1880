package render_test

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
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

func TestLegendHasThePlaceholderColorsAndScales(t *testing.T) {
	named := square(0, 1, &scene.Material{Name: "stone"})
	unnamed := square(1, 1, nil)
	unnamed.Mesh.Name = "hull"
	known, blank := square(2, 1, unlit(1, 0, 0, 1)), square(3, 1, unlit(1, 1, 1, 1))
	m, err := render.Load(t.Context(), sceneOf(named, named, unnamed, known, blank))
	require.NoError(t, err)
	var names []string
	for _, s := range m.Legend(render.View{}) {
		assert.Equal(t, s.Text != "placeholder colors", s.Color.A > 0, "the title has no color")
		names = append(names, s.Text)
	}
	assert.Equal(t, []string{"placeholder colors", "stone", "hull"}, names, "materials with colors are not listed")
	assert.Empty(t, m.Legend(render.View{Surface: render.Clay}))
	assert.Len(t, m.Legend(render.View{Surface: render.Normals}), 6)
	assert.Empty(t, m.Legend(render.View{Surface: render.Weights}), "there is no joint")
	weights := m.Legend(render.View{Surface: render.Weights, Joint: &scene.Node{Name: "hip"}, BackFaces: true})
	assert.Equal(t, "back faces", weights[0].Text)
	assert.Equal(t, render.Sign{Text: "joint weight: hip"}, weights[1])
	assert.Equal(t, "1", weights[2].Text)
	assert.Greater(t, weights[2].Color.R, weights[2].Color.B, "red is the full weight")
	assert.Equal(t, "0", weights[6].Text)
	assert.Greater(t, weights[6].Color.B, weights[6].Color.R, "blue is no weight")
}

func TestOnlyOneNodeIsShown(t *testing.T) {
	a, b := triangle(1, 0, 1, 0, 0), triangle(1, 0, 0, 1, 0)
	s := sceneOf(a, b)
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	visible := func() int {
		img := image.NewNRGBA(image.Rect(0, 0, 40, 40))
		r := render.Renderer{}
		require.NoError(t, r.Draw(t.Context(), img, m, front))
		seen := map[*scene.Node]bool{}
		for i := range 40 * 40 {
			if h := r.Hits().At(m, i%40, i/40); h.Node != nil {
				seen[h.Node] = true
			}
		}
		return len(seen)
	}
	m.Show(render.Piece{Node: a}, nil)
	assert.Equal(t, 1, visible())
	m.Show(render.Piece{Node: a}, []render.Piece{{Node: a}})
	assert.Zero(t, visible(), "it is also hidden")
	m.Show(render.Piece{}, []render.Piece{{Node: a}, {Node: b}})
	assert.Zero(t, visible())
	m.Show(render.Piece{}, nil)
	assert.Positive(t, visible())
	assert.True(t, m.Draws(render.Piece{Node: a}))
	assert.False(t, m.Draws(render.Piece{Node: &scene.Node{}}))
	assert.False(t, m.Draws(render.Piece{}))
}

// halves returns a node with a mesh of two parts: its left and its right half.
func halves() *scene.Node {
	m := flat(scene.Triangles, -1, -1, 0, 1, 0, 0, 0, -1, 0, 1, 0, 0, -1, 1, 0, 1, 0, 0,
		0, -1, 0, 0, 1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0)
	m.Parts = []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}},
		{Primitive: scene.Triangles, Indices: modeltest.Indices{3, 4, 5}}}
	return &scene.Node{Name: "n", Transform: scene.Identity, Mesh: m}
}

func TestAPartIsPickedHiddenAndFramed(t *testing.T) {
	n := halves()
	m, err := render.Load(t.Context(), sceneOf(n))
	require.NoError(t, err)
	left := render.Piece{Node: n, Part: n.Mesh.Parts[0]}
	seen := func() map[*scene.Part]image.Rectangle {
		img := image.NewNRGBA(image.Rect(0, 0, 60, 60))
		r := render.Renderer{}
		require.NoError(t, r.Draw(t.Context(), img, m, front))
		all := map[*scene.Part]image.Rectangle{}
		for i := range 60 * 60 {
			if h := r.Hits().At(m, i%60, i/60); h.Node != nil {
				all[h.Part] = all[h.Part].Union(image.Rect(i%60, i/60, i%60+1, i/60+1))
			}
		}
		return all
	}
	all := seen()
	require.Len(t, all, 2)
	assert.Less(t, all[left.Part].Max.X, 32, "it is at the left")
	m.Show(render.Piece{}, []render.Piece{left})
	assert.NotContains(t, seen(), left.Part)
	m.Show(left, nil)
	assert.Len(t, seen(), 1)
	assert.Contains(t, seen(), left.Part)
	m.Show(render.Piece{}, nil)
	require.True(t, m.FramePiece(left))
	assert.Greater(t, seen()[left.Part].Dx(), all[left.Part].Dx(), "it is larger now")
	assert.True(t, m.Draws(left))
	assert.False(t, m.Draws(render.Piece{Node: n, Part: &scene.Part{}}))

	outlined := func(p *scene.Part) (count int) {
		v := render.View{}
		before := draw(t, sceneOf(n), v, 100)
		v.Marks.Selected, v.Marks.Part = n, p
		after := draw(t, sceneOf(n), v, 100)
		for i := range 100 * 100 {
			if before.NRGBAAt(i%100, i/100) != after.NRGBAAt(i%100, i/100) {
				count++
			}
		}
		return count
	}
	assert.Less(t, outlined(left.Part), outlined(nil), "only the part is outlined")
}

// placed sets the scale of a node to size, and its position.
func placed(n *scene.Node, size, at [3]float32) *scene.Node {
	for k := range 3 {
		n.Transform[5*k], n.Transform[12+k] = size[k], at[k]
	}
	return n
}

// camera returns a node with a camera that looks along y with z up, or along -z with y up.
func camera(z bool) *scene.Node {
	n := &scene.Node{Transform: scene.Identity, Camera: &scene.Camera{FieldOfView: 1, Near: .1, Far: 10}}
	if z {
		n.Transform = scene.Matrix{0: 1, 6: 1, 9: -1, 15: 1}
	}
	return n
}

func TestUpAxisIsGuessedFromTheContent(t *testing.T) {
	cube := func(at ...float32) *scene.Node {
		return placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}, [3]float32{1, 1, 1}, [3]float32(at))
	}
	slab := func(size, at [3]float32) *scene.Node {
		return placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}, size, at)
	}
	across := slab([3]float32{9, 9, .01}, [3]float32{0, 0, -1.01}) // a ground if z is up
	floor := slab([3]float32{9, .01, 9}, [3]float32{0, -1.01, 0})
	called := slab([3]float32{9, 9, .01}, [3]float32{0, 0, -1.01})
	called.Name = "tableFloor1"
	behind := slab([3]float32{9, 9, .01}, [3]float32{0, 0, -1.01})
	behind.Name = "pBackground"
	aside := camera(true) // rotated around z: level only if z is up
	aside.Transform = scene.Matrix{1: 1, 6: 1, 8: 1, 15: 1}
	for name, c := range map[string]struct {
		nodes []*scene.Node
		z     bool
	}{
		"nothing":             {nil, false},
		"one thing":           {[]*scene.Node{cube(0, 0, 0)}, false},
		"a thing on a ground": {[]*scene.Node{across, cube(0, 0, 0)}, true},
		"a thing on a floor":  {[]*scene.Node{floor, cube(0, 0, 0)}, false},
		"a room":              {[]*scene.Node{floor, across, cube(0, 0, 0)}, false},
		"layers":              {[]*scene.Node{across, slab([3]float32{3, 3, .01}, [3]float32{})}, false},
		"a picture":           {[]*scene.Node{across}, false},
		"a ceiling":           {[]*scene.Node{slab([3]float32{9, 9, .01}, [3]float32{0, 0, 5}), cube(0, 0, 0)}, false},
		"a tile":              {[]*scene.Node{slab([3]float32{2, 2, .01}, [3]float32{0, 0, -2}), cube(9, 9, 0)}, false},
		"a backdrop before which a camera stands": {[]*scene.Node{across, cube(0, 0, 0), camera(false)}, false},
		"a camera along z":                        {[]*scene.Node{cube(0, 0, 0), camera(true)}, true},
		"a level camera along z that looks aside": {[]*scene.Node{floor, cube(0, 0, 0), aside, camera(false)}, true},
		"walls, and a floor that is called so":    {[]*scene.Node{floor, called, cube(0, 0, 0), camera(false)}, true},
		"a background":                            {[]*scene.Node{behind, cube(0, 0, 0), camera(false)}, false},
		"cameras that do not agree":               {[]*scene.Node{cube(0, 0, 0), camera(true), camera(false)}, false},
	} {
		m, err := render.Load(t.Context(), sceneOf(c.nodes...))
		require.NoError(t, err)
		assert.Equal(t, c.z, m.ZUp(), name)
	}
}

func TestRecordedUpAxisComesBeforeAGuess(t *testing.T) {
	s := sceneOf(camera(true))
	s.Up = scene.UpY
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	assert.False(t, m.ZUp())
}

// Many scenes have their gravity from a template, so it counts only if the content does not decide.
func TestGravityIsTheWeakestSignOfTheUpAxis(t *testing.T) {
	box := &scene.Node{Transform: scene.Identity, Mesh: scene.SphereMesh(scene.VUp)}
	for name, c := range map[string]struct {
		gravity scene.Up
		nodes   []*scene.Node
		z       bool
	}{
		"nothing else":          {scene.UpZ, nil, true},
		"nothing else, y":       {scene.UpY, nil, false},
		"a thing":               {scene.UpZ, []*scene.Node{box}, true},
		"a camera along z":      {scene.UpY, []*scene.Node{box, camera(true)}, true},
		"a camera along y":      {scene.UpZ, []*scene.Node{box, camera(false)}, false},
		"cameras along both":    {scene.UpZ, []*scene.Node{box, camera(true), camera(false)}, true},
		"cameras along both, y": {scene.UpY, []*scene.Node{box, camera(true), camera(false)}, false},
	} {
		s := sceneOf(c.nodes...)
		s.Gravity = c.gravity
		m, err := render.Load(t.Context(), s)
		require.NoError(t, err)
		assert.Equal(t, c.z, m.ZUp(), name)
	}
}
