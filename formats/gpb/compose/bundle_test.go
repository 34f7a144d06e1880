package compose_test

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/gpbtest"
	"assay/model/scene"
)

func TestSceneHasThePartsOfItsBundle(t *testing.T) {
	f := read(t, gpbtest.Encode(t, gpbtest.Everything(gpbtest.V12), gpbtest.V12, gpbtest.ByID))
	s := compose.NewBundleScenes(f, nil).Scene(t.Context(), f.Objects[0].(*gpb.Scene))
	assert.Equal(t, "__SCENE__", s.Name)
	assert.Equal(t, [3]float32{0.1, 0.2, 0.3}, s.Ambient)
	require.Len(t, s.Roots, 3)
	assert.Equal(t, []string{"root", "second", "lone"}, []string{s.Roots[0].Name, s.Roots[1].Name, s.Roots[2].Name})
	n := gpbtest.NodesByName(s)
	assert.Same(t, n["root"], s.ActiveCamera)
	assert.Equal(t, scene.Matrix(gpbtest.Translation(1, 2, 3)), n["root"].Transform)
	assert.InDelta(t, math.Pi/4, n["root"].Camera.FieldOfView, 1e-6)
	assert.Equal(t, &scene.Camera{Orthographic: true, Aspect: 1, Near: 2, Far: 3, Width: 4, Height: 5},
		n["spot"].Camera)
	assert.Equal(t, &scene.Light{Name: "spotShape", Kind: scene.Spot, Color: [3]float32{1, 0, 0}, Range: 9, Outer: 1},
		n["spot"].Light)
	assert.Equal(t, scene.Point, n["root"].Light.Kind)

	skinned := n["skinnedNode"]
	assert.Equal(t, []*scene.Material{{Name: "lambert1"}, nil, {Name: "03___Default"}}, skinned.Materials)
	assert.Equal(t, scene.Matrix(gpbtest.Translation(7, 8, 9)), skinned.Skin.BindShape)
	assert.Equal(t, []*scene.Node{n["j0"], n["j1"], nil}, skinned.Skin.Joints)
	assert.Len(t, skinned.Skin.Inverse, 3)
	assert.Equal(t, []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Weights, Size: 4},
		{Usage: scene.Joints, Size: 4}}, skinned.Mesh.Elements)
	assert.Nil(t, s.Roots[0].Children[2].Mesh, "a mesh of another file")
	floats := make([]float32, 3*skinned.Mesh.Stride())
	require.NoError(t, skinned.Mesh.Vertices.Read(0, floats))
	assert.Equal(t, []float32{11, 12, 13}, floats[11:14])
	var triangles [][3]uint32
	for _, p := range skinned.Mesh.Parts {
		indices := make([]uint32, skinned.Mesh.PartIndices(p).Len())
		require.NoError(t, skinned.Mesh.PartIndices(p).Read(0, indices))
		p.Primitive.EachTriangle(indices, func(a, b, c uint32) { triangles = append(triangles, [3]uint32{a, b, c}) })
	}
	assert.Contains(t, triangles, [3]uint32{0, 1, 2})

	require.Len(t, s.Animations, 2)
	assert.Equal(t, []string{`channels with unknown properties are not played (2, in "j1", "nobody")`}, s.Unplayed())
	ch := s.Animations[0].Channels[0]
	assert.Same(t, n["j0"], ch.Target)
	assert.Len(t, ch.Components, 10)
	times, values, err := ch.Read()
	require.NoError(t, err)
	assert.Equal(t, []float32{0, 0.25, 1}, times)
	assert.Len(t, values, 30)
}

func TestMeshHasItsElementsAndPrimitives(t *testing.T) {
	f := read(t, gpbtest.Encode(t, gpbtest.Everything(gpbtest.V11), gpbtest.V11, gpbtest.ByID))
	m := compose.NewBundleScenes(f, nil).Mesh(t.Context(), f.Meshes[1]).Roots[0].Mesh
	assert.Equal(t, 4, m.Count)
	assert.Equal(t, 36, m.Stride())
	assert.Equal(t, scene.Element{Usage: scene.TexCoord, Set: 7, Size: 3}, m.Elements[14])
	var primitives []scene.Primitive
	for _, p := range m.Parts {
		primitives = append(primitives, p.Primitive)
	}
	assert.Equal(t, []scene.Primitive{scene.PointList, scene.Lines, scene.LineStrip, scene.TriangleStrip,
		scene.Triangles},
		primitives)
}

func TestEarlyAnimationsAreInTheScene(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V10a, gpbtest.V10m} {
		f := read(t, gpbtest.Encode(t, gpbtest.Everything(v), v, gpbtest.ByID))
		s := compose.NewBundleScenes(f, nil).Scene(t.Context(), f.Objects[0].(*gpb.Scene))
		require.Len(t, s.Animations, 2, v.Name)
		assert.Equal(t, "walk", s.Animations[0].Name)
		times, _, err := s.Animations[0].Channels[0].Read()
		require.NoError(t, err)
		assert.Equal(t, []float32{0, 0.25, 1}, times)
	}
}

func TestChannelWithoutEnoughValuesIsReadAsRecorded(t *testing.T) {
	ch := gpbtest.Channel("n", 1)
	ch.Values = gpbtest.Floats(1, 2, 3, 4)
	f := &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(),
		&gpb.Animations{ID: "a", List: []*gpb.Animation{{Channels: []*gpb.Channel{ch}}}}}}
	f = read(t, gpbtest.Encode(t, f, gpbtest.V12, gpbtest.ByID))
	got := compose.NewBundleScenes(f, nil).Scene(t.Context(), f.Objects[0].(*gpb.Scene)).Animations[0].Channels[0]
	times, values, err := got.Read()
	require.NoError(t, err)
	assert.Len(t, times, 3)
	assert.Equal(t, []float32{1, 2, 3, 4}, values)
}

// TestNodesMayNestDeep makes a scene of more levels than a stack of this size has calls.
func TestNodesMayNestDeep(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const depth = 50_000
	f := &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(gpbtest.Chain(depth))}}
	s := compose.NewBundleScenes(f, nil).Scene(t.Context(), f.Objects[0].(*gpb.Scene))
	levels := 0
	for nodes := s.Roots; len(nodes) > 0; nodes = nodes[0].Children {
		assert.Len(t, nodes, 1)
		levels++
	}
	assert.Equal(t, depth, levels)
}

// Of two nodes of one id the engine finds the one nearer the top, though it stands later in the file
// (Bundle::loadScene).
func TestNodeOfAnIDNearestTheTopIsTheTarget(t *testing.T) {
	node := func(id string, children ...*gpb.Node) *gpb.Node {
		return &gpb.Node{ID: id, Transform: gpbtest.Identity, Children: children, Camera: &gpb.Camera{ID: id}}
	}
	s := gpbtest.SceneOf(node("A", node("B")), node("B"))
	s.ActiveCamera = "#B"
	f := &gpb.File{Objects: []gpb.Object{s, &gpb.Animations{ID: "moves",
		List: []*gpb.Animation{{Name: "m", Channels: []*gpb.Channel{gpbtest.Channel("B", 9)}}}}}}
	out := compose.NewBundleScenes(f, nil).Scene(t.Context(), s)
	require.Len(t, out.Roots, 2)
	require.Len(t, out.Animations, 1)
	assert.Same(t, out.Roots[1], out.Animations[0].Channels[0].Target)
	assert.Same(t, out.Roots[1], out.ActiveCamera)
}

// A .scene names nodes of a bundle without a scene, and of one with two scenes.
func TestNodesOutsideTheFirstSceneAreFound(t *testing.T) {
	node := func(id string) *gpb.Node {
		return &gpb.Node{ID: id, Transform: gpbtest.Translation(0, 5, 0), Model: &gpb.Model{Mesh: "#mesh"}}
	}
	for name, objects := range map[string][]gpb.Object{
		"alone":        {node("A")},
		"in the first": {&gpb.Scene{ID: "s", Nodes: []*gpb.Node{node("A")}}},
		"in a second":  {&gpb.Scene{ID: "s"}, &gpb.Scene{ID: "t", Nodes: []*gpb.Node{node("A")}}},
	} {
		f := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("mesh")}, Objects: objects}
		sceneOf := gpbtest.SceneIn(t, map[string][]byte{"a.gpb": gpbtest.Encode(t, f, gpbtest.V15, gpbtest.ByID),
			"a.scene": []byte("scene\n{\nnode N\n{\nurl = a.gpb#A\n}\n}\n")})
		for _, file := range []string{"a.gpb", "a.scene"} {
			s := sceneOf(file)
			require.Len(t, s.Roots, 1, "%s: %s %v", name, file, s.Missing)
			assert.Equal(t, []float32{0, 5, 0}, s.Roots[0].Transform[12:15], "%s: %s", name, file)
		}
	}
}

func read(t testing.TB, b []byte) *gpb.File {
	t.Helper()
	f, err := gpb.Read(t.Context(), gpbtest.Source(b))
	require.NoError(t, err)
	return f
}
