package dprsim

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/render"
	"assay/model/scene"
)

func noCatoms(context.Context) ([]*scene.Points, error) { return nil, nil }

// solid is the arguments of an object.
type solid struct {
	Type             string
	Position         [3]float64
	Yaw, Pitch, Roll float64
	Color            [3]float64
	Size             []float64 // the arguments of its type
}

// object returns the object with these arguments.
func (s solid) object() *object {
	values := slices.Concat(s.Position[:], []float64{s.Yaw, s.Pitch, s.Roll}, s.Color[:], []float64{1, 1}, s.Size)
	o := &object{Type: s.Type}
	for i, name := range slices.Concat(commonArguments, ownArguments[s.Type])[:len(values)] {
		o.Arguments = append(o.Arguments, argument{name, values[i]})
	}
	return o
}

// experimentOf returns one with objects and no catoms.
func experimentOf(objects ...solid) *sceneSettings {
	e := &sceneSettings{catoms: noCatoms}
	all := make([]*object, len(objects))
	for i, s := range objects {
		all[i] = s.object()
	}
	e.objects = slices.Values(all)
	return e
}

// catomsAt returns what reads catoms at those places.
func catomsAt(places ...[3]float32) func(context.Context) ([]*scene.Points, error) {
	return func(context.Context) ([]*scene.Points, error) {
		return []*scene.Points{{Count: len(places), Edge: 1, Read: func(first int, into []scene.Dot) error {
			for i := range into {
				into[i].Position = places[first+i]
			}
			return nil
		}}}, nil
	}
}

// corner returns where a corner of a solid of size 1 is in the scene.
func corner(n *scene.Node, at [3]float32) [3]float32 {
	return n.Transform.Times(n.Children[0].Transform).Apply(at)
}

func TestObjectsStandWhereTheySay(t *testing.T) {
	at := [3]float64{1, 2, 3}
	for name, test := range map[string]struct {
		object solid
		parts  int
		corner [3]float32 // of the first part, at (.5, .5, .5) of a solid of size 1
	}{
		"sphere":      {solid{Type: "SPHERE", Size: []float64{4}}, 1, [3]float32{2, 2, -2}},
		"moved":       {solid{Type: "SPHERE", Position: at, Size: []float64{4}}, 1, [3]float32{3, 5, -4}},
		"box":         {solid{Type: "BOX", Size: []float64{2, 4, 6}}, 1, [3]float32{1, 3, -2}},
		"yaw":         {solid{Type: "BOX", Yaw: 90, Size: []float64{2, 4, 6}}, 1, [3]float32{-2, 3, -1}},
		"pitch":       {solid{Type: "BOX", Pitch: 90, Size: []float64{2, 4, 6}}, 1, [3]float32{3, -1, -2}},
		"roll":        {solid{Type: "BOX", Roll: 90, Size: []float64{2, 4, 6}}, 1, [3]float32{1, 2, 3}},
		"yaw, pitch":  {solid{Type: "BOX", Yaw: 90, Pitch: 90, Size: []float64{2, 4, 6}}, 1, [3]float32{-2, -1, -3}},
		"cylinder":    {solid{Type: "CYL", Size: []float64{2, 8}}, 1, [3]float32{1, 4, -1}},
		"with caps":   {solid{Type: "CCYL", Size: []float64{2, 8}}, 3, [3]float32{1, 4, -1}},
		"floor":       {solid{Type: "PLANE", Size: []float64{0, 0, 2, 0}}, 1, [3]float32{10, .5, -10}},
		"placed wall": {solid{Type: "PLANE", Position: at, Size: []float64{0, -1, 0, 0}}, 1, [3]float32{11, 13, -1.5}},
	} {
		t.Run(name, func(t *testing.T) {
			s := experimentOf(test.object).scene(t.Context())
			assert.Empty(t, s.Missing)
			require.Len(t, s.Roots, 1)
			assert.Len(t, s.Roots[0].Children, test.parts)
			got := corner(s.Roots[0], [3]float32{.5, .5, .5})
			assert.InDeltaSlice(t, test.corner[:], got[:], 1e-4)
		})
	}
}

func TestUnspecifiedObjectsAreNotDrawn(t *testing.T) {
	s := experimentOf(solid{Type: "SPHERE"}, solid{Type: "PLANE", Size: []float64{0, 0, 0, 0}},
		solid{Type: "PLANE", Size: []float64{0, 0, 1, 5}}).scene(t.Context())
	assert.Empty(t, s.Roots)
	assert.Equal(t, []string{"object 1, SPHERE, is not drawn: the type or its arguments are not specified",
		"object 2, PLANE, is not drawn: a, b, and c are all zero",
		"object 3, PLANE, is not drawn: the sign of d is not specified for planes"}, s.Missing)
}

func TestObjectsAreBounded(t *testing.T) {
	taken := 0
	e := &sceneSettings{catoms: noCatoms, objects: func(yield func(*object) bool) {
		for yield(solid{Type: "SPHERE", Size: []float64{1}}.object()) { // without end
			taken++
		}
	}}
	s := e.scene(t.Context())
	assert.Len(t, s.Roots, maxObjects)
	assert.Same(t, s.Roots[0].Children[0].Mesh, s.Roots[1].Children[0].Mesh, "ten thousand spheres share their mesh")
	assert.Equal(t, maxObjects, taken)
	assert.Equal(t, []string{"objects beyond the first 10000 are not drawn"}, s.Missing)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Empty(t, e.scene(ended).Missing, "the objects are not too many")
	bad := slices.Repeat([]solid{{Type: "?"}}, 10*maxMissing)
	assert.Len(t, experimentOf(bad...).scene(t.Context()).Missing, maxMissing)

	huge := solid{Type: "SPHERE", Position: [3]float64{1e300}, Yaw: 1e300, Color: [3]float64{-1e300, 1e300},
		Size: []float64{1e300}}
	_, err := render.Load(t.Context(), experimentOf(huge).scene(t.Context()))
	assert.NoError(t, err)
}

func TestPlanesReachBeyondEverything(t *testing.T) {
	floor := solid{Type: "PLANE", Size: []float64{0, 0, 1, 0}}
	for name, test := range map[string]struct {
		e    *sceneSettings
		want float32
	}{
		"alone":     {experimentOf(floor), 10},
		"an object": {experimentOf(floor, solid{Type: "SPHERE", Position: [3]float64{30}, Size: []float64{1}}), 31},
		"turned": {experimentOf(floor, solid{Type: "BOX", Yaw: 90, Position: [3]float64{1: 20},
			Size: []float64{8, 2, 2}}), 24},
		"catoms": {&sceneSettings{objects: experimentOf(floor).objects, catoms: catomsAt([3]float32{1: -40},
			[3]float32{float32(math.NaN())}, [3]float32{float32(math.Inf(1))})}, 40.5},
		"very far": {experimentOf(floor, solid{Type: "SPHERE", Position: [3]float64{3e38}, Size: []float64{1}}),
			math.MaxFloat32 / 2},
		"its size": {experimentOf(solid{Type: "SPHERE", Size: []float64{40}}, floor), 40},
		"the camera": {&sceneSettings{objects: experimentOf(floor).objects, catoms: noCatoms,
			cameraAt: &[3]float64{1: -50}}, 50},
	} {
		t.Run(name, func(t *testing.T) {
			s := test.e.scene(t.Context())
			plane := s.Roots[slices.IndexFunc(s.Roots, func(n *scene.Node) bool { return n.Name == "PLANE" })]
			got := corner(plane, [3]float32{.5, .5})
			assert.InDelta(t, test.want, got[0], 1e-4)
		})
	}
}

func TestCameraIsPlacedAmongTheCatoms(t *testing.T) {
	points := &scene.Points{Count: 1, Edge: 1}
	e := experimentOf()
	e.catoms = func(context.Context) ([]*scene.Points, error) { return []*scene.Points{points}, nil }
	e.lattice, e.catomRadius = "Cube", "1.5"
	e.cameraAt, e.cameraLook, e.aspect = &[3]float64{0, 5, 20}, &[3]float64{0, 5, 0}, 2
	s := e.scene(t.Context())
	require.Len(t, s.Roots, 2)
	assert.Same(t, points, s.Roots[0].Points)
	assert.Equal(t, [3]float32{1, 3, -2}, s.Roots[0].Transform.Apply([3]float32{1, 2, 3}), "z points up")
	camera := s.Roots[1]
	assert.Equal(t, [3]float32{0, 5, 20}, [3]float32(camera.Transform[12:15]))
	assert.InDelta(t, 1, camera.Transform[10], 1e-6, "it looks along -z")
	assert.Equal(t, float32(2), camera.Camera.Aspect)
	assert.Equal(t, []string{"the meaning of CATOM_RADIUS=1.5 for a lattice is not documented: drawing catoms with an edge " +
		"of 1",
		"which axis of CAMERA and CAMERALOOK points up, and the field of view, are not documented: y and 45° are " +
			"assumed"}, s.Missing)

	e.cameraLook = &[3]float64{0, 9, 20}
	up := e.scene(t.Context()).Roots[1].Transform
	assert.False(t, slices.ContainsFunc(up[:], func(v float32) bool { return math.IsNaN(float64(v)) }), "straight up")
	e.cameraLook, e.lattice, e.catomRadius = e.cameraAt, "hex", ""
	e.catoms = func(context.Context) ([]*scene.Points, error) { return nil, errors.New("the world is gone") }
	s = e.scene(t.Context())
	assert.Empty(t, s.Roots, "a camera that looks nowhere")
	assert.Equal(t, []string{"the world is gone",
		"unknown lattice hex; catoms are drawn as for LATTICE=cube"}, s.Missing)
}

func TestSeriesAreOrderedByNumber(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"run9.state", "run10.state", "run010.state", "run.state", "run9.world", "walk10.state",
		"run99999999999999999999.state", "alone3.state"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	var read []string
	steps := func(name string) *scene.Scene {
		s := &scene.Scene{}
		addSteps(s, filepath.Join(folder, name), func(_ context.Context, file string) ([]*scene.Points, error) {
			read = append(read, file)
			return []*scene.Points{{Count: 1}}, nil
		})
		return s
	}
	s := steps("run10.state")
	var names []string
	for _, step := range s.Steps {
		names = append(names, step.Name)
	}
	assert.Equal(t, []string{"run9.state", "run010.state", "run10.state", "run99999999999999999999.state"}, names)
	assert.Equal(t, 2, s.Step)
	step, err := s.Steps[0].Open(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(folder, "run9.state")}, read)
	assert.Equal(t, "run9.state", step.Name)
	assert.Len(t, step.Roots, 1)
	for _, name := range []string{"alone3.state", "run.state", "gone4.state", filepath.Join("none", "run1.state")} {
		assert.Empty(t, steps(name).Steps, name)
	}
}
