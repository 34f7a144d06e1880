package gpb

import "assay/model"

// scene: nodes Node[], activeCameraNode xref:Node, ambientColor float[3].
func (r *reader) scene() *Scene {
	c := r.c
	s := &Scene{ID: r.begin(TypeScene), place: c.Node()}
	s.Nodes = r.nodes("nodes", "")
	s.ActiveCamera = c.Prefixed("activeCameraNode", model.U32)
	c.As("xref:Node")
	r.follow(s.ActiveCamera, TypeNode)
	r.floats("ambientColor", "float[3]", s.Ambient[:])
	return s
}

func (r *reader) nodes(name, parent string) []*Node {
	var nodes []*Node
	r.c.List(name, "Node", model.U32, 78, func(int) { nodes = append(nodes, r.node(parent)) })
	return nodes
}

// node: type, transform, parent_id (since 1.2), children, camera, light, model. A part that is not there is one zero
// byte, for a model an empty xref. parent is the id of the node around it.
func (r *reader) node(parent string) *Node {
	c := r.c
	n := &Node{ID: r.begin(TypeNode)}
	typ, known := c.Enum("type", "enum NodeType", model.U32, nodeTypes)
	if !known {
		c.Fail("a node's type is 1 or 2, not %d", typ)
	}
	n.Joint = typ == 2
	r.floats("transform", "float[16]", n.Transform[:])
	if r.layout.parentID {
		n.Parent = c.Prefixed("parent_id", model.U32)
		r.follow("#"+n.Parent, TypeNode)
		if parent != "" && n.Parent != parent {
			c.Note("the node is below %q", parent)
		}
	}
	n.Children = r.nodes("children", n.ID)
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
	if b := c.Peek(4); b != nil && order.Uint32(b) == 0 {
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
		r.floats("magnification", "float[2]", m[:])
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
	r.floats("color", "float[3]", l.Color[:])
	switch {
	case typ == Directional:
	case r.layout.attenuation:
		r.floats("attenuation", "float[3]", l.Attenuation[:])
		if typ == Spot {
			l.FalloffAngle = c.F32("falloffAngle")
			l.FalloffExponent = c.F32("falloffExponent")
		}
	default:
		l.Range = c.F32("range")
		if typ == Spot {
			l.InnerAngle = c.F32("innerAngle")
			l.OuterAngle = c.F32("outerAngle")
		}
	}
	return l
}
