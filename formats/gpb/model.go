package gpb

import (
	"path"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

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
		m.Inline = countedList(c, "materials", "Material", leastMaterial, r.material)
	} else {
		m.Materials = r.strings(c, "materials", "string", r.linkMaterial)
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

// hasSurroundings reports whether there can be other files beside a source.
func hasSurroundings(src *model.Source) bool {
	files, _ := src.Siblings()
	return files != nil || src.Home() != "" || src.Resources() != ""
}

// material: parameters MaterialParameter[] { name, value, type }, effect xref:Effect. Only the document has it.
func (r *reader) material(c *decode.Cursor) *Material {
	o := r.beginObject(c, TypeMaterial)
	m := &Material{ID: o.id}
	m.Parameters = countedList(c, "parameters", "MaterialParameter", leastParameter, parameter)
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

// shader reads the text of a shader, and returns where it is without its length.
func shader(c *decode.Cursor, name string) (string, model.Span) {
	const length = 4
	start := c.Pos() + length
	text := c.Prefixed(name, model.U32)
	return text, model.Span{Offset: start, Size: max(0, c.Pos()-start)}
}
