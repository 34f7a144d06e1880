package render_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

// problems loads a scene with these nodes and a red triangle, checks that the triangle is drawn, and returns the
// problems of the model.
func problems(t *testing.T, nodes ...*scene.Node) []string {
	t.Helper()
	s := sceneOf(append(nodes, triangle(1, 3, 1, 0, 0))...)
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	img := image.NewNRGBA(image.Rect(0, 0, 60, 60))
	r := render.Renderer{Samples: 2}
	require.NoError(t, r.Draw(t.Context(), img, m, front))
	assert.Equal(t, "red", mostly(img.NRGBAAt(30, 32)), "the triangle is drawn")
	return m.Problems()
}

func TestNonFiniteTransformsAreReported(t *testing.T) {
	var all []*scene.Node
	for i, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0} {
		n := triangle(.1, 0, 0, 1, 0)
		n.Name, n.Transform[i] = "n"+strconv.Itoa(i), float32(v)
		all = append(all, n)
	}
	assert.Equal(t,
		[]string{"3 nodes have invalid transforms (the first is n0); drawn at their parents"}, problems(t, all...), "a scale of 0 is not a problem")
}

func TestNonFiniteVerticesAreReported(t *testing.T) {
	nan, far := triangle(.1, 0, 0, 1, 0), triangle(.1, 0, 0, 1, 0)
	nan.Name, nan.Mesh.Vertices.(modeltest.Floats)[1] = "nan", float32(math.NaN())
	far.Name, far.Transform[12] = "far", 3e38
	assert.Equal(t, []string{"4 vertices have invalid positions (the first in nan); their triangles and lines are " +
		"not drawn"}, problems(t, nan, far))
}

func TestJointsOutOfRangeAreReported(t *testing.T) {
	joint := &scene.Node{Name: "joint", Transform: scene.Identity}
	v := modeltest.Floats{ // position, joints, weights
		0, 0, 0, 0, 5, .5, .5, .1, 0, 0, 1, 0, 1, 0, 0, .1, 0, 0, 900, 0, 1, .1, .1, 0, float32(math.NaN()), -4, 1, 1}
	m := &scene.Mesh{Name: "m", Count: 4, Vertices: v, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.Joints, Size: 2}, {Usage: scene.Weights, Size: 2}},
		Parts: []*scene.Part{{Primitive: scene.TriangleStrip}}}
	n := &scene.Node{Name: "leg", Transform: scene.Identity, Mesh: m, Skin: &scene.Skin{BindShape: scene.Identity,
		Joints: []*scene.Node{joint, nil}, Inverse: []scene.Matrix{scene.Identity}}}
	assert.Equal(t, []string{"2 vertices of leg refer to missing joints; drawn with the first joint"},
		problems(t, n, joint))
}

func TestBrokenTexturesAreReported(t *testing.T) {
	broken := textured(&scene.Texture{Image: func(context.Context) (image.Image, error) {
		return nil, errors.New("a.png cannot be drawn: it is cut")
	}}, scene.Linear)
	missing := textured(&scene.Texture{Missing: "b.png is not in the project"}, scene.Linear)
	reported := problems(t, quad(0, 1, broken), quad(0, 1, broken), quad(0, 1, missing))
	assert.Equal(t, []string{"a.png cannot be drawn: it is cut"}, reported,
		"the decoder reports missing pictures")
}

// Each of the squares has its own material.
func TestAHundredThousandMaterialsAreDrawn(t *testing.T) {
	const many = 100_000
	mesh := quad(0, 1, nil).Mesh
	part := mesh.Parts[0]
	mesh.Parts = nil
	n := &scene.Node{Transform: scene.Identity, Mesh: mesh}
	for i := range many {
		mesh.Parts = append(mesh.Parts, part)
		m := unlit(float32(i%256)/255, 0, 1, 1)
		m.Name = strconv.Itoa(i)
		if i%2 == 0 {
			m.Shading = scene.UnknownShading
		}
		n.Materials = append(n.Materials, m)
	}
	assert.Empty(t, problems(t, n))
}

func TestClipWithoutLengthHasOnePose(t *testing.T) {
	n := triangle(.2, 0, 0, 1, 0)
	a := &scene.Animation{Channels: []*scene.Channel{{Target: n, Components: scene.Translate,
		Read: func() (times, values []float32, err error) {
			return []float32{1, 1, 1}, []float32{.5, 0, 0, 9, 9, 9, 7, 7, 7}, nil
		}}}, Clips: []*scene.Clip{{Name: "moment", Start: 1, End: 1}}}
	s := sceneOf(n)
	s.Animations = []*scene.Animation{a}
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	for _, p := range s.Playables() {
		player, _ := p.Player(m.Pose())
		for _, at := range []float32{p.Start, p.End, 0, 5, float32(math.NaN())} {
			player.At(at)
			m.Update()
			assert.Equal(t, float32(.5), m.Pose().World[0][12], "%s at %v", p.Name, at)
		}
	}
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

func TestUndrawnMeshesAreTranslucentOnRequest(t *testing.T) {
	solid, ghost := square(0, 1, unlit(1, 0, 0, 1)), square(0, 1, unlit(0, 1, 0, 1))
	ghost.Undrawn, ghost.Transform[12] = true, 3
	m, err := render.Load(t.Context(), sceneOf(solid, ghost))
	require.NoError(t, err)
	require.True(t, m.HasUndrawn())
	assert.Equal(t, 1., m.Extent()[1]/m.Extent()[0], "it is not framed")
	m.ShowsUndrawn = true
	m.Show(render.Piece{}, nil)
	m.Frame()
	assert.Less(t, drawn(t, m, render.View{Tight: true}).Dy(), 60)
	out := image.NewNRGBA(image.Rect(0, 0, 90, 30))
	var r render.Renderer
	require.NoError(t, r.Draw(t.Context(), out, m, render.View{Tight: true, Orthographic: true}))
	assert.Equal(t, color.NRGBA{255, 0, 0, 255}, out.NRGBAAt(12, 15))
	assert.Equal(t, color.NRGBA{0, 255, 0, 89}, out.NRGBAAt(77, 15), "translucent")
	m, err = render.Load(t.Context(), sceneOf(solid))
	require.NoError(t, err)
	assert.False(t, m.HasUndrawn())
}

func TestCoincidentPointsAreReported(t *testing.T) {
	for n, want := range map[int][]string{1: nil, 3: {"all 3 points are at the same position"}} {
		m, err := render.Load(t.Context(), sceneOf(&scene.Node{Transform: scene.Identity,
			Points: &scene.Points{Count: n,
				Read: func(_ int, into []scene.Dot) error {
					for i := range into {
						into[i] = scene.Dot{Position: [3]float32{1, 2, 3}}
					}
					return nil
				}}}))
		require.NoError(t, err)
		assert.Equal(t, want, m.Problems())
	}
}
