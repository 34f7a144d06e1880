package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// objectHead3 reads an entry of the table "Serialized Data", up to the fields.
func (f *file) objectHead3(c *decode.Cursor, h *head) {
	all := c.Left()
	size, node, fields := f.lay.entrySize(c)
	if size != uint64(all) {
		c.Remark(model.Error, node, "the object's size is %d, it ends after %d bytes", size, all)
	}
	f.objectKey(c, h)
	flag(c, "is_asset")
	h.schema = f.schema.index(c)
	if int64(h.schema) < int64(len(f.schema.entries)) {
		h.class = f.schema.entries[h.schema].name
	}
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	objectName(c, h)
	if n := fields - c.Pos(); n < 0 || n > c.Left() {
		c.Wrong("the data offset leads to %#x, outside of the object's data", fields)
	} else {
		extension(c, n, "entry's fields")
	}
}

// entrySize reads the first fields of an entry of the table "Serialized Data": its size, with the node that shows it if
// it is recorded, and the distance to its fields, whose offset it returns.
func (l *layout) entrySize(c *decode.Cursor) (size uint64, node *model.Node, fields int64) {
	size = c.Size("size", l.entryForm())
	node = c.Last()
	distance := c.Offset("data_offset", model.U32)
	return size, node, c.Pos() + int64(distance)
}

// objectFields3 reads what is after the head of an object of 3.0: the values of its fields as its class, an entry of
// the schema, has them.
func (f *file) objectFields3(c *decode.Cursor, class uint32, r *reader) {
	if !f.lay.published {
		all := c.Left()
		if size := c.Size("fields_size", model.U64); size != uint64(all) {
			c.Wrong("the fields' size is %d, the object ends after %d bytes", size, all)
		}
	}
	c.Struct("fields", "Field[]", func() { r.schemaFields(c, class) })
	if c.Left() > 0 {
		c.Fail("%d bytes are left after the last field of the schema", c.Left())
	}
}

// schemaFields reads the fields of a struct or a class in the order of its schema entry.
func (r *reader) schemaFields(c *decode.Cursor, index uint32) {
	e := r.schema.entry(c, index)
	switch {
	case e == nil:
		return
	case e.sizes.cyclic:
		c.Fail("the struct %s contains itself", e.name)
	case r.lay.prefix == noPrefix && e.sizes.fields > fieldsFree+4*e.sizes.least:
		c.Fail("more than %d fields in one object; the rest is not shown", fieldsFree+4*e.sizes.least)
	}
	for i := range e.fields {
		f := &e.fields[i]
		if r.field(c, f.Name, f.Type); c.Err() != nil {
			return
		}
	}
}

// sizedValue reads the size of a value, and the value, into the open node.
func (r *reader) sizedValue(c *decode.Cursor, t Type) {
	start := c.Pos()
	r.framed(c, start, r.fieldHeader3(c, t), func() { r.value(c, t) })
}

// fieldHeader3 reads what 3.0 has before a value, except as the engine writes it now: its size, itself included.
func (r *reader) fieldHeader3(c *decode.Cursor, t Type) (size int64) {
	left := c.Left()
	c.Struct("header", "FieldHeader", func() {
		n := c.Size("size", r.lay.sizeForm)
		own := r.lay.sizeForm.Size()
		width, fixed := t.kind.fixed()
		fits, ok := fit(n, left)
		switch {
		case fixed && n != uint64(width+own):
			c.Wrong("the size of a %s is %d here, not %d", t, width+own, n)
			size = width
		case !ok || fits < own:
			c.Fail("a value of %d bytes does not fit in the %d that are left", n, left)
		default:
			size = fits - own
		}
	})
	return size
}

// array reads an array of 3.0: as one leaf of that name if its elements are plain.
func (r *reader) array(c *decode.Cursor, name string, t Type) {
	elem, n, left := *t.elem, int64(0), c.Left()
	if b := c.Peek(4); !t.leaf() {
		n = int64(c.U32("count"))
		c.Role(model.RoleCount)
	} else if b != nil {
		n = int64(little.Uint32(b))
	} else {
		c.Fail("the count of an array needs 4 bytes, %d are left", left)
	}
	bare := r.lay.prefix == noPrefix || t.kind == kStore || elem.kind == kFunction && r.lay.bareFunctions
	least, fixed := r.schema.size(elem, 0)
	if !bare {
		least += r.lay.sizeForm.Size()
		fixed = fixed && elem.kind != kStruct
	}
	n, ok := r.countOf(c, elem, n, least, left-4)
	switch {
	case !ok || c.Err() != nil:
	case !t.leaf():
		if n > 0 {
			r.elements(c, elem, n, least, fixed, func(in *reader, e *decode.Cursor) {
				if bare {
					in.value(e, elem)
				} else {
					in.sizedValue(e, elem)
				}
			})
		}
	case bare && kinds[elem.kind].n == 1:
		c.Counted(name, "array", model.U32, kinds[elem.kind].form)
	case !bare || !fixed:
		r.row(c, name, elem, 4, n, 0)
	default:
		r.row(c, name, elem, 4, n, least)
	}
}

// countOf compares the count of an array with the bytes after it. Elements without bytes are shown up to a bound.
func (r *reader) countOf(c *decode.Cursor, elem Type, n, least, left int64) (int64, bool) {
	switch {
	case elem.kind == kStruct && r.schema.entry(c, elem.index) == nil:
		return 0, false
	case least > 0 && n > left/least:
		c.Fail("%d elements do not fit in the %d bytes that are left", n, left)
		return 0, false
	case least == 0 && n > emptyMost:
		c.Wrong("%d elements take no bytes at all; the first %d are shown", n, emptyMost)
		return emptyMost, true
	}
	return n, true
}
