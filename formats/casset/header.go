package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// header has the values of a file's header.
type header struct {
	uuid         id
	name         string
	schema, data uint64      // offsets; only 3.0 has a schema
	dependencies *model.Node // the list, if it was recorded
	end          int64       // after the last field that the layout has
}

// readHeader reads the header. Choosing a layout and looking for dependencies read it quietly, and it is recorded.
func (f *file) readHeader(c *decode.Cursor) (h header) {
	c.Struct("header", "Header", func() {
		c.Magic("magic", f.layout.header.magic)
		switch f.layout.generation {
		case unknown:
			if f.layout.header.checksum {
				zeroChecksum(c, "checksum", false)
			}
			c.U32("major")
			c.U32("minor")
			c.Fail("%s", f.layout.why)
		case bundle3:
			h = f.bundle3Header(c)
		default:
			h = f.packageHeader(c)
		}
	})
	return h
}

// packageHeader reads the table "Overview" of packages, which bundles of 2.0 have too.
func (f *file) packageHeader(c *decode.Cursor) (h header) {
	f.version(c, model.Warning)
	zeroChecksum(c, "checksum", false)
	h.data = c.Offset("data_offset", model.U64)
	objectsStart, ok := bounded(h.data, c.End())
	if !ok || objectsStart < c.Pos() {
		c.Errorf("data offset %#x is not in the file after the header", h.data)
		objectsStart = c.End()
	}
	if f.objects.start > 0 { // their offset is known
		objectsStart = f.objects.start
	}
	f.headerEnd(c, &h, objectsStart)
	return h
}

// headerEnd reads the last fields of the header, which ends at the latest where the next part begins.
func (f *file) headerEnd(c *decode.Cursor, h *header, next int64) {
	l := &f.layout.header
	c.Frame(next-c.Pos(), func() {
		h.uuid = f.uuid(c, "uuid")
		h.name = c.Terminated("name")
		if l.dependencies {
			h.dependencies = f.dependencyList(c)
		}
		if l.primary {
			c.Terminated("primary_name")
			c.Terminated("primary_type")
		}
		if l.cooked {
			flag(c, "cooked")
		}
		if c.Err() == nil {
			h.end = c.Pos()
			extension(c, c.Remaining(), "header's fields")
		}
	})
}

// dependencyList reads the names of the packages that a file depends on, or from 3.0 on the UUIDs of bundles.
func (f *file) dependencyList(c *decode.Cursor) *model.Node {
	if f.layout.generation == bundle3 {
		return c.Struct("dependencies", "UUID[]", func() {
			c.Records("uuid", c.Count("count", model.U32, 16, "uuid"), 16, func(e *decode.Cursor, _ int) {
				uuid := f.uuid(e, "uuid")
				f.linkFile(e, func() string { return f.dependencies.byUUID(f, uuid) })
			})
		})
	}
	return c.Struct("dependencies", "string[]", func() {
		c.Indexed("string", c.Count("count", model.U32, 1, "string"), 1, func(e *decode.Cursor, _ int) {
			name := e.Terminated("name")
			f.linkFile(e, func() string { return f.dependencies.byName(f, name) })
		})
	})
}

// linkFile makes the open struct of its field, with a link to the file that find finds.
func (f *file) linkFile(e *decode.Cursor, find func() string) {
	if leaf := e.Last(); leaf != nil {
		if to := find(); to != "" {
			leaf.Link = &model.Link{File: to}
		}
	}
	e.CollapseStruct()
}

// bundle3Header reads the table "File Structure".
func (f *file) bundle3Header(c *decode.Cursor) (h header) {
	zeroChecksum(c, "checksum", f.layout.header.mustBeZero)
	f.version(c, model.Note) // the engine ignores the minor number
	if f.layout.header.gap {
		c.Bytes("reserved", "bytes", 4)
	}
	h.schema = c.Offset("schema_offset", model.U64)
	if !f.offsets.schemaGiven {
		c.Errorf("invalid schema offset %#x; looking after the header instead", h.schema)
	}
	h.data = c.Offset("data_offset", model.U64)
	if !f.offsets.dataGiven {
		c.Errorf("invalid data offset %#x; looking after the schema instead", h.data)
	}
	schemaStart, ok := bounded(h.schema, c.End())
	if f.offsets.schema > 0 { // its offset is known
		schemaStart = f.offsets.schema
	} else if !ok || schemaStart < minSchemaOffset || !f.hasSchemaAt(c.Aside(model.Span{}), schemaStart) {
		schemaStart = c.End()
	}
	f.headerEnd(c, &h, schemaStart)
	return h
}

// version reads the version numbers. It reports an unknown minor number with this severity.
func (f *file) version(c *decode.Cursor, severity model.Severity) {
	l := &f.layout.header
	major, minor := c.Number("major", l.version[0]), c.Number("minor", l.version[1])
	if minor != l.minor {
		c.Remark(severity, c.Last(),
			"unknown version %d.%d (newest supported: %d.%d); decoded as %d.%d",
			major, minor, major, l.newest, major, l.minor)
	}
	if len(l.version) > 2 {
		c.Number("patch", l.version[2])
	}
}

// flag reads a byte that is true for every value but 0.
func flag(c *decode.Cursor, name string) bool {
	v := c.U8(name)
	if v > 1 {
		c.Notef("%s is stored as %d", name, v)
	}
	return v != 0
}

// zeroChecksum reads a checksum, which is 0: no writer ever computed one. mustBeZero means that the engine rejects any
// other value.
func zeroChecksum(c *decode.Cursor, name string, mustBeZero bool) {
	switch v := c.U32(name); {
	case v == 0:
		c.Symbol("not recorded")
	case mustBeZero:
		c.Warnf("%s is %#x; the engine accepts only 0", name, v)
	default:
		c.Notef("%s is %#x; no writer records one", name, v)
	}
}

// extension reads bytes after the fields that this layout has.
func extension(c *decode.Cursor, size int64, title string) {
	if size > 0 {
		c.Bytes("extension", "bytes", size)
		c.Notef("%s after the %s of this layout", model.PlainCount(size, "byte"), title)
	}
}
