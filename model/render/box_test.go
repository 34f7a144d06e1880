package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/render"
	"assay/model/scene"
)

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
