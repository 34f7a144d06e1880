package viewport

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

// halves returns a scene of one node whose mesh has a part at the left and one at the right.
func halves() *scene.Scene {
	return &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: &scene.Mesh{Count: 6,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
		Vertices: modeltest.Floats{-2, 0, 0, -1, 0, 0, -1, 1, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0},
		Parts: []*scene.Part{
			{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}, Material: &scene.Material{Name: "wood"}},
			{Primitive: scene.Triangles, Indices: modeltest.Indices{3, 4, 5}, Material: &scene.Material{Name: "iron"}}}}}}}
}

// placeOf returns a pixel of a part, and false if the part is not visible.
func placeOf(v *Viewport, p *scene.Part) (image.Point, bool) {
	size := v.canvas.pixels()
	for y := range size.Y {
		for x := range size.X {
			if v.itemAt(image.Pt(x, y)).Part == p {
				return image.Pt(x, y), true
			}
		}
	}
	return image.Point{}, false
}

func TestPartsArePickedOneByOne(t *testing.T) {
	s := halves()
	v, _ := shown(t, s)
	n := s.Roots[0]
	var clicked *scene.Node
	v.OnSelect = func(n *scene.Node) { clicked = n }
	right := n.Mesh.Parts[1]
	at, seen := placeOf(v, right)
	require.True(t, seen)
	v.hover(fyne.NewPos(float32(at.X), float32(at.Y)))
	assert.Equal(t, "n · part 2 of 2 · iron", v.canvas.tag.visibleText())

	v.tap(at)
	assert.Equal(t, render.Piece{Node: n, Part: right}, v.SelectedPiece())
	assert.Same(t, n, clicked)
	v.Select(n)
	assert.Equal(t, right, v.SelectedPiece().Part, "the node of the part is no other selection")
	v.canvas.TypedRune('h')
	_, seen = placeOf(v, right)
	assert.False(t, seen, "it is hidden")
	_, seen = placeOf(v, n.Mesh.Parts[0])
	assert.True(t, seen)
	v.commands.Run("scene.show-all", v)

	v.SelectPiece(render.Piece{Node: n, Part: right})
	v.canvas.TypedRune('i')
	_, seen = placeOf(v, n.Mesh.Parts[0])
	assert.False(t, seen, "all else is hidden")
	_, seen = placeOf(v, right)
	assert.True(t, seen)
	v.commands.Run("scene.show-all", v)
	v.canvas.TypedRune('f')
	_, seen = placeOf(v, n.Mesh.Parts[0])
	assert.False(t, seen, "it is framed alone")

	v.canvas.TypedRune('m')
	assert.Equal(t, render.Piece{Node: n}, v.SelectedPiece(), "all parts")
}
