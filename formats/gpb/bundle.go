package gpb

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// reader reads a bundle in one layout.
type reader struct {
	c      *decode.Cursor
	layout *layout
	single bool // one counted array of objects, as the document words it, instead of meshes and objects

	major, minor uint8
	versionNode  *model.Node
	headerRead   bool
	root         *model.Node
	file         *File

	refs     []Reference
	refNodes []*model.Node
	seen     []*model.Node      // for each reference, the object that begins at its offset
	at       map[uint32][]int32 // offset -> references that lead there
	ids      map[string]int     // id -> the first reference of that name
	first    int64              // where the objects begin

	doubts  int   // things that no encoder writes: they speak against the layout
	stopped int64 // where reading ended early; -1 if it did not
}

func newReader(ctx context.Context, src *model.Source, l *layout, single bool) *reader {
	return &reader{c: decode.New(ctx, src, "gpb", "Bundle", binary.LittleEndian, types),
		layout: l, single: single, file: new(File), at: make(map[uint32][]int32), ids: make(map[string]int), stopped: -1}
}

// read reads the whole file, as far as it makes sense.
func (r *reader) read() {
	table := r.c.Try(r.header)
	r.headerRead = r.versionNode != nil
	r.first = r.c.Pos()
	r.seen = make([]*model.Node, len(r.refs))
	if !table || !r.c.Try(r.objects) {
		r.stopped = r.c.Pos()
	}
	r.root = r.c.Close()
}

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
	c.List("references", "Reference", model.U32, 12, func(int) { r.reference() })
}

func (r *reader) reference() {
	c, i := r.c, len(r.refs)
	var ref Reference
	ref.ID = c.Prefixed("id", model.U32)
	c.Key(ref.ID)
	typ, _ := c.Enum("type", "uint", model.U32, typeNames)
	ref.Type = TypeID(typ)
	ref.Offset = c.U32("offset")
	if c.Err() != nil {
		return
	}
	if ref.Offset == 0 {
		c.Last().Symbol = "not stored"
	} else {
		c.Last().Link = &model.Link{Key: ref.ID, Target: func() (model.Path, bool) { return r.object(i) }}
	}
	r.refs = append(r.refs, ref)
	r.refNodes = append(r.refNodes, c.Node())
	if ref.Offset != 0 {
		r.at[ref.Offset] = append(r.at[ref.Offset], int32(i))
	}
	if _, taken := r.ids[ref.ID]; !taken {
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

// objects reads what follows the reference table: nothing, the objects of a font file, or counted objects.
func (r *reader) objects() {
	c := r.c
	if c.Left() == 0 {
		return
	}
	if typ := r.typeAt(c.Pos()); typ != 0 {
		r.bareObjects()
		return
	}
	if r.single {
		r.countedObjects("objectCount", "objects")
		return
	}
	n := c.Count("meshCount", model.U32, 48, "Mesh")
	c.Struct("meshes", "Mesh[]", func() {
		c.Repeat("Mesh", n, func(int) { r.file.Meshes = append(r.file.Meshes, r.mesh()) })
	})
	r.countedObjects("objectCount", "objects")
}

// bareObjects reads objects without a count before them, for as long as the table names their types. A font file has
// one, right behind the table.
func (r *reader) bareObjects() {
	for typ := r.typeAt(r.c.Pos()); typ != 0 && r.c.Err() == nil && r.c.Left() > 0; typ = r.typeAt(r.c.Pos()) {
		name := "font"
		if typ != TypeFont {
			name = typ.String()
		}
		r.c.Struct(name, typ.String(), func() { r.readObject(typ) })
	}
}

func (r *reader) countedObjects(count, name string) {
	c := r.c
	n := c.Count(count, model.U32, 1, "Object")
	c.Struct(name, "Object[]", func() {
		for i := 0; int64(i) < n && c.Err() == nil; i++ {
			typ := r.typeAt(c.Pos())
			if typ == 0 {
				c.Fail("no reference leads to object %d, so its type is unknown", i)
				return
			}
			c.Struct(model.IndexName(i), typ.String(), func() { r.readObject(typ) })
		}
	})
}

// typeAt is the type that the table gives for the object at an offset, 0 if it gives none that is known.
func (r *reader) typeAt(off int64) TypeID {
	for _, i := range r.refsAt(off) {
		if t := r.refs[i].Type; t.String() != "" {
			return t
		}
	}
	return 0
}

func (r *reader) refsAt(off int64) []int32 {
	if off != int64(uint32(off)) {
		return nil
	}
	return r.at[uint32(off)]
}

// readObject reads the fields of an object of any type into the open struct.
func (r *reader) readObject(typ TypeID) {
	f := r.file
	switch typ {
	case TypeScene:
		f.Scenes = append(f.Scenes, r.scene())
	case TypeNode:
		f.Nodes = append(f.Nodes, r.node())
	case TypeAnimations:
		if r.layout.bareAnimation {
			r.c.Node().Type = TypeAnimation.String()
			f.Animations = append(f.Animations, r.animation(true))
			return
		}
		r.animations()
	case TypeAnimation:
		f.Animations = append(f.Animations, r.animation(false))
	case TypeAnimationChannel:
		r.channel()
	case TypeModel:
		r.model()
	case TypeMaterial:
		r.material()
	case TypeEffect:
		f.Effects = append(f.Effects, r.effect())
	case TypeCamera:
		r.camera()
	case TypeLight:
		r.light()
	case TypeMesh:
		f.Meshes = append(f.Meshes, r.mesh())
	case TypeMeshPart:
		r.meshPart()
	case TypeMeshSkin:
		r.meshSkin()
	case TypeFont:
		f.Fonts = append(f.Fonts, r.font())
	}
}

// begin ties the open struct to the reference that leads to it, and gives its id. An object keeps its type whatever
// the table says; the difference is the reference's problem.
func (r *reader) begin(typ TypeID) string {
	n := r.c.Node()
	id := ""
	for _, i := range r.refsAt(n.Offset) {
		ref := r.refs[i]
		same := ref.Type == typ || (typ == TypeAnimation && ref.Type == TypeAnimations && r.layout.bareAnimation)
		if !same {
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

// xref is the link of a "#id" or "file#id"; nil for an empty one.
func (r *reader) xref(s string) *model.Link {
	for i := 0; i < len(s); i++ {
		if s[i] == '#' {
			return r.link(s[:i], s[i+1:])
		}
	}
	return nil
}

func (r *reader) link(file, id string) *model.Link {
	if file != "" {
		return &model.Link{File: file, Key: id}
	}
	return &model.Link{Key: id, Target: func() (model.Path, bool) {
		i, ok := r.ids[id]
		if !ok {
			return nil, false
		}
		return r.object(i)
	}}
}

// linkTo gives the node that was recorded last a link.
func (r *reader) linkTo(l *model.Link) {
	if r.c.Err() == nil && l != nil {
		r.c.Last().Link = l
	}
}

// exact reports whether this reading explains the file: every byte, every reference, nothing doubtful.
func (r *reader) exact() bool {
	return r.headerRead && r.stopped < 0 && r.doubts == 0 && r.c.Left() == 0 && r.met() == len(r.refs)
}

// met is the number of references whose object was found, those that are not stored included.
func (r *reader) met() int {
	n := 0
	for i, ref := range r.refs {
		if ref.Offset == 0 || r.seen[i] != nil {
			n++
		}
	}
	return n
}

// score says how well this reading explains a file that no reading explains whole.
func (r *reader) score() int {
	if !r.headerRead {
		return -1
	}
	n := 4*r.met() - r.doubts
	if r.stopped < 0 {
		n += 2
	}
	if r.c.Left() == 0 {
		n++
	}
	return n
}

func (r *reader) variant() string {
	v := fmt.Sprintf("%d.%d", r.major, r.minor)
	if !r.headerRead && r.versionNode == nil {
		return "unknown version"
	}
	if r.layout.name != v {
		v += ", laid out as " + r.layout.name
	}
	return v
}

// recover decodes what the reading did not come to but the table leads to, and says what is wrong with the table.
func (r *reader) recover() {
	if !r.headerRead {
		return
	}
	var done []model.Span // what was read as whole objects: nothing begins inside
	for i := range r.root.Len() {
		n := r.root.Child(i)
		if n.Name == "meshes" || n.Name == "objects" {
			for k := range n.Len() {
				if o := n.Child(k); sound(o) {
					done = append(done, o.Span)
				}
			}
		} else if sound(n) {
			done = append(done, n.Span)
		}
	}
	inside := func(off int64) bool {
		return slices.ContainsFunc(done, func(s model.Span) bool { return s.Contains(off) })
	}
	var missing []int
	for i, ref := range r.refs {
		off := int64(ref.Offset)
		switch n := r.refNodes[i]; {
		case ref.Type.String() == "":
			warnRef(n, model.Warning, "the type %d of %q is not one that the format has", ref.Type, ref.ID)
		case off == 0 || r.seen[i] != nil:
		case off >= r.c.Source().Size():
			warnRef(n, model.Error, "%q should be at %#x, outside of the %d bytes of the file", ref.ID, off, r.c.Source().Size())
		case off < r.first:
			warnRef(n, model.Error, "%q should be at %#x, inside of the reference table", ref.ID, off)
		case inside(off):
			warnRef(n, model.Warning, "%q should be at %#x, but no %s begins there", ref.ID, off, ref.Type)
		default:
			missing = append(missing, i)
		}
	}
	slices.SortStableFunc(missing, func(a, b int) int { return int(int64(r.refs[a].Offset) - int64(r.refs[b].Offset)) })
	r.readMissing(missing)
}

// sound reports whether n was read to its end: only the struct where reading stopped, and those around it, were not.
func sound(n *model.Node) bool {
	for n != nil {
		for _, p := range n.Problems {
			if p.Severity == model.Error {
				return false
			}
		}
		if n.Len() == 0 {
			return true
		}
		n = n.Child(n.Len() - 1)
	}
	return true
}

func warnRef(n *model.Node, s model.Severity, format string, args ...any) {
	n.Warn(s, n.Span, fmt.Sprintf("gpb: "+format+" (at %#x)", append(args, n.Offset)...))
}

// readMissing decodes the objects of references, in the order of their offsets, into a list of their own.
func (r *reader) readMissing(missing []int) {
	if len(missing) == 0 {
		return
	}
	c := decode.New(context.Background(), r.c.Source(), "gpb", "Object[]", binary.LittleEndian, types)
	r.c = c
	k := 0
	for _, i := range missing {
		ref := r.refs[i]
		if r.seen[i] != nil { // met inside of one before it
			continue
		}
		c.Try(func() {
			c.GoTo(int64(ref.Offset))
			c.Struct(model.IndexName(k), ref.Type.String(), func() { r.readObject(ref.Type) })
			k++
		})
		if r.seen[i] == nil {
			warnRef(r.refNodes[i], model.Error, "%q should be at %#x, but no %s can be read there", ref.ID, ref.Offset, ref.Type)
		}
	}
	list := c.Close()
	list.Name = "recovered"
	list.Span = model.Span{}
	kids := make(model.List, 0, r.root.Len()+1)
	for i := range list.Len() {
		list.Span = list.Span.Join(list.Child(i).Span)
	}
	for i := range r.root.Len() {
		kids = append(kids, r.root.Child(i))
	}
	r.root.SetChildren(append(kids, list))
}
