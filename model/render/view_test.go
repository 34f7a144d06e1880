package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

func TestInitialViewUsesACameraThatShowsAFairShare(t *testing.T) {
	cube := placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}, [3]float32{1, 1, 1}, [3]float32{})
	other := placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}, [3]float32{1, 1, 1}, [3]float32{8, 0, 0})
	third := placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}, [3]float32{1, 1, 1}, [3]float32{-8, 0, 0})
	at := func(z float32) *scene.Node {
		n := camera(false)
		n.Transform[14] = z
		return n
	}
	near, far, away := at(5), at(300), at(-5)
	for name, c := range map[string]struct {
		nodes []*scene.Node
		want  *scene.Node
	}{
		"none":           {[]*scene.Node{cube}, nil},
		"before it":      {[]*scene.Node{cube, near}, near},
		"a speck":        {[]*scene.Node{cube, far}, nil},
		"it looks away":  {[]*scene.Node{cube, away}, nil},
		"a third of all": {[]*scene.Node{cube, other, third, near}, nil},
		"two":            {[]*scene.Node{cube, near, far}, nil},
	} {
		m, err := render.Load(t.Context(), sceneOf(c.nodes...))
		require.NoError(t, err)
		assert.Same(t, c.want, m.InitialView().Camera, name)
	}
	s := sceneOf(cube, far, near)
	s.ActiveCamera = near
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	assert.Same(t, near, m.InitialView().Camera, "the active camera")
}

// The triangle faces the usual view or away from it, or neither of its sides is drawn.
func TestInitialViewShowsFrontFaces(t *testing.T) {
	for _, cull := range []scene.Cull{scene.CullBack, scene.CullFront, scene.CullBoth} {
		red := &scene.Material{Shading: scene.Unlit, Diffuse: [4]float32{1, 0, 0, 1}, Cull: cull}
		m, err := render.Load(t.Context(), sceneOf(&scene.Node{Transform: scene.Identity,
			Materials: []*scene.Material{red},
			Mesh: &scene.Mesh{Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
				Vertices: modeltest.Floats{0, 0, 0, 1, 0, 0, 0, 1, 0},
				Parts:    []*scene.Part{{Primitive: scene.Triangles}}}}))
		require.NoError(t, err)
		v := m.InitialView()
		if cull == scene.CullBoth {
			assert.Equal(t, render.ThreeQuarter, v)
			assert.Equal(t, []string{"the scene is invisible: its materials draw neither front nor back faces"}, m.Problems())
			continue
		}
		assert.Equal(t, cull == scene.CullFront, v.Yaw > 2, "from behind")
		share, _ := covered(draw(t, m.Scene(), v, 64))
		assert.Positive(t, share)
		assert.Empty(t, m.Problems())
	}
}

// The view is inside only if the hull is drawn from both sides.
func TestInitialViewIsInsideADome(t *testing.T) {
	for _, c := range []struct {
		faces, normals float32
		cull           scene.Cull
		within         bool
	}{{-1, -1, scene.CullNone, true}, {-1, -1, scene.CullBack, false}, {1, 1, scene.CullNone, false}} {
		dome, ball := hull(c.faces, c.normals), square(0, .1, unlit(1, 0, 0, 1))
		dome.Materials = []*scene.Material{{Shading: scene.Unlit, Diffuse: [4]float32{0, 1, 0, 1}, Cull: c.cull}}
		m, err := render.Load(t.Context(), sceneOf(dome, ball))
		require.NoError(t, err)
		v := m.InitialView()
		assert.Equal(t, c.within, v.Open != 0, "%v", c)
		if c.within {
			share, _ := covered(draw(t, m.Scene(), v, 64))
			assert.InDelta(t, 1, share, .01, "the dome is on all sides")
		}
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
	assert.Equal(t, render.LegendEntry{Text: "joint weight: hip"}, weights[1])
	assert.Equal(t, "1", weights[2].Text)
	assert.Greater(t, weights[2].Color.R, weights[2].Color.B, "red is the full weight")
	assert.Equal(t, "0", weights[6].Text)
	assert.Greater(t, weights[6].Color.B, weights[6].Color.R, "blue is no weight")
}
