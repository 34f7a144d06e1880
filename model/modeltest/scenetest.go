package modeltest

import (
	"math"

	"assay/model/scene"
)

// Floats and Indices are numbers in memory.
type (
	Floats  = scene.FloatSlice
	Indices = scene.IndexSlice
)

// Torus returns a ring with about that many triangles, and normals.
func Torus(triangles int) *scene.Scene {
	n := int(math.Sqrt(float64(triangles) / 2))
	var v Floats
	var idx Indices
	for i := range n {
		for k := range n {
			sa, ca := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			sb, cb := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			v = append(v, float32((2+cb)*ca), float32(sb), float32((2+cb)*sa), float32(cb*ca), float32(sb),
				float32(cb*sa))
			a, b, c, d := i*n+k, (i+1)%n*n+k, i*n+(k+1)%n, (i+1)%n*n+(k+1)%n
			idx = append(idx, uint32(a), uint32(b), uint32(c), uint32(b), uint32(d), uint32(c))
		}
	}
	m := &scene.Mesh{Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Normal, Size: 3}},
		Count: n * n, Vertices: v,
		Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: idx}}}
	return &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Mesh: m}}}
}
