package gpb

import (
	"fmt"
	"math"
	"path"
	"sort"
	"strings"

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
	m.Parts = countedList(c, "parts", "MeshPart", minMeshPartSize, r.meshPart)
	if r.layout.exporter {
		r.surplusIndices(c, m)
	}
	m.Span = r.endObject(c, o)
	return m
}

// vertexFormat: VertexElement[].
func (r *reader) vertexFormat(c *decode.Cursor) (format []VertexElement) {
	c.Struct("vertexFormat", "VertexElement[]", func() {
		n := c.Count("count", model.U32, minVertexElementSize, "VertexElement")
		r.spend(c, n)
		format = elements(c, "VertexElement", n, minVertexElementSize, r.vertexElement)
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

// vertices: byte[], with a count in bytes. The node has the type of records of the vertex format.
func (r *reader) vertices(c *decode.Cursor, m *Mesh) {
	size, cut := r.countedSize(c, model.U8)
	available := size
	if cut {
		available = c.Remaining() - 4
	}
	if m.Stride == 0 || size > 0 && m.Stride > size || available > c.Remaining()-4 {
		m.Vertices = r.byteArray(c, "vertices")
		if size > 0 {
			r.doubt(c, "%d bytes of vertices cannot be divided into vertices of %d bytes", size, m.Stride)
		}
		return
	}
	rest := available % m.Stride
	c.Struct("vertices", "Vertex[]", func() {
		c.Size("count", model.U32)
		m.Vertices = model.Blob{Source: r.src, Span: model.Span{Offset: c.Pos(), Size: size}}
		c.Records("Vertex", available/m.Stride, m.Stride, vertex(m.Format))
		if rest > 0 {
			c.Bytes("surplus", "bytes", rest)
		}
		if cut {
			c.Fail("vertices need %d bytes, but only %d remain", size, available)
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

var indexForms = map[uint64]model.NumberForm{Index8: model.U8, Index16: model.U16, Index32: model.U32}

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

// HasKnownPrimitive reports whether the format has the primitive.
func (p *MeshPart) HasKnownPrimitive() bool { return primitiveTypes[uint64(p.Primitive)] != "" }

// meshSkin: bindShape, rootJoint (October 2011 only), joints, jointsBindPoses, and bounds in the document only.
func (r *reader) meshSkin(c *decode.Cursor) *Skin {
	o := r.beginObject(c, TypeMeshSkin)
	s := &Skin{ID: o.id}
	floats(c, "bindShape", "float[16]", s.BindShape[:])
	if r.layout.rootJoint {
		s.RootJoint = c.Prefixed("rootJoint", model.U32)
		r.linkXref(c, "#"+s.RootJoint, TypeNode)
	}
	s.Joints = r.strings(c, "joints", func(e *decode.Cursor, xref string) { r.linkXref(e, xref, TypeNode) })
	s.BindPoses = r.readCounted(c, "jointsBindPoses", "float[]", model.F32)
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

// model: mesh xref:Mesh, hasSkin (not in the document), meshSkin, materials.
func (r *reader) model(c *decode.Cursor) *Model {
	o := r.beginObject(c, TypeModel)
	m := &Model{ID: o.id}
	m.Mesh = c.Prefixed("mesh", model.U32)
	c.As("xref:Mesh")
	r.linkXref(c, m.Mesh, TypeMesh)
	skin := c.U8("hasSkin")
	c.As("bool")
	switch skin {
	case 0:
	case 1:
		c.Struct("meshSkin", "MeshSkin", func() { m.Skin = r.meshSkin(c) })
	default:
		c.Fail("hasSkin is 0 or 1, not %d", skin)
	}
	if r.layout.inlineMaterials {
		m.Inline = countedList(c, "materials", "Material", minMaterialSize, r.material)
	} else {
		m.Materials = r.strings(c, "materials", r.linkMaterial)
	}
	r.endObject(c, o)
	return m
}

// linkMaterial links the last recorded node, which names a material, to the text beside the bundle.
func (r *reader) linkMaterial(c *decode.Cursor, name string) {
	if leaf := c.Last(); leaf != nil && name != "" && hasSurroundings(r.src) {
		leaf.Link = &model.Link{File: strings.TrimSuffix(r.src.Name(), path.Ext(r.src.Name())) + ".material",
			Key: "material " + name, Optional: true}
	}
}

// hasSurroundings reports whether there can be other files around a source.
func hasSurroundings(src *model.Source) bool {
	files, _ := src.Siblings()
	return files != nil || src.Home() != "" || src.Resources() != ""
}

// material: parameters MaterialParameter[] { name, value, type }, effect xref:Effect. Only the document has it.
func (r *reader) material(c *decode.Cursor) *Material {
	o := r.beginObject(c, TypeMaterial)
	m := &Material{ID: o.id}
	m.Parameters = countedList(c, "parameters", "MaterialParameter", minParameterSize, parameter)
	m.Effect = c.Prefixed("effect", model.U32)
	c.As("xref:Effect")
	r.linkXref(c, m.Effect, TypeEffect)
	r.endObject(c, o)
	return m
}

func parameter(c *decode.Cursor) (p Parameter) {
	p.Name = c.Prefixed("name", model.U32)
	c.Role(model.RoleName)
	c.Key(p.Name)
	p.Value = c.Counted("value", "float[]", model.U32, model.F32)
	p.Type = c.U32("type")
	return p
}

// effect: vertexShader, fragmentShader.
func (r *reader) effect(c *decode.Cursor) *Effect {
	o := r.beginObject(c, TypeEffect)
	e := &Effect{ID: o.id}
	e.Vertex, e.VertexSpan = shader(c, "vertexShader")
	e.Fragment, e.FragmentSpan = shader(c, "fragmentShader")
	e.Span = r.endObject(c, o)
	return e
}

// shader reads the text of a shader, and returns its bytes without its length.
func shader(c *decode.Cursor, name string) (string, model.Span) {
	const length = 4
	start := c.Pos() + length
	text := c.Prefixed(name, model.U32)
	return text, model.Span{Offset: start, Size: max(0, c.Pos()-start)}
}

// float reads a 32-bit float.
func float(c *decode.Cursor, name string) float32 {
	return math.Float32frombits(uint32(c.Number(name, model.F32)))
}

// floats reads as many 32-bit floats as out has, as one leaf.
func floats(c *decode.Cursor, name, typ string, out []float32) {
	b := c.Peek(4 * int64(len(out)))
	if b == nil {
		c.Fail("%s needs %s, but only %d remain", name, model.PlainCount(int64(4*len(out)), "byte"), c.Remaining())
		return
	}
	for i := range out {
		out[i] = math.Float32frombits(order.Uint32(b[4*i:]))
	}
	c.Array(name, typ, model.F32, int64(len(out)))
}

// readCounted reads a list of numbers with their count. If the file ends before, it reads the existing ones, and fails.
func (r *reader) readCounted(c *decode.Cursor, name, typ string, form model.NumberForm) model.Numbers {
	size, cut := r.countedSize(c, form)
	if !cut {
		return c.Counted(name, typ, model.U32, form)
	}
	c.Total("count", model.U32)
	available := c.Remaining()
	n := c.Array(name, typ, form, available/form.Size())
	showBytes(c, n)
	if rest := available % form.Size(); rest > 0 {
		c.Bytes("surplus", "bytes", rest)
	}
	c.Fail("%s needs %d bytes, but only %d remain", name, size, available)
	return n
}

// byteArray records bytes and the number before them as one leaf; its value is the bytes.
func (r *reader) byteArray(c *decode.Cursor, name string) model.Blob {
	return showBytes(c, r.readCounted(c, name, "byte[]", model.U8))
}

// showBytes replaces the value of the last leaf by bytes, if its numbers are bytes, and returns them.
func showBytes(c *decode.Cursor, n model.Numbers) model.Blob {
	b := model.Blob{Source: n.Source, Span: model.Span{Offset: n.Offset, Size: n.Count}}
	if leaf := c.Last(); leaf != nil && n.Form == model.U8 {
		leaf.Value = b
	}
	return b
}

// countedSize returns the number of bytes of the counted list that begins here, and reports whether the file ends in
// the list: it needs more bytes than there are, and no referenced object begins in them. It reports false for the
// probe: in a wrong layout any number may be the count.
func (r *reader) countedSize(c *decode.Cursor, form model.NumberForm) (size int64, cut bool) {
	b := c.Peek(4)
	if b == nil {
		return 0, false
	}
	size = int64(order.Uint32(b)) * form.Size()
	from, to := c.Pos(), c.Pos()+4+size
	if r.isProbing(c) || to <= r.src.Size() {
		return size, false
	}
	offset := func(k int) int64 { return int64(r.refs[r.byOffset[k]].Offset) }
	next := sort.Search(len(r.byOffset), func(k int) bool { return offset(k) > from })
	return size, next == len(r.byOffset) || offset(next) >= to
}

// strings reads a counted list of strings: one node with the strings as its value, and a child for each. It calls link
// after each leaf was recorded, to set its link.
func (r *reader) strings(c *decode.Cursor, name string, link func(e *decode.Cursor, s string)) (list []string) {
	n := c.Struct(name, "string[]", func() {
		n := c.Count("count", model.U32, minStringSize, "string")
		r.spend(c, n)
		list = elements(c, "string", n, minStringSize, func(e *decode.Cursor) string {
			s := e.Prefixed("string", model.U32)
			link(e, s)
			e.CollapseStruct()
			return s
		})
	})
	if n != nil {
		n.Value = stringArray(list)
	}
	return list
}

// stringArray is strings as the value of a node.
type stringArray []string

func (a stringArray) Len() int64 { return int64(len(a)) }

// Slice returns up to n strings from the first on.
func (a stringArray) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), a.Len())
	out := make([]any, min(max(n, 0), a.Len()-first))
	for i := range out {
		out[i] = a[first+int64(i)]
	}
	return out, nil
}
