package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// elements is what is known of the elements of an array before they are read.
type elements struct {
	elem  Type // the zero Type if each has its type before it (2.0)
	n     int64
	least int64 // the fewest bytes of an element, with what comes before it
	fixed bool  // every element has as many
	bare  bool  // nothing comes before an element
	row   bool  // they are plain: the array is one leaf
	sized bool  // their size comes after their count (1.x)
}

// array reads the table "Array" of 3.0, whose elements have the type that the schema says: as a leaf of that name if
// they are plain.
func (r *reader) array(c *decode.Cursor, name string, t Type) {
	v := &r.lay.values
	l := elements{elem: *t.elem, row: t.leaf()}
	l.bare = v.before == nothing || t.kind == kStore || l.elem.kind == kFunction && v.bareFunctions
	l.least, l.fixed = r.schema.size(l.elem, 0)
	if !l.bare {
		l.least += v.size.Size()
		l.fixed = l.fixed && l.elem.kind != kStruct // whose members have sizes too
	}
	if r.countElements(c, &l) {
		r.elements(c, name, l)
	}
}

// sized reads the size of a map or an array of 2.0, and then its fields within that size.
func (r *reader) sized(c *decode.Cursor, t Type, fields func()) {
	size := c.Size("size", model.U64)
	n, ok := fit(size, c.Left())
	if !ok || n < 4 {
		c.Fail("a %s of %d bytes does not fit in the %d that are left", t, size, c.Left())
	}
	c.Frame(n, fields)
}

// typedArray reads the table "Array" of 2.0, whose elements have their types before them.
func (r *reader) typedArray(c *decode.Cursor) {
	l := elements{least: 1, row: c.Recording() && r.allPlain(c)}
	if !r.countElements(c, &l) {
		return
	}
	r.elements(c, "value", l)
	if node := c.Node(); node != nil && l.n == 0 {
		node.Value = model.Scalars{}
	}
	if c.Left() > 0 {
		c.Fail("the array ends at %#x, its size leads to %#x", c.Pos(), c.End())
	}
}

// allPlain reports whether an array of 2.0 has elements and all of them are plain.
func (r *reader) allPlain(c *decode.Cursor) bool {
	quiet := reader{file: r.file}
	q := ahead(c, c.Pos(), c.End())
	count := q.U32("count")
	for n := count; n > 0 && q.Err() == nil; n-- {
		t := mapTypes[q.U8("type")]
		if !t.kind.plain() {
			return false
		}
		quiet.plain(q, "value", t.kind)
	}
	return count > 0
}

// countElements reads the count, or only looks at it if it is in the leaf that the array is, and compares it with the
// bytes after it. Elements without bytes are shown up to a bound.
func (r *reader) countElements(c *decode.Cursor, l *elements) bool {
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return false
	}
	l.n = int64(little.Uint32(b))
	left := c.Left() - 4
	if !l.row {
		c.U32("count")
		c.Role(model.RoleCount)
	}
	switch {
	case l.elem.kind == kStruct && r.schema.entry(c, l.elem.index) == nil:
		return false
	case l.least > 0 && l.n > left/l.least:
		c.Fail("%d elements do not fit in the %d bytes that are left", l.n, left)
		return false
	case l.least == 0 && l.n > emptyMost:
		c.Wrong("%d elements take no bytes at all; the first %d are shown", l.n, emptyMost)
		l.n = emptyMost
	}
	return true
}

// elements reads the elements of an array: as one leaf of that name, with the count, if they are plain.
func (r *reader) elements(c *decode.Cursor, name string, l elements) {
	switch form := &kinds[l.elem.kind]; {
	case !l.row:
		r.list(c, l)
		return
	case l.bare && !l.sized && form.n == 1:
		c.Counted(name, "array", model.U32, form.form)
	default:
		r.row(c, name, l)
	}
	if name == "value" { // of a struct that has what comes before it too
		c.CopyValueUp()
	}
}

// list reads elements that are not plain into the open node.
func (r *reader) list(c *decode.Cursor, l elements) {
	depth := r.depth
	each := func(e *decode.Cursor, i int) {
		in := r
		switch l.elem.kind {
		case kStruct, kFieldList, kUnknown: // others have no fields to count
			in = &reader{file: r.file, depth: depth, visit: r.visit}
		}
		if r.visit != nil {
			r.visit.push(model.IndexName(i))
		}
		switch {
		case l.bare:
			in.value(e, l.elem)
		case l.elem.kind != kUnknown || in.enter(e):
			in.headed(e, l.elem, false)
		}
		r.visit.pop()
	}
	if l.fixed && l.least > 0 {
		c.Records(l.elem.String(), l.n, l.least, each)
	} else {
		c.Indexed(l.elem.String(), l.n, l.least, each)
	}
}
