package casset

import (
	"encoding/hex"
	"strconv"
	"strings"

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
	if f.lay.generation < 3 {
		little.PutUint64(u.bytes[:], c.U64(name))
		c.As("uuid")
		u.size = 8
		return u
	}
	copy(u.bytes[:], c.Peek(16))
	u.size = 16
	c.Bytes(name, "uuid", 16)
	if leaf := c.Last(); leaf != nil {
		leaf.Value = u.String()
	}
	return u
}

// readHeader reads the header of any generation. Opening records it; recognising a layout and looking for dependencies
// read it quietly.
func (f *file) readHeader(c *decode.Cursor) (h header) {
	c.Struct("header", "Header", func() {
		want := packMagic
		if f.lay.bundle {
			want = bundleMagic
		}
		c.Magic("magic", want)
		switch f.lay.generation {
		case 1, 2:
			f.packageHeader(c, &h)
		case 3:
			f.bundleHeader(c, &h)
		default:
			c.U32("major")
			c.U32("minor")
			c.Fail("%s", f.lay.why)
		}
	})
	return h
}

// packageHeader reads the table "Overview" of Package 0.1 to 1.2, and the header of 2.0: version, checksum, data
// offset, UUID, name, dependencies, and what the revision adds.
func (f *file) packageHeader(c *decode.Cursor, h *header) {
	l := &f.lay
	f.packageVersion(c)
	zeroChecksum(c, "checksum", false)
	h.data = c.Offset("data_offset", model.U64)
	h.uuid = f.uuid(c, "uuid")
	h.name = c.Terminated("name")
	if l.generation == 2 || l.minor >= 1 {
		f.dependencyNames(c)
	}
	switch {
	case l.generation == 2:
		flag(c, "cooked")
	case l.minor >= 2:
		f.revision12(c, h.data)
	}
	h.end = c.Pos()
	if h.data < uint64(h.end) || h.data > uint64(c.End()) {
		c.Fail("data offset %#x is not after the header, which ends at %#x", h.data, h.end)
		return
	}
	extension(c, int64(h.data)-h.end, "header's fields")
}

// packageVersion reads the version: the first layouts have 16-bit minor and patch numbers.
func (f *file) packageVersion(c *decode.Cursor) {
	l := &f.lay
	switch {
	case l.old:
		c.U16("major")
		c.U16("minor")
	case l.generation == 1 && l.version == 0:
		c.U32("major")
		c.U16("minor")
		c.U16("patch")
	default:
		c.U32("major")
		c.U32("minor")
		if l.generation == 1 && l.version > 2 {
			c.Warn("the version is 1.%d; the last that is known is 1.2, and the file is read as 1.%d", l.version,
				l.minor)
		}
		if l.generation == 2 && l.version > 0 {
			c.Warn("the version is 2.%d; only 2.0 is known, and the file is read as such", l.version)
		}
	}
}

// revision12 reads what the revisions of 1.2 have between the dependencies and the data: nothing, one byte, or two
// strings. Nothing else tells them apart.
func (f *file) revision12(c *decode.Cursor, data uint64) {
	n := int64(data) - c.Pos()
	if c.Err() != nil || data > uint64(c.End()) || n < 0 {
		return
	}
	q := c.Quiet(model.Span{Offset: c.Pos(), Size: n})
	first := q.Peek(1)
	cooked := first != nil && first[0] <= 1
	q.Terminated("primary_name")
	typ := q.Terminated("primary_type")
	what := "nothing is"
	switch {
	case n == 0:
		f.lay.variant += ", plain"
	case n >= 2 && q.Err() == nil && q.Left() == 0 &&
		(typ == "" || strings.Contains(typ, "/") || strings.Contains(typ, "::")):
		f.lay.variant += ", with the primary object's name"
		what = "two strings are"
		c.Terminated("primary_name")
		c.Terminated("primary_type")
	case cooked:
		f.lay.variant += ", with the cooked byte"
		what = "one byte is"
		f.lay.packageUUIDs = true
		c.U8("cooked")
	}
	f.lay.why += "; " + what + " between the dependencies and the data"
}

// bundleHeader reads the table "File Structure" of Bundle 3.0: checksum, version, offsets of the tables, UUID, name,
// dependencies, cooked.
func (f *file) bundleHeader(c *decode.Cursor, h *header) {
	zeroChecksum(c, "checksum", !f.lay.published)
	c.U32("major")
	if v := c.U32("minor"); v != 0 {
		c.Note("the minor version is %d; this is read as 3.0", v)
	}
	c.U32("patch")
	if f.lay.gap {
		c.Bytes("reserved", "bytes", 4)
	}
	h.schema = c.Offset("schema_offset", model.U64)
	if !f.tables.schemaGiven {
		c.Wrong("schema offset %#x is not where a schema can be; it is looked for after the header", h.schema)
	}
	h.data = c.Offset("data_offset", model.U64)
	if !f.tables.dataGiven {
		c.Wrong("data offset %#x is not where data can be; they are looked for after the schema", h.data)
	}
	h.uuid = f.uuid(c, "uuid")
	h.name = c.Terminated("name")
	f.dependencyUUIDs(c)
	flag(c, "cooked")
	h.end = c.Pos()
	extension(c, f.tables.schema-c.Pos(), "header's fields")
}

// dependencyNames reads the names of the packages that a file before 3.0 depends on.
func (f *file) dependencyNames(c *decode.Cursor) {
	f.dependencyList = c.Struct("dependencies", "string[]", func() {
		c.Indexed("string", c.Count("count", model.U32, 1, "string"), 1, func(e *decode.Cursor, _ int) {
			name := e.Terminated("name")
			if leaf := e.Last(); leaf != nil {
				leaf.Link = fileLink(f.dependencies.byName(f, name))
			}
			e.CollapseStruct()
		})
	})
}

// dependencyUUIDs reads the UUIDs of the bundles that a file of 3.0 depends on.
func (f *file) dependencyUUIDs(c *decode.Cursor) {
	f.dependencyList = c.Struct("dependencies", "UUID[]", func() {
		c.Records("uuid", c.Count("count", model.U32, 16, "uuid"), 16, func(e *decode.Cursor, _ int) {
			uuid := f.uuid(e, "uuid")
			if leaf := e.Last(); leaf != nil {
				leaf.Link = fileLink(f.dependencies.byUUID(f, uuid))
			}
			e.CollapseStruct()
		})
	})
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
