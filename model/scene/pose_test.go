package scene_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/scene"
)

func TestPoseOfCyclicNodesEnds(t *testing.T) {
	a := &scene.Node{Transform: scene.Identity}
	a.Transform[0] = float32(math.Inf(1))
	b := &scene.Node{Transform: scene.Identity, Children: []*scene.Node{a, nil}}
	a.Children = []*scene.Node{b}
	p := scene.NewPose(&scene.Scene{Roots: []*scene.Node{a}})
	assert.Equal(t, []int{-1, 0}, p.Parent)
	assert.Equal(t, scene.Identity, p.World[1], "a transform that is not finite is ignored")
	assert.Equal(t, -1, p.Index(&scene.Node{}))
}

func TestInitialPoseWithASkinIsTheStartOfTheAnimation(t *testing.T) {
	pose, a := moved(scene.Translate, []float32{1, 2}, []float32{0, 7, 0, 1, 0, 0})
	s := &scene.Scene{Roots: pose.Nodes[:1], Animations: []*scene.Animation{a}}
	pose.SetInitial(s)
	assert.Equal(t, [3]float32{1, 0, 0}, place(pose), "without a skin, the pose of the file")
	pose.Nodes[0].Skin, pose.Nodes[0].Mesh = &scene.Skin{}, &scene.Mesh{}
	pose.SetInitial(s)
	require.Equal(t, [3]float32{1, 7, 0}, place(pose), "the start of the animation")
}

// The vertices follow an existing joint, this and a missing one equally, and the missing one alone. The second then
// follows the existing joint, as in GLB, and the third the first joint of the skin.
func TestWeightsOfMissingJointsAreMoved(t *testing.T) {
	hip := &scene.Node{Name: "hip", Transform: translation(0, 0, 5)}
	knee := &scene.Node{Name: "knee", Transform: translation(0, 7, 0)}
	m := &scene.Mesh{Name: "leg", Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.Weights, Size: 2}, {Usage: scene.Joints, Size: 2}}, Vertices: modeltest.Floats{
		1, 0, 0, 1, 0, 1, 0,
		2, 0, 0, .5, .5, 1, 9,
		3, 0, 0, 1, 0, 9, 0}, Parts: []*scene.Part{{Primitive: scene.Triangles}}}
	skin := &scene.Skin{BindShape: scene.Identity, Joints: []*scene.Node{hip, knee},
		Inverse: []scene.Matrix{scene.Identity, scene.Identity}}
	s := &scene.Scene{Roots: []*scene.Node{{Name: "leg", Transform: scene.Identity, Mesh: m, Skin: skin}, hip, knee}}
	var out bytes.Buffer
	_, err := scene.NewOBJ(s).Write(t.Context(), &out, 0, []string{"leg.obj", "leg.mtl"})
	require.NoError(t, err)
	for _, line := range []string{"v 1 7 0\n", "v 2 7 0\n", "v 3 0 5\n"} {
		assert.Contains(t, out.String(), line)
	}
	p, _ := parse(t, s)
	a := p.doc.Meshes[0].Primitives[0].Attributes
	assert.Equal(t, [][]float32{{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}, p.numbers(a["WEIGHTS_0"]))
	assert.Equal(t, [][]float32{{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}}, p.numbers(a["JOINTS_0"]))
}
