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

// reader reads what follows the header in one layout.
type reader struct {
	*header
	ctx    context.Context
	c      *decode.Cursor
	layout *layout
	choice int // which of the containers, the likeliest first

	root     *model.Node
	file     *File
	seen     []*model.Node        // for each reference, the object that begins at its offset
	warnings []warning            // about references, for the reading that is taken
	doubts   int                  // things that no encoder writes: they speak against the layout
	stopped  bool                 // reading ended early
	broken   map[*model.Node]bool // what was not read to its end
}

// warning is a problem that a node of the header gets if the reading is taken.
type warning struct {
	node    *model.Node
	problem model.Problem
}

func newReader(ctx context.Context, src *model.Source, h *header, l *layout, choice int) *reader {
	return &reader{header: h, ctx: ctx, c: decode.New(ctx, src, "gpb", "Bundle", order, types), layout: l, choice: choice,
		file: &File{References: h.refs}, seen: make([]*model.Node, len(h.refs)), broken: make(map[*model.Node]bool)}
}

// read reads the whole file, as far as it makes sense.
func (r *reader) read() {
	for _, n := range r.fields {
		r.c.Add(n)
	}
	r.c.GoTo(r.first)
	r.stopped = !r.table || !r.c.Try(r.objects)
	r.root = r.c.Close()
	r.root.Problems = append(r.root.Problems, r.problems...)
	if r.stopped {
		r.breakOff(r.root)
	}
}

// take makes this reading the one that is shown: the nodes of the header belong to one structure only.
func (r *reader) take() {
	r.root.SetChildren(r.root.Children())
	r.taken = r.seen
	for _, w := range r.warnings {
		w.node.Problems = append(w.node.Problems, w.problem)
	}
}

// warn keeps a problem for a node of the header.
func (r *reader) warn(n *model.Node, s model.Severity, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	r.warnings = append(r.warnings, warning{n, model.Problem{Severity: s, Span: n.Span, Message: message}})
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

// containers gives the ways in which objects may follow the table, the likeliest first.
func (r *reader) containers() [3]Container {
	if r.c.Left() == 0 || r.typeAt(r.c.Pos()) != 0 {
		return [...]Container{NoList, TwoLists, OneList}
	}
	return [...]Container{TwoLists, OneList, NoList}
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
			c.Repeat("Mesh", n, func(int) {
				if m := r.mesh(); c.Err() == nil {
					r.file.Meshes = append(r.file.Meshes, m)
				}
			})
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

// listed reads an object into the open struct, and keeps what was read to its end.
func (r *reader) listed(typ TypeID) {
	if o := r.readObject(typ); r.c.Err() == nil {
		r.file.Objects = append(r.file.Objects, o)
	}
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
		ref := r.refs[i]
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
	if t := r.refs[i].Type; t != typ {
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
	return r.versionNode != nil && !r.stopped && !r.doubtful && r.doubts == 0 && r.c.Left() == 0 && r.met(func(*model.Node) bool { return true }) == len(r.refs)
}

// met is the number of references whose object was found and is as asked for, those that are not stored included.
func (r *reader) met(asked func(*model.Node) bool) int {
	n := 0
	for i, ref := range r.refs {
		if ref.Offset == 0 || r.seen[i] != nil && asked(r.seen[i]) {
			n++
		}
	}
	return n
}
