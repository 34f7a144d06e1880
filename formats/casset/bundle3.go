package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// bundle3 is what only a Bundle 3.0 has.
type bundle3 struct {
	schema schema
}

func (f *file) open3(c *decode.Cursor) {
	var why string
	f.lay.frame, why = chooseFrame(f.src)
	fr := &f.lay.frame
	f.schema = readSchema(f.src, *fr)
	moved := f.placeData()
	found := f.index3()
	f.lay.nameVariant(why, f.index3votes())
	f.recover3(&found)

	c.Try(func() { f.header3(c) })
	c.Try(func() { c.GoTo(fr.schema) })
	if fr.schema > 0 {
		c.Try(func() { f.schemaTable(c) })
	}
	if fr.data == 0 {
		return
	}
	c.Try(func() { c.GoTo(fr.data) })
	list := f.list(c, 2, func() {
		size := c.U64("size")
		c.Role(model.RoleSize)
		if end := found.tableEnd - fr.data - fr.own(); c.Err() == nil && (size > 1<<62 || int64(size) != end) {
			if size == 0 && f.lay.dialect.prefix == 8 {
				c.Last().Symbol = "not recorded"
			} else {
				c.Wrong("the data's size is %d, its objects and its end take %d bytes", size, end)
			}
		}
		c.U32("count")
		c.Role(model.RoleCount)
		if n := len(f.objects.entries); c.Err() == nil && int64(found.count) != int64(n) {
			c.Wrong("%d objects are announced, %d are found", found.count, n)
		}
	}, f.object3)
	if list == nil {
		return
	}
	if moved != "" {
		list.Warn(model.Error, model.Span{Offset: fr.data}, "%s", moved)
	}
	list.Problems = append(list.Problems, found.problems...)
	if f.lay.dialect.prefix != 8 { // r1118 has no end of data
		c.Try(func() {
			list.Behind(c.Detached(func() {
				if end := c.U32("end"); c.Err() == nil && end != 0 {
					c.Wrong("the data should end with 0, not with %#x", end)
				}
			}))
		})
	}
	if !fr.draft {
		c.Try(func() {
			if end := c.U64("end"); c.Err() == nil && end != 0 {
				c.Wrong("the file should end with 0, not with %#x", end)
			}
		})
	}
}

// header3 records the header.
func (f *file) header3(c *decode.Cursor) {
	fr := &f.lay.frame
	c.Struct("header", "Header", func() {
		f.magic(c)
		unrecorded(c, "checksum", !fr.draft)
		c.U32("major")
		if v := c.U32("minor"); v != 0 {
			c.Note("the minor version is %d; this is read as 3.0", v)
		}
		c.U32("patch")
		if fr.gap {
			c.Bytes("reserved", "bytes", 4)
		}
		schema := c.U64("schema_offset")
		c.Role(model.RoleOffset)
		if c.Err() == nil && !fr.schemaGiven {
			c.Wrong("schema offset %#x is not where a schema can be; it is looked for behind the header", schema)
		}
		data := c.U64("data_offset")
		c.Role(model.RoleOffset)
		if c.Err() == nil && !fr.dataGiven {
			c.Wrong("data offset %#x is not where data can be; they are looked for behind the schema", data)
		}
		f.uuid = uuid(c, "uuid")
		f.name = c.Terminated("name")
		f.listDependencies(c, kUUID)
		cooked := c.U8("cooked")
		if cooked > 1 {
			c.Note("cooked is stored as %d", cooked)
		}
		if n := fr.schema - c.Pos(); c.Err() == nil && n > 0 {
			c.Bytes("extension", "bytes", n)
			c.Note("%d bytes behind the header's fields that this layout knows", n)
		}
	})
}

// object3 records one object.
func (f *file) object3(c *decode.Cursor) {
	fr := &f.lay.frame
	start, end := c.Node().Offset, c.Node().End()
	form := model.U64
	if fr.draft {
		form = model.U32
	}
	size := c.Number("size", form)
	c.Role(model.RoleSize)
	if c.Err() == nil && (size > 1<<62 || int64(size) != end-start) {
		c.Wrong("the object's size is %d, it ends after %d bytes", size, end-start)
	}
	far := c.U32("data_offset")
	c.Role(model.RoleOffset)
	data := c.Pos() + int64(far)
	c.Key(uuid(c, "uuid"))
	c.U8("is_asset")
	schema := c.U32("schema_index")
	f.linkSchema(c, schema)
	c.Terminated("path")
	c.Role(model.RoleName)
	c.Terminated("name")
	c.Role(model.RoleName)
	if n := data - c.Pos(); c.Err() == nil && n != 0 {
		if n < 0 || n > c.Left() {
			c.Wrong("the data offset leads to %#x, outside of the object's data", data)
		} else {
			c.Bytes("extension", "bytes", n)
			c.Note("%d bytes behind the entry's fields that this layout knows", n)
		}
	}
	if !fr.draft {
		at := c.Pos()
		size := c.U64("fields_size")
		c.Role(model.RoleSize)
		if c.Err() == nil && (size > 1<<62 || at+int64(size) != end) {
			c.Wrong("the fields' size is %d, the object ends after %d bytes", size, end-at)
		}
	}
	c.Struct("fields", "Field[]", func() {
		if c.Err() == nil && int64(schema) >= int64(len(f.schema.entries)) {
			c.Fail("without a schema entry the fields cannot be read")
			return
		}
		f.values3(c).structure(schema)
		if c.Err() == nil && c.Left() > 0 {
			c.Fail("%d bytes are left behind the last field of the schema", c.Left())
		}
	})
}
