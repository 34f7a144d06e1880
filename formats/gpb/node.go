package gpb

import "assay/model"

// scene: nodes Node[], activeCameraNode xref:Node, ambientColor float[3].
func (r *reader) scene() *Scene {
	c := r.c
	s := &Scene{ID: r.begin(TypeScene)}
	s.Nodes = r.nodes("nodes")
	s.ActiveCamera = c.Prefixed("activeCameraNode", model.U32)
	c.As("xref:Node")
	r.linkTo(r.xref(s.ActiveCamera))
	floats(c.Array("ambientColor", "float[3]", model.F32, 3), s.Ambient[:])
	return s
}

func (r *reader) nodes(name string) []*Node {
	var nodes []*Node
	r.c.List(name, "Node", model.U32, 78, func(int) { nodes = append(nodes, r.node()) })
	return nodes
}

// node: type, transform, parent_id (since 1.2), children, camera, light, model. A part that is not there is one zero
// byte, for a model an empty xref.
func (r *reader) node() *Node {
	c := r.c
	n := &Node{ID: r.begin(TypeNode)}
	typ, known := c.Enum("type", "enum NodeType", model.U32, nodeTypes)
	if !known {
		c.Fail("a node's type is 1 or 2, not %d", typ)
	}
	n.Joint = typ == 2
	floats(c.Array("transform", "float[16]", model.F32, 16), n.Transform[:])
	if r.layout.parentID {
		n.Parent = c.Prefixed("parent_id", model.U32)
		if n.Parent != "" {
			r.linkTo(r.link("", n.Parent))
		}
	}
	n.Children = r.nodes("children")
	if b := c.Peek(1); b != nil && b[0] == 0 {
		c.Absent("camera", "Camera", 1)
	} else {
		c.Struct("camera", "Camera", func() { n.Camera = r.camera() })
	}
	if b := c.Peek(1); b != nil && b[0] == 0 {
		c.Absent("light", "Light", 1)
	} else {
		c.Struct("light", "Light", func() { n.Light = r.light() })
	}
	if b := c.Peek(4); b != nil && b[0]|b[1]|b[2]|b[3] == 0 {
		c.Absent("model", "Model", 4)
	} else {
		c.Struct("model", "Model", func() { n.Model = r.model() })
	}
	return n
}

// camera: cameraType, aspectRatio, nearPlane, farPlane, then fieldOfView (degrees) or magnification (width, height).
func (r *reader) camera() *Camera {
	c := r.c
	k := &Camera{ID: r.begin(TypeCamera)}
	typ, _ := c.Enum("cameraType", "byte", model.U8, cameraTypes)
	k.Aspect = c.F32("aspectRatio")
	k.Near = c.F32("nearPlane")
	k.Far = c.F32("farPlane")
	switch typ {
	case 1:
		k.FieldOfView = c.F32("fieldOfView")
	case 2:
		k.Orthographic = true
		var m [2]float32
		floats(c.Array("magnification", "float[2]", model.F32, 2), m[:])
		k.Width, k.Height = m[0], m[1]
	default:
		c.Fail("a camera's type is 1 or 2, not %d", typ)
	}
	return k
}

// light: lightType, color, then range and angles (radians), or the attenuation of early 1.0.
func (r *reader) light() *Light {
	c := r.c
	l := &Light{ID: r.begin(TypeLight)}
	typ, known := c.Enum("lightType", "byte", model.U8, lightTypes)
	if !known || typ == 0 {
		c.Fail("a light's type is 1, 2 or 3, not %d", typ)
	}
	l.Kind = uint8(typ)
	floats(c.Array("color", "float[3]", model.F32, 3), l.Color[:])
	if typ == 1 {
		return l
	}
	if r.layout.attenuation {
		floats(c.Array("attenuation", "float[3]", model.F32, 3), l.Attenuation[:])
		if typ == 3 {
			l.OuterAngle = c.F32("falloffAngle")
			c.F32("falloffExponent")
		}
		return l
	}
	l.Range = c.F32("range")
	if typ == 3 {
		l.InnerAngle = c.F32("innerAngle")
		l.OuterAngle = c.F32("outerAngle")
	}
	return l
}

// model: mesh xref:Mesh, hasSkin (not in the document), meshSkin, materials.
func (r *reader) model() *Model {
	c := r.c
	m := new(Model)
	r.begin(TypeModel)
	m.Mesh = c.Prefixed("mesh", model.U32)
	c.As("xref:Mesh")
	r.linkTo(r.xref(m.Mesh))
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
		c.List("materials", "Material", model.U32, 8, func(int) { r.material() })
	} else {
		m.Materials = r.strings("materials", "string", nil)
	}
	return m
}

// meshSkin: bindShape, rootJoint (October 2011 only), joints, jointsBindPoses, and bounds in the document only.
func (r *reader) meshSkin() *Skin {
	c := r.c
	s := new(Skin)
	r.begin(TypeMeshSkin)
	floats(c.Array("bindShape", "float[16]", model.F32, 16), s.BindShape[:])
	if r.layout.rootJoint {
		if root := c.Prefixed("rootJoint", model.U32); root != "" {
			r.linkTo(r.link("", root))
		}
	}
	s.Joints = r.strings("joints", "string", r.xref)
	s.BindPoses = c.Counted("jointsBindPoses", "float[]", model.U32, model.F32)
	if c.Err() == nil && s.BindPoses.Count != 16*int64(len(s.Joints)) {
		c.Warn("%d joints need %d bind pose floats, there are %d", len(s.Joints), 16*len(s.Joints), s.BindPoses.Count)
		r.doubts++
	}
	if r.layout.skinBounds {
		r.bounds()
	}
	return s
}

// strings reads a counted list of strings: one node with the strings as its value, and each as a child to follow.
func (r *reader) strings(name, elem string, link func(string) *model.Link) []string {
	c := r.c
	var all []string
	n := c.Struct(name, elem+"[]", func() {
		n := c.Count("count", model.U32, 4, elem)
		for i := 0; int64(i) < n && c.Err() == nil; i++ {
			s := c.Prefixed(model.IndexName(i), model.U32)
			c.As(elem)
			if link != nil {
				r.linkTo(link(s))
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
func (r *reader) material() {
	c := r.c
	r.begin(TypeMaterial)
	c.List("parameters", "MaterialParameter", model.U32, 12, func(int) {
		c.Prefixed("name", model.U32)
		c.Counted("value", "float[]", model.U32, model.F32)
		c.U32("type")
	})
	effect := c.Prefixed("effect", model.U32)
	c.As("xref:Effect")
	r.linkTo(r.xref(effect))
}

// effect: vertexShader, fragmentShader.
func (r *reader) effect() *Effect {
	e := &Effect{ID: r.begin(TypeEffect)}
	e.Vertex = r.c.Prefixed("vertexShader", model.U32)
	e.Fragment = r.c.Prefixed("fragmentShader", model.U32)
	return e
}

// floats reads a short array into out; what cannot be read stays 0.
func floats(a model.Numbers, out []float32) {
	if a.Count < int64(len(out)) {
		return
	}
	values, err := a.Slice(0, int64(len(out)))
	if err != nil {
		return
	}
	for i, v := range values {
		out[i], _ = v.(float32)
	}
}
