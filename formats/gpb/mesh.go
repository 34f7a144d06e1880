package gpb

import (
	"encoding/binary"

	"assay/formats/decode"
	"assay/model"
)

// mesh: vertexFormat, vertices, boundingBox, boundingSphere, parts.
func (r *reader) mesh() *Mesh {
	c := r.c
	m := &Mesh{ID: r.begin(TypeMesh)}
	c.List("vertexFormat", "VertexElement", model.U32, 8, func(int) {
		usage, known := c.Enum("usage", "enum VertexUsage", model.U32, vertexUsages)
		if !known && c.Err() == nil {
			c.Warn("%d is not a use of a vertex element", usage)
			r.doubts++
		}
		size := c.U32("size")
		m.Format = append(m.Format, VertexElement{uint32(usage), size})
		m.Stride += 4 * int64(size)
	})
	r.vertices(m)
	m.Min, m.Max, m.Center, m.Radius = r.bounds()
	c.List("parts", "MeshPart", model.U32, 12, func(int) { m.Parts = append(m.Parts, r.meshPart()) })
	return m
}

// vertices: byte[]; shown as records of the vertex format. The count is in bytes.
func (r *reader) vertices(m *Mesh) {
	c := r.c
	if c.Err() != nil {
		return
	}
	start, size := c.Pos(), int64(0)
	if b := c.Peek(4); b != nil {
		size = int64(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
	}
	if m.Stride == 0 || m.Stride > size || size > c.Left()-4 {
		m.Vertices = c.PrefixedBytes("vertices", "byte[]", model.U32)
		if c.Err() == nil && size > 0 {
			c.Warn("%d bytes of vertices cannot be divided into vertices of %d bytes", size, m.Stride)
			r.doubts++
		}
		return
	}
	m.Vertices = model.Blob{Source: c.Source(), Span: model.Span{Offset: start + 4, Size: size}}
	count := c.Detached(func() { c.U32("count") })
	format := m.Format
	rest := size % m.Stride
	list := c.Records("vertices", "Vertex", count, size/m.Stride, m.Stride, rest == 0, func(e *decode.Cursor, _ int) {
		for _, f := range format {
			name := vertexUsages[uint64(f.Usage)]
			if name == "" {
				name = "usage " + model.FormatValue(uint64(f.Usage))
			}
			e.Array(name, "float["+model.FormatValue(uint64(f.Size))+"]", model.F32, int64(f.Size))
		}
	})
	if rest > 0 && list != nil {
		c.Behind(list, c.Detached(func() { c.Bytes("surplus", "bytes", rest) }))
		c.Warn("the last %d of the %d bytes of vertices are no whole vertex of %d bytes", rest, size, m.Stride)
		r.doubts++
	}
}

// bounds: boundingBox { min, max }, boundingSphere { center, radius }.
func (r *reader) bounds() (lo, hi, center [3]float32, radius float32) {
	c := r.c
	c.Struct("boundingBox", "BoundingBox", func() {
		floats(c.Array("min", "float[3]", model.F32, 3), lo[:])
		floats(c.Array("max", "float[3]", model.F32, 3), hi[:])
	})
	c.Struct("boundingSphere", "BoundingSphere", func() {
		floats(c.Array("center", "float[3]", model.F32, 3), center[:])
		radius = c.F32("radius")
	})
	return
}

// meshPart: primitiveType, indexFormat, indices byte[]. The value of indices is the numbers that the format tells.
func (r *reader) meshPart() MeshPart {
	c := r.c
	r.begin(TypeMeshPart)
	primitive, known := c.Enum("primitiveType", "enum PrimitiveType", model.U32, primitiveTypes)
	if !known && c.Err() == nil {
		c.Warn("%d is not a type of primitive", primitive)
		r.doubts++
	}
	format, known := c.Enum("indexFormat", "enum IndexFormat", model.U32, indexFormats)
	if !known {
		c.Fail("%#x is not a format of indices", format)
	}
	form := map[uint64]model.Number{0x1401: model.U8, 0x1403: model.U16, 0x1405: model.U32}[format]
	p := MeshPart{Primitive: uint32(primitive)}
	bytes := c.PrefixedBytes("indices", "byte[]", model.U32)
	if c.Err() != nil {
		return p
	}
	p.Indices = model.Numbers{Source: c.Source(), Offset: bytes.Span.Offset, Count: bytes.Span.Size / form.Size(), Form: form, Order: binary.LittleEndian}
	if bytes.Span.Size%form.Size() != 0 {
		c.Warn("%d bytes are no whole number of indices of %d bytes", bytes.Span.Size, form.Size())
		r.doubts++
		return p
	}
	c.Last().Value = p.Indices
	return p
}
