package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// TestHeightfield has three columns and two rows, the back of which rises to the right.
func TestHeightfield(t *testing.T) {
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
	assert.Equal(t, []float32{0, 1, 0, 2}, middle, "from within a vertex into the next")

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
