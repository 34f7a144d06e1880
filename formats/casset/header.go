package casset

import (
	"encoding/hex"
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// header is what the header of a file says.
type header struct {
	uuid         id
	name         string
	schema, data uint64 // offsets; only 3.0 has a schema
	end          int64  // after the last field that the layout has
}

// readHeader reads the header. Choosing a layout and looking for dependencies read it quietly, and it is recorded.
func (f *file) readHeader(c *decode.Cursor) (h header) {
	c.Struct("header", "Header", func() {
		c.Magic("magic", f.lay.header.magic)
		h = f.generation().headerFields(c)
	})
	return h
}

// headerFields reads the table "Overview" of packages, which bundles of 2.0 have too.
func (f marked) headerFields(c *decode.Cursor) (h header) {
	f.version(c, model.Warning)
	zeroChecksum(c, "checksum", false)
	h.data = c.Offset("data_offset", model.U64)
	h.uuid = f.uuid(c, "uuid")
	h.name = c.Terminated("name")
	if f.lay.header.dependencies {
		f.dependencyNames(c)
	}
	if f.lay.header.primary {
		c.Terminated("primary_name")
		c.Terminated("primary_type")
	}
	if f.lay.header.cooked {
		flag(c, "cooked")
	}
	h.end = c.Pos()
	if h.data < uint64(h.end) || h.data > uint64(c.End()) {
		c.Fail("data offset %#x is not after the header, which ends at %#x", h.data, h.end)
	}
	extension(c, int64(h.data)-h.end, "header's fields")
	return h
}

// version reads the version numbers. Another minor number than those that are known is a remark of that severity.
func (f *file) version(c *decode.Cursor, unknown model.Severity) {
	l := &f.lay.header
	major, minor := c.Number("major", l.version[0]), c.Number("minor", l.version[1])
	if minor != l.minor {
		c.Remark(unknown, c.Last(),
			"the version is %d.%d; the last that is known is %d.%d, and the file is read as %d.%d",
			major, minor, major, l.last, major, l.minor)
	}
	if len(l.version) > 2 {
		c.Number("patch", l.version[2])
	}
}

// dependencyNames reads the names of the packages that a file depends on.
func (f marked) dependencyNames(c *decode.Cursor) {
	f.dependencyNode = c.Struct("dependencies", "string[]", func() {
		c.Indexed("string", c.Count("count", model.U32, 1, "string"), 1, func(e *decode.Cursor, _ int) {
			name := e.Terminated("name")
			if leaf := e.Last(); leaf != nil {
				leaf.Link = fileLink(f.dependencies.byName(f.file, name))
			}
			e.CollapseStruct()
		})
	})
}

// id is a UUID: 16 bytes in 3.0, a number of eight before.
type id struct {
	bytes [16]byte
	size  uint8
}

// String returns 32 hex digits in the order of the file, or a decimal number.
func (u id) String() string {
	if u.size == 16 {
		return hex.EncodeToString(u.bytes[:])
	}
	return strconv.FormatUint(little.Uint64(u.bytes[:]), 10)
}

func (u id) null() bool { return u.bytes == [16]byte{} }

// uuid reads a UUID.
func (f *file) uuid(c *decode.Cursor, name string) (u id) {
	if u.size = f.lay.objects.idSize; u.size == 8 {
		little.PutUint64(u.bytes[:], c.U64(name))
		c.As("uuid")
		return u
	}
	copy(u.bytes[:], c.Peek(16))
	c.Bytes(name, "uuid", 16)
	if leaf := c.Last(); leaf != nil {
		leaf.Value = u.String()
	}
	return u
}

// flag reads a byte that is true for every value but 0.
func flag(c *decode.Cursor, name string) bool {
	v := c.U8(name)
	if v > 1 {
		c.Note("%s is stored as %d", name, v)
	}
	return v != 0
}

// zeroChecksum reads a checksum, which is 0: no writer ever computed one. refused says that the engine reads no other.
func zeroChecksum(c *decode.Cursor, name string, refused bool) {
	switch v := c.U32(name); {
	case v == 0:
		c.Symbol("not recorded")
	case refused:
		c.Warn("%s is %#x; no writer records one, and the engine refuses any but 0", name, v)
	default:
		c.Note("%s is %#x; no writer records one", name, v)
	}
}

// extension reads bytes after the fields that this layout has.
func extension(c *decode.Cursor, size int64, what string) {
	if size > 0 {
		c.Bytes("extension", "bytes", size)
		c.Note("%d bytes after the %s that this layout knows", size, what)
	}
}

// fit returns v as an offset or size if it is within limit.
func fit(v uint64, limit int64) (int64, bool) {
	if limit < 0 || v > uint64(limit) {
		return 0, false
	}
	return int64(v), true
}
