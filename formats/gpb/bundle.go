package gpb

import (
	"context"
	"encoding/binary"
	"math"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

var order = binary.LittleEndian

// reader reads what follows the header in one layout. It reads a file once with a probe, to see whether the layout fits
// and for the typed content, and once more if it does, for the structure that is shown.
type reader struct {
	*header
	layout    *layout
	container Container
	foreign   bool // the version of the file is not known to have the layout

	c         *decode.Cursor // the probe: what the others read changes nothing here
	file      *File
	found     []found      // for each reference, what begins at its offset
	doubts    int          // things that no encoder writes: they speak against the layout
	stopped   bool         // reading ended early
	end       int64        // where it ended
	listed    int          // how many objects were begun that are not in a list of meshes
	spans     []model.Span // those of them that were read whole
	tailAt    int64        // where a Scene's last members are that are at the end of the file; 0 if not
	recovered []located    // what is decoded only because references lead there
	faults    []fault      // what is wrong with each reference; nil if nothing is
	effort    effort

	root  *model.Node // the structure that is shown
	lists struct{ references, surplus, meshes, objects, recovered *model.Node }
}

// found is what begins where a reference leads.
type found struct {
	state state
	typ   uint8 // a TypeID: the references of some writers name another
}

// state is how far an object was read.
type state uint8

const (
	unseen state = iota
	begun
	sound // to its end
)

func newReader(ctx context.Context, h *header, t trial) *reader {
	return &reader{header: h, layout: t.layout, container: t.container, foreign: !t.own,
		c: decode.NewProbe(ctx, h.src, order, types), found: make([]found, len(h.refs)),
		effort: effort{left: math.MaxInt64}}
}

// read reads the objects with the probe, as far as they make sense.
func (r *reader) read() {
	r.file = &File{References: r.refs, Container: r.container, Exporter: r.layout.exporter}
	r.c.GoTo(r.first)
	r.stopped = !r.whole || !r.c.Try(func() { r.objects(r.c, r.file) })
	r.end = r.c.Pos()
}

// record makes this reading the one that is shown.
func (r *reader) record(ctx context.Context) {
	r.taken = r
	c := decode.New(ctx, r.src, "Bundle", order, types)
	if c.Try(func() { r.version(c); r.references(c) }) {
		c.Try(func() { r.objects(c, new(File)) })
	}
	r.recordRecovered(c)
	r.root = c.Close()
}

// objects reads what follows the reference table into f.
func (r *reader) objects(c *decode.Cursor, f *File) {
	switch r.container {
	case NoList:
		r.bareObjects(c, f)
		return
	case TwoLists:
		n := c.Count("meshCount", model.U32, 48, "Mesh")
		r.lists.meshes = c.Struct("meshes", "Mesh[]", func() { f.Meshes = indexed(c, "Mesh", n, 48, r.mesh) })
	}
	n := c.Count("objectCount", model.U32, 1, "Object")
	r.lists.objects = c.Struct("objects", "Object[]", func() {
		if i := r.objectList(c, f, n); i < n {
			c.Fail("no reference leads to object %d, so its type is unknown", i)
		}
	})
}

// bareObjects reads objects without a count before them, for as long as the table names their types. A font file has
// one, right after the table.
func (r *reader) bareObjects(c *decode.Cursor, f *File) {
	typ := r.typeAt(c.Pos())
	switch {
	case typ == 0:
	case c != r.c && r.listed == 1 && !r.layout.exporter:
		c.Struct(strings.ToLower(typ.String()), typ.String(), func() { r.readObject(c, typ) })
	default:
		r.lists.objects = c.Struct("objects", "Object[]", func() {
			if r.layout.tail == tailAtEnd {
				r.tailedObjects(c, f)
			} else {
				r.objectList(c, f, math.MaxInt64)
			}
		})
	}
}

// objectList reads up to n objects of any type, for as long as the table names their types, and returns their number.
func (r *reader) objectList(c *decode.Cursor, f *File, n int64) int64 {
	k := c.IndexedUntil("Object", func(e *decode.Cursor, i int) bool {
		return int64(i) < n && r.typeAt(e.Pos()) != 0
	}, func(e *decode.Cursor, _ int) {
		start := e.Pos()
		o := r.typedObject(e, r.typeAt(start))
		if e != r.c {
			return
		}
		if r.listed++; e.Err() == nil {
			f.Objects = append(f.Objects, o)
			r.spans = append(r.spans, model.Span{Offset: start, Size: e.Pos() - start})
		}
	})
	return int64(k)
}

// typedObject reads an object whose type the table tells.
func (r *reader) typedObject(c *decode.Cursor, typ TypeID) Object {
	c.Type(typ.String())
	return r.readObject(c, typ)
}

// readObject reads the fields of an object of any type into the open struct.
func (r *reader) readObject(c *decode.Cursor, typ TypeID) Object {
	switch typ {
	case TypeScene:
		return r.scene(c)
	case TypeNode:
		return r.node(c)
	case TypeAnimations:
		if r.layout.bareAnimation {
			c.Type(TypeAnimation.String())
			return r.animation(c, true)
		}
		return r.animations(c)
	case TypeAnimation:
		return r.animation(c, false)
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
	c.Fail("type %d is not one that the format has", typ)
	return nil
}

// opened is an object that is being read.
type opened struct {
	typ  TypeID
	at   int64
	id   string
	refs []int32 // that lead to its offset
}

// begin ties the open struct to the references that lead to it, and keeps its id. An object keeps its type whatever
// the table says; the difference is the reference's problem.
func (r *reader) begin(c *decode.Cursor, typ TypeID) opened {
	o := opened{typ: typ, at: c.Pos(), refs: r.refsAt(c.Pos())}
	for _, i := range o.refs {
		if o.id == "" && r.meant(r.refs[i].Type, typ) {
			o.id = r.refs[i].ID
		}
	}
	r.mark(c, o, begun)
	r.spend(c, 1)
	c.Key(o.id)
	return o
}

// finish ends what begin began, and returns its bytes.
func (r *reader) finish(c *decode.Cursor, o opened) model.Span {
	if c.Err() == nil {
		r.mark(c, o, sound)
	}
	return model.Span{Offset: o.at, Size: c.Pos() - o.at}
}

// mark notes of the references that lead to an object how far the probe read it.
func (r *reader) mark(c *decode.Cursor, o opened, s state) {
	if c != r.c {
		return
	}
	for _, i := range o.refs {
		if r.meant(r.refs[i].Type, o.typ) && r.found[i].state < s {
			r.found[i] = found{s, uint8(o.typ)}
			r.effort.marks = append(r.effort.marks, i)
		}
	}
}

// meant reports whether a reference of a type means an object of another.
func (r *reader) meant(ref, typ TypeID) bool {
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

// follow returns the node that was recorded last the link of a "#id" or "file#id", and remarks on one that leads to
// nothing, or to nothing of the type.
func (r *reader) follow(c *decode.Cursor, xref string, typ TypeID) {
	file, id, ok := strings.Cut(xref, "#")
	if c.Err() != nil || !ok || xref == "#" {
		return
	}
	i, ok := r.named(id)
	if c.Recording() {
		link := &model.Link{File: file, Key: id}
		if file == "" && ok {
			link.Target = func() (model.Path, bool) { return r.object(i) }
		}
		c.Link(link)
	}
	switch {
	case file != "":
	case !ok:
		c.Note("the file has no object %q", id)
	case r.refs[i].Type != typ:
		c.Note("%q is a %s, not a %s", id, r.refs[i].Type, typ)
	}
}

// doubt warns about the node that was recorded last, and counts that against the layout.
func (r *reader) doubt(c *decode.Cursor, format string, args ...any) {
	if c.Err() != nil {
		return
	}
	if c == r.c {
		r.doubts++
		return
	}
	c.Warn(format, args...)
}

// exact reports whether this reading explains the file: every byte, every reference, nothing doubtful.
func (r *reader) exact() bool {
	return r.versioned && !r.stopped && !r.guessed && r.doubts == 0 && r.c.Left() == 0 && r.met(begun) == len(r.refs)
}

// met is the number of references whose object was read that far, those that are not stored included.
func (r *reader) met(least state) int {
	n := 0
	for i, ref := range r.refs {
		if ref.Offset == 0 || r.found[i].state >= least {
			n++
		}
	}
	return n
}

// indexed reads n elements into the open list, which are decoded when they are looked at. It returns those that were
// read whole.
func indexed[T any](c *decode.Cursor, elem string, n, least int64, each func(c *decode.Cursor) T) []T {
	var all []T
	reading := true
	c.Indexed(elem, n, least, func(e *decode.Cursor, _ int) {
		if v := each(e); reading && e.Err() == nil {
			all = append(all, v)
		}
	})
	whole := all
	reading, all = false, nil
	return whole
}

// long reads a counted list of structs that are decoded when they are looked at.
func long[T any](c *decode.Cursor, name, elem string, least int64, each func(c *decode.Cursor) T) []T {
	var all []T
	c.Struct(name, elem+"[]", func() {
		n := c.Count("count", model.U32, least, elem)
		all = indexed(c, elem, n, least, each)
	})
	return all
}
