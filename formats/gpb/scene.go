package gpb

import (
	"bytes"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// scene: nodes Node[], activeCameraNode xref:Node, ambientColor float[3].
func (r *reader) scene(c *decode.Cursor) *Scene {
	o := r.beginObject(c, TypeScene)
	s := &Scene{ID: o.id}
	root := &Node{}
	r.nodes(c, "nodes", root)
	s.Nodes = root.Children
	switch r.layout.tail {
	case tailInScene:
		r.sceneTail(c, s)
	case tailAtEnd:
		if r.findings.tailAt > 0 && c.Pos() < r.findings.tailAt {
			c.GoTo(r.findings.tailAt)
			r.sceneTail(c, s)
		}
	}
	s.Span = r.endObject(c, o)
	return s
}

// sceneTail: the members of a Scene that an exporter of 2013 left out, or wrote at the end of the file.
func (r *reader) sceneTail(c *decode.Cursor, s *Scene) {
	s.ActiveCamera = c.Prefixed("activeCameraNode", model.U32)
	c.As("xref:Node")
	r.linkXref(c, s.ActiveCamera, TypeNode)
	floats(c, "ambientColor", "float[3]", s.Ambient[:])
	c.Role(model.RoleColor)
}

// openNode is a node that is being read.
type openNode struct {
	*Node
	openObject
	remaining int64 // remaining children
}

// nodes reads the children of a node, and their descendants. It is not recursive, because nodes may be nested tens of
// thousands of levels deep.
func (r *reader) nodes(c *decode.Cursor, name string, parent *Node) {
	var stack []openNode // from the outermost to the innermost
	if c.Enter(name, "Node[]") {
		stack = append(stack, openNode{Node: parent, remaining: c.Count("count", model.U32, minNodeSize, "Node")})
	}
	for len(stack) > 0 {
		last := &stack[len(stack)-1]
		if last.remaining > 0 && c.Enter(elementName(c, len(last.Children)), "Node") {
			last.remaining--
			n, o := r.nodeHead(c, last.ID)
			last.Children = append(last.Children, n)
			if c.Enter("children", "Node[]") {
				stack = append(stack, openNode{n, o, c.Count("count", model.U32, minNodeSize, "Node")})
			} else {
				c.Leave()
			}
			continue
		}
		c.Leave()
		if stack = stack[:len(stack)-1]; len(stack) > 0 {
			r.nodeTail(c, last.Node)
			r.endObject(c, last.openObject)
			c.Leave()
		}
	}
}

// elementName returns the name of the i-th element of a list, or "" if c does not record.
func elementName(c *decode.Cursor, i int) string {
	if c.Recording() {
		return model.IndexName(i)
	}
	return ""
}

// node: type, transform, parent_id (since 1.2), children, camera, light, model. An absent camera or light is a zero
// byte, an absent model a null xref.
func (r *reader) node(c *decode.Cursor) *Node {
	n, o := r.nodeHead(c, "")
	r.nodes(c, "children", n)
	r.nodeTail(c, n)
	r.endObject(c, o)
	return n
}

// nodeHead reads the members before the children. parent is the id of the parent node.
func (r *reader) nodeHead(c *decode.Cursor, parent string) (*Node, openObject) {
	o := r.beginObject(c, TypeNode)
	n := &Node{ID: o.id, Offset: c.Pos()}
	typ, known := c.Enum("type", "enum NodeType", model.U32, nodeTypes)
	if !known {
		c.Fail("a node's type is 1 or 2, not %d", typ)
	}
	n.Joint = typ == 2
	floats(c, "transform", "float[16]", n.Transform[:])
	if r.layout.parentID {
		n.Parent = c.Prefixed("parent_id", model.U32)
		id := strings.TrimPrefix(n.Parent, "#") // the exporter wrote xrefs for a while
		r.linkXref(c, "#"+id, TypeNode)
		if parent != "" && id != parent && !(r.layout.exporter && id == "") {
			c.Notef("the node is below %q", parent)
		}
	}
	return n, o
}

// nodeTail reads the members after the children.
func (r *reader) nodeTail(c *decode.Cursor, n *Node) {
	part(c, "camera", "Camera", zeroByte(c), func() { n.Camera = r.camera(c) })
	part(c, "light", "Light", zeroByte(c), func() { n.Light = r.light(c) })
	null := nullXref(c)
	part(c, "model", "Model", null, func() { n.Model = r.model(c) })
	if null > xrefLength+1 {
		r.doubt(c, "a reference to a mesh has a #, so this node has no model")
	}
}

// part reads a part of a node, or the bytes of an absent one.
func part(c *decode.Cursor, name, typ string, absent int64, fields func()) {
	if absent == 0 {
		c.Struct(name, typ, fields)
		return
	}
	c.Bytes(name, typ, absent)
	if leaf := c.Last(); leaf != nil {
		leaf.Value = model.None{}
	}
}

// zeroByte returns the size of the zero byte of an absent camera or light, or 0 if another byte comes next.
func zeroByte(c *decode.Cursor) int64 {
	if b := c.Peek(1); b != nil && b[0] == 0 {
		return 1
	}
	return 0
}

const xrefLength = 4

// nullXref returns the size of the xref of a node without a model, or 0 if a model comes next. As in the engine, a
// string of one character, or one without a '#', refers to no mesh, and no model follows.
func nullXref(c *decode.Cursor) int64 {
	b := c.Peek(xrefLength)
	if b == nil {
		return 0
	}
	n := int64(order.Uint32(b))
	if n == 0 {
		return xrefLength
	}
	if b = c.Peek(xrefLength + n); b == nil || n > 1 && bytes.IndexByte(b[xrefLength:], '#') >= 0 {
		return 0
	}
	return xrefLength + n
}

// camera: cameraType, aspectRatio, nearPlane, farPlane, then fieldOfView (degrees) or magnification (width, height).
func (r *reader) camera(c *decode.Cursor) *Camera {
	o := r.beginObject(c, TypeCamera)
	k := &Camera{ID: o.id}
	typ, known := c.Enum("cameraType", "byte", model.U8, cameraTypes)
	if !known || typ == 0 {
		c.Fail("a camera's type is 1 or 2, not %d", typ)
	}
	k.Aspect = float(c, "aspectRatio")
	k.Near = float(c, "nearPlane")
	k.Far = float(c, "farPlane")
	switch typ {
	case 1:
		k.FieldOfView = float(c, "fieldOfView")
	case 2:
		k.Orthographic = true
		var m [2]float32
		floats(c, "magnification", "float[2]", m[:])
		k.Width, k.Height = m[0], m[1]
	}
	r.endObject(c, o)
	return k
}

// light: lightType, color, then range and angles (radians), or the attenuation of early 1.0.
func (r *reader) light(c *decode.Cursor) *Light {
	o := r.beginObject(c, TypeLight)
	l := &Light{ID: o.id}
	typ, known := c.Enum("lightType", "byte", model.U8, lightTypes)
	if !known || typ == 0 {
		c.Fail("a light's type is 1, 2 or 3, not %d", typ)
	}
	l.Kind = uint8(typ)
	floats(c, "color", "float[3]", l.Color[:])
	if !r.layout.exporter { // red, blue, green
		c.Role(model.RoleColor)
	}
	switch {
	case typ == Directional:
	case r.layout.attenuation:
		floats(c, "attenuation", "float[3]", l.Attenuation[:])
		if typ == Spot {
			l.FalloffAngle = float(c, "falloffAngle")
			l.FalloffExponent = float(c, "falloffExponent")
		}
	default:
		l.Range = float(c, "range")
		if typ == Spot {
			l.InnerAngle = float(c, "innerAngle")
			l.OuterAngle = float(c, "outerAngle")
		}
	}
	r.endObject(c, o)
	return l
}
