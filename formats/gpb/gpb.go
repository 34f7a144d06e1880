// Package gpb decodes gameplay bundles (.gpb), the scene and font files of the gameplay 3D engine, versions 1.0 to 1.5.
// The format is published as gameplay-bundle.txt in the engine's tools.
//
// Open returns a Bundle: the document, and its content as a File (types.go). choose.go finds the layout of a file by a
// first reading, bundle.go reads scenes, nodes, cameras and lights, mesh.go meshes, models and materials, animation.go
// animations, and font.go fonts. references.go reads the reference table, also a damaged one; recover.go reads objects
// that only the table lists. exporter.go has the differences of the exporter of 2013.
//
// The document gives the version 1.1 and describes the files written between October 2012 and October 2013. The files
// of all encoders differ from it (no parent_id before 1.2, material names instead of materials, no bounds in skins, two
// object counts), and version 1.0 has three layouts. fields.md marks these members as not published.
//
// Everything is little-endian, nothing is aligned. A string is a 32-bit length and that many bytes.
//
// The packages below this one read the files around a bundle (properties, project), make scenes from both (material,
// compose), and put these into documents (document). The decoder only uses their names in links.
//
// Not supported: GPBx, a variant with blend shapes (see corruptions), and objects without a reference, because only the
// reference stores their type.
package gpb

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// Identifier is the first bytes of every bundle.
const Identifier = "\xABGPB\xBB\r\n\x1A\n"

var types = &decode.Types{
	Numbers: [...]string{model.U8: "byte", model.U16: "ushort", model.U32: "uint", model.U64: "ulong",
		model.S8: "char", model.S16: "short", model.S32: "int", model.S64: "long", model.F32: "float",
		model.F64:  "double",
		model.Bool: "bool"},
	Text: "string", Bytes: "byte[]",
}

// Sniff reports whether head begins with the identifier of a bundle.
func Sniff(head []byte, _ int64) decode.Confidence {
	if bytes.HasPrefix(head, []byte(Identifier)) {
		return decode.Yes
	}
	return decode.No
}

// Bundle is an opened file: its structure, and its content as values.
type Bundle struct {
	*File
	Document *model.Document // without views and assets
	reader   *reader
	objects  func() objectIndex
}

// Open reads a bundle. Errors in its content are Problems of the document; the returned error is from ctx.
func Open(ctx context.Context, src *model.Source) (*Bundle, error) {
	r, why, err := choose(ctx, src)
	if err != nil {
		return nil, err
	}
	r.record(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := model.NewDocument(src, "gpb", r.variant(), r.tree.root)
	d.Why = why
	d.FindKey, d.Meaning = r.findKey, Fields.Meaning
	b := &Bundle{File: r.findings.file, Document: d, reader: r}
	b.objects = sync.OnceValue(b.indexObjects)
	return b, nil
}

// Read reads the content of a bundle without its structure. The error is the context's.
func Read(ctx context.Context, src *model.Source) (*File, error) {
	r, _, err := choose(ctx, src)
	if err != nil {
		return nil, err
	}
	return r.findings.file, nil
}

type nodeKey struct {
	offset int64
	typ    string
}

type objectIndex map[nodeKey]Object

func (x objectIndex) put(span model.Span, typ string, o Object) { x[nodeKey{span.Offset, typ}] = o }

// ObjectAt returns the object of a node: a *Scene, *Mesh, *Skin, *Font, *FontSize, *Animation or *Channel, or nil. It
// is safe for use by several goroutines.
func (b *Bundle) ObjectAt(n *model.Node) Object { return b.objects()[nodeKey{n.Offset, n.Type}] }

// indexObjects returns the objects that have nodes of their own.
func (b *Bundle) indexObjects() objectIndex {
	x := make(objectIndex)
	for _, o := range b.AllObjects() {
		switch o := o.(type) {
		case *Mesh:
			x.put(o.Span, TypeMesh.String(), o)
		case *Font:
			x.put(o.Span, TypeFont.String(), o)
			for _, s := range o.Sizes {
				if s.Span != o.Span {
					x.put(s.Span, FontSizeType, s)
				}
			}
		case *Scene:
			x.put(o.Span, TypeScene.String(), o)
		}
	}
	for n := range b.AllNodes() {
		if n.Model != nil && n.Model.Skin != nil {
			x.put(n.Model.Skin.Span, TypeMeshSkin.String(), n.Model.Skin)
		}
	}
	for _, a := range b.AllAnimations() {
		x.put(a.Span, TypeAnimation.String(), a)
		for _, c := range a.Channels {
			x.put(c.Span, TypeAnimationChannel.String(), c)
		}
	}
	return x
}

// Each visits the objects of the file in order: both lists, then the recovered objects. node returns the object's node.
func (b *Bundle) Each(visit func(o Object, node func() *model.Node)) {
	r := b.reader
	element := func(list *model.Node, i int) func() *model.Node {
		return func() *model.Node { return r.elementNode(list, i) }
	}
	for i, m := range r.findings.file.Meshes {
		visit(m, element(r.tree.lists.meshes, i))
	}
	for i, o := range r.findings.file.Objects {
		if r.tree.lists.objects == nil {
			visit(o, func() *model.Node { return cmp.Or(r.tree.fontNode, r.tree.root) })
			continue
		}
		visit(o, element(r.tree.lists.objects, i))
	}
	for i, o := range r.recovered {
		if o.object != nil && !o.collapsed {
			visit(o.object, element(r.tree.lists.recovered, i))
		}
	}
}

// elementNode returns the i-th element of a list, or the root if the list lacks it: the file may have changed between
// the probe, which found the element, and the recording.
func (r *reader) elementNode(list *model.Node, i int) *model.Node {
	if list == nil {
		return r.tree.root
	}
	if i += list.FirstElementIndex(); i < 0 || i >= list.Len() {
		return r.tree.root
	}
	return list.Child(i)
}

// findKey returns the path of the object with an id, or of its reference if the object is not stored.
func (r *reader) findKey(key string) (model.Path, bool) {
	i, ok := r.indexOf(key)
	if !ok {
		return nil, false
	}
	if p, ok := r.objectPath(i); ok {
		return p, true
	}
	return r.referenceNode(i).Path(), true
}

//go:embed fields.md
var fieldsText string

// Fields describes the fields of a bundle.
var Fields = &decode.Glossary{Name: "gpb", Text: fieldsText, Values: map[string]model.Choices{
	"Reference.type":                   typeNames,
	"Node.type":                        nodeTypes,
	"Camera.cameraType":                cameraTypes,
	"Light.lightType":                  lightTypes,
	"VertexElement.usage":              vertexUsages,
	"MeshPart.primitiveType":           primitiveTypes,
	"MeshPart.indexFormat":             indexFormats,
	"AnimationChannel.targetAttribute": targetAttributes,
	"AnimationChannel.interpolation":   interpolations,
	"Font.style":                       fontStyles,
	"Font.format":                      fontFormats,
	"FontSize.format":                  fontFormats,
}}

// header is the start of a file in all versions: identifier, version, references. It does not depend on the layout.
type header struct {
	src          *model.Source
	major, minor uint8
	hasVersion   bool
	table
	complete     bool  // the header was read to its end
	objectsStart int64 // where the header ends
}

func readHeader(c *decode.Cursor) *header {
	h := &header{src: c.Source()}
	h.complete = c.Try(func() {
		h.version(c)
		h.scan(c)
	})
	h.objectsStart = c.Pos()
	h.table.index()
	return h
}

// version: identifier, version byte[2].
func (h *header) version(c *decode.Cursor) {
	c.Magic("identifier", []byte(Identifier))
	if b := c.Peek(2); b != nil {
		h.major, h.minor, h.hasVersion = b[0], b[1], true
	}
	c.Array("version", "byte[2]", model.U8, 2)
	c.Symbol(h.versionText())
	if !h.isKnownVersion() {
		c.Warnf("unknown version %d.%d (supported: 1.0 to 1.5); decoded with the layout that fits best", h.major,
			h.minor)
	}
}

func (h *header) versionText() string { return fmt.Sprintf("%d.%d", h.major, h.minor) }

func (h *header) isKnownVersion() bool { return h.major == 1 && h.minor <= 5 }

// knownLayouts returns the layouts of the file's version, the likeliest first; for an unknown version, the layouts to
// try first.
func (h *header) knownLayouts() []*layout {
	if h.major != 1 {
		return layoutsOf(1)
	}
	return layoutsOf(h.minor)
}

// layout holds the differences between versions, and between the document and real files.
type layout struct {
	name string

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
	fontFlag        bool // Font.unicode: a TrueType file may replace the sizes

	exporter bool // the differences of the exporter of 2013, see exporter.go
	tail     tail
}

// tail selects the location of the last members of a Scene, activeCameraNode and ambientColor.
type tail uint8

const (
	tailInScene tail = iota
	noTail
	tailAtEnd // of the file
)

// The layouts, named after their versions. 1.0 has three: of November 2011, which 1.1 shares, and two earlier ones.
// layoutPublished is the layout of the published document. The exporter has three layouts with the version 1.2, and a
// fork of the engine wrote fonts with a flag with the version 1.5.
var (
	layoutOctober2011 = layout{name: "1.0 of October 2011", rootJoint: true, attenuation: true, bareAnimation: true,
		floatTimes: true}
	layoutEarlyNovember2011 = layout{name: "1.0 of early November 2011", attenuation: true, floatTimes: true}
	layoutNovember2011      = layout{name: "1.0"}
	layout11                = layout{name: "1.1"}
	layoutPublished         = layout{name: "the published document", parentID: true, inlineMaterials: true,
		skinBounds: true}
	layout12 = layout{name: "1.2", parentID: true}
	layout13 = layout{name: "1.3", parentID: true, fontFormat: true}
	layout14 = layout{name: "1.4", parentID: true, fontFormat: true, fontSizes: true}
	layout15 = layout{name: "1.5", parentID: true, fontFormat: true, fontSizes: true, bearing: true}

	layoutFontFlag = layout{name: "1.5 with a flag in fonts", parentID: true, fontFormat: true, fontSizes: true,
		bearing: true, fontFlag: true}

	layoutExporterA = layout{name: "the Blender exporter of 2013 (a)", parentID: true, exporter: true}
	layoutExporterB = layout{name: "the Blender exporter of 2013 (b)", parentID: true, exporter: true, tail: noTail}
	layoutExporterC = layout{name: "the Blender exporter of 2013 (c)", parentID: true, exporter: true, tail: tailAtEnd}
)

// layoutsOf returns the layouts of a version, the likeliest first.
func layoutsOf(minor uint8) []*layout {
	switch minor {
	case 0:
		return []*layout{&layoutNovember2011, &layoutEarlyNovember2011, &layoutOctober2011, &layoutPublished}
	case 1:
		return []*layout{&layout11, &layoutPublished}
	case 2:
		return []*layout{&layout12, &layoutPublished}
	case 3:
		return []*layout{&layout13}
	case 4:
		return []*layout{&layout14}
	}
	return []*layout{&layout15, &layoutFontFlag}
}

var (
	// distinctLayouts are the layouts to try for any version, the newest first, without those of the exporter.
	// layoutNovember2011 is left out, because layout11 equals it.
	distinctLayouts = []*layout{&layout15, &layoutFontFlag, &layout14, &layout13, &layout12, &layoutPublished,
		&layout11, &layoutEarlyNovember2011, &layoutOctober2011}
	exporterLayouts = []*layout{&layoutExporterA, &layoutExporterB, &layoutExporterC}
)

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
