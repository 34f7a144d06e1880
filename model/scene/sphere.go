package scene

import "math"

// The divisions of a sphere: around it, and from its lowest point to its highest.
const (
	meridians = 64
	parallels = 32
)

// Sphere returns a mesh of radius 1 around its origin, to look at a material on. A picture goes around it once, with
// its coordinate v up the sphere, or down if down says so.
func Sphere(down bool) *Mesh {
	var vertices FloatSlice
	for i := range parallels + 1 {
		v := float64(i) / parallels
		sin, cos := math.Sincos(math.Pi * v)
		if down {
			v = 1 - v
		}
		for k := range meridians + 1 {
			u := float64(k) / meridians
			x, z := math.Sincos(2 * math.Pi * u)
			at := [3]float32{float32(x * sin), float32(-cos), float32(z * sin)}
			vertices = append(vertices, at[0], at[1], at[2], at[0], at[1], at[2], float32(u), float32(v))
		}
	}
	var corners IndexSlice
	const row = meridians + 1
	for i := range uint32(parallels) {
		for k := range uint32(meridians) {
			a := i*row + k
			corners = append(corners, a, a+1, a+row, a+row, a+1, a+row+1)
		}
	}
	return &Mesh{Name: "sphere", Count: row * (parallels + 1), Vertices: vertices,
		Elements: []Element{{Usage: Position, Size: 3}, {Usage: Normal, Size: 3}, {Usage: TexCoord, Size: 2}},
		Parts:    []*Part{{Primitive: Triangles, Indices: corners}}}
}
