package scene

import (
	"encoding/binary"
	"fmt"
	"math"

	"assay/model"
)

// Floats is a list of numbers that are read on demand.
type Floats interface {
	// Read fills into with the numbers from first on.
	Read(first int, into []float32) error
}

// Indices is a list of indices of vertices that are read on demand.
type Indices interface {
	Len() int
	// Read fills into with the indices from first on.
	Read(first int, into []uint32) error
}

// StoredFloats are float32 numbers in a file.
type StoredFloats struct {
	Source *model.Source
	Offset int64
	Order  binary.ByteOrder
}

// Read implements Floats.
func (s StoredFloats) Read(first int, into []float32) error {
	b, err := s.Source.Bytes(model.Span{Offset: s.Offset + 4*int64(first), Size: 4 * int64(len(into))})
	if err != nil {
		return err
	}
	for i := range into {
		into[i] = math.Float32frombits(s.Order.Uint32(b[4*i:]))
	}
	return nil
}

// StoredIndices are numbers of 8, 16 or 32 bits in a file.
type StoredIndices model.Numbers

// Len implements Indices.
func (s StoredIndices) Len() int { return int(s.Count) }

// Read implements Indices.
func (s StoredIndices) Read(first int, into []uint32) error {
	if len(into) == 0 {
		return nil
	}
	w := s.Form.Size()
	b, err := s.Source.Bytes(model.Span{Offset: s.Offset + w*int64(first), Size: w * int64(len(into))})
	if err != nil {
		return err
	}
	for i := range into {
		switch w {
		case 1:
			into[i] = uint32(b[i])
		case 2:
			into[i] = uint32(s.Order.Uint16(b[2*i:]))
		case 4:
			into[i] = s.Order.Uint32(b[4*i:])
		default:
			return fmt.Errorf("indices of %d bytes", w)
		}
	}
	return nil
}

// FloatSlice implements Floats in memory.
type FloatSlice []float32

// Read implements Floats.
func (f FloatSlice) Read(first int, into []float32) error { return readSlice(f, first, into) }

// IndexSlice implements Indices in memory.
type IndexSlice []uint32

// Len implements Indices.
func (s IndexSlice) Len() int { return len(s) }

// Read implements Indices.
func (s IndexSlice) Read(first int, into []uint32) error { return readSlice(s, first, into) }

func readSlice[T any](values []T, first int, into []T) error {
	if first < 0 || first > len(values) || len(into) > len(values)-first {
		return fmt.Errorf("numbers %d to %d of %d", first, first+len(into), len(values))
	}
	copy(into, values[first:])
	return nil
}

// vertexOrder is the indices of all vertices, for parts without indices.
type vertexOrder int

func (o vertexOrder) Len() int { return int(o) }

func (o vertexOrder) Read(first int, into []uint32) error {
	for i := range into {
		into[i] = uint32(first + i)
	}
	return nil
}

// PartIndices returns the indices of a part of the mesh: its own, or all vertices in order.
func (m *Mesh) PartIndices(p *Part) Indices {
	if p.Indices == nil {
		return vertexOrder(m.Count)
	}
	return p.Indices
}

func (p *Part) readIndices(m *Mesh) ([]uint32, error) {
	indices := m.PartIndices(p)
	list := make([]uint32, indices.Len())
	if err := indices.Read(0, list); err != nil {
		return nil, fmt.Errorf("indices of mesh %q: %w", m.Name, err)
	}
	return list, nil
}

// ReadVertices reads all vertices of a mesh.
func (m *Mesh) ReadVertices() ([]float32, error) {
	values := make([]float32, m.Count*m.Stride())
	if len(values) == 0 {
		return nil, nil
	}
	if err := m.Vertices.Read(0, values); err != nil {
		return nil, fmt.Errorf("vertices of mesh %q: %w", m.Name, err)
	}
	return values, nil
}

// Find returns the position of an element in a vertex, in floats, and its size; or -1.
func (m *Mesh) Find(u Usage, set int) (offset, size int) {
	for _, e := range m.Elements {
		if e.Usage == u && e.Set == set && e.Size > 0 {
			return offset, e.Size
		}
		offset += e.Size
	}
	return -1, 0
}

// TriangleCount converts a number of indices to a number of triangles.
func (p Primitive) TriangleCount(indices int) int {
	switch p {
	case Triangles:
		return indices / 3
	case TriangleStrip, TriangleFan:
		return max(0, indices-2)
	}
	return 0
}

// EachTriangle passes the triangles of indices, all in the same winding order. It does not check that their vertices
// exist.
func (p Primitive) EachTriangle(idx []uint32, visit func(a, b, c uint32)) {
	switch p {
	case Triangles:
		for i := 0; i+2 < len(idx); i += 3 {
			visit(idx[i], idx[i+1], idx[i+2])
		}
	case TriangleStrip:
		for i := 0; i+2 < len(idx); i++ {
			visit(idx[i], idx[i+1+i%2], idx[i+2-i%2])
		}
	case TriangleFan:
		for i := 1; i+1 < len(idx); i++ {
			visit(idx[0], idx[i], idx[i+1])
		}
	}
}

// EachLine passes the lines of indices, as EachTriangle does.
func (p Primitive) EachLine(idx []uint32, visit func(a, b uint32)) {
	switch p {
	case Lines:
		for i := 0; i+1 < len(idx); i += 2 {
			visit(idx[i], idx[i+1])
		}
	case LineStrip, LineLoop:
		for i := 0; i+1 < len(idx); i++ {
			visit(idx[i], idx[i+1])
		}
		if p == LineLoop && len(idx) > 2 {
			visit(idx[len(idx)-1], idx[0])
		}
	}
}

// table is the vertices of a mesh in memory.
type table struct {
	*Mesh
	values []float32
	stride int
}

// table reads the vertices of a mesh.
func (m *Mesh) table() (t *table, err error) {
	t = &table{Mesh: m, stride: m.Stride()}
	t.values, err = m.ReadVertices()
	return t, err
}

// element is one element of all vertices of a table. offset is where it is in a vertex, or -1.
type element struct {
	*table
	offset, size int
}

func (t *table) element(u Usage, set int) element {
	offset, size := t.Find(u, set)
	return element{t, offset, size}
}

func (e element) exists() bool { return e.offset >= 0 }

// floatsAt returns up to four floats of a vertex, and their number.
func (e element) floatsAt(vertex int) (v [4]float32, n int) {
	n = copy(v[:], e.values[vertex*e.stride+e.offset:][:e.size])
	return v, n
}

// finiteAt is floatsAt with 0 for invalid numbers; bad reports whether there was any.
func (e element) finiteAt(vertex int) (v [4]float32, bad bool) {
	v, n := e.floatsAt(vertex)
	for i := range n {
		if !finite(v[i]) {
			v[i], bad = 0, true
		}
	}
	return v, bad
}

// vectorAt returns a position or a direction, with 0 for invalid numbers.
func (e element) vectorAt(vertex int) [3]float32 {
	v, _ := e.finiteAt(vertex)
	return [3]float32(v[:3])
}

// colorAt returns a color as it is stored: one number is gray, and less than four are opaque.
func (e element) colorAt(vertex int) [4]float32 {
	v, n := e.floatsAt(vertex)
	if n == 1 {
		v[1], v[2] = v[0], v[0]
	}
	if n < 4 {
		v[3] = 1
	}
	return v
}

func (e element) color8At(vertex int) (c [4]uint8) {
	for k, f := range e.colorAt(vertex) {
		c[k] = uint8(255*min(max(finiteOrZero(f), 0), 1) + .5)
	}
	return c
}

// Bounds returns the corners of the box around the vertices that some parts of the mesh use, transformed by a matrix;
// ok is false if there are no vertices.
func (m *Mesh) Bounds(parts []*Part, by Matrix) (low, high [3]float32, ok bool) {
	t, err := m.table()
	positions := t.element(Position, 0)
	if err != nil || !positions.exists() {
		return low, high, false
	}
	for i := range 3 {
		low[i], high[i] = math.MaxFloat32, -math.MaxFloat32
	}
	for _, p := range parts {
		indices, err := p.readIndices(m)
		if err != nil {
			continue
		}
		for _, i := range indices {
			if int(i) >= m.Count {
				continue
			}
			position, _ := positions.floatsAt(int(i))
			v := by.Apply([3]float32(position[:3]))
			if finite(v[0]) && finite(v[1]) && finite(v[2]) {
				ok = true
				for k := range 3 {
					low[k], high[k] = min(low[k], v[k]), max(high[k], v[k])
				}
			}
		}
	}
	return low, high, ok
}

// HasWeights reports whether the vertices have joints and weights.
func (m *Mesh) HasWeights() bool {
	w, _ := m.Find(Weights, 0)
	j, _ := m.Find(Joints, 0)
	return w >= 0 && j >= 0
}
