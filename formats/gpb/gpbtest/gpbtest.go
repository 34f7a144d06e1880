// Package gpbtest writes gameplay bundles of every version, for tests and for the built-in samples. It takes the typed
// content that package gpb decodes, but has its own description of the layouts. It also writes the text files around a
// bundle.
package gpbtest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"assay/formats/gpb"
	"assay/formats/gpb/properties"
	"assay/model"
)

var (
	magic = []byte("\xABGPB\xBB\r\n\x1A\n")
	order = binary.LittleEndian
)

const minReferenceSize = 12

// Version is a version of the format and the layout that bundles of it are written in.
type Version struct {
	Name         string
	Major, Minor uint8
	layout
}

// layout holds the differences between versions.
type layout struct {
	parentID        bool // Node.parent_id
	inlineMaterials bool // Model.materials are Material objects, not names
	skinBounds      bool // MeshSkin ends with bounds
	rootJoint       bool // MeshSkin.rootJoint
	attenuation     bool // lights have attenuation instead of range and angles
	bareAnimation   bool // type 3 is one Animation, without a container and without an id
	floatTimes      bool // key times are floats
	fontFormat      bool // Font.format
	fontSizes       bool // several sizes a Font
	bearing         bool // Glyph has bearingX and advance
	fontFlag        bool // Font.unicode

	exporter bool // no counts, references in the order of writing, no references for lights
	tail     tail // where the last members of a Scene are
	hashXref bool // an absent model is "#"
}

type tail uint8

const (
	tailInScene tail = iota
	noTail
	tailAtEnd
)

var published = layout{parentID: true, inlineMaterials: true, skinBounds: true}

// The layouts of an exporter of 2013, under the version 1.2, and of a fork of the engine, under 1.5. In the exporter's,
// all objects are in File.Objects, the Scene first.
var (
	ExporterA = Version{"1.2 exporter a", 1, 2, layout{parentID: true, exporter: true, hashXref: true}}
	ExporterB = Version{"1.2 exporter b", 1, 2, layout{parentID: true, exporter: true, hashXref: true, tail: noTail}}
	ExporterC = Version{"1.2 exporter c", 1, 2, layout{parentID: true, exporter: true, tail: tailAtEnd}}
	V15Flag   = Version{"1.5 flag", 1, 5,
		layout{parentID: true, fontFormat: true, fontSizes: true, bearing: true, fontFlag: true}}
)

// The versions of the engine and of its published document, whose layout the Document versions have. V10a and V10m
// precede the final 1.0.
var (
	V10a = Version{"1.0a", 1, 0, layout{rootJoint: true, attenuation: true, bareAnimation: true,
		floatTimes: true}}
	V10m        = Version{"1.0m", 1, 0, layout{attenuation: true, floatTimes: true}}
	V10         = Version{"1.0", 1, 0, layout{}}
	V11         = Version{"1.1", 1, 1, layout{}}
	V11Document = Version{"1.1 document", 1, 1, published}
	V12         = Version{"1.2", 1, 2, layout{parentID: true}}
	V12Document = Version{"1.2 document", 1, 2, published}
	V13         = Version{"1.3", 1, 3, layout{parentID: true, fontFormat: true}}
	V14         = Version{"1.4", 1, 4, layout{parentID: true, fontFormat: true, fontSizes: true}}
	V15         = Version{"1.5", 1, 5, layout{parentID: true, fontFormat: true, fontSizes: true, bearing: true}}
)

// Versions returns the versions of the engine and of its published document, the oldest first. Those of the exporter
// and of the fork are not among them.
func Versions() []Version {
	return []Version{V10a, V10m, V10, V11, V11Document, V12, V12Document, V13, V14, V15}
}

// Order is the order of the references in the table.
type Order uint8

// The orders: by id, as encoders write them, or as the objects follow one another.
const (
	ByID Order = iota
	ByOffset
)

// Miscount changes the count of the reference table of a bundle by n.
func Miscount(bundle []byte, n int) {
	count := bundle[len(magic)+2:]
	order.PutUint32(count, uint32(int(order.Uint32(count))+n))
}

// Write writes f as a bundle of a version. The references are computed: one for each object with an ID, the first of
// two with one ID; from f.References it takes references with offset 0, which are registered but not stored. Members
// that the version does not have are omitted.
func Write(out io.Writer, f *gpb.File, v Version, by Order) error {
	w := &writer{layout: v.layout, ids: make(map[string]bool)}
	for _, ref := range f.References {
		if ref.Offset == 0 {
			w.refer(ref.ID, ref.Type, -1)
		}
	}
	if f.Container == gpb.TwoLists {
		list(w, f.Meshes, w.mesh)
	}
	objects := w.objects(f.Objects)
	if f.Container != gpb.NoList {
		w.u32(len(objects))
	}
	for _, o := range objects {
		w.object(o)
	}
	if v.tail == tailAtEnd {
		w.sceneTail(objects[0].(*gpb.Scene))
	}
	if w.err != nil {
		return fmt.Errorf("gpbtest: write %s: %w", v.Name, w.err)
	}
	head := append(slices.Clone(magic), v.Major, v.Minor)
	_, err := out.Write(append(w.table(head, by), w.b...))
	return err
}

// writer collects the content after the reference table; offsets are relative to its start until the size of the table
// is final.
type writer struct {
	layout layout
	b      []byte
	refs   []writtenReference
	ids    map[string]bool
	err    error
}

type writtenReference struct {
	id     string
	typ    gpb.TypeID
	offset int // -1: not stored
}

// table appends the reference table to head.
func (w *writer) table(head []byte, by Order) []byte {
	if by == ByID {
		slices.SortFunc(w.refs, func(a, b writtenReference) int { return cmp.Compare(a.id, b.id) })
	}
	size := len(head) + 4
	for _, r := range w.refs {
		size += len(r.id) + minReferenceSize
	}
	t := writer{b: head}
	t.u32(len(w.refs))
	for _, r := range w.refs {
		t.text(r.id)
		t.u32(int(r.typ))
		if r.offset < 0 {
			t.u32(0)
		} else {
			t.u32(size + r.offset)
		}
	}
	return t.b
}

func (w *writer) refer(id string, typ gpb.TypeID, offset int) {
	if id == "" || w.ids[id] {
		return
	}
	w.ids[id] = true
	w.refs = append(w.refs, writtenReference{id, typ, offset})
}

// begin starts an object.
func (w *writer) begin(id string, typ gpb.TypeID) { w.refer(id, typ, len(w.b)) }

func (w *writer) u8(v uint8) { w.b = append(w.b, v) }

func (w *writer) u32(v int) {
	if v < 0 || v > math.MaxUint32 {
		w.fail(fmt.Errorf("%d does not fit in 32 bits", v))
	}
	w.b = order.AppendUint32(w.b, uint32(v))
}

func (w *writer) f32(v ...float32) {
	for _, f := range v {
		w.b = order.AppendUint32(w.b, math.Float32bits(f))
	}
}

func (w *writer) text(s string) {
	w.u32(len(s))
	w.b = append(w.b, s...)
}

// list writes a count and the items.
func list[T any](w *writer, items []T, write func(item T)) {
	w.u32(len(items))
	for _, item := range items {
		write(item)
	}
}

func (w *writer) blob(b model.Blob) {
	w.u32(int(b.Span.Size))
	w.copy(b.Source, b.Span)
}

// numbers writes a count and the numbers' own bytes.
func (w *writer) numbers(n model.Numbers) {
	w.u32(int(n.Count))
	w.copy(n.Source, model.Span{Offset: n.Offset, Size: n.Count * n.Form.Size()})
}

func (w *writer) copy(src *model.Source, span model.Span) {
	if span.Size == 0 {
		return
	}
	b, err := src.Bytes(span)
	if err != nil {
		w.fail(err)
	}
	w.b = append(w.b, b...)
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Floats returns floats in memory, for a file that is to be written.
func Floats(v ...float32) model.Numbers {
	b := make([]byte, 0, 4*len(v))
	for _, f := range v {
		b = order.AppendUint32(b, math.Float32bits(f))
	}
	return numbersOf(b, model.F32)
}

// Uints returns 32-bit numbers in memory, for a file that is to be written.
func Uints(v ...uint32) model.Numbers {
	b := make([]byte, 0, 4*len(v))
	for _, n := range v {
		b = order.AppendUint32(b, n)
	}
	return numbersOf(b, model.U32)
}

// Bytes returns a block in memory, for a file that is to be written.
func Bytes(b []byte) model.Blob {
	return model.Blob{Source: inMemory(b), Span: model.Span{Size: int64(len(b))}}
}

// Part is a mesh part of triangles, or of another primitive, in an index format.
func Part(primitive, format uint32, indices ...uint32) *gpb.MeshPart {
	form := model.U32
	var b []byte
	for _, i := range indices {
		switch format {
		case gpb.Index8:
			b, form = append(b, uint8(i)), model.U8
		case gpb.Index16:
			b, form = order.AppendUint16(b, uint16(i)), model.U16
		default:
			b = order.AppendUint32(b, i)
		}
	}
	return &gpb.MeshPart{Primitive: primitive, IndexFormat: format, Indices: numbersOf(b, form)}
}

// Glyphs returns glyphs in memory, for a font that is to be written.
func Glyphs(glyphs ...gpb.Glyph) gpb.Glyphs {
	var b []byte
	for _, g := range glyphs {
		b = order.AppendUint32(b, g.Index)
		b = order.AppendUint32(b, g.Width)
		b = order.AppendUint32(b, uint32(g.BearingX))
		b = order.AppendUint32(b, g.Advance)
		for _, f := range g.UV {
			b = order.AppendUint32(b, math.Float32bits(f))
		}
	}
	return gpb.Glyphs{Count: int64(len(glyphs)), Source: inMemory(b), HasAdvance: true}
}

func numbersOf(b []byte, form model.NumberForm) model.Numbers {
	return model.Numbers{Source: inMemory(b), Count: int64(len(b)) / form.Size(), Form: form, Order: order}
}

func inMemory(b []byte) *model.Source {
	return model.NewSource("memory", bytes.NewReader(b), int64(len(b)))
}

// WithHashes returns the version with "#" for models that are absent.
func (v Version) WithHashes() Version {
	v.hashXref = true
	return v
}

// Raw returns a file of version 1.2 with references to offsets in body, the content after the table.
func Raw(body []byte, refs ...gpb.Reference) []byte {
	w := &writer{}
	for _, r := range refs {
		w.refs = append(w.refs, writtenReference{r.ID, r.Type, int(r.Offset)})
	}
	return append(w.table(append(slices.Clone(magic), 1, 2), ByOffset), body...)
}

// MeshAround returns the bytes of a mesh with the given vertices, and the number of bytes before them.
func MeshAround(vertices []byte) (mesh []byte, before int) {
	for len(vertices)%12 > 0 {
		vertices = append(vertices, 0)
	}
	for _, v := range []int{1, 1, 3, len(vertices)} {
		mesh = order.AppendUint32(mesh, uint32(v))
	}
	before = len(mesh)
	return append(append(mesh, vertices...), make([]byte, 11*4)...), before
}

// NestedMeshes returns a file of meshes, each in the vertices of the one before it.
func NestedMeshes(n int) []byte {
	body, step := MeshAround(nil)
	refs := []gpb.Reference{{ID: "m0"}}
	for i := range n - 1 {
		body, _ = MeshAround(body)
		refs = append(refs, gpb.Reference{ID: fmt.Sprint("m", i+1)})
	}
	for i := range refs {
		refs[i].Type, refs[i].Offset = gpb.TypeMesh, uint32(4+step*i)
	}
	return Raw(append(order.AppendUint32(nil, 1), append(body, 0, 0, 0, 0)...), refs...)
}

// WriteText returns the text of a file: its properties, then its namespaces, as the engine's tools lay them out.
func WriteText(file *properties.Namespace) []byte {
	var b strings.Builder
	members(&b, file, "")
	return []byte(b.String())
}

func members(b *strings.Builder, n *properties.Namespace, indent string) {
	for _, p := range n.Properties {
		b.WriteString(indent + p.Name + " = " + p.Value + "\n")
	}
	for i, s := range n.Children {
		if i > 0 || len(n.Properties) > 0 {
			b.WriteString("\n")
		}
		b.WriteString(indent + s.Key())
		if s.ParentID != "" {
			b.WriteString(" : " + s.ParentID)
		}
		b.WriteString("\n" + indent + "{\n")
		members(b, s, indent+"    ")
		b.WriteString(indent + "}\n")
	}
}

// Space returns a namespace from a head of its name, maybe its id, and ": parent", with properties "name=value".
func Space(head string, list ...string) *properties.Namespace {
	head, parent, _ := strings.Cut(head, ":")
	name, id, _ := strings.Cut(strings.TrimSpace(head), " ")
	n := &properties.Namespace{Name: name, ID: id, ParentID: strings.TrimSpace(parent)}
	for _, p := range list {
		name, value, _ := strings.Cut(p, "=")
		n.Properties = append(n.Properties, properties.Property{Name: name, Value: value})
	}
	return n
}
