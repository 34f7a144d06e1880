package casset

import (
	"fmt"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// schema is the table of classes and structs of a Bundle 3.0.
type schema struct {
	start, end    int64 // of the table, and after its entries
	recordedCount uint32
	entries       []schemaEntry
	problem       string // why there are no more entries
	problemAt     int64
	types         *typeBytes
	list          *model.Node
	remaining     int // entries and fields that may still be read
}

type schemaEntry struct {
	span   model.Span
	name   string
	fields []schemaField
	sizes  structSizes
}

// maxSchema is the maximum number of entries and fields of a schema: far more than any class library.
const maxSchema = 1 << 20

// readSchema reads the entries, which are recorded later.
func (f *file) readSchema(q *decode.Cursor) {
	t := &f.schema
	t.types, t.start = f.layout.tables.types, f.offsets.schema
	restartAt(q, t.start)
	q.U64("size")
	t.recordedCount = q.U32("count")
	t.end = q.Pos()
	limit := q.End()
	if f.offsets.dataGiven {
		limit = min(limit, f.offsets.data)
	}
	t.remaining = maxSchema
	for int64(len(t.entries)) < int64(t.recordedCount) {
		e := t.readEntry(q, limit)
		if q.Err() != nil {
			t.problem, t.problemAt = fmt.Sprintf("entry %d: %v", len(t.entries), q.Err()), t.end
			break
		}
		t.end = e.span.End()
		q.GoTo(t.end)
		t.entries = append(t.entries, e)
	}
	t.computeSizes()
}

// readEntry reads the next entry. Its span ends where the next entry or the end of the table is, with the additions of
// later revisions; if neither follows, where its recorded size ends, if this is after its fields and before limit.
func (s *schema) readEntry(q *decode.Cursor, limit int64) (e schemaEntry) {
	e.span.Offset = s.end
	s.spend(q)
	var recorded int64
	read := func() {
		e.name, recorded = s.entry(q, func(q *decode.Cursor) {
			e.fields = append(e.fields, s.field(q))
			s.spend(q)
		})
	}
	if size, ok := s.nextEntrySize(q); ok {
		q.Frame(size, read)
		e.span.Size = size
		return e
	}
	read()
	if e.span.Size = q.Pos() - s.end; q.Err() == nil && recorded > e.span.Size && s.end+recorded <= limit {
		e.span.Size = recorded
	}
	return e
}

// spend counts an entry or a field, and fails at the limit.
func (s *schema) spend(q *decode.Cursor) {
	if s.remaining--; s.remaining < 0 {
		q.Fail("the schema has more than %d entries and fields", maxSchema)
	}
}

// minSchemaEntry is the fewest bytes of a schema entry: its size, kind, type, version and number of fields.
const minSchemaEntry = 4 + 1 + 1 + 4 + 4

// nextEntrySize returns the size of the next entry, and whether another entry or the end of the table follows it.
func (s *schema) nextEntrySize(c *decode.Cursor) (size int64, ok bool) {
	q := lookaheadCursor(c, c.Pos(), c.End())
	size = int64(q.U32("size"))
	if size < minSchemaEntry || size > c.Remaining()-4 {
		return 0, false
	}
	q.GoTo(c.Pos() + size)
	if int64(len(s.entries))+1 == int64(s.recordedCount) {
		return size, q.U32("end") == 0
	}
	next := q.U32("size")
	return size, q.U8("kind") <= 1 && next >= minSchemaEntry && int64(next) <= q.Remaining()+5 && q.Err() == nil
}

// schemaTable records the table "Schema Table": size, number of entries, the entries, 0.
func (f *file) schemaTable(c *decode.Cursor) {
	t := &f.schema
	c.Struct("schema", "SchemaTable", func() {
		size := c.Size("size", model.U64)
		if end := t.end + 4 - t.start - f.layout.tables.uncounted; size != uint64(end) {
			c.Errorf("the schema table's size is %d, but its entries and its end take %d bytes", size, end)
		}
		c.Total("count", model.U32)
		if t.problem != "" {
			c.Remark(model.Error, model.Span{Offset: t.problemAt},
				"expected %d schema entries, but only %d are valid: %s", t.recordedCount, len(t.entries), t.problem)
		}
		t.list = c.Struct("entries", "SchemaEntry[]", func() {
			span := func(i int) model.Span { return t.entries[i].span }
			c.Elements("SchemaEntry", len(t.entries), nil, decode.LocatedReading(span, func(e *decode.Cursor, _ int) {
				t.entry(e, func(e *decode.Cursor) { t.field(e) })
				extension(e, e.Remaining(), "fields")
			}))
			c.GoTo(t.end)
		})
		if t.problem != "" && c.Remaining() < 4 {
			return
		}
		if end := c.U32("end"); end != 0 {
			c.Errorf("the schema table should end with 0, not with %#x", end)
		}
	})
}

// entry reads an entry: size, class or struct, type name, version, the fields, each with the function.
func (s *schema) entry(c *decode.Cursor, field func(e *decode.Cursor)) (name string, size int64) {
	actual := c.Remaining()
	size = int64(c.Size("size", model.U32))
	if size != actual {
		c.Errorf("the entry's size is %d, but its fields end after %d bytes", size, actual)
	}
	if _, known := c.Enum("kind", "u8", model.U8, decode.Names{0: "class", 1: "struct"}); !known {
		c.Errorf("the kind of a schema entry must be 0 (class) or 1 (struct)")
	}
	name = c.Terminated("type")
	c.Key(name)
	c.U32("version")
	n := c.Total("field_count", model.U32)
	countLeaf := c.Last()
	c.Struct("fields", "SchemaField[]", func() {
		hasNext := func(e *decode.Cursor, i int) bool { return i < int(n) && e.Remaining() > 0 }
		if found := c.IndexedUntil("SchemaField", hasNext, func(e *decode.Cursor, _ int) { field(e) }); found < int(n) {
			c.Remark(model.Error, countLeaf, "expected %s, found %d", model.PlainCount(n, "field"), found)
		}
	})
	return name, size
}

// field reads a field: name, type, and the schema index or the element type that the type requires.
func (s *schema) field(c *decode.Cursor) (f schemaField) {
	f.name = c.Terminated("name")
	if c.Recording() && c.Err() == nil {
		name := f.name
		c.Node().SetLabel(func() string { return name })
	}
	var b uint8
	b, f.typ = s.fieldType(c, "type")
	switch elem := f.typ.elem; {
	case f.typ.kind == kUnknown:
		c.Errorf("unknown type byte %#02x", b)
	case f.typ.kind == kStruct:
		f.typ.index = s.index(c)
		if i := f.typ.index; int64(i) < int64(len(s.entries)) && s.entries[i].sizes.cyclic {
			c.Errorf("the struct %s, or one in it, contains itself", s.entries[i].name)
		}
	case elem != nil && elem.kind == kStruct:
		f.typ.elem = &schemaType{kind: kStruct, index: s.index(c)}
	case f.typ.kind == kArray && elem == nil:
		b, e := s.fieldType(c, "element_type")
		if e.kind == kStruct || e.kind == kArray || e.kind == kStore || e.kind == kUnknown {
			c.Errorf("invalid element type %#02x of a simple array", b)
			e = schemaType{}
		}
		f.typ.elem = &e
	}
	return f
}

// fieldType reads a byte of the table "Field Type".
func (s *schema) fieldType(c *decode.Cursor, name string) (b uint8, typ schemaType) {
	b = c.U8(name)
	s.types.nameLast(c)
	return b, s.types[b]
}

// index reads the index of a schema entry and links to the entry.
func (s *schema) index(c *decode.Cursor) uint32 {
	i := c.U32("schema_index")
	c.Role(model.RoleIndex)
	if int64(i) >= int64(len(s.entries)) {
		c.Errorf("schema index %d is outside of the %d entries", i, len(s.entries))
	} else if leaf := c.Last(); leaf != nil {
		leaf.Symbols = model.Symbol(s.entries[i].name)
		leaf.Link = &model.Link{Key: s.entries[i].name, Target: func() (model.Path, bool) { return s.path(int(i)) }}
	}
	return i
}

// path returns the path of the i-th entry in the document; false if the entries could not be recorded.
func (s *schema) path(i int) (model.Path, bool) {
	if s.list == nil {
		return nil, false
	}
	return append(s.list.Path(), i), true
}

// entryAt returns the i-th entry, or fails and returns nil if there is none.
func (s *schema) entryAt(c *decode.Cursor, i uint32) *schemaEntry {
	if int64(i) >= int64(len(s.entries)) {
		c.Fail("schema index %d is outside of the %d entries", i, len(s.entries))
		return nil
	}
	return &s.entries[i]
}

// schemaField is a field of a class or a member of a struct.
type schemaField struct {
	name string
	typ  schemaType
}

// schemaType is the type of a value in the schema. The zero schemaType is invalid.
type schemaType struct {
	kind  kind
	index uint32      // of the struct's entry
	elem  *schemaType // of an array's elements; nil until the schema is read
}

// String returns the name of the type as the tree shows it.
func (t schemaType) String() string { return t.kind.String() }

// isLeaf reports whether a value of the type is one leaf without a header.
func (t schemaType) isLeaf() bool {
	return t.kind.isPlain() || t.kind == kArray && t.elem != nil && t.elem.kind.isPlain()
}

// The tables "Field Type": as published, and as the engine writes it.
var (
	publishedTypes = withPlain(typeBytes{
		0x00: {kind: kNull}, 0x0D: {kind: kVec2}, 0x0E: {kind: kVec3}, 0x0F: {kind: kVec4},
		0x10: arrayOf(kObject), 0x11: arrayOf(kStruct), 0x12: {kind: kArray},
		0x13: {kind: kBinary}, 0x14: {kind: kObject}, 0x15: {kind: kFunction}, 0x16: arrayOf(kFunction),
		0x17: {kind: kStruct},
	})
	writtenTypes = withPlain(typeBytes{
		0x00: {kind: kNull}, 0x0D: {kind: kVec2}, 0x0E: {kind: kVec3}, 0x0F: {kind: kVec4},
		0x10: {kind: kVec2i}, 0x11: {kind: kVec3i}, 0x12: {kind: kVec4i},
		0x13: arrayOf(kObject), 0x14: arrayOf(kStruct), 0x15: {kind: kArray},
		0x16: {kind: kBinary}, 0x17: {kind: kObject}, 0x18: {kind: kFunction}, 0x19: arrayOf(kFunction),
		0x1A: {kind: kStruct}, 0x1B: {kind: kUUID}, 0x1C: {kind: kStore, elem: &schemaType{kind: kStored}},
	})
)

func arrayOf(k kind) schemaType { return schemaType{kind: kArray, elem: &schemaType{kind: k}} }

func (e *schemaEntry) hasField(name string) bool {
	return slices.ContainsFunc(e.fields, func(f schemaField) bool { return f.name == name })
}

// structSizes has the limits of an entry's values, computed from the schema.
type structSizes struct {
	cyclic   bool  // it, or a struct in it, contains itself: it can have no values
	hasBlobs bool  // there can be a blob in a value
	minSize  int64 // the fewest bytes of a value
	fields   int64 // number of its fields, including fields of its structs
}

const (
	maxStructSize = 1 << 40 // more than any file: sizes of nested structs double with each level
	maxFreeFields = 256     // number of fields without bytes; beyond it, there are at most four fields per byte
)

// holder is an entry that has a struct as a field, or in an array.
type holder struct {
	entry   uint32
	inArray bool
}

// computeSizes computes the sizes of the entries, each after its structs. Unreached entries are cyclic.
func (s *schema) computeSizes() {
	holders := make([][]holder, len(s.entries)) // of each entry
	unsized := make([]int, len(s.entries))      // number of structs in each with unknown sizes
	for i := range s.entries {
		for _, f := range s.entries[i].fields {
			typ, inArray := f.typ, f.typ.elem != nil
			if inArray {
				typ = *typ.elem
			}
			if typ.kind == kBinary {
				s.entries[i].sizes.hasBlobs = true
			}
			if typ.kind != kStruct || int64(typ.index) >= int64(len(s.entries)) {
				continue
			}
			holders[typ.index] = append(holders[typ.index], holder{uint32(i), inArray})
			if !inArray {
				unsized[i]++
			}
		}
	}
	s.sumSizes(holders, unsized)
	s.markBlobHolders(holders)
}

// sumSizes adds the sizes of the fields of all entries that are not cyclic.
func (s *schema) sumSizes(holders [][]holder, unsized []int) {
	var ready []uint32
	for i, n := range unsized {
		if s.entries[i].sizes.cyclic = n > 0; n == 0 {
			ready = append(ready, uint32(i))
		}
	}
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		s.entries[i].addSizes(s)
		for _, h := range holders[i] {
			if h.inArray {
				continue
			}
			if unsized[h.entry]--; unsized[h.entry] == 0 {
				s.entries[h.entry].sizes.cyclic = false
				ready = append(ready, h.entry)
			}
		}
	}
}

// markBlobHolders marks the entries that hold one with blobs.
func (s *schema) markBlobHolders(holders [][]holder) {
	var withBlobs []uint32
	for i := range s.entries {
		if s.entries[i].sizes.hasBlobs {
			withBlobs = append(withBlobs, uint32(i))
		}
	}
	for len(withBlobs) > 0 {
		i := withBlobs[len(withBlobs)-1]
		withBlobs = withBlobs[:len(withBlobs)-1]
		for _, h := range holders[i] {
			if e := &s.entries[h.entry]; !e.sizes.hasBlobs {
				e.sizes.hasBlobs = true
				withBlobs = append(withBlobs, h.entry)
			}
		}
	}
}

// addSizes adds the sizes of the fields. Those of structs are known.
func (e *schemaEntry) addSizes(t *schema) {
	for _, f := range e.fields {
		e.sizes.minSize = min(e.sizes.minSize+t.minSize(f.typ), maxStructSize)
		e.sizes.fields = min(e.sizes.fields+1, maxStructSize)
		if f.typ.kind == kStruct && int64(f.typ.index) < int64(len(t.entries)) {
			e.sizes.fields = min(e.sizes.fields+t.entries[f.typ.index].sizes.fields, maxStructSize)
		}
	}
}

// minSize returns the minimum size of a value in bytes, at most 1 if it cannot be read.
func (s *schema) minSize(typ schemaType) int64 {
	n, fixed := typ.kind.fixedSize()
	switch {
	case fixed:
		return n
	case typ.kind == kStruct && int64(typ.index) >= int64(len(s.entries)):
		return 0
	case typ.kind == kStruct && !s.entries[typ.index].sizes.cyclic:
		return s.entries[typ.index].sizes.minSize
	case typ.kind == kArray || typ.kind == kStore:
		return 4
	case typ.kind == kBinary || typ.kind == kObject || typ.kind == kFunction:
		return 16
	case typ.kind == kStored:
		return 32
	}
	return 1 // a string; reading the first value of an invalid type fails with the reason
}
