package scene

import "math"

// meshBuilder is a mesh with a normal for each corner of each face.
type meshBuilder struct {
	vertices FloatSlice
	corners  IndexSlice
}

// addFace adds a flat face with its corners in counterclockwise order.
func (s *meshBuilder) addFace(normals, corners [][3]float32) {
	first := uint32(len(s.vertices) / 6)
	for i, c := range corners {
		n := normals[min(i, len(normals)-1)]
		s.vertices = append(s.vertices, c[0], c[1], c[2], n[0], n[1], n[2])
		if i > 1 {
			s.corners = append(s.corners, first, first+uint32(i)-1, first+uint32(i))
		}
	}
}

func (s *meshBuilder) mesh(name string) *Mesh {
	return &Mesh{Name: name, Count: len(s.vertices) / 6, Vertices: s.vertices,
		Elements: []Element{{Usage: Position, Size: 3}, {Usage: Normal, Size: 3}},
		Parts:    []*Part{{Primitive: Triangles, Indices: s.corners}}}
}

// SquareMesh returns a mesh with edges of length 1 around its origin, across z.
func SquareMesh() *Mesh {
	s := &meshBuilder{}
	s.addFace([][3]float32{{0, 0, 1}}, [][3]float32{{-.5, -.5, 0}, {.5, -.5, 0}, {.5, .5, 0}, {-.5, .5, 0}})
	return s.mesh("square")
}

// BoxMesh returns a mesh with edges of length 1 around its origin.
func BoxMesh() *Mesh {
	s := &meshBuilder{}
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
			s.addFace([][3]float32{n}, corners)
		}
	}
	return s.mesh("box")
}

// CylinderMesh returns a mesh of radius 1 and length 1 along z around its origin, with both ends.
func CylinderMesh() *Mesh {
	s := &meshBuilder{}
	low, high := s.addCylinderSide()
	s.addFace([][3]float32{{0, 0, 1}}, high)
	s.addFace([][3]float32{{0, 0, -1}}, low)
	return s.mesh("cylinder")
}

// OpenCylinderMesh returns the mesh of CylinderMesh without its ends.
func OpenCylinderMesh() *Mesh {
	s := &meshBuilder{}
	s.addCylinderSide()
	return s.mesh("cylinder")
}

// addCylinderSide adds the side of a cylinder, and returns the corners of its ends.
func (s *meshBuilder) addCylinderSide() (low, high [][3]float32) {
	rim := func(k int, z float32) (n, p [3]float32) {
		y, x := math.Sincos(2 * math.Pi * float64(k) / meridians)
		return [3]float32{float32(x), float32(y), 0}, [3]float32{float32(x), float32(y), z}
	}
	for k := range meridians {
		n, a := rim(k, -.5)
		m, b := rim(k+1, -.5)
		_, c := rim(k+1, .5)
		_, d := rim(k, .5)
		s.addFace([][3]float32{n, m, m, n}, [][3]float32{a, b, c, d})
		high = append(high, d)
		low = append([][3]float32{a}, low...)
	}
	return low, high
}

// The divisions of a sphere: around it, and from its lowest point to its highest.
const (
	meridians = 64
	parallels = 32
)

// VDirection is the direction in which the texture coordinate v of a mesh grows.
type VDirection bool

// The directions.
const (
	VUp   VDirection = false
	VDown VDirection = true
)

// SphereMesh returns a mesh of radius 1 around its origin, to preview a material. A picture covers it once, with its
// coordinate v pointing up or down the sphere.
func SphereMesh(direction VDirection) *Mesh {
	var vertices FloatSlice
	for i := range parallels + 1 {
		v := float64(i) / parallels
		sin, cos := math.Sincos(math.Pi * v)
		if direction == VDown {
			v = 1 - v
		}
		for k := range meridians + 1 {
			u := float64(k) / meridians
			x, z := math.Sincos(2 * math.Pi * u)
			p := [3]float32{float32(x * sin), float32(-cos), float32(z * sin)}
			vertices = append(vertices, p[0], p[1], p[2], p[0], p[1], p[2], float32(u), float32(v))
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

// ArrangeInRows moves nodes into a square of rows, from left to right and then down, at a distance from each other.
func ArrangeInRows(nodes []*Node, distance float32) {
	columns := int(math.Ceil(math.Sqrt(float64(len(nodes)))))
	for i, n := range nodes {
		n.Transform[12], n.Transform[13] = distance*float32(i%columns), -distance*float32(i/columns)
	}
}

// Heightfield is a surface over a grid of heights, centered at 0. Its first row is at the back, where z is smallest. It
// implements Floats: its vertices are computed during reading.
type Heightfield struct {
	Columns, Rows int
	Heights       []float32  // from 0 to 1, row by row
	Size          [3]float32 // of the whole
	// Textured is the number of repetitions of a texture across the surface, and from back to front: the coordinate v
	// is 1 at the back.
	Textured [2]float32
}

var _ Floats = (*Heightfield)(nil)

// heightfieldFloats is the number of floats of a vertex: its position, its normal, its texture coordinates.
const heightfieldFloats = 8

// Mesh returns the surface as a mesh without parts.
func (h *Heightfield) Mesh(name string) *Mesh {
	return &Mesh{Name: name, Count: h.Columns * h.Rows, Vertices: h,
		Elements: []Element{{Usage: Position, Size: 3}, {Usage: Normal, Size: 3}, {Usage: TexCoord, Size: 2}}}
}

// Read implements Floats.
func (h *Heightfield) Read(first int, into []float32) error {
	var vertex [heightfieldFloats]float32
	for last := -1; len(into) > 0; first, into = first+1, into[1:] {
		if i := first / heightfieldFloats; i != last {
			vertex, last = h.vertex(i), i
		}
		into[0] = vertex[first%heightfieldFloats]
	}
	return nil
}

func (h *Heightfield) vertex(i int) [heightfieldFloats]float32 {
	x, z := i%h.Columns, i/h.Columns
	left, right, back, front := max(x-1, 0), min(x+1, h.Columns-1), max(z-1, 0), min(z+1, h.Rows-1)
	columnWidth, rowDepth := h.Size[0]/float32(h.Columns-1), h.Size[2]/float32(h.Rows-1)
	heightAt := func(x, z int) float32 { return h.Heights[z*h.Columns+x] * h.Size[1] }
	// across the slopes to the right and to the front
	nx := (heightAt(left, z) - heightAt(right, z)) / float32(right-left) / columnWidth
	nz := (heightAt(x, back) - heightAt(x, front)) / float32(front-back) / rowDepth
	across, ahead := float32(x)/float32(h.Columns-1), float32(z)/float32(h.Rows-1)
	return [heightfieldFloats]float32{(across - .5) * h.Size[0], heightAt(x, z), (ahead - .5) * h.Size[2], nx, 1, nz,
		across * h.Textured[0], 1 - ahead*h.Textured[1]}
}

// Triangles returns the indices of two triangles for each square between the columns and rows.
func (h *Heightfield) Triangles() Indices {
	return heightfieldSquares{columns: h.Columns, count: (h.Columns - 1) * (h.Rows - 1)}
}

// TrianglesOf returns the indices of two triangles for each of some squares, which are numbered row by row.
func (h *Heightfield) TrianglesOf(squares []int32) Indices {
	return heightfieldSquares{columns: h.Columns, count: len(squares), squares: squares}
}

// heightfieldSquares implements Indices for squares between columns and rows.
type heightfieldSquares struct {
	columns, count int
	squares        []int32 // the indices of the squares; nil for all
}

func (s heightfieldSquares) Len() int { return 6 * s.count }

func (s heightfieldSquares) Read(first int, into []uint32) error {
	for k := range into {
		i := first + k
		square := i / 6
		if s.squares != nil {
			square = int(s.squares[square])
		}
		x, z := square%(s.columns-1), square/(s.columns-1)
		corner := [6][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}}[i%6]
		into[k] = uint32((z+corner[1])*s.columns + x + corner[0])
	}
	return nil
}
