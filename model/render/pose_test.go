package render

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/scene"
)

// skinnedModel returns a mesh of four vertices on the x axis: the first follows the first joint, the second both joints
// equally, the third the second joint, the last a missing joint.
func skinnedModel(t *testing.T, skin func(*scene.Skin)) (*Model, *scene.Node) {
	t.Helper()
	root := &scene.Node{Name: "root", Transform: scene.Identity}
	tip := &scene.Node{Name: "tip", Transform: scene.Identity}
	tip.Transform[12] = 2 // bound at x = 2
	root.Children = []*scene.Node{tip}
	back := scene.Identity
	back[12] = -2
	mesh := &scene.Mesh{Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Weights, Size: 4},
		{Usage: scene.Joints, Size: 4}},
		Count: 4, Vertices: modeltest.Floats{
			1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
			2, 0, 0, .5, .5, 0, 0, 0, 1, 0, 0,
			3, 0, 0, 0, 1, 1e35, 0, 0, 1, 7, 0,
			4, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0},
		Parts: []*scene.Part{{Primitive: scene.LineStrip}}}
	n := &scene.Node{Name: "mesh", Transform: scene.Identity, Mesh: mesh,
		Skin: &scene.Skin{BindShape: scene.Identity, Joints: []*scene.Node{root, tip},
			Inverse: []scene.Matrix{scene.Identity, back}}}
	n.Transform[13] = 50 // has no effect on a mesh with a skin
	if skin != nil {
		skin(n.Skin)
	}
	m, err := Load(t.Context(), &scene.Scene{Roots: []*scene.Node{root, n}})
	require.NoError(t, err)
	return m, tip
}

func places(m *Model) (out [][3]float32) {
	for _, v := range m.vertices {
		out = append(out, v.position)
	}
	return out
}

func TestSkinBendsWithItsJoints(t *testing.T) {
	m, tip := skinnedModel(t, nil)
	assert.Equal(t, [][3]float32{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}}, places(m), "the bind pose")
	// The tip is rotated by 90 degrees around z, at x = 2.
	tip.Transform = scene.Matrix{1: 1, 4: -1, 10: 1, 12: 2, 15: 1}
	m.Pose().Reset()
	m.Update()
	assert.Equal(t, [][3]float32{{1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {4, 0, 0}}, places(m))
	tip.Transform[13] = 4
	m.Pose().Reset()
	m.Update()
	assert.Equal(t, [3]float32{2, 2, 0}, places(m)[1], "half of the movement")
}

func TestMeshWithAnInvalidSkinIsAtItsNode(t *testing.T) {
	nan := float32(math.NaN())
	for name, skin := range map[string]func(*scene.Skin){
		"no joints":       func(s *scene.Skin) { s.Joints, s.Inverse = nil, nil },
		"joints not here": func(s *scene.Skin) { s.Joints = []*scene.Node{nil, {}} },
		"no inverse":      func(s *scene.Skin) { s.Inverse = nil },
		"not numbers":     func(s *scene.Skin) { s.BindShape[3], s.Inverse[0][0], s.Inverse[1][5] = nan, nan, nan },
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := skinnedModel(t, skin)
			for _, p := range places(m) {
				assert.InDelta(t, 50, p[1], 0, "the position of the node")
			}
		})
	}
}

func TestHeaviestJointHasTheLargestSumOfWeights(t *testing.T) {
	m, _ := skinnedModel(t, nil)
	assert.Equal(t, "root", m.HeaviestJoint().Name, "both sums are 1.5: the first joint")
	m.instances[0].weights[1] = [4]float32{.4, .6}
	assert.Equal(t, "tip", m.HeaviestJoint().Name)
	none, err := Load(t.Context(), &scene.Scene{})
	require.NoError(t, err)
	assert.Nil(t, none.HeaviestJoint())
}

func TestSetZUpRotatesTheModel(t *testing.T) {
	m, _ := skinnedModel(t, nil)
	m.SetZUp(true)
	m.Pose().World[0][14], m.Pose().World[1][14] = 3, 3
	m.Update()
	assert.Equal(t, [3]float32{1, 3, 0}, places(m)[0], "z points up")
	assert.True(t, m.ZUp())
}

func TestDotsTurnWithTheUpAxis(t *testing.T) {
	cubes := []scene.Dot{{Position: [3]float32{1, 2, 3}}, {Position: [3]float32{1, 2, 4}}}
	m, err := Load(t.Context(), &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity,
		Points: &scene.Points{Count: 2, Edge: 1, Read: func(first int, into []scene.Dot) error {
			copy(into, cubes[first:])
			return nil
		}}}}})
	require.NoError(t, err)
	before := append([]dot(nil), m.dots...)
	assert.Equal(t, []uint8{1 << 5, 1 << 4}, []uint8{before[0].covered, before[1].covered}, "the cubes touch along z")
	m.SetZUp(true)
	assert.Equal(t, [][3]float32{{1, 3, -2}, {1, 4, -2}}, [][3]float32{m.dots[0].position, m.dots[1].position})
	assert.Equal(t, []uint8{1 << 3, 1 << 2}, []uint8{m.dots[0].covered, m.dots[1].covered}, "the cubes touch along y")
	m.SetZUp(true)
	assert.Equal(t, [3]float32{1, 3, -2}, m.dots[0].position, "once")
	m.SetZUp(false)
	assert.Equal(t, before, m.dots)
}

// The characters are triangles of height 2 that follow a joint.
func TestCharacterAlongZIsUpright(t *testing.T) {
	for name, c := range map[string]struct {
		corners []float32
		z       bool
	}{
		"along z":             {[]float32{0, .2, 0, 0, -.2, 0, .3, 0, 2}, true},
		"along y":             {[]float32{0, 0, .2, 0, 0, -.2, .3, 2, 0}, false},
		"long, on the ground": {[]float32{0, 0, 0, 0, 1, 0, .3, 0, 2}, false},
		"hanging":             {[]float32{0, .2, -1, 0, -.2, -1, .3, 0, 1}, false},
	} {
		var vertices modeltest.Floats
		for i := range 3 {
			vertices = append(append(vertices, c.corners[3*i:3*i+3]...), 1, 0)
		}
		joint := &scene.Node{Name: "joint", Transform: scene.Identity}
		body := &scene.Node{Transform: scene.Identity, Mesh: &scene.Mesh{Count: 3, Vertices: vertices,
			Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Weights, Size: 1},
				{Usage: scene.Joints, Size: 1}}, Parts: []*scene.Part{{Primitive: scene.Triangles}}},
			Skin: &scene.Skin{BindShape: scene.Identity, Joints: []*scene.Node{joint},
				Inverse: []scene.Matrix{scene.Identity}}}
		m, err := Load(t.Context(), &scene.Scene{Roots: []*scene.Node{joint, body}})
		require.NoError(t, err)
		assert.Equal(t, c.z, m.ZUp(), name)
		if c.z {
			assert.Equal(t, [3]float32{.3, 2, 0}, places(m)[2], "the head is up")
		}
	}
}

func TestTwoModelsHaveOneFrame(t *testing.T) {
	load := func(x float32) *Model {
		m, err := Load(t.Context(), &scene.Scene{Roots: []*scene.Node{{Transform: scene.Matrix{0: 1, 5: 1, 10: 1, 12: x,
			15: 1}, Mesh: &scene.Mesh{Count: 3,
			Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
			Vertices: modeltest.Floats{0, 0, 0, 1, 0, 0, 0, 1, 0},
			Parts:    []*scene.Part{{Primitive: scene.Triangles}}}}}})
		require.NoError(t, err)
		return m
	}
	a, b := load(0), load(7)
	assert.NotEqual(t, a.box, b.box)
	a.FrameWith(b)
	b.FrameWith(a)
	assert.Equal(t, a.box, b.box)
	assert.Equal(t, newCamera(a, ThreeQuarter, 80, 60), newCamera(b, ThreeQuarter, 80, 60))
	a.FrameWith(nil)
	assert.Equal(t, a.unposedBox, a.box)
}
