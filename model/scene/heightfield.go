package scene

// Heightfield is a surface over a grid of heights, whose middle is at 0. Its first row is at the back, where z is
// least. It implements Floats: its vertices are made when they are read.
type Heightfield struct {
	Columns, Rows int
	Heights       []float32  // from 0 to 1, row by row
	Size          [3]float32 // of the whole
	// Textured is how much of a texture the surface has across, and from back to front: the coordinate v is 1 at the
	// back.
	Textured [2]float32
}

var _ Floats = (*Heightfield)(nil)

// heightfieldFloats is how many numbers a vertex has: its position, its normal, its texture coordinates.
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
	wide, deep := h.Size[0]/float32(h.Columns-1), h.Size[2]/float32(h.Rows-1)
	up := func(x, z int) float32 { return h.Heights[z*h.Columns+x] * h.Size[1] }
	// across the slopes to the right and to the front
	nx := (up(left, z) - up(right, z)) / float32(right-left) / wide
	nz := (up(x, back) - up(x, front)) / float32(front-back) / deep
	across, ahead := float32(x)/float32(h.Columns-1), float32(z)/float32(h.Rows-1)
	return [heightfieldFloats]float32{(across - .5) * h.Size[0], up(x, z), (ahead - .5) * h.Size[2], nx, 1, nz,
		across * h.Textured[0], 1 - ahead*h.Textured[1]}
}

// Triangles returns the indices of two triangles for each square between the columns and rows.
func (h *Heightfield) Triangles() Indices {
	return heightfieldSquares{columns: h.Columns, count: (h.Columns - 1) * (h.Rows - 1)}
}

// TrianglesOf returns the indices of two triangles for each of some squares, which are numbered row by row.
func (h *Heightfield) TrianglesOf(squares []int32) Indices {
	return heightfieldSquares{columns: h.Columns, count: len(squares), some: squares}
}

// heightfieldSquares is the indices of squares between columns and rows.
type heightfieldSquares struct {
	columns, count int
	some           []int32 // the numbers of the squares; nil for all
}

func (s heightfieldSquares) Len() int { return 6 * s.count }

func (s heightfieldSquares) Read(first int, into []uint32) error {
	for k := range into {
		i := first + k
		square := i / 6
		if s.some != nil {
			square = int(s.some[square])
		}
		x, z := square%(s.columns-1), square/(s.columns-1)
		corner := [6][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}}[i%6]
		into[k] = uint32((z+corner[1])*s.columns + x + corner[0])
	}
	return nil
}
