package casset

import (
	"fmt"
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// schema is the table of classes and structs of a Bundle 3.0.
type schema struct {
	types    typeBytes
	off, end int64
	count    uint32
	entries  []schemaEntry
	problem  string // why there are no more entries
	at       int64  // where that is
}

// schemaEntry is a class or a struct.
type schemaEntry struct {
	off, size int64
	name      string
	fields    []Field
	plan      plan
}

// schemaMost is how many entries and fields a schema may have in all: far more than any class library.
const schemaMost = 1 << 20

// readSchema reads the table.
func (f *file) readSchema(q *decode.Cursor) {
	fr, t := &f.lay.frame, &f.schema
	t.types = writtenTypes
	if fr.published {
		t.types = publishedTypes
	}
	f.at(q, fr.schema)
	q.U64("size")
	t.count = q.U32("count")
	t.off, t.end = fr.schema, q.Pos()
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
		if size >= e.size && e.off+size <= q.End() && (!fr.dataGiven || e.off+size <= fr.data) {
			e.size = size // room for what later revisions add
		}
		t.end = e.off + e.size
		q.GoTo(t.end)
		t.entries = append(t.entries, e)
	}
	for i := range t.entries {
		t.plan(uint32(i), 0)
	}
}

// schemaTable: size, number of entries, the entries, 0.
func (f *file) schemaTable(c *decode.Cursor) {
	t := &f.schema
	c.Struct("schema", "SchemaTable", func() {
		size := c.Size("size", model.U64)
		if end := t.end + 4 - t.off - f.lay.frame.own(); size != uint64(end) {
			c.Wrong("the schema table's size is %d, its entries and its end take %d bytes", size, end)
		}
		c.U32("count")
		c.Role(model.RoleCount)
		if int64(len(t.entries)) < int64(t.count) {
			c.Remark(model.Error, model.Span{Offset: t.at}, "%d schema entries are announced, %d can be read: %s",
				t.count, len(t.entries), t.problem)
		}
		c.Struct("entries", "SchemaEntry[]", func() {
			c.Elements("SchemaEntry", len(t.entries), t.span, t.find, func(e *decode.Cursor, _ int) {
				t.schemaEntry(e, new(schemaEntry), nil)
				extension(e, e.Left(), "fields")
			})
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

// schemaEntry: size, class or struct, type name, version, the fields. take is told each field; it may be nil.
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

// schemaField: name, type, and what the type needs: a schema index or the type of the elements.
func (t *schema) schemaField(c *decode.Cursor) (f Field) {
	f.Name = c.Terminated("name")
	if c.Recording() {
		name := f.Name
		c.Label(func() string { return name })
	}
	b := c.U8("type")
	f.Type = t.types.of(b)
	c.Symbol(f.Type.symbol())
	switch elem := f.Type.elem; {
	case f.Type.kind == kBad:
		c.Wrong("type byte %#02x is not one of this layout", b)
	case f.Type.kind == kStruct:
		f.Type.index = t.index(c)
		if i := f.Type.index; int64(i) < int64(len(t.entries)) && t.entries[i].plan.cyclic {
			c.Wrong("the struct %s contains itself", t.entries[i].name)
		}
	case elem != nil && elem.kind == kStruct:
		f.Type.elem = &Type{kind: kStruct, index: t.index(c)}
	case f.Type.kind == kArray && elem == nil:
		b := c.U8("element_type")
		e := t.types.of(b)
		c.Symbol(e.symbol())
		if e.kind == kStruct || e.kind == kArray || e.kind == kStore || e.kind == kBad {
			c.Wrong("element type %#02x cannot be that of a simple array", b)
			e = Type{kind: kBad}
		}
		f.Type.elem = &e
	}
	return f
}

// symbol is what a schema calls the type.
func (t Type) symbol() string {
	switch {
	case t.kind == kBad:
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
	} else if c.Recording() {
		c.Symbol(t.entries[i].name)
		c.Link(&model.Link{Key: t.entries[i].name, Target: func() (model.Path, bool) { return t.path(int(i)), true }})
	}
	return i
}

// path returns the path of the i-th entry in the document.
func (*schema) path(i int) model.Path { return model.Path{1, 2, i} }

// entry returns an entry; nil if there is none, which fails.
func (t *schema) entry(c *decode.Cursor, i uint32) *schemaEntry {
	if int64(i) >= int64(len(t.entries)) {
		c.Fail("schema index %d is outside of the %d entries", i, len(t.entries))
		return nil
	}
	return &t.entries[i]
}

func (t *schema) span(_ *decode.Cursor, i int) model.Span {
	return model.Span{Offset: t.entries[i].off, Size: t.entries[i].size}
}

func (t *schema) find(off int64) (int, int) {
	i := sort.Search(len(t.entries), func(i int) bool { return t.entries[i].off+t.entries[i].size > off })
	return i, min(i+1, len(t.entries))
}
