package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// open3 reads a Bundle 3.0: the header, the schema, the objects.
func (f *file) open3(c *decode.Cursor) {
	q := c.Quiet(model.Span{})
	why := f.chooseFrame(q)
	f.readSchema(q)
	moved := f.placeData(q)
	found := &found3{file: f, q: c.Skim(model.Span{})}
	found.walkAll()
	f.lay.nameVariant(why, f.chooseDialect(found.q))
	found.recover()

	fr := &f.lay.frame
	c.Try(func() { f.header3(c) })
	c.Try(func() { c.GoTo(fr.schema) })
	if fr.schema > 0 {
		c.Try(func() { f.schemaTable(c) })
	}
	if fr.data == 0 {
		return
	}
	c.Try(func() {
		c.GoTo(fr.data)
		f.data3(c, found, moved)
	})
	if !fr.published {
		c.Try(func() {
			if end := c.U64("end"); end != 0 {
				c.Wrong("the file should end with 0, not with %#x", end)
			}
		})
	}
}

// header3 is what the header of a Bundle 3.0 says.
type header3 struct {
	schema, data uint64
	end          int64
}

// header3: magic, checksum, version, offsets of the tables, UUID, name, dependencies, cooked.
func (f *file) header3(c *decode.Cursor) (h header3) {
	fr := &f.lay.frame
	c.Struct("header", "Header", func() {
		f.magic(c)
		unrecorded(c, "checksum", !fr.published)
		c.U32("major")
		if v := c.U32("minor"); v != 0 {
			c.Note("the minor version is %d; this is read as 3.0", v)
		}
		c.U32("patch")
		if fr.gap {
			c.Bytes("reserved", "bytes", 4)
		}
		h.schema = c.Offset("schema_offset", model.U64)
		if !fr.schemaGiven {
			c.Wrong("schema offset %#x is not where a schema can be; it is looked for after the header", h.schema)
		}
		h.data = c.Offset("data_offset", model.U64)
		if !fr.dataGiven {
			c.Wrong("data offset %#x is not where data can be; they are looked for after the schema", h.data)
		}
		f.uuid = uuid(c, "uuid").String()
		f.name = c.Terminated("name")
		f.listDependencies(c, kUUID)
		flag(c, "cooked")
		h.end = c.Pos()
		extension(c, fr.schema-c.Pos(), "header's fields")
	})
	return h
}
