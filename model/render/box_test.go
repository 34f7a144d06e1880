package render_test

import (
	"context"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

func TestInvisiblePicturesGetACheckerboard(t *testing.T) {
	half := func(c color.NRGBA) image.Image { // the other half is transparent
		img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
		for i := range 64 * 32 {
			img.SetNRGBA(i%32, i/32, c)
		}
		return img
	}
	for name, c := range map[string]struct {
		color color.NRGBA
		board bool
	}{
		"black": {color.NRGBA{0, 0, 0, 255}, true}, "white": {color.NRGBA{255, 255, 255, 255}, true},
		"clear": {color.NRGBA{}, true}, "red": {color.NRGBA{200, 30, 30, 255}, false},
	} {
		d := model.NewDocument(nil, "t", "", &model.Node{})
		d.View = func(context.Context, *model.Node) (model.View, error) {
			return model.Picture{Image: half(c.color)}, nil
		}
		img, err := (&render.Painter{Size: 64}).Thumbnail(t.Context(), d)
		require.NoError(t, err, name)
		want := uint8(0)
		if c.board {
			want = 255
		}
		assert.Equal(t, want, img.NRGBAAt(60, 30).A, "%s: the transparent half", name)
		if c.board {
			assert.NotEqual(t, img.NRGBAAt(60, 4), img.NRGBAAt(60, 12), "%s: adjacent squares", name)
		}
	}
}

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

// One square is beyond the far plane, the other is not.
func TestItemsBeyondTheFarPlaneOfACameraAreNotDrawn(t *testing.T) {
	n := eye(0, 8, &scene.Camera{FieldOfView: 1.2, Aspect: 1, Near: .1, Far: 20})
	m, err := render.Load(t.Context(), sceneOf(square(0, 1, unlit(1, 0, 0, 1)), square(-30, 30, unlit(0, 1, 0, 1)), n))
	require.NoError(t, err)
	where := drawn(t, m, render.View{Camera: n})
	assert.Less(t, where.Dx(), 40)
	assert.Equal(t, 100, drawn(t, m, m.UnlockCamera(render.View{Camera: n}, 100, 100)).Dx(), "a free camera has no far plane")
}

// The ground has many triangles, and is two hundred or eight times as wide as two cubes on it.
func TestSmallItemsOnALargeGroundAreFramed(t *testing.T) {
	red := []*scene.Material{unlit(1, 0, 0, 1)}
	for width, framed := range map[float32]bool{400: true, 16: false} {
		nodes := []*scene.Node{placed(&scene.Node{Transform: scene.Identity, Mesh: grid(60)},
			[3]float32{width, 1, width}, [3]float32{0, -1, 0})}
		for x := range 2 {
			nodes = append(nodes, placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh(), Materials: red},
				[3]float32{.5, 1, 1}, [3]float32{float32(x), 0, 0}))
		}
		img, reds := draw(t, sceneOf(nodes...), render.ThreeQuarter, 100), 0
		for i := 0; i < len(img.Pix); i += 4 {
			if img.Pix[i] > 200 && img.Pix[i+1] < 50 {
				reds++
			}
		}
		assert.Equal(t, framed, reds > 1500, "%v: %d", width, reds)
	}
}

// grid returns a flat mesh of width 1, with n columns and rows of vertices.
func grid(n int) *scene.Mesh {
	h := &scene.Heightfield{Columns: n, Rows: n, Size: [3]float32{1, 0, 1}, Heights: make([]float32, n*n)}
	m := h.Mesh("grid")
	m.Parts = []*scene.Part{{Primitive: scene.Triangles, Indices: h.Triangles()}}
	return m
}
