package render_test

import (
	"bytes"
	"image"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

// outlined returns the number of pixels that differ if a node is selected, and their bounds.
func outlined(t *testing.T, s *scene.Scene, n *scene.Node, v render.View) (count int, r image.Rectangle) {
	before := draw(t, s, v, 100)
	v.Marks.Selected = n
	after := draw(t, s, v, 100)
	for y := range 100 {
		for x := range 100 {
			if before.NRGBAAt(x, y) != after.NRGBAAt(x, y) {
				count++
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return count, r
}

// square returns a quad scaled to a size.
func square(z, size float32, m *scene.Material) *scene.Node {
	n := quad(z, 1, m)
	n.Transform[0], n.Transform[5] = size, size
	return n
}

func TestHiddenSurfacesHaveDashedOutlines(t *testing.T) {
	wall, behind := square(1, 1, unlit(0, 0, 1, 1)), square(.5, .3, unlit(1, 0, 0, 1))
	beside := square(1.5, .3, unlit(0, 1, 0, 1))
	s := sceneOf(wall, behind, beside)
	for _, parallel := range []bool{false, true} {
		v := render.View{Orthographic: parallel}
		hidden, where := outlined(t, s, behind, v)
		visible, whole := outlined(t, s, beside, v)
		assert.Positive(t, hidden, "parallel %v", parallel)
		assert.InDelta(t, .5, float64(hidden)/float64(visible), .15, "every other dash, parallel %v", parallel)
		assert.InDelta(t, whole.Dx(), where.Dx(), 8, "parallel %v", parallel)
	}
}

func TestGlassIsOutlined(t *testing.T) {
	glass := unlit(1, 1, 1, .2)
	glass.Alpha = scene.AlphaBlend
	pane, solid := square(1, .4, glass), square(1, .4, unlit(1, 1, 1, 1))
	far := square(0, 1, unlit(0, 0, 1, 1))
	through, _ := outlined(t, sceneOf(far, pane), pane, front)
	full, _ := outlined(t, sceneOf(far, solid), solid, front)
	assert.Positive(t, full)
	assert.Equal(t, full, through, "as a solid square")
}

func TestHiddenWiresAreNotDrawn(t *testing.T) {
	wall, behind := square(.05, 1, unlit(0, 0, 1, 1)), square(0, .3, unlit(1, 0, 0, 1))
	tiny := square(0, 1e-4, unlit(1, 0, 0, 1))
	for _, parallel := range []bool{false, true} {
		v := render.View{Orthographic: parallel}
		v.Marks.Wireframe = true
		assert.True(t,
			bytes.Equal(draw(t, sceneOf(wall, tiny), v, 100).Pix, draw(t, sceneOf(wall, behind), v, 100).Pix),
			"parallel %v", parallel)
	}
}

func TestOnlyOneNodeIsShown(t *testing.T) {
	a, b := triangle(1, 0, 1, 0, 0), triangle(1, 0, 0, 1, 0)
	s := sceneOf(a, b)
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	visible := func() int {
		img := image.NewNRGBA(image.Rect(0, 0, 40, 40))
		r := render.Renderer{}
		require.NoError(t, r.Draw(t.Context(), img, m, front))
		seen := map[*scene.Node]bool{}
		for i := range 40 * 40 {
			if h := r.Hits().At(m, i%40, i/40); h.Node != nil {
				seen[h.Node] = true
			}
		}
		return len(seen)
	}
	m.Show(render.Piece{Node: a}, nil)
	assert.Equal(t, 1, visible())
	m.Show(render.Piece{Node: a}, []render.Piece{{Node: a}})
	assert.Zero(t, visible(), "it is also hidden")
	m.Show(render.Piece{}, []render.Piece{{Node: a}, {Node: b}})
	assert.Zero(t, visible())
	m.Show(render.Piece{}, nil)
	assert.Positive(t, visible())
	assert.True(t, m.Draws(render.Piece{Node: a}))
	assert.False(t, m.Draws(render.Piece{Node: &scene.Node{}}))
	assert.False(t, m.Draws(render.Piece{}))
}

// halves returns a node with a mesh of two parts: its left and its right half.
func halves() *scene.Node {
	m := flat(scene.Triangles, -1, -1, 0, 1, 0, 0, 0, -1, 0, 1, 0, 0, -1, 1, 0, 1, 0, 0,
		0, -1, 0, 0, 1, 0, 1, -1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0)
	m.Parts = []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}},
		{Primitive: scene.Triangles, Indices: modeltest.Indices{3, 4, 5}}}
	return &scene.Node{Name: "n", Transform: scene.Identity, Mesh: m}
}

func TestAPartIsPickedHiddenAndFramed(t *testing.T) {
	n := halves()
	m, err := render.Load(t.Context(), sceneOf(n))
	require.NoError(t, err)
	left := render.Piece{Node: n, Part: n.Mesh.Parts[0]}
	seen := func() map[*scene.Part]image.Rectangle {
		img := image.NewNRGBA(image.Rect(0, 0, 60, 60))
		r := render.Renderer{}
		require.NoError(t, r.Draw(t.Context(), img, m, front))
		all := map[*scene.Part]image.Rectangle{}
		for i := range 60 * 60 {
			if h := r.Hits().At(m, i%60, i/60); h.Node != nil {
				all[h.Part] = all[h.Part].Union(image.Rect(i%60, i/60, i%60+1, i/60+1))
			}
		}
		return all
	}
	all := seen()
	require.Len(t, all, 2)
	assert.Less(t, all[left.Part].Max.X, 32, "it is at the left")
	m.Show(render.Piece{}, []render.Piece{left})
	assert.NotContains(t, seen(), left.Part)
	m.Show(left, nil)
	assert.Len(t, seen(), 1)
	assert.Contains(t, seen(), left.Part)
	m.Show(render.Piece{}, nil)
	require.True(t, m.FramePiece(left))
	assert.Greater(t, seen()[left.Part].Dx(), all[left.Part].Dx(), "it is larger now")
	assert.True(t, m.Draws(left))
	assert.False(t, m.Draws(render.Piece{Node: n, Part: &scene.Part{}}))

	outlined := func(p *scene.Part) (count int) {
		v := render.View{}
		before := draw(t, sceneOf(n), v, 100)
		v.Marks.Selected, v.Marks.Part = n, p
		after := draw(t, sceneOf(n), v, 100)
		for i := range 100 * 100 {
			if before.NRGBAAt(i%100, i/100) != after.NRGBAAt(i%100, i/100) {
				count++
			}
		}
		return count
	}
	assert.Less(t, outlined(left.Part), outlined(nil), "only the part is outlined")
}
