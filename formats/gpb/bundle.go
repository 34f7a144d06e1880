package gpb

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

var order = binary.LittleEndian

// reader reads a bundle in one layout.
type reader struct {
	ctx    context.Context
	c      *decode.Cursor
	layout *layout
	choice int // which of the containers, the likeliest first

	major, minor uint8
	versionNode  *model.Node
	root         *model.Node
	file         *File

	refNodes []*model.Node
	seen     []*model.Node      // for each reference, the object that begins at its offset
	at       map[uint32][]int32 // offset -> references that lead there
	ids      map[string]int     // id -> the first reference of that name
	table    bool               // the table was read to its end
	first    int64              // where the objects begin

	doubts  int                  // things that no encoder writes: they speak against the layout
	stopped bool                 // reading ended early
	broken  map[*model.Node]bool // what was not read to its end
}

func newReader(ctx context.Context, src *model.Source, l *layout, choice int) *reader {
	return &reader{ctx: ctx, c: decode.New(ctx, src, "gpb", "Bundle", order, types),
		layout: l, choice: choice, file: new(File), at: make(map[uint32][]int32), ids: make(map[string]int), broken: make(map[*model.Node]bool)}
}

// read reads the whole file, as far as it makes sense.
func (r *reader) read() {
	r.table = r.c.Try(r.header)
	r.first = r.c.Pos()
	r.seen = make([]*model.Node, len(r.file.References))
	r.stopped = !r.table || !r.c.Try(r.objects)
	r.root = r.c.Close()
	if r.stopped {
		r.breakOff(r.root)
	}
}

// breakOff notes what was not read to its end: n, below which reading stopped, and everything down to that place.
func (r *reader) breakOff(n *model.Node) {
	for {
		r.broken[n] = true
		stopped := func(p model.Problem) bool { return p.Severity == model.Error }
		if slices.ContainsFunc(n.Problems, stopped) || n.Len() == 0 {
			return
		}
		n = n.Child(n.Len() - 1)
	}
}

// sound reports whether n was read to its end.
func (r *reader) sound(n *model.Node) bool { return !r.broken[n] }

// header reads what all versions begin with.
func (r *reader) header() {
	c := r.c
	c.Magic("identifier", magic)
	if b := c.Peek(2); b != nil {
		r.major, r.minor = b[0], b[1]
	}
	c.Array("version", "byte[2]", model.U8, 2)
	if c.Err() != nil {
		return
	}
	r.versionNode = c.Last()
	r.versionNode.Symbol = fmt.Sprintf("%d.%d", r.major, r.minor)
	if r.major != 1 || r.minor > 5 {
		c.Warn("version %d.%d is not one of the known 1.0 to 1.5; it is read as what its bytes look like", r.major, r.minor)
	}
	r.references()
}

const leastReference = 12

// references: Reference[]. A count that cannot be true does not hide the references that there are.
func (r *reader) references() {
	c := r.c
	c.Struct("references", "Reference[]", func() {
		n := int64(c.U32("count"))
		if c.Err() != nil {
			return
		}
		c.Layout()
		if n <= c.Left()/leastReference {
			c.Repeat("Reference", n, func(int) { r.reference() })
			return
		}
		r.doubts++
		c.Wrong("%d × Reference do not fit in the %d bytes that are left; those that are there are read", n, c.Left())
		for i := 0; r.referenceAhead(); i++ {
			c.Struct(model.IndexName(i), "Reference", r.reference)
		}
	})
}

// referenceAhead reports whether the next bytes look like a reference.
func (r *reader) referenceAhead() bool {
	b := r.c.Peek(4)
	if b == nil {
		return false
	}
	n := int64(order.Uint32(b))
	if b = r.c.Peek(n + leastReference); b == nil {
		return false
	}
	return typeNames[uint64(order.Uint32(b[4+n:]))] != "" && int64(order.Uint32(b[8+n:])) < r.c.Source().Size()
}

func (r *reader) reference() {
	c, i := r.c, len(r.file.References)
	var ref Reference
	ref.ID = c.Prefixed("id", model.U32)
	c.Key(ref.ID)
	same, taken := r.ids[ref.ID]
	switch {
	case ref.ID == "":
		c.Warn("an empty id, with which the engine rejects the file")
	case taken:
		c.Warn("the id %q is that of reference %d, too", ref.ID, same)
	}
	typ, known := c.Enum("type", "uint", model.U32, typeNames)
	ref.Type = TypeID(typ)
	if !known {
		c.Warn("%d is not a type of object that the format has", typ)
	}
	ref.Offset = c.U32("offset")
	if c.Err() != nil {
		return
	}
	c.Layout()
	if ref.Offset == 0 {
		c.Last().Symbol = "not stored"
	} else {
		c.Last().Link = &model.Link{Key: ref.ID, Target: func() (model.Path, bool) { return r.object(i) }}
		if others := r.at[ref.Offset]; len(others) > 0 {
			c.Warn("reference %d leads to the same offset", others[0])
		}
		r.at[ref.Offset] = append(r.at[ref.Offset], int32(i))
	}
	r.file.References = append(r.file.References, ref)
	r.refNodes = append(r.refNodes, c.Node())
	if !taken {
		r.ids[ref.ID] = i
	}
}

// object gives the place of the object that the i-th reference leads to.
func (r *reader) object(i int) (model.Path, bool) {
	if r.seen[i] == nil {
		return nil, false
	}
	return r.seen[i].Path(), true
}

// containers gives the ways in which objects may follow the table, the likeliest first.
func (r *reader) containers() [3]Container {
	if r.c.Left() == 0 || r.typeAt(r.c.Pos()) != 0 {
		return [3]Container{NoList, TwoLists, OneList}
	}
	return [3]Container{TwoLists, OneList, NoList}
}

// objects reads what follows the reference table.
func (r *reader) objects() {
	c := r.c
	r.file.Container = r.containers()[r.choice]
	switch r.file.Container {
	case NoList:
		r.bareObjects()
		return
	case TwoLists:
		n := c.Count("meshCount", model.U32, 48, "Mesh")
		c.Struct("meshes", "Mesh[]", func() {
			c.Repeat("Mesh", n, func(int) { r.file.Meshes = append(r.file.Meshes, r.mesh()) })
		})
	}
	n := c.Count("objectCount", model.U32, 1, "Object")
	c.Struct("objects", "Object[]", func() {
		for i := 0; int64(i) < n && c.Err() == nil; i++ {
			typ := r.typeAt(c.Pos())
			if typ == 0 {
				c.Fail("no reference leads to object %d, so its type is unknown", i)
				return
			}
			c.Struct(model.IndexName(i), typ.String(), func() { r.listed(typ) })
		}
	})
}

// bareObjects reads objects without a count before them, for as long as the table names their types. A font file has
// one, right behind the table.
func (r *reader) bareObjects() {
	names := make(map[string]int)
	for typ := r.typeAt(r.c.Pos()); typ != 0 && r.c.Err() == nil; typ = r.typeAt(r.c.Pos()) {
		name := strings.ToLower(typ.String())
		if names[name]++; names[name] > 1 {
			name += model.IndexName(names[name])
		}
		r.c.Struct(name, typ.String(), func() { r.listed(typ) })
	}
}

func (r *reader) listed(typ TypeID) {
	r.file.Objects = append(r.file.Objects, r.readObject(typ))
}

// typeAt is the type that the table gives for the object at an offset, 0 if it gives none that is known.
func (r *reader) typeAt(off int64) TypeID {
	for _, i := range r.refsAt(off) {
		if t := r.file.References[i].Type; t.String() != "" {
			return t
		}
	}
	return 0
}

func (r *reader) refsAt(off int64) []int32 {
	if off > math.MaxUint32 {
		return nil
	}
	return r.at[uint32(off)]
}

// readObject reads the fields of an object of any type into the open struct.
func (r *reader) readObject(typ TypeID) Object {
	switch typ {
	case TypeScene:
		return r.scene()
	case TypeNode:
		return r.node("")
	case TypeAnimations:
		if r.layout.bareAnimation {
			r.c.Node().Type = TypeAnimation.String()
			return r.animation(true)
		}
		return r.animations()
	case TypeAnimation:
		return r.animation(false)
	case TypeAnimationChannel:
		return r.channel()
	case TypeModel:
		return r.model()
	case TypeMaterial:
		return r.material()
	case TypeEffect:
		return r.effect()
	case TypeCamera:
		return r.camera()
	case TypeLight:
		return r.light()
	case TypeMesh:
		return r.mesh()
	case TypeMeshPart:
		return r.meshPart()
	case TypeMeshSkin:
		return r.meshSkin()
	case TypeFont:
		return r.font()
	}
	r.c.Fail("type %d is not one that the format has", typ)
	return nil
}

// begin ties the open struct to the reference that leads to it, and gives its id. An object keeps its type whatever
// the table says; the difference is the reference's problem.
func (r *reader) begin(typ TypeID) string {
	n := r.c.Node()
	id := ""
	for _, i := range r.refsAt(n.Offset) {
		ref := r.file.References[i]
		if ref.Type != typ && !(typ == TypeAnimation && ref.Type == TypeAnimations && r.layout.bareAnimation) {
			continue
		}
		if r.seen[i] == nil {
			r.seen[i] = n
		}
		if id == "" {
			id = ref.ID
		}
	}
	r.c.Key(id)
	return id
}

// follow gives the node that was recorded last the link of a "#id" or "file#id", and remarks on one that leads to
// nothing, or to nothing of the type.
func (r *reader) follow(xref string, typ TypeID) {
	c := r.c
	file, id, ok := strings.Cut(xref, "#")
	if c.Err() != nil || !ok || xref == "#" {
		return
	}
	link := &model.Link{File: file, Key: id}
	c.Last().Link = link
	if file != "" {
		return
	}
	i, ok := r.ids[id]
	if !ok {
		c.Note("the file has no object %q", id)
		return
	}
	link.Target = func() (model.Path, bool) { return r.object(i) }
	if t := r.file.References[i].Type; t != typ {
		c.Note("%q is a %s, not a %s", id, t, typ)
	}
}

// doubt warns about the node that was recorded last, and counts that against the layout.
func (r *reader) doubt(format string, args ...any) {
	if r.c.Err() == nil {
		r.doubts++
		r.c.Warn(format, args...)
	}
}

// floats records a short row of floats and reads it into out.
func (r *reader) floats(name, typ string, out []float32) {
	if b := r.c.Peek(4 * int64(len(out))); b != nil {
		for i := range out {
			out[i] = math.Float32frombits(order.Uint32(b[4*i:]))
		}
	}
	r.c.Array(name, typ, model.F32, int64(len(out)))
}

// exact reports whether this reading explains the file: every byte, every reference, nothing doubtful.
func (r *reader) exact() bool {
	return r.versionNode != nil && !r.stopped && r.doubts == 0 && r.c.Left() == 0 && r.met(func(*model.Node) bool { return true }) == len(r.file.References)
}

// met is the number of references whose object was found and is as asked for, those that are not stored included.
func (r *reader) met(asked func(*model.Node) bool) int {
	n := 0
	for i, ref := range r.file.References {
		if ref.Offset == 0 || r.seen[i] != nil && asked(r.seen[i]) {
			n++
		}
	}
	return n
}
