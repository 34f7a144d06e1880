package scene_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/scene"
)

// TestJointsThatAreNotThere has vertices that follow a joint, half of it and half of one that the skin does not have,
// and that one alone: the second goes with the joint that is there, as in a GLB, and the third with the first joint.
func TestJointsThatAreNotThere(t *testing.T) {
	hip, knee := &scene.Node{Name: "hip", Transform: at(0, 0, 5)}, &scene.Node{Name: "knee", Transform: at(0, 7, 0)}
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
