package render_test

import (
	"context"
	"errors"
	"image"
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
