package casset

import (
	"fmt"
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// schema is the table of classes and structs of a Bundle 3.0.
type schema struct {
	off, end int64
	count    uint32
	entries  []schemaEntry
	problem  string // why there are no more entries
	at       int64  // where that is
}

type schemaEntry struct {
	off, size int64
	name      string
	fields    []schemaField
	plan      plan
}

type schemaField struct {
	name  string
	kind  kind
	elem  kind // of kArray
	index uint32
}

// schemaMost is how many entries and fields a schema may have in all: far more than any class library.
const schemaMost = 1 << 20

// readSchema reads the table without making nodes.
func readSchema(src *model.Source, f frame) (t schema) {
	t.off, t.end = f.schema, f.schema
	s := newScanner(src, f.schema, src.Size())
	s.u64()
	t.count = s.u32()
	known := 0 // entries and fields
	for int64(len(t.entries)) < int64(t.count) && t.problem == "" {
		t.at = s.pos
		if s.left() < 4 {
			t.problem = "the file ends in the schema"
			break
		}
		if known++; known > schemaMost {
			t.problem = fmt.Sprintf("the schema has more than %d entries and fields", schemaMost)
			break
		}
		e := schemaEntry{off: s.pos}
		size := int64(s.u32())
		s.skip(1)
		e.name = s.text()
		s.skip(4)
		n := int64(s.u32())
		if s.err == nil && n > s.left()/2 {
			s.fail("%d fields do not fit in the %d bytes that are left", n, s.left())
		}
		for ; n > 0 && s.err == nil; n-- {
			if known++; known > schemaMost {
				s.fail("the schema has more than %d entries and fields", schemaMost)
				break
			}
			e.fields = append(e.fields, readSchemaField(s, f.draft))
		}
		if s.err != nil {
			t.problem = fmt.Sprintf("entry %d: %v", len(t.entries), s.err)
			break
		}
		e.size = s.pos - e.off
		if size >= e.size && e.off+size <= src.Size() && (!f.dataGiven || e.off+size <= f.data) {
			e.size = size // room for what later revisions add
		}
		s.pos = e.off + e.size
		t.entries = append(t.entries, e)
		t.end = s.pos
	}
	if len(t.entries) == 0 {
		t.end = s.pos
	}
	t.compile()
	return t
}

func readSchemaField(s *scanner, draft bool) (f schemaField) {
	table := codeKinds
	if draft {
		table = draftKinds
	}
	f.name = s.text()
	f.kind = kindOf(table, s.u8())
	switch f.kind {
	case kStructs, kStruct:
		f.index = s.u32()
	case kArray:
		f.elem = kindOf(table, s.u8())
	}
	return f
}

// schemaPath is the place of the i-th entry in the document.
func (f *file) schemaPath(i int) model.Path { return model.Path{1, 2, i} }

// schemaTable records the table.
func (f *file) schemaTable(c *decode.Cursor) {
	t := &f.schema
	c.Struct("schema", "SchemaTable", func() {
		size := c.U64("size")
		c.Role(model.RoleSize)
		if end := t.end + 4 - t.off - f.lay.frame.own(); c.Err() == nil && (size > 1<<62 || int64(size) != end) {
			c.Wrong("the schema table's size is %d, its entries and its end take %d bytes", size, end)
		}
		c.U32("count")
		c.Role(model.RoleCount)
		if c.Err() == nil && int64(len(t.entries)) < int64(t.count) {
			c.Wrong("%d schema entries are announced, %d can be read: %s (at %#x)", t.count, len(t.entries), t.problem, t.at)
		}
		n := c.Struct("entries", "SchemaEntry[]", func() { c.GoTo(t.end) })
		if n == nil {
			return
		}
		n.SetChildren(&model.Elements{Count: len(t.entries), Lookup: t.lookup, Make: func(i int) *model.Node {
			e := f.proto.Element("SchemaEntry", model.Span{Offset: t.entries[i].off, Size: t.entries[i].size})
			last := f.schemaEntry(e)
			node := e.Close()
			last.do(node.Named("fields"))
			node.Parent = n
			return node
		}})
		if t.problem != "" && c.Left() < 4 {
			return
		}
		if end := c.U32("end"); c.Err() == nil && end != 0 {
			c.Wrong("the schema table should end with 0, not with %#x", end)
		}
	})
}

func (t *schema) lookup(off int64) (int, int) {
	i := sort.Search(len(t.entries), func(i int) bool { return t.entries[i].off+t.entries[i].size > off })
	return i, min(i+1, len(t.entries))
}

// schemaEntry records one class or struct. What is given back makes its list of fields.
func (f *file) schemaEntry(c *decode.Cursor) (fields finish) {
	end := c.End()
	size := c.U32("size")
	c.Role(model.RoleSize)
	if c.Err() == nil && int64(size) != end-c.Node().Offset {
		c.Wrong("the entry's size is %d, its fields end after %d bytes", size, end-c.Node().Offset)
	}
	if _, known := c.Enum("kind", "u8", model.U8, decode.Names{0: "class", 1: "struct"}); !known {
		c.Wrong("a schema entry is of kind 0 (class) or 1 (struct)")
	}
	c.Key(c.Terminated("type"))
	c.U32("version")
	n := c.Count("field_count", model.U32, 2, "fields")
	c.Struct("fields", "SchemaField[]", func() {
		if c.Err() != nil {
			return
		}
		q, err := newSequence(f.ctx, f.src, c.Pos(), c.End(), n, func(s *scanner) { readSchemaField(s, f.lay.frame.draft) })
		c.GoTo(q.end)
		if err != nil {
			c.Fail("field %d of %d: %v", q.n, n, err)
		}
		fields = func(list *model.Node) { q.under(list, f.proto, "SchemaField", f.schemaField) }
	})
	if c.Err() == nil && c.Left() > 0 {
		c.Bytes("extension", "bytes", c.Left())
		c.Note("%d bytes behind the fields that this layout knows", c.Last().Size)
	}
	return fields
}

func (f *file) schemaField(c *decode.Cursor) finish {
	table := codeKinds
	if f.lay.frame.draft {
		table = draftKinds
	}
	c.Terminated("name")
	b := c.U8("type")
	k := kindOf(table, b)
	c.Last().Symbol = symbolOf(k)
	if c.Err() == nil && k == kBad {
		c.Wrong("type byte %#02x is none that the layout has", b)
	}
	switch k {
	case kStructs, kStruct:
		i := c.U32("schema_index")
		f.linkSchema(c, i)
		if k == kStruct && int64(i) < int64(len(f.schema.entries)) && f.schema.entries[i].plan.cyclic {
			c.Wrong("the struct %s contains itself", f.schema.entries[i].name)
		}
	case kArray:
		b := c.U8("element_type")
		e := kindOf(table, b)
		c.Last().Symbol = symbolOf(e)
		if c.Err() == nil && !simple(e) {
			c.Wrong("element type %#02x cannot be that of a simple array", b)
		}
	}
	return nil
}

// simple says that a simple array can have elements of the kind: those that need nothing else in the schema.
func simple(k kind) bool {
	switch k {
	case kBad, kStruct, kStructs, kArray, kObjects, kFunctions, kStore:
		return false
	}
	return true
}

// symbolOf is what a schema calls a type.
func symbolOf(k kind) string {
	switch k {
	case kObjects:
		return "object array"
	case kStructs:
		return "struct array"
	case kFunctions:
		return "function array"
	case kBad:
		return ""
	}
	return k.String()
}

// linkSchema leads from the index that was recorded last to its schema entry.
func (f *file) linkSchema(c *decode.Cursor, i uint32) {
	c.Role(model.RoleIndex)
	if c.Err() != nil {
		return
	}
	if int64(i) >= int64(len(f.schema.entries)) {
		c.Wrong("schema index %d is outside of the %d entries", i, len(f.schema.entries))
		return
	}
	c.Last().Symbol = f.schema.entries[i].name
	c.Last().Link = &model.Link{Key: f.schema.entries[i].name, Target: func() (model.Path, bool) { return f.schemaPath(int(i)), true }}
}
