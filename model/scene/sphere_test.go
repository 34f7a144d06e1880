package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

func TestSphere(t *testing.T) {
	for _, down := range []bool{false, true} {
		m := scene.Sphere(down)
		v := make([]float32, m.Count*m.Stride())
		require.NoError(t, m.Vertices.Read(0, v))
		vertex := func(i uint32) []float32 { return v[8*i : 8*i+8] }
		lowest, highest := vertex(0), vertex(uint32(m.Count)-1)
		assert.InDelta(t, -1, lowest[1], 1e-6)
		assert.InDelta(t, 1, highest[1], 1e-6)
		assert.Equal(t, down, lowest[7] > highest[7])
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
			assert.GreaterOrEqual(t, out, float32(-1e-6), "its outside is the side whose corners go counterclockwise")
		})
	}
}
