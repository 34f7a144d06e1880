package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// head2 reads what comes before the fields of an object of 2.0.
func (f *file) head2(c *decode.Cursor) (h head) {
	objectMark(c)
	h.uuid = uuid64(c, "uuid")
	if c.Keyed() {
		c.Key(h.key())
	}
	asset := flag(c, "is_asset")
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.class = c.Terminated("class")
	h.name = c.Terminated("name")
	c.Role(model.RoleName)
	label(c, h)
	if asset && !dataFollow(c) {
		c.Terminated("source_path")
	}
	given := c.Offset("data_offset", model.U64)
	switch n := int64(given) - c.Pos(); {
	case n == 0:
	case given > 1<<62 || n < 0 || n > c.Left():
		c.Wrong("data offset %#x leads out of the object; the fields follow at %#x", given, c.Pos())
	default:
		extension(c, n, "entry's fields")
	}
	return h
}

// dataFollow reports whether the next is the offset of the fields, which come right after it: some writers have a
// source path only if is_asset is 1, others if it is not 0.
func dataFollow(c *decode.Cursor) bool {
	b := c.Peek(8)
	return b != nil && little.Uint64(b) == uint64(c.Pos()+8)
}

// object2 reads an object of 2.0: its head, the map of its fields, a checksum.
func (f *file) object2(c *decode.Cursor, v *reader) {
	f.head2(c)
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
		c.Struct("fields", "Field[]", func() { fields2{f}.entries(v, c, int64(n)) })
	})
	if c.Left() < 4 {
		c.Fail("the object ends without its checksum")
		return
	}
	unrecorded(c, "crc", false)
}
