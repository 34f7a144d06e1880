package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

func TestSphereFacesOutward(t *testing.T) {
	for _, direction := range []scene.VDirection{scene.VUp, scene.VDown} {
		m := scene.SphereMesh(direction)
		v := make([]float32, m.Count*m.Stride())
		require.NoError(t, m.Vertices.Read(0, v))
		vertex := func(i uint32) []float32 { return v[8*i : 8*i+8] }
		lowest, highest := vertex(0), vertex(uint32(m.Count)-1)
		assert.InDelta(t, -1, lowest[1], 1e-6)
		assert.InDelta(t, 1, highest[1], 1e-6)
		assert.Equal(t, direction == scene.VDown, lowest[7] > highest[7])
		p := m.Parts[0]
		all := make([]uint32, p.Indices.Len())
		require.NoError(t, p.Indices.Read(0, all))
		p.Primitive.EachTriangle(all, func(a, b, c uint32) {
			x, y, z := vertex(a), vertex(b), vertex(c)
			var e, f, n [3]float32
			for k := range 3 {
				e[k], f[k] = y[k]-x[k], z[k]-x[k]
			}
			for k := range 3 {
				n[k] = e[(k+1)%3]*f[(k+2)%3] - e[(k+2)%3]*f[(k+1)%3]
			}
			out := n[0]*x[0] + n[1]*x[1] + n[2]*x[2]
			assert.GreaterOrEqual(t, out, float32(-1e-6), "the corners are counterclockwise from outside")
		})
	}
}

// The back one of two rows rises to the right.
func TestHeightfieldMakesVerticesAndTriangles(t *testing.T) {
	h := &scene.Heightfield{Columns: 3, Rows: 2, Heights: []float32{0, .25, .5, 0, 0, 0}, Size: [3]float32{4, 8, 6},
		Textured: [2]float32{1, .5}}
	m := h.Mesh("land")
	assert.Equal(t, 6, m.Count)
	for i, want := range map[int][]float32{
		0: {-2, 0, -3, -1, 1, 0, 0, 1},
		2: {2, 4, -3, -1, 1, 2. / 3, 1, 1},
		4: {0, 0, 3, 0, 1, 1. / 3, .5, .5},
	} {
		got := make([]float32, m.Stride())
		require.NoError(t, m.Vertices.Read(i*m.Stride(), got))
		assert.InDeltaSlice(t, want, got, 1e-6, "vertex %d", i)
	}
	middle := make([]float32, 4)
	require.NoError(t, m.Vertices.Read(6, middle))
	assert.Equal(t, []float32{0, 1, 0, 2}, middle, "a read across two vertices")

	read := func(of scene.Indices, first, n int) []uint32 {
		into := make([]uint32, n)
		require.NoError(t, of.Read(first, into))
		return into
	}
	assert.Equal(t, 12, h.Triangles().Len())
	assert.Equal(t, []uint32{0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5}, read(h.Triangles(), 0, 12))
	some := h.TrianglesOf([]int32{1})
	assert.Equal(t, 6, some.Len())
	assert.Equal(t, []uint32{2, 4, 5}, read(some, 3, 3))
}
