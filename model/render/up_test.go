package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/render"
	"assay/model/scene"
)

// placed moves a node, and makes it as large as size along x, y and z.
func placed(n *scene.Node, size, at [3]float32) *scene.Node {
	for k := range 3 {
		n.Transform[5*k], n.Transform[12+k] = size[k], at[k]
	}
	return n
}

// camera is one that looks along y with z above it, or along -z with y above it.
func camera(z bool) *scene.Node {
	n := &scene.Node{Transform: scene.Identity, Camera: &scene.Camera{FieldOfView: 1, Near: .1, Far: 10}}
	if z {
		n.Transform = scene.Matrix{0: 1, 6: 1, 9: -1, 15: 1}
	}
	return n
}

func TestTheUpAxisOfAScene(t *testing.T) {
	cube := func(at ...float32) *scene.Node {
		return placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}, [3]float32{1, 1, 1}, [3]float32(at))
	}
	slab := func(size, at [3]float32) *scene.Node {
		return placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}, size, at)
	}
	across := slab([3]float32{9, 9, .01}, [3]float32{0, 0, -1.01}) // a ground if z points up
	floor := slab([3]float32{9, .01, 9}, [3]float32{0, -1.01, 0})
	called := slab([3]float32{9, 9, .01}, [3]float32{0, 0, -1.01})
	called.Name = "tableFloor1"
	behind := slab([3]float32{9, 9, .01}, [3]float32{0, 0, -1.01})
	behind.Name = "pBackground"
	aside := camera(true) // turned around z: it is level only if z points up
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
		m, err := render.Load(t.Context(), of(c.nodes...))
		require.NoError(t, err)
		assert.Equal(t, c.z, m.ZUp(), name)
	}
}

// TestTheUpAxisThatAFileSays has it before all that the scene looks like.
func TestTheUpAxisThatAFileSays(t *testing.T) {
	s := of(camera(true))
	s.Up = scene.UpY
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	assert.False(t, m.ZUp())
}

// TestGravityTellsLeast holds that a camera, a ground and a character outrank the gravity, which many scenes have from
// a template, and that it counts where nothing else tells.
func TestGravityTellsLeast(t *testing.T) {
	box := &scene.Node{Transform: scene.Identity, Mesh: scene.Sphere(false)}
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
		s := of(c.nodes...)
		s.Gravity = c.gravity
		m, err := render.Load(t.Context(), s)
		require.NoError(t, err)
		assert.Equal(t, c.z, m.ZUp(), name)
	}
}
