package render_test

import (
	"bytes"
	"image"
	"testing"

	"github.com/stretchr/testify/assert"

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
