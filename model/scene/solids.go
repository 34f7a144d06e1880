package scene

import "math"

// solid is a mesh with a normal for each corner of each face.
type solid struct {
	vertices FloatSlice
	corners  IndexSlice
}

// face adds a flat face with its corners in the order in which they are seen to go around to the left.
func (s *solid) face(normals, corners [][3]float32) {
	first := uint32(len(s.vertices) / 6)
	for i, c := range corners {
		n := normals[min(i, len(normals)-1)]
		s.vertices = append(s.vertices, c[0], c[1], c[2], n[0], n[1], n[2])
		if i > 1 {
			s.corners = append(s.corners, first, first+uint32(i)-1, first+uint32(i))
		}
	}
}

func (s *solid) mesh(name string) *Mesh {
	return &Mesh{Name: name, Count: len(s.vertices) / 6, Vertices: s.vertices,
		Elements: []Element{{Usage: Position, Size: 3}, {Usage: Normal, Size: 3}},
		Parts:    []*Part{{Primitive: Triangles, Indices: s.corners}}}
}

// Square returns a mesh with edges of length 1 around its origin, across z.
func Square() *Mesh {
	s := &solid{}
	s.face([][3]float32{{0, 0, 1}}, [][3]float32{{-.5, -.5, 0}, {.5, -.5, 0}, {.5, .5, 0}, {-.5, .5, 0}})
	return s.mesh("square")
}

// Box returns a mesh with edges of length 1 around its origin.
func Box() *Mesh {
	s := &solid{}
	for axis := range 3 {
		for _, side := range []float32{-.5, .5} {
			var n, a, b [3]float32
			n[axis], a[(axis+1)%3], b[(axis+2)%3] = 2*side, side, .5
			var corners [][3]float32
			for _, k := range [][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var p [3]float32
				for i := range p {
					p[i] = n[i]/2 + k[0]*a[i] + k[1]*b[i]
				}
				corners = append(corners, p)
			}
			s.face([][3]float32{n}, corners)
		}
	}
	return s.mesh("box")
}

// Cylinder returns a mesh of radius 1 and length 1 along z around its origin; without ends it is a pipe.
func Cylinder(ends bool) *Mesh {
	s := &solid{}
	rim := func(k int, z float32) (n, p [3]float32) {
		y, x := math.Sincos(2 * math.Pi * float64(k) / meridians)
		return [3]float32{float32(x), float32(y), 0}, [3]float32{float32(x), float32(y), z}
	}
	var low, high [][3]float32
	for k := range meridians {
		n, a := rim(k, -.5)
		m, b := rim(k+1, -.5)
		_, c := rim(k+1, .5)
		_, d := rim(k, .5)
		s.face([][3]float32{n, m, m, n}, [][3]float32{a, b, c, d})
		high = append(high, d)
		low = append([][3]float32{a}, low...)
	}
	if ends {
		s.face([][3]float32{{0, 0, 1}}, high)
		s.face([][3]float32{{0, 0, -1}}, low)
	}
	return s.mesh("cylinder")
}
