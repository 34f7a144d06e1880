package gpb

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

var order = binary.LittleEndian

// reader reads the content after the header in one layout. It reads a file twice with the same functions: with a probe,
// to test the layout and get the values (choose.go), and if the layout fits, with a recording cursor, to build the
// nodes.
type reader struct {
	*header
	candidate
	probe    *decode.Cursor
	findings findings // of the probe; other cursors change nothing in them
	recovery
	tree nodeTree
}

// nodeTree holds the recorded nodes.
type nodeTree struct {
	root     *model.Node
	fontNode *model.Node // the object of a font file, which is in no list; may be nil
	lists    struct{ references, surplus, meshes, objects, recovered *model.Node }
}

func newReader(ctx context.Context, h *header, k candidate) *reader {
	return &reader{header: h, candidate: k, probe: decode.NewProbe(ctx, h.src, order, types),
		findings: findings{targets: make([]target, len(h.refs))},
		recovery: recovery{attempt: attempt{remaining: math.MaxInt64}}}
}

// read reads the objects with the probe, as far as they are valid.
func (r *reader) read() {
	r.findings.file = &File{References: r.refs, Container: r.container, Exporter: r.layout.exporter}
	r.probe.GoTo(r.objectsStart)
	r.findings.endedEarly = !r.complete || !r.probe.Try(func() { r.objects(r.probe, r.findings.file) })
	r.findings.end = r.probe.Pos()
}

// record builds the nodes of the document.
func (r *reader) record(ctx context.Context) {
	c := decode.New(ctx, r.src, "Bundle", order, types)
	if c.Try(func() { r.recordHeader(c) }) {
		c.Try(func() { r.objects(c, new(File)) })
	}
	r.recordRecovered(c)
	r.tree.root = c.Close()
}

// recordHeader records the identifier, the version and the references.
func (r *reader) recordHeader(c *decode.Cursor) {
	r.version(c)
	if !r.isForVersion {
		c.Warnf("the version is %s, but the content is laid out as %s", r.versionText(), r.layout.name)
	}
	r.references(c)
}

// objects reads the objects after the reference table into f.
func (r *reader) objects(c *decode.Cursor, f *File) {
	switch r.container {
	case NoList:
		r.uncountedObjects(c, f)
		return
	case TwoLists:
		n := c.Count("meshCount", model.U32, minMeshSize, "Mesh")
		r.tree.lists.meshes = c.Struct("meshes", "Mesh[]",
			func() { f.Meshes = elements(c, "Mesh", n, minMeshSize, r.mesh) })
	}
	n := c.Count("objectCount", model.U32, minObjectSize, "Object")
	r.tree.lists.objects = c.Struct("objects", "Object[]", func() {
		if i := r.objectList(c, f, n); i < n {
			c.Fail("object %d has no reference, so its type is unknown", i)
		}
	})
}

// uncountedObjects reads objects without a count before them, while the table has their types. A font file has one,
// right after the table.
func (r *reader) uncountedObjects(c *decode.Cursor, f *File) {
	typ := r.typeAt(c.Pos())
	switch {
	case typ == 0:
	case r.findings.objectCount == 1 && !r.layout.exporter: // still unknown while probing
		r.tree.fontNode = c.Struct(strings.ToLower(typ.String()), typ.String(), func() { r.object(c, typ) })
	default:
		r.tree.lists.objects = c.Struct("objects", "Object[]", func() {
			if r.layout.tail == tailAtEnd {
				r.objectsBeforeTail(c, f)
			} else {
				r.objectList(c, f, math.MaxInt64)
			}
		})
	}
}

// objectList reads up to n objects of any type, while the table has their types, and returns their number.
func (r *reader) objectList(c *decode.Cursor, f *File, n int64) int64 {
	k := c.IndexedUntil("Object", func(e *decode.Cursor, i int) bool {
		return int64(i) < n && r.typeAt(e.Pos()) != 0
	}, func(e *decode.Cursor, _ int) {
		start := e.Pos()
		o := r.typedObject(e, r.typeAt(start))
		r.noteListed(e, f, o, start)
	})
	return int64(k)
}

// typedObject reads an object of a type taken from the table.
func (r *reader) typedObject(c *decode.Cursor, typ TypeID) Object {
	c.Type(typ.String())
	return r.object(c, typ)
}

// object reads the fields of an object of any type into the open struct.
func (r *reader) object(c *decode.Cursor, typ TypeID) Object {
	switch typ {
	case TypeScene:
		return r.scene(c)
	case TypeNode:
		return r.node(c)
	case TypeAnimations:
		if r.layout.bareAnimation {
			c.Type(TypeAnimation.String())
			return r.bareAnimation(c)
		}
		return r.animations(c)
	case TypeAnimation:
		return r.animation(c)
	case TypeAnimationChannel:
		return r.channel(c)
	case TypeModel:
		return r.model(c)
	case TypeMaterial:
		return r.material(c)
	case TypeEffect:
		return r.effect(c)
	case TypeCamera:
		return r.camera(c)
	case TypeLight:
		return r.light(c)
	case TypeMesh:
		return r.mesh(c)
	case TypeMeshPart:
		return r.meshPart(c)
	case TypeMeshSkin:
		return r.meshSkin(c)
	case TypeFont:
		return r.font(c)
	}
	c.Fail("unknown object type %d", typ)
	return nil
}

// openObject is an object that is being read.
type openObject struct {
	typ    TypeID
	offset int64
	id     string
	refs   []int32 // to its offset
}

// beginObject associates the open struct with its references, and stores its id. An object keeps its type even if the
// table has another one; the difference is a problem of the reference.
func (r *reader) beginObject(c *decode.Cursor, typ TypeID) openObject {
	o := openObject{typ: typ, offset: c.Pos(), refs: r.refsAt(c.Pos())}
	for _, i := range o.refs {
		if o.id == "" && r.canReferTo(r.refs[i].Type, typ) {
			o.id = r.refs[i].ID
		}
	}
	r.setProgress(c, o, begun)
	r.spend(c, 1)
	c.Key(o.id)
	return o
}

// endObject completes an object that beginObject started, and returns its bytes.
func (r *reader) endObject(c *decode.Cursor, o openObject) model.Span {
	if c.Err() == nil {
		r.setProgress(c, o, complete)
	}
	return model.Span{Offset: o.offset, Size: c.Pos() - o.offset}
}

// canReferTo reports whether a reference of one type can refer to an object of another.
func (r *reader) canReferTo(ref, typ TypeID) bool {
	switch {
	case ref == typ:
		return true
	case typ == TypeAnimation && ref == TypeAnimations:
		return r.layout.bareAnimation
	case typ == TypeCamera && ref == TypeMesh:
		return r.layout.tail == tailAtEnd
	}
	return false
}

// linkXref sets the link of the last recorded node to the target of an xref, "#id" or "file#id". It adds a note for an
// xref without an object in this file, or with an object of another type.
func (r *reader) linkXref(c *decode.Cursor, xref string, typ TypeID) {
	file, id, ok := strings.Cut(xref, "#")
	if c.Err() != nil || !ok || xref == "#" {
		return
	}
	i, ok := r.indexOf(id)
	if leaf := c.Last(); leaf != nil {
		leaf.Link = &model.Link{File: file, Key: id}
		if file == "" && ok {
			leaf.Link.Target = func() (model.Path, bool) { return r.objectPath(i) }
		}
	}
	switch {
	case file != "":
	case !ok:
		c.Notef("the file has no object %q", id)
	case r.refs[i].Type.String() == "":
		c.Notef("%q has the unknown type %d instead of %s", id, r.refs[i].Type, typ)
	case r.refs[i].Type != typ:
		c.Notef("%q is a %s, not a %s", id, r.refs[i].Type, typ)
	}
}

// elements reads n elements into the open list, which are decoded on demand. It returns the complete ones. Later
// decodings of the list use the same function, which then collects nothing.
func elements[T any](c *decode.Cursor, elem string, n, minSize int64, each func(c *decode.Cursor) T) []T {
	var list []T
	collecting := true
	c.Indexed(elem, n, minSize, func(e *decode.Cursor, _ int) {
		if v := each(e); collecting && e.Err() == nil {
			list = append(list, v)
		}
	})
	collected := list
	collecting, list = false, nil
	return collected
}

// countedList reads a list with a count of structs that are decoded on demand.
func countedList[T any](c *decode.Cursor, name, elem string, minSize int64, each func(c *decode.Cursor) T) []T {
	var list []T
	c.Struct(name, elem+"[]", func() {
		n := c.Count("count", model.U32, minSize, elem)
		list = elements(c, elem, n, minSize, each)
	})
	return list
}

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
	n.Joint = typ == jointNode
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
	absentSize := nullXref(c)
	part(c, "model", "Model", absentSize, func() { n.Model = r.model(c) })
	if absentSize > lengthSize+1 { // a text of two or more characters, without a #
		r.doubt(c, "a reference to a mesh has a #, so this node has no model")
	}
}

// part reads a part of a node, or the bytes of an absent one.
func part(c *decode.Cursor, name, typ string, absentSize int64, fields func()) {
	if absentSize == 0 {
		c.Struct(name, typ, fields)
		return
	}
	c.Bytes(name, typ, absentSize)
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

// lengthSize is the number of bytes of the length before a string.
const lengthSize = 4

// nullXref returns the size of the xref of a node without a model, or 0 if a model comes next. As in the engine, a
// string of one character, or one without a '#', refers to no mesh, and no model follows.
func nullXref(c *decode.Cursor) int64 {
	b := c.Peek(lengthSize)
	if b == nil {
		return 0
	}
	n := int64(order.Uint32(b))
	if n == 0 {
		return lengthSize
	}
	if b = c.Peek(lengthSize + n); b == nil || n > 1 && bytes.IndexByte(b[lengthSize:], '#') >= 0 {
		return 0
	}
	return lengthSize + n
}

// camera: cameraType, aspectRatio, nearPlane, farPlane, then fieldOfView (degrees) or magnification (width, height).
func (r *reader) camera(c *decode.Cursor) *Camera {
	o := r.beginObject(c, TypeCamera)
	cam := &Camera{ID: o.id}
	typ, known := c.Enum("cameraType", "byte", model.U8, cameraTypes)
	if !known || typ == 0 {
		c.Fail("a camera's type is 1 or 2, not %d", typ)
	}
	cam.Aspect = float(c, "aspectRatio")
	cam.Near = float(c, "nearPlane")
	cam.Far = float(c, "farPlane")
	switch typ {
	case perspectiveCamera:
		cam.FieldOfView = float(c, "fieldOfView")
	case orthographicCamera:
		cam.Orthographic = true
		var m [2]float32
		floats(c, "magnification", "float[2]", m[:])
		cam.Width, cam.Height = m[0], m[1]
	}
	r.endObject(c, o)
	return cam
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
