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

// corruptions lists the first bytes of damaged or unsupported files that resemble a bundle.
var corruptions = []struct{ head, why string }{
	{"\xABGPB\xBB\r\n\x1B\n",
		"this is a GPBx file, a variant of the gameplay bundle with blend shapes, which Assay does not read"},
	{"\xEF\xBD\xABGPB\xEF\xBD\xBB", textDamage("from code page 932 (Japanese) to UTF-8")},
	{"\xC2\xABGPB\xC2\xBB", textDamage("from Latin-1 to UTF-8")},
	{"\xEF\xBF\xBDGPB\xEF\xBF\xBD", textDamage("to UTF-8")},
	{"\xABGPB\xBB\n\x1A\n", textDamage("from CR LF to LF at the ends of lines")},
	{"\xABGPB\xBB\r\r\n\x1A\r\n", textDamage("from LF to CR LF at the ends of lines")},
	{"\xABGPB\xBB\r\n\x1A\r\n", textDamage("from LF to CR LF at the ends of lines")},
}

func textDamage(how string) string {
	return "this gameplay bundle was damaged by a text conversion " + how +
		". Get the file again in binary mode (in .gitattributes: *.gpb binary)"
}

// CorruptedSignature returns the reason why a file with this head is not a valid bundle, or "" if it is not recognized.
func CorruptedSignature(head []byte) string {
	for _, c := range corruptions {
		if bytes.HasPrefix(head, []byte(c.head)) {
			return c.why
		}
	}
	return ""
}
