package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// cloud returns a scene of points.
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

func TestInterpolateMovesPointsOfBothSteps(t *testing.T) {
	a := cloud(scene.Dot{ID: 1, Color: [4]uint8{0, 100, 0, 255}}, scene.Dot{ID: 2, Position: [3]float32{5, 5, 5}})
	b := cloud(scene.Dot{ID: 3, Position: [3]float32{7, 7, 7}},
		scene.Dot{ID: 1, Position: [3]float32{4, 0, -8}, Color: [4]uint8{200, 0, 0, 255}})
	s, err := scene.Interpolate(a, b, .25)
	require.NoError(t, err)
	assert.Equal(t, []scene.Dot{{ID: 1, Position: [3]float32{1, 0, -2}, Color: [4]uint8{50, 75, 0, 255}},
		{ID: 2, Position: [3]float32{5, 5, 5}}}, dotsOf(t, s), "points of the nearer step are copied")
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

func TestASkinnedMeshAloneKeepsItsSkeleton(t *testing.T) {
	tip := &scene.Node{Name: "tip"}
	hip := &scene.Node{Name: "hip", Children: []*scene.Node{tip, {Name: "hat", Mesh: &scene.Mesh{}}}}
	body := &scene.Node{Name: "body", Mesh: &scene.Mesh{Name: "skin"},
		Skin: &scene.Skin{Joints: []*scene.Node{hip, nil, tip}}}
	root := &scene.Node{Name: "root", Camera: new(scene.Camera),
		Children: []*scene.Node{{Name: "light", Light: new(scene.Light)}, body, hip}}
	s := &scene.Scene{Roots: []*scene.Node{root, {Name: "floor", Mesh: &scene.Mesh{}}}, Up: scene.UpZ}
	one := s.Skinned(body)
	require.Len(t, one.Roots, 1)
	var names []string
	one.Walk(func(n *scene.Node, _ scene.Matrix) { names = append(names, n.Name) })
	assert.ElementsMatch(t, []string{"root", "body", "hip", "tip"}, names)
	mesh, joint := one.Roots[0].Children[0], one.Roots[0].Children[1]
	assert.Equal(t, "body", mesh.Name)
	assert.Equal(t, []*scene.Node{joint, nil, joint.Children[0]}, mesh.Skin.Joints)
	assert.Nil(t, one.Roots[0].Camera)
	assert.Equal(t, "skin", one.Name)
	assert.Equal(t, scene.UpZ, one.Up)
	assert.Equal(t, []*scene.Node{hip, nil, tip}, body.Skin.Joints, "the scene is not changed")
	assert.Nil(t, s.Skinned(hip))
	assert.Nil(t, s.Skinned(&scene.Node{Mesh: body.Mesh, Skin: body.Skin}), "a node of another scene")
}
