package gpb

import (
	"fmt"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// mesh: vertexFormat, vertices, boundingBox, boundingSphere, parts.
func (r *reader) mesh(c *decode.Cursor) *Mesh {
	o := r.beginObject(c, TypeMesh)
	m := &Mesh{ID: o.id}
	m.Format = r.vertexFormat(c)
	for _, e := range m.Format {
		m.Stride = min(m.Stride+4*int64(e.Size), math.MaxUint32+1) // larger ones are all the same: no vertex fits
	}
	r.vertices(c, m)
	m.Bounds = bounds(c)
	m.Parts = countedList(c, "parts", "MeshPart", leastMeshPart, r.meshPart)
	if r.layout.exporter {
		r.surplusIndices(c, m)
	}
	m.Span = r.endObject(c, o)
	return m
}

// vertexFormat: VertexElement[].
func (r *reader) vertexFormat(c *decode.Cursor) (format []VertexElement) {
	c.Struct("vertexFormat", "VertexElement[]", func() {
		n := c.Count("count", model.U32, leastVertexElement, "VertexElement")
		r.spend(c, n)
		format = elements(c, "VertexElement", n, leastVertexElement, r.vertexElement)
	})
	return format
}

// vertexElement: usage, size.
func (r *reader) vertexElement(c *decode.Cursor) (e VertexElement) {
	usage, known := c.Enum("usage", "enum VertexUsage", model.U32, vertexUsages)
	if !known {
		r.doubt(c, "unknown vertex usage %d", usage)
	}
	e.Usage = uint32(usage)
	e.Size = c.U32("size")
	return e
}

// vertices: byte[], whose count is in bytes. It is shown as records of the vertex format.
func (r *reader) vertices(c *decode.Cursor, m *Mesh) {
	size, cut := r.isCut(c, model.U8)
	there := size
	if cut {
		there = c.Left() - 4
	}
	if m.Stride == 0 || size > 0 && m.Stride > size || there > c.Left()-4 {
		m.Vertices = r.byteArray(c, "vertices")
		if size > 0 {
			r.doubt(c, "%d bytes of vertices cannot be divided into vertices of %d bytes", size, m.Stride)
		}
		return
	}
	rest := there % m.Stride
	c.Struct("vertices", "Vertex[]", func() {
		c.U32("count")
		c.Role(model.RoleCount)
		m.Vertices = model.Blob{Source: r.src, Span: model.Span{Offset: c.Pos(), Size: size}}
		c.Records("Vertex", there/m.Stride, m.Stride, vertex(m.Format))
		if rest > 0 {
			c.Bytes("surplus", "bytes", rest)
		}
		if cut {
			c.Fail("vertices need %d bytes, but only %d remain", size, there)
		}
	})
	if rest > 0 {
		r.doubt(c, "the last %d of the %d bytes of vertices are not a whole vertex of %d bytes", rest, size, m.Stride)
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
func bounds(c *decode.Cursor) (b Bounds) {
	c.Struct("boundingBox", "BoundingBox", func() {
		floats(c, "min", "float[3]", b.Min[:])
		floats(c, "max", "float[3]", b.Max[:])
	})
	c.Struct("boundingSphere", "BoundingSphere", func() {
		floats(c, "center", "float[3]", b.Center[:])
		b.Radius = float(c, "radius")
	})
	return b
}

var indexForms = map[uint64]model.Number{Index8: model.U8, Index16: model.U16, Index32: model.U32}

// meshPart: primitiveType, indexFormat, indices byte[]. The value of indices is numbers of the format.
func (r *reader) meshPart(c *decode.Cursor) *MeshPart {
	o := r.beginObject(c, TypeMeshPart)
	p := &MeshPart{ID: o.id}
	primitive, known := c.Enum("primitiveType", "enum PrimitiveType", model.U32, primitiveTypes)
	if !known {
		r.doubt(c, "unknown primitive type %d", primitive)
	}
	format, known := c.Enum("indexFormat", "enum IndexFormat", model.U32, indexFormats)
	if !known {
		r.doubt(c, "unknown index format %#x", format)
	}
	p.Primitive, p.IndexFormat = uint32(primitive), uint32(format)
	bytes := r.byteArray(c, "indices")
	p.Span = r.endObject(c, o)
	if c.Err() != nil || !known {
		return p
	}
	form := indexForms[format]
	p.Indices = model.Numbers{Source: r.src, Offset: bytes.Span.Offset, Count: bytes.Span.Size / form.Size(),
		Form:  form,
		Order: order}
	if bytes.Span.Size%form.Size() != 0 {
		r.doubt(c, "%d bytes are not a whole number of indices of %d bytes", bytes.Span.Size, form.Size())
		return p
	}
	if leaf := c.Last(); leaf != nil {
		leaf.Value = p.Indices
	}
	return p
}

// Known reports whether the primitive is one that the format has.
func (p *MeshPart) Known() bool { return primitiveTypes[uint64(p.Primitive)] != "" }

// meshSkin: bindShape, rootJoint (October 2011 only), joints, jointsBindPoses, and bounds in the document only.
func (r *reader) meshSkin(c *decode.Cursor) *Skin {
	o := r.beginObject(c, TypeMeshSkin)
	s := &Skin{ID: o.id}
	floats(c, "bindShape", "float[16]", s.BindShape[:])
	if r.layout.rootJoint {
		s.RootJoint = c.Prefixed("rootJoint", model.U32)
		r.linkXref(c, "#"+s.RootJoint, TypeNode)
	}
	s.Joints = r.strings(c, "joints", "string", func(e *decode.Cursor, xref string) { r.linkXref(e, xref, TypeNode) })
	s.BindPoses = r.counted(c, "jointsBindPoses", "float[]", model.F32)
	if s.BindPoses.Count != 16*int64(len(s.Joints)) {
		r.doubt(c, "%d joints need %d bind pose floats, but there are %d", len(s.Joints), 16*len(s.Joints),
			s.BindPoses.Count)
	}
	if r.layout.skinBounds {
		s.Bounds = bounds(c)
	}
	s.Span = r.endObject(c, o)
	return s
}
