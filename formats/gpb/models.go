package gpb

import "assay/model"

// model: mesh xref:Mesh, hasSkin (not in the document), meshSkin, materials.
func (r *reader) model() *Model {
	c := r.c
	m := &Model{ID: r.begin(TypeModel)}
	m.Mesh = c.Prefixed("mesh", model.U32)
	c.As("xref:Mesh")
	r.follow(m.Mesh, TypeMesh)
	skin := c.U8("hasSkin")
	c.As("bool")
	switch skin {
	case 0:
	case 1:
		c.Struct("meshSkin", "MeshSkin", func() { m.Skin = r.meshSkin() })
	default:
		c.Fail("hasSkin is 0 or 1, not %d", skin)
	}
	if r.layout.inlineMaterials {
		c.List("materials", "Material", model.U32, 8, func(int) { m.Inline = append(m.Inline, r.material()) })
	} else {
		m.Materials = r.strings("materials", "string", 0)
	}
	return m
}

// meshSkin: bindShape, rootJoint (October 2011 only), joints, jointsBindPoses, and bounds in the document only.
func (r *reader) meshSkin() *Skin {
	c := r.c
	s := &Skin{ID: r.begin(TypeMeshSkin)}
	r.floats("bindShape", "float[16]", s.BindShape[:])
	if r.layout.rootJoint {
		s.RootJoint = c.Prefixed("rootJoint", model.U32)
		r.follow("#"+s.RootJoint, TypeNode)
	}
	s.Joints = r.strings("joints", "string", TypeNode)
	s.BindPoses = c.Counted("jointsBindPoses", "float[]", model.U32, model.F32)
	if s.BindPoses.Count != 16*int64(len(s.Joints)) {
		r.doubt("%d joints need %d bind pose floats, there are %d", len(s.Joints), 16*len(s.Joints), s.BindPoses.Count)
	}
	if r.layout.skinBounds {
		s.Bounds = r.bounds()
	}
	return s
}

// strings reads a counted list of strings: one node with the strings as its value, and each as a child; xrefs to
// objects of a type can be followed.
func (r *reader) strings(name, elem string, xref TypeID) []string {
	c := r.c
	var all []string
	n := c.Struct(name, elem+"[]", func() {
		n := c.Count("count", model.U32, 4, elem)
		for i := 0; int64(i) < n && c.Err() == nil; i++ {
			s := c.Prefixed(model.IndexName(i), model.U32)
			c.As(elem)
			if xref != 0 {
				r.follow(s, xref)
			}
			all = append(all, s)
		}
	})
	if n != nil {
		values := make(model.Scalars, len(all))
		for i, s := range all {
			values[i] = s
		}
		n.Value = values
	}
	return all
}

// material: parameters MaterialParameter[] { name, value, type }, effect xref:Effect. Only the document has it.
func (r *reader) material() *Material {
	c := r.c
	m := &Material{ID: r.begin(TypeMaterial)}
	c.List("parameters", "MaterialParameter", model.U32, 12, func(int) {
		var p Parameter
		p.Name = c.Prefixed("name", model.U32)
		c.Role(model.RoleName)
		c.Key(p.Name)
		p.Value = c.Counted("value", "float[]", model.U32, model.F32)
		p.Type = c.U32("type")
		m.Parameters = append(m.Parameters, p)
	})
	m.Effect = c.Prefixed("effect", model.U32)
	c.As("xref:Effect")
	r.follow(m.Effect, TypeEffect)
	return m
}

// effect: vertexShader, fragmentShader.
func (r *reader) effect() *Effect {
	e := &Effect{ID: r.begin(TypeEffect), place: r.c.Node()}
	e.Vertex = r.c.Prefixed("vertexShader", model.U32)
	e.Fragment = r.c.Prefixed("fragmentShader", model.U32)
	return e
}
