package casset

import (
	"bytes"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// sourcePathMost is the longest path of a source asset that is looked for.
const sourcePathMost = 4096

// objectMark reads the magic of an object. Without it the object is where the one before it says, and is read.
func objectMark(c *decode.Cursor) {
	var b [8]byte
	copy(b[:], c.Peek(8))
	c.Bytes("magic", "bytes", 8)
	c.Value(func() any { return strings.ToValidUTF8(string(b[:]), "\uFFFD") })
	if string(b[:]) != string(objectMagic) {
		c.Wrong("an object begins with % x", objectMagic)
	}
}

// head1 reads what comes before the fields of an object of 1.x.
func (f *file) head1(c *decode.Cursor) (h head) {
	objectMark(c)
	h.uuid = uuid64(c, "uuid")
	if c.Keyed() {
		c.Key(h.key())
	}
	flag(c, "is_asset")
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.class = c.Terminated("class")
	h.size = int64(c.Size("data_size", model.U32))
	h.fields = c.U32("field_count")
	c.Role(model.RoleCount)
	given := c.Offset("data_offset", model.U64)
	offset := c.Last()
	h.name = c.Terminated("name")
	c.Role(model.RoleName)
	label(c, h)
	data, ok := fit(given, c.End())
	if ok = ok && data >= c.Pos(); !ok {
		c.RemarkOn(offset, model.Error, "data offset %#x leads out of the object", given)
	}
	if !f.lay.old && (!ok || endsBefore(c, data)) {
		c.Terminated("source_path")
	}
	if ok {
		extension(c, data-c.Pos(), "entry's fields")
	}
	return h
}

// endsBefore reports whether a string is next and ends before an offset.
func endsBefore(c *decode.Cursor, off int64) bool {
	n := min(off-c.Pos(), sourcePathMost)
	return n > 0 && bytes.IndexByte(c.Peek(n), 0) >= 0
}

// object1 reads an object of 1.x: its head, its fields, 0, a checksum.
func (f *file) object1(c *decode.Cursor, v *reader) {
	h := f.head1(c)
	if c.Err() != nil {
		return
	}
	if h.size > c.Left()-8 {
		c.Wrong("%d bytes of fields do not fit in the %d that are left", h.size, c.Left())
		h.size = max(0, c.Left()-8)
	}
	c.Frame(h.size, func() {
		c.Struct("fields", "Field[]", func() {
			start := c.Pos()
			if n := (&fields1{f}).entries(v, c); int64(n) != int64(h.fields) {
				c.Remark(model.Error, model.Span{Offset: start}, "%d fields are announced, %d are found", h.fields, n)
			}
		})
	})
	if v := c.U32("end"); v != 0 {
		c.Wrong("the fields should end with 0, not with %#x", v)
	}
	unrecorded(c, "crc", false)
}
