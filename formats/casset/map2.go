package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// objectHead2 reads what 2.0 has after the class: name, source path of an asset, offset of the fields.
func objectHead2(c *decode.Cursor, h *head, asset bool) {
	objectName(c, h)
	if asset && !dataFollow(c) {
		c.Terminated("source_path")
	}
	given := c.Offset("data_offset", model.U64)
	data, ok := fit(given, c.End())
	if ok = ok && data >= c.Pos(); !ok {
		c.Wrong("data offset %#x leads out of the object; the fields follow at %#x", given, c.Pos())
		return
	}
	extension(c, data-c.Pos(), "entry's fields")
}

// dataFollow reports whether the offset of the fields comes next and they follow it: some writers of 2.0 have a source
// path only if is_asset is 1, others if it is not 0.
func dataFollow(c *decode.Cursor) bool {
	b := c.Peek(8)
	return b != nil && little.Uint64(b) == uint64(c.Pos()+8)
}

// objectFields2 reads what is after the head of an object of 2.0: the map of its fields, a checksum.
func (f *file) objectFields2(c *decode.Cursor, r *reader) {
	if b, known := c.Enum("type", "u8", model.U8, decode.Names{0x10: "map"}); !known {
		c.Fail("an object's fields are a map (type 0x10), not of type %#02x", b)
		return
	}
	size := c.Size("data_size", model.U64)
	n, ok := fit(size, c.Left())
	if !ok || n < 4 {
		c.Wrong("a map of %d bytes does not fit in the %d that are left", size, c.Left())
		n = max(0, c.Left()-4)
	}
	c.Frame(n, func() {
		n := c.U32("field_count")
		c.Role(model.RoleCount)
		c.Struct("fields", "Field[]", func() { r.entries(c, int64(n)) })
	})
	if c.Left() < 4 {
		c.Fail("the object ends without its checksum")
		return
	}
	zeroChecksum(c, "crc", false)
}

// typedValue reads what is before a value of 2.0, and the value, into the open node. named says that its name is there:
// in a map.
func (r *reader) typedValue(c *decode.Cursor, named bool) {
	t := r.fieldHeader2(c, named)
	c.Type(t.String())
	r.value(c, t)
}

// fieldHeader2 reads what 2.0 has before a value: the name if the value is in a map, and the type.
func (r *reader) fieldHeader2(c *decode.Cursor, named bool) (t Type) {
	n := c.Node()
	c.Struct("header", "FieldHeader", func() {
		if named {
			r.fieldName(c, n)
		}
		b := c.U8("type")
		if t = mapTypes[b]; t.kind == kUnknown {
			c.Fail("type byte %#02x is not one of 2.0", b)
			return
		}
		c.Symbol(t.String())
	})
	return t
}

// nestedMap reads the table "Map".
func (r *reader) nestedMap(c *decode.Cursor, t Type) {
	r.sized(c, t, func() {
		n := c.U32("count")
		c.Role(model.RoleCount)
		r.entries(c, int64(n))
	})
}

// entries reads the n entries of a map, which must end with it.
func (r *reader) entries(c *decode.Cursor, n int64) {
	if n > c.Left()/2 {
		c.Fail("%d entries do not fit in the %d bytes that are left", n, c.Left())
	}
	for ; n > 0 && c.Err() == nil; n-- {
		r.field(c, "entry", Type{})
	}
	if c.Left() > 0 {
		c.Fail("the map ends at %#x, its size leads to %#x", c.Pos(), c.End())
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

// typedArray reads the table "Array" of 2.0.
func (r *reader) typedArray(c *decode.Cursor, t Type) { r.sized(c, t, func() { r.typedElements(c) }) }

// typedElements reads the elements of an array of 2.0, each with its type before it: as one leaf if all of them are
// plain.
func (r *reader) typedElements(c *decode.Cursor) {
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return
	}
	n := int64(little.Uint32(b))
	if n > c.Left()-4 {
		c.Fail("%d elements do not fit in the %d bytes that are left", n, c.Left()-4)
		return
	}
	if n > 0 && c.Recording() && r.allPlain(c, n) {
		r.row(c, "value", Type{}, 4, n, 0)
		c.CopyValueUp()
	} else {
		c.U32("count")
		c.Role(model.RoleCount)
		if node := c.Node(); node != nil && n == 0 {
			node.Value = model.Scalars{}
		}
		r.elements(c, Type{}, n, 1, false, func(in *reader, e *decode.Cursor) {
			if in.enter(e) {
				in.typedValue(e, false)
			}
		})
	}
	if c.Left() > 0 {
		c.Fail("the array ends at %#x, its size leads to %#x", c.Pos(), c.End())
	}
}

// allPlain reports whether all elements of an array of 2.0 are plain.
func (r *reader) allPlain(c *decode.Cursor, n int64) bool {
	quiet := reader{file: r.file}
	q := ahead(c, c.Pos()+4, c.End())
	for ; n > 0 && q.Err() == nil; n-- {
		t := mapTypes[q.U8("type")]
		if !t.kind.plain() {
			return false
		}
		quiet.plain(q, "value", t.kind)
	}
	return true
}

// bareBlob reports whether a blob's length cannot be one, and the name of the next entry or the end of the map is there
// instead: early writers of 2.0 wrote nothing for an empty blob.
func bareBlob(c *decode.Cursor) bool {
	if c.Left() == 0 {
		return true
	}
	if b := c.Peek(8); b != nil {
		if _, ok := fit(little.Uint64(b), c.Left()-16); ok {
			return false
		}
	}
	const most = 128
	q := ahead(c, c.Pos(), c.Pos()+min(c.Left(), most))
	name := q.Terminated("name")
	for _, r := range name {
		if r < 0x20 || r > 0x7E {
			return false
		}
	}
	return name != "" && mapTypes[q.U8("type")].kind != kUnknown && q.Err() == nil
}
