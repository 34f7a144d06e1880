// Package casset reads CrystalEngine packages and bundles (.casset), in every published or written layout: Package 0.1
// to 1.2, Package 2.0 and Bundle 2.0 (typed maps), Bundle 3.0 as in the "Bundle File Format Specification", and Bundle
// 3.0 in two written revisions. Both documents are in the engine's repository under Docs. Their tables are read in
// these files:
//
//	"Package File Format Specification" (1.x)
//	    Overview                                    header.go
//	    Object Entry to Object Field Data           package1.go
//	"Bundle File Format Specification" (3.0)
//	    File Structure                              header.go
//	    Schema Table, Field Type                    schema.go
//	    Serialized Data: its head and its end       list.go
//	    its entries, Field Value to Array           bundle3.go, value.go
//	its last part, which is of 2.0
//	    Object Entry to Array                       map2.go
//
// choose.go detects the layout, and layout.go has a row for each revision. Objects before 3.0 begin with a magic, by
// which magic.go finds them; those of 3.0 begin with their sizes, by which list.go does. links.go links to objects, and
// finds the files that the header names. All numbers are little-endian, all strings end with a NUL, and every checksum
// is 0.
//
// Not supported: text files and the CPAK prototype from before Package 0.1, and drawing of meshes and materials, which
// are undocumented. Integer vectors of 2.0 are displayed as floats: they share a type.
package casset

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

var (
	packMagic   = []byte("\x00PACK\x00\x00\n")
	bundleMagic = []byte("\x00BUNDLE\x00")
	objectMagic = []byte("\x00OBJECT\x00")
	fieldMarker = []byte{0xF1, 0x1F, 0xF1, 0x1F}
)

//go:embed icon.png
var iconPNG []byte

// Formats returns the formats that this package reads.
func Formats() []decode.Format {
	bundles := newBundleFiles()
	open := func(ctx context.Context, src *model.Source) (*model.Document, error) {
		return openDocument(ctx, src, bundles)
	}
	return []decode.Format{{Name: "casset", Sniff: Sniff, Open: open, Page: fields.Page, FileType: model.FileType{
		MIME: "application/x-crystalengine-asset", Title: "CrystalEngine package or bundle", Icon: "casset",
		Picture: iconPNG,
		Globs:   []string{"*.casset"},
		Magic:   []model.Magic{{Bytes: packMagic}, {Bytes: bundleMagic}}},
		Forms: map[string][]model.Form{".casset": {{Name: "png", Extension: ".png", MediaType: "image/png"}}}}}
}

// Sniff reports whether a file that begins with head is a package or a bundle, or Maybe if it ends within the magic.
func Sniff(head []byte, size int64) decode.Confidence {
	for _, magic := range [][]byte{packMagic, bundleMagic} {
		if bytes.HasPrefix(head, magic) {
			return decode.Yes
		}
		if len(head) > 1 && int64(len(head)) == size && bytes.HasPrefix(magic, head) {
			return decode.Maybe
		}
	}
	return decode.No
}

var order = binary.LittleEndian

// file is an opened package or bundle.
type file struct {
	src    *model.Source
	cursor *decode.Cursor // creates quiet cursors

	layout  layout
	header  header
	offsets tableOffsets // of the tables of 3.0
	schema  schema       // of 3.0
	objects objectList
	keys    objectKeys

	dependencies dependencies
}

// openDocument detects the layout of a file and finds its objects, which are decoded on demand. bundles is shared by
// all open files.
func openDocument(ctx context.Context, src *model.Source, bundles *bundleFiles) (*model.Document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := decode.New(ctx, src, "Casset", order, decode.PlainTypes)
	f := (&file{src: src, cursor: c}).choose(ctx)
	f.dependencies.bundles = bundles
	f.findObjects(ctx, f.quiet())
	f.record(c)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, "casset", f.layout.variant, c.Close())
	doc.Why = f.layout.why
	doc.FindKey = f.findKey
	doc.Groups = f.groupings()
	assets := &payloads{f: f, doc: doc}
	doc.Payloads, doc.LoadPayloads = assets, assets.findBlobs
	doc.View = f.view
	doc.IsPackage = true
	doc.Item, doc.Meaning = f.describe, fields.Meaning
	return doc, nil
}

// record records the parts of the file in order: the header, the schema of 3.0, the objects, and the final 0. For an
// unknown version it records the header fields that all versions share.
func (f *file) record(c *decode.Cursor) {
	c.Try(func() { f.header = f.readHeader(c) })
	if f.offsets.schema > 0 {
		c.Try(func() {
			c.GoTo(f.offsets.schema)
			f.schemaTable(c)
		})
	}
	if f.objects.start == 0 {
		return
	}
	c.Try(func() {
		c.GoTo(f.objects.start)
		f.recordObjects(c)
	})
	if f.layout.tables.endOfFile {
		c.Try(func() {
			if end := c.U64("end"); end != 0 {
				c.Errorf("the file should end with 0, not with %#x", end)
			}
		})
	}
}

// generation is a way to lay out objects.
type generation uint8

const (
	unknown  generation = iota // an unsupported version: no objects are read
	package1                   // 1.x: lists of fields with their names and types (package1.go)
	map2                       // 2.0: maps of values with their names and types (map2.go)
	bundle3                    // 3.0: values with names and types in a schema (bundle3.go)
)

// head has the values before the fields of an object.
type head struct {
	uuid        id
	path        string
	class       string
	name        string
	schemaIndex uint32 // index of the class among the entries of the schema (3.0)
	size        int64  // recorded bytes of the fields, before 3.0; -1 if an object of 2.0 has no valid map
	count       int64  // of the fields (1.x)
}

// title returns the display name of the object: its path, its name, or its class.
func (h head) title() string { return cmp.Or(h.path, h.name, className(h.class)) }

// object reads an object, its fields with a reader of their values. The UUID is its key.
func (f *file) object(c *decode.Cursor, r *valueReader) {
	h := f.objectHead(c)
	if n := c.Node(); n != nil && h.uuid.size > 0 {
		n.Key = h.uuid.String()
	}
	if c.Err() != nil {
		return
	}
	if c.Recording() {
		c.Node().SetLabel(h.title)
	}
	switch f.layout.generation {
	case package1:
		r.package1Fields(c, h)
	case map2:
		r.map2Fields(c)
	case bundle3:
		r.bundle3Fields(c, h)
	}
}

// objectHead reads an object up to its fields.
func (f *file) objectHead(c *decode.Cursor) (h head) {
	switch f.layout.generation {
	case package1:
		return f.package1Head(c)
	case map2:
		return f.map2Head(c)
	case bundle3:
		return f.bundle3Head(c)
	}
	return h
}

// className returns a class without its module: "CE::Texture2D" for "/Code/System.CE::Texture2D".
func className(class string) string {
	class = class[strings.LastIndexByte(class, '/')+1:]
	if _, name, ok := strings.Cut(class, "."); ok {
		return name
	}
	return class
}

// restartAt starts a quiet cursor again at an offset.
func restartAt(q *decode.Cursor, off int64) {
	q.Reset(model.Span{Offset: off, Size: q.Source().Size() - off})
}

// quiet returns a new quiet cursor. It reads nothing until Reset or restartAt.
func (f *file) quiet() *decode.Cursor { return f.cursor.Quiet(model.Span{}) }

// head reads the head of the i-th object.
func (f *file) head(q *decode.Cursor, i int) (h head, ok bool) {
	q.Reset(f.objects.span(i))
	h = f.objectHead(q)
	return h, q.Err() == nil
}

// heads calls visit with the head of each object, and whether it is complete. Fields that cannot be read are empty.
func (f *file) heads(ctx context.Context, visit func(i int, h head, complete bool)) error {
	q := f.quiet()
	for i := range f.objects.entries {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		h, complete := f.head(q, i)
		visit(i, h, complete)
	}
	return nil
}

//go:embed fields.md
var fieldsText string

// fields documents the fields of packages and bundles.
var fields = &decode.Glossary{Name: "casset", Text: fieldsText, FieldOf: documentedField, Written: writtenUUID}

// documentedField returns the type and the field that document a field of an object: its class, if that is documented,
// and its name. A value is documented by the field it belongs to.
func documentedField(n *model.Node) (typ, field string, ok bool) {
	if n.Name == "value" && n.Parent.Child(0).Type == "FieldHeader" {
		n = n.Parent
	}
	name, list := n.Name, n.Parent
	for list != nil && list.Type != "Field[]" {
		list = list.Parent
	}
	if list == nil {
		return "", "", false
	}
	object := list.Parent
	var class string
	if c := object.ChildNamed("class"); c != nil {
		class, _ = c.Value.(string)
	} else if s := object.ChildNamed("schema_index"); s != nil {
		class = s.Symbol()
	}
	return className(class), name, true
}

// id is a UUID: 16 bytes in 3.0, a number of eight before.
type id struct {
	bytes [16]byte
	size  uint8
}

// String returns 32 hex digits in the order of the file, or a decimal number.
func (u id) String() string {
	if u.size == 16 {
		return hex.EncodeToString(u.bytes[:])
	}
	return strconv.FormatUint(order.Uint64(u.bytes[:]), 10)
}

func (u id) isNull() bool { return u.bytes == [16]byte{} }

// uuid reads a UUID; its size is 0 if it cannot be read.
func (f *file) uuid(c *decode.Cursor, name string) (u id) {
	size := f.layout.objects.idSize
	if size == 8 {
		order.PutUint64(u.bytes[:], c.U64(name))
		c.As("uuid")
	} else {
		copy(u.bytes[:], c.Peek(16))
		c.Bytes(name, "uuid", 16)
	}
	if c.Err() == nil {
		u.size = size
	}
	if leaf := c.Last(); leaf != nil && size == 16 {
		leaf.Value = u.String()
	}
	return u
}

// uuidGroups are the hex digits between the dashes of a printed UUID, by its bytes.
var uuidGroups = map[uint8][]int{8: {4, 4, 4, 4}, 16: {8, 4, 4, 4, 12}}

// swapBytes returns the UUID with its numbers of 64 bits in the other byte order.
func (u id) swapBytes() id {
	slices.Reverse(u.bytes[:8])
	slices.Reverse(u.bytes[8:])
	return u
}

// format returns the UUID as text: its numbers in hex, for 3.0 in the engine's groups.
func (u id) format() string {
	u = u.swapBytes()
	var parts []string
	digits := hex.EncodeToString(u.bytes[:])
	for _, n := range uuidGroups[u.size] {
		parts, digits = append(parts, digits[:n]), digits[n:]
	}
	return strings.Join(parts, "-")
}

// writtenUUID returns the printed form of a UUID's node, or "" for other nodes.
func writtenUUID(n *model.Node) string {
	if n.Type != "uuid" {
		return ""
	}
	var u id
	switch v := n.Value.(type) {
	case uint64:
		u.size = 8
		order.PutUint64(u.bytes[:], v)
	case string:
		b, err := hex.DecodeString(v)
		if err != nil || len(b) != len(u.bytes) {
			return ""
		}
		u.size = uint8(copy(u.bytes[:], b))
	}
	return u.format()
}

// parseKey parses a UUID in the form of the tree or as printed.
func (f *file) parseKey(text string) (u id, ok bool) {
	u.size = f.layout.objects.idSize
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && u.size == 8 {
		order.PutUint64(u.bytes[:], n)
		return u, true
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(b) != int(u.size) {
		return id{}, false
	}
	copy(u.bytes[:], b)
	if strings.Contains(text, "-") {
		u = u.swapBytes()
		return u, strings.EqualFold(text, u.format())
	}
	return u, u.size == 16
}
