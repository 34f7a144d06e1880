package casset

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// schema is the table of classes and structs of a Bundle 3.0.
type schema struct {
	types    *typeBytes
	off, end int64
	count    uint32
	entries  []schemaEntry
	problem  string // why there are no more entries
	at       int64  // where that is
	list     *model.Node
}

// schemaEntry is a class or a struct.
type schemaEntry struct {
	off, size int64
	name      string
	fields    []Field
	sizes     schemaSizes
}

// schemaMost is how many entries and fields a schema may have in all: far more than any class library.
const schemaMost = 1 << 20

// readSchema reads the entries, which are recorded later.
func (f *file) readSchema(q *decode.Cursor) {
	t := &f.schema
	t.types = f.lay.tables.types
	at(q, f.tables.schema)
	q.U64("size")
	t.count = q.U32("count")
	t.off, t.end = f.tables.schema, q.Pos()
	known := 0 // entries and fields
	for int64(len(t.entries)) < int64(t.count) && t.problem == "" {
		t.at = q.Pos()
		e := schemaEntry{off: t.at}
		count := func() {
			if known++; known > schemaMost {
				q.Fail("the schema has more than %d entries and fields", schemaMost)
			}
		}
		count()
		size := t.schemaEntry(q, &e, func(field Field) { e.fields = append(e.fields, field); count() })
		if q.Err() != nil {
			t.problem = fmt.Sprintf("entry %d: %v", len(t.entries), q.Err())
			break
		}
		e.size = q.Pos() - e.off
		if size >= e.size && e.off+size <= q.End() && (!f.tables.dataGiven || e.off+size <= f.tables.data) {
			e.size = size // room for what later revisions add
		}
		t.end = e.off + e.size
		q.GoTo(t.end)
		t.entries = append(t.entries, e)
	}
	for i := range t.entries {
		t.sizesOf(uint32(i), 0)
	}
}

// schemaTable records the table "Schema Table": size, number of entries, the entries, 0.
func (f *file) schemaTable(c *decode.Cursor) {
	t := &f.schema
	c.Struct("schema", "SchemaTable", func() {
		size := c.Size("size", model.U64)
		if end := t.end + 4 - t.off - f.lay.tables.uncounted; size != uint64(end) {
			c.Wrong("the schema table's size is %d, its entries and its end take %d bytes", size, end)
		}
		c.U32("count")
		c.Role(model.RoleCount)
		if int64(len(t.entries)) < int64(t.count) {
			c.Remark(model.Error, model.Span{Offset: t.at}, "%d schema entries are announced, %d can be read: %s",
				t.count, len(t.entries), t.problem)
		}
		t.list = c.Struct("entries", "SchemaEntry[]", func() {
			c.Elements("SchemaEntry", len(t.entries), nil, decode.Located(t.span, func(e *decode.Cursor, _ int) {
				t.schemaEntry(e, new(schemaEntry), nil)
				extension(e, e.Left(), "fields")
			}))
			c.GoTo(t.end)
		})
		if t.problem != "" && c.Left() < 4 {
			return
		}
		if end := c.U32("end"); end != 0 {
			c.Wrong("the schema table should end with 0, not with %#x", end)
		}
	})
}

// schemaEntry reads an entry: size, class or struct, type name, version, the fields. take is called with each field; it
// may be nil.
func (t *schema) schemaEntry(c *decode.Cursor, e *schemaEntry, take func(Field)) (size int64) {
	all := c.Left()
	size = int64(c.Size("size", model.U32))
	if size != all {
		c.Wrong("the entry's size is %d, its fields end after %d bytes", size, all)
	}
	if _, known := c.Enum("kind", "u8", model.U8, decode.Names{0: "class", 1: "struct"}); !known {
		c.Wrong("a schema entry is of kind 0 (class) or 1 (struct)")
	}
	e.name = c.Terminated("type")
	c.Key(e.name)
	c.U32("version")
	n := c.Count("field_count", model.U32, 2, "fields")
	c.Struct("fields", "SchemaField[]", func() {
		c.Indexed("SchemaField", n, 2, func(e *decode.Cursor, _ int) {
			if field := t.schemaField(e); take != nil && e.Err() == nil {
				take(field)
			}
		})
	})
	return size
}

// schemaField reads a field: name, type, and what the type needs: a schema index or the type of the elements.
func (t *schema) schemaField(c *decode.Cursor) (f Field) {
	f.Name = c.Terminated("name")
	if c.Recording() && c.Err() == nil {
		name := f.Name
		c.Node().SetLabel(func() string { return name })
	}
	b := c.U8("type")
	f.Type = t.types[b]
	c.Symbol(f.Type.symbol())
	switch elem := f.Type.elem; {
	case f.Type.kind == kUnknown:
		c.Wrong("type byte %#02x is not one of this layout", b)
	case f.Type.kind == kStruct:
		f.Type.index = t.index(c)
		if i := f.Type.index; int64(i) < int64(len(t.entries)) && t.entries[i].sizes.cyclic {
			c.Wrong("the struct %s contains itself", t.entries[i].name)
		}
	case elem != nil && elem.kind == kStruct:
		f.Type.elem = &Type{kind: kStruct, index: t.index(c)}
	case f.Type.kind == kArray && elem == nil:
		b := c.U8("element_type")
		e := t.types[b]
		c.Symbol(e.symbol())
		if e.kind == kStruct || e.kind == kArray || e.kind == kStore || e.kind == kUnknown {
			c.Wrong("element type %#02x cannot be that of a simple array", b)
			e = Type{}
		}
		f.Type.elem = &e
	}
	return f
}

// symbol is what a schema calls the type.
func (t Type) symbol() string {
	switch {
	case t.kind == kUnknown:
		return ""
	case t.kind == kArray && t.elem != nil:
		return t.elem.String() + " array"
	}
	return t.String()
}

// index reads the index of a schema entry and links to the entry.
func (t *schema) index(c *decode.Cursor) uint32 {
	i := c.U32("schema_index")
	c.Role(model.RoleIndex)
	if int64(i) >= int64(len(t.entries)) {
		c.Wrong("schema index %d is outside of the %d entries", i, len(t.entries))
	} else if leaf := c.Last(); leaf != nil {
		leaf.Symbols = model.Symbol(t.entries[i].name)
		leaf.Link = &model.Link{Key: t.entries[i].name, Target: func() (model.Path, bool) { return t.path(int(i)) }}
	}
	return i
}

// path returns the path of the i-th entry in the document; false if the entries could not be recorded.
func (t *schema) path(i int) (model.Path, bool) {
	if t.list == nil {
		return nil, false
	}
	return append(t.list.Path(), i), true
}

// entry returns an entry; nil if there is none, which fails.
func (t *schema) entry(c *decode.Cursor, i uint32) *schemaEntry {
	if int64(i) >= int64(len(t.entries)) {
		c.Fail("schema index %d is outside of the %d entries", i, len(t.entries))
		return nil
	}
	return &t.entries[i]
}

func (t *schema) span(i int) model.Span {
	return model.Span{Offset: t.entries[i].off, Size: t.entries[i].size}
}

// schemaSizes is what the schema says about the sizes of a struct's values before they are read.
type schemaSizes struct {
	state  uint8 // 0 unknown, 1 being computed, 2 computed
	cyclic bool  // the struct contains itself: no value of it can exist
	fixed  bool  // every value takes least bytes
	least  int64 // the fewest bytes of a value
	fields int64 // its fields and those of the structs in it
}

const (
	sizeMost   = 1 << 40 // more than any file: sizes of nested structs double with each level
	fieldsFree = 256     // so many fields may have no bytes; beyond, there are at most four to a byte
)

// sizesOf computes the sizes of one entry after those of the structs in it.
func (t *schema) sizesOf(i uint32, depth int) *schemaSizes {
	if int64(i) >= int64(len(t.entries)) {
		return &schemaSizes{cyclic: true}
	}
	e := &t.entries[i]
	switch {
	case e.sizes.state == 2:
		return &e.sizes
	case e.sizes.state == 1 || depth > nestMost:
		return &schemaSizes{cyclic: true}
	}
	e.sizes.state = 1
	sizes := schemaSizes{state: 2, fixed: true}
	for _, f := range e.fields {
		if f.Type.kind == kStruct {
			in := t.sizesOf(f.Type.index, depth+1)
			sizes.cyclic = sizes.cyclic || in.cyclic
			sizes.fields = min(sizes.fields+in.fields, sizeMost)
		}
		n, fixed := t.size(f.Type, depth+1)
		sizes.least = min(sizes.least+n, sizeMost)
		sizes.fixed = sizes.fixed && fixed
		sizes.fields++
	}
	e.sizes = sizes
	return &e.sizes
}

// size returns the fewest bytes of a value, and whether every value of the type has as many.
func (t *schema) size(ty Type, depth int) (n int64, fixed bool) {
	if n, fixed = ty.kind.fixed(); fixed {
		return n, true
	}
	switch ty.kind {
	case kString:
		return 1, false
	case kArray, kStore:
		return 4, false
	case kBinary, kObject, kFunction:
		return 16, false
	case kFullObject:
		return 32, true
	case kStruct:
		s := t.sizesOf(ty.index, depth)
		return s.least, s.fixed && !s.cyclic
	}
	return 0, false
}
