package gpb

import (
	"fmt"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// mesh: vertexFormat, vertices, boundingBox, boundingSphere, parts.
func (r *reader) mesh() *Mesh {
	c := r.c
	m := &Mesh{ID: r.begin(TypeMesh), place: c.Node()}
	c.List("vertexFormat", "VertexElement", model.U32, 8, func(int) {
		usage, known := c.Enum("usage", "enum VertexUsage", model.U32, vertexUsages)
		if !known {
			r.doubt("%d is not a use of a vertex element", usage)
		}
		size := c.U32("size")
		m.Format = append(m.Format, VertexElement{uint32(usage), size})
		m.Stride = min(m.Stride+4*int64(size), math.MaxUint32+1) // larger ones are all the same: no vertex fits
	})
	r.vertices(m)
	m.Bounds = r.bounds()
	c.List("parts", "MeshPart", model.U32, 12, func(int) { m.Parts = append(m.Parts, r.meshPart()) })
	return m
}

// vertices: byte[]; shown as records of the vertex format. The count is in bytes.
func (r *reader) vertices(m *Mesh) {
	c := r.c
	size := int64(0)
	if b := c.Peek(4); b != nil {
		size = int64(order.Uint32(b))
	}
	if m.Stride == 0 || size > 0 && m.Stride > size || size > c.Left()-4 {
		m.Vertices = c.PrefixedBytes("vertices", "byte[]", model.U32)
		if size > 0 {
			r.doubt("%d bytes of vertices cannot be divided into vertices of %d bytes", size, m.Stride)
		}
		return
	}
	rest := size % m.Stride
	c.Struct("vertices", "Vertex[]", func() {
		c.U32("count")
		c.Role(model.RoleCount)
		m.Vertices = model.Blob{Source: c.Source(), Span: model.Span{Offset: c.Pos(), Size: size}}
		c.Records("Vertex", size/m.Stride, m.Stride, vertex(m.Format))
		if rest > 0 {
			c.Bytes("surplus", "bytes", rest)
		}
	})
	if rest > 0 {
		r.doubt("the last %d of the %d bytes of vertices are no whole vertex of %d bytes", rest, size, m.Stride)
	}
}

// vertex: float[] for each element of the format.
func vertex(format []VertexElement) func(e *decode.Cursor, _ int) {
	names, types := make([]string, len(format)), make([]string, len(format))
	for i, f := range format {
		names[i], types[i] = vertexUsages[uint64(f.Usage)], fmt.Sprintf("float[%d]", f.Size)
		if names[i] == "" {
			names[i] = fmt.Sprintf("usage %d", f.Usage)
		}
	}
	return func(e *decode.Cursor, _ int) {
		for i, f := range format {
			e.Array(names[i], types[i], model.F32, int64(f.Size))
		}
	}
}

// bounds: boundingBox { min, max }, boundingSphere { center, radius }.
func (r *reader) bounds() Bounds {
	c := r.c
	var b Bounds
	c.Struct("boundingBox", "BoundingBox", func() {
		r.floats("min", "float[3]", b.Min[:])
		r.floats("max", "float[3]", b.Max[:])
	})
	c.Struct("boundingSphere", "BoundingSphere", func() {
		r.floats("center", "float[3]", b.Center[:])
		b.Radius = c.F32("radius")
	})
	return b
}

var indexForms = map[uint64]model.Number{Index8: model.U8, Index16: model.U16, Index32: model.U32}

// meshPart: primitiveType, indexFormat, indices byte[]. The value of indices is the numbers that the format tells.
func (r *reader) meshPart() *MeshPart {
	c := r.c
	p := &MeshPart{ID: r.begin(TypeMeshPart)}
	primitive, known := c.Enum("primitiveType", "enum PrimitiveType", model.U32, primitiveTypes)
	if !known {
		r.doubt("%d is not a type of primitive", primitive)
	}
	format, known := c.Enum("indexFormat", "enum IndexFormat", model.U32, indexFormats)
	if !known {
		r.doubt("%#x is not a format of indices", format)
	}
	p.Primitive, p.IndexFormat = uint32(primitive), uint32(format)
	bytes := c.PrefixedBytes("indices", "byte[]", model.U32)
	if c.Err() != nil || !known {
		return p
	}
	form := indexForms[format]
	p.Indices = model.Numbers{Source: c.Source(), Offset: bytes.Span.Offset, Count: bytes.Span.Size / form.Size(), Form: form, Order: order}
	if bytes.Span.Size%form.Size() != 0 {
		r.doubt("%d bytes are no whole number of indices of %d bytes", bytes.Span.Size, form.Size())
		return p
	}
	c.Last().Value = p.Indices
	return p
}
