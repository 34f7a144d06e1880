package casset

import (
	"bytes"
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

// header: that of a field. The type is what the field declares, as far as it is known.
func (g *fields1) header(v *reader, c *decode.Cursor, _ Type) (t Type, size int64) {
	var h field1
	n := c.Node()
	c.Struct("header", "FieldHeader", func() { h = g.field(c, n) })
	t, size = Type{kind: declaredKind(h.typ)}, h.size
	if n != nil && strings.HasSuffix(h.typ, ".CE::Color") {
		n.Role = model.RoleColor
	}
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
