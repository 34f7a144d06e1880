package casset

import (
	"bytes"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// fields1 is the values of 1.x, whose types are inferred.
type fields1 struct{ *file }

// field1 is what comes before the data of a field.
type field1 struct {
	typ  string
	size int64
}

// kind returns the kind of the declared type; kBad if its name does not tell: a struct, a class or an enum.
func declaredKind(typ string) kind {
	if k, ok := declaredKinds[typ[strings.LastIndexByte(typ, '.')+1:]]; ok {
		return k
	}
	return kBad
}

// field: marker, name, type, size. n is the field's node, if it is recorded.
func (g *fields1) field(c *decode.Cursor, n *model.Node) (h field1) {
	if g.marked() {
		c.U32("marker")
	}
	fieldName(c, n)
	h.typ = c.Terminated("type")
	h.size = int64(c.Size("size", model.U32))
	return h
}

// marked reports whether a marker comes before each field.
func (g *fields1) marked() bool { return g.lay.minor >= 2 }

// atField reports whether a field can begin here, as far as its marker tells.
func (g *fields1) atField(c *decode.Cursor) bool {
	return !g.marked() || bytes.Equal(c.Peek(4), fieldMarker)
}

// skipField goes past a field and reports whether there is one.
func (g *fields1) skipField(q *decode.Cursor) bool {
	if !g.atField(q) {
		return false
	}
	q.Bytes("data", "bytes", g.field(q, nil).size)
	return q.Err() == nil
}

// ahead returns a cursor for a look ahead at a part of the file.
func ahead(c *decode.Cursor, from, end int64) *decode.Cursor {
	return c.Aside(model.Span{Offset: from, Size: end - from})
}

// entries reads fields up to the end of what may be read and returns their number. After one that is broken it goes on
// with the next marker.
func (g *fields1) entries(v *reader, c *decode.Cursor) (n int) {
	for c.Err() == nil && c.Left() > 0 {
		at := c.Pos()
		if !g.atField(c) {
			next, found := g.nextField(c, at+1)
			if found {
				c.Remark(model.Error, model.Span{Offset: at, Size: next - at},
					"no field begins here; the next one is at %#x", next)
			} else {
				c.Remark(model.Error, model.Span{Offset: at, Size: next - at},
					"no field begins here, and no other one follows")
			}
			c.GoTo(next)
			continue
		}
		n++
		whole := c.Try(func() { v.field(c, "field", Type{kind: kBad}) })
		if !whole && v.fields > fieldMost {
			return n
		}
		if !whole && c.Err() == nil {
			next, _ := g.nextField(c, max(at+1, c.Pos()))
			c.GoTo(next)
		}
	}
	return n
}

// headerMost is the longest header of a field that is looked for after a broken one: of bytes that are full of
// markers, each is tried.
const headerMost = 1 << 10

// nextField returns where the next sound field begins, the end if there is none: only markers can be looked for.
func (g *fields1) nextField(c *decode.Cursor, from int64) (int64, bool) {
	end := c.End()
	if !g.marked() {
		return end, false
	}
	find := c.Quiet(model.Span{Offset: from, Size: end - from})
	for find.Find(fieldMarker) {
		at := find.Pos()
		q := ahead(c, at, min(end, at+headerMost))
		if h := g.field(q, nil); q.Err() == nil && h.size <= end-q.Pos() {
			return at, true
		}
		find.GoTo(at + 1)
	}
	return end, false
}

// header: that of a field. The type is what the field declares, as far as it is known.
func (g *fields1) header(v *reader, c *decode.Cursor, _ Type) (t Type, size int64) {
	var h field1
	n := c.Node()
	c.Struct("header", "FieldHeader", func() { h = g.field(c, n) })
	t, size = Type{kind: declaredKind(h.typ)}, h.size
	width, fixed := t.kind.fixed()
	if fixed && size != 0 && size != width && !(t.kind == kF64 && size == 4) {
		c.Wrong("a %s has %d bytes, not %d", t, width, size)
		if g.begins(c, c.Pos()+width) || !g.begins(c, c.Pos()+size) {
			size = width
		}
	}
	if size > c.Left() {
		c.Type(t.String())
		c.Fail("the data of the field do not fit in the bytes that are left")
	}
	if size == 0 && t.kind != kBinary {
		t.kind = kEmpty
	}
	return t, size
}

// begins reports whether a field or the end of the fields is at an offset.
func (g *fields1) begins(c *decode.Cursor, pos int64) bool {
	if pos >= c.End() {
		return pos == c.End()
	}
	q := ahead(c, pos, c.End())
	if !g.atField(q) {
		return false
	}
	h := g.field(q, nil)
	return q.Err() == nil && h.size <= q.Left() && h.typ != ""
}

// infer tells what the declared type does not: a struct (fields), a reference or an enum. The bytes are those of the
// field.
func (g *fields1) infer(v *reader, c *decode.Cursor, t Type) Type {
	switch {
	case t.kind == kF64 && c.Left() == 4: // narrowed by every 1.x writer
		return Type{kind: kF32}
	case t.kind != kBad:
		return t
	}
	t.kind = g.guess(c)
	c.Type(t.String())
	return t
}

func (g *fields1) guess(c *decode.Cursor) kind {
	if c.Left() == 8 {
		if null(c.Peek(8)) {
			return kNullOrZero
		}
		return kEnum
	}
	if g.marked() && g.atField(c) {
		return kStruct
	}
	if _, ok := g.references(c, c.Pos(), c.End(), 1); ok {
		return kObject
	}
	if !g.marked() && g.fieldsIn(c, c.Pos(), c.End()) > 0 {
		return kStruct
	}
	return kBad
}

// fieldsIn counts the fields that fill a part of the file; 0 if they do not.
func (g *fields1) fieldsIn(c *decode.Cursor, from, end int64) (n int64) {
	for q := ahead(c, from, end); q.Left() > 0; n++ {
		if !g.skipField(q) {
			return 0
		}
	}
	return n
}

// binary: length, bytes; flags came in the summer of 1.2, and only the field's size tells. An empty one takes no bytes.
func (g *fields1) binary(v *reader, c *decode.Cursor) {
	size := uint64(c.Left())
	if size == 0 {
		c.Bytes("data", "bytes", 0)
		c.Lift()
		return
	}
	b := c.Peek(8)
	if b == nil {
		c.Fail("a blob of %d bytes has no length", size)
		return
	}
	n := little.Uint64(b)
	if n != size-8 && n+8 != size-8 {
		c.U64("length")
		c.Fail("a blob of %d bytes does not fit its field of %d", n, size)
		return
	}
	v.block(c, n != size-8)
}

// members: the fields of a struct.
func (g *fields1) members(v *reader, c *decode.Cursor, _ Type) { g.entries(v, c) }

// reference: one that fills the field.
func (g *fields1) reference(v *reader, c *decode.Cursor, _ Type) {
	uuid, ok := g.references(c, c.Pos(), c.End(), 1)
	if !ok {
		c.Fail("the %d bytes are not a reference to an object", c.Left())
		return
	}
	g.object(c, uuid)
}

// references tries n references that must fill a part of the file, with the package's UUID in them or without,
// whichever fits; where both do, as the file's revision has it.
func (g *fields1) references(c *decode.Cursor, from, end, n int64) (uuid, ok bool) {
	best := -1
	for _, with := range []bool{g.lay.packageUUIDs, !g.lay.packageUUIDs} {
		q := ahead(c, from, end)
		score := 1
		for i := int64(0); i < n && q.Err() == nil; i++ {
			if name := g.object(q, with); name != "" && name[0] != '/' {
				score = 0
			}
		}
		if q.Err() == nil && q.Left() == 0 && score > best {
			best, uuid, ok = score, with, true
		}
	}
	return uuid, ok
}

// object: UUID, class, (UUID of the package), package, path; a UUID of 0 is all of a null. It returns the package.
func (g *fields1) object(c *decode.Cursor, withUUID bool) (name string) {
	object := uuid64(c, "object")
	if object == 0 {
		c.StructSymbol("null")
		return ""
	}
	c.Terminated("class")
	bundle := uint64(0)
	if withUUID {
		bundle = uuid64(c, "bundle")
	}
	name = c.Terminated("package")
	c.Terminated("path")
	if c.Recording() {
		in := decimal(bundle)
		if name == "" || !withUUID {
			in = ""
		}
		g.lead(c, decimal(object), in, name)
	}
	return name
}

// decimal is how a UUID before 3.0 is shown.
func decimal(v uint64) string { return strconv.FormatUint(v, 10) }
