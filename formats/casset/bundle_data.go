package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// data3: size, number of objects, the objects, 0.
func (f *file) data3(c *decode.Cursor, found *found3, moved string) {
	fr := &f.lay.frame
	f.list(c, func() {
		size := c.Size("size", model.U64)
		switch end := found.tableEnd() - fr.data - fr.own(); {
		case size == uint64(end):
		case size == 0 && f.lay.dialect.prefix == 8:
			c.Symbol("not recorded")
		default:
			c.Wrong("the data's size is %d, its objects and its end take %d bytes", size, end)
		}
		c.U32("count")
		c.Role(model.RoleCount)
		if n := len(f.objects.entries); int64(found.count) != int64(n) {
			c.Wrong("%d objects are announced, %d are found", found.count, n)
		}
		if moved != "" {
			c.Remark(model.Error, model.Span{Offset: fr.data}, "%s", moved)
		}
		if found.broken {
			c.Remark(model.Error, model.Span{Offset: found.brokenAt}, "the list of objects ends after %d of %d",
				found.whole, found.count)
		}
	}, func() {
		if f.lay.dialect.prefix == 8 { // r1118 has no end of data
			return
		}
		if end := c.U32("end"); end != 0 {
			c.Wrong("the data should end with 0, not with %#x", end)
		}
	})
}

// head3 reads what comes before the fields of an object.
func (f *file) head3(c *decode.Cursor) (h head) {
	fr := &f.lay.frame
	all := c.Left()
	if size := c.Size("size", fr.form()); size != uint64(all) {
		c.Wrong("the object's size is %d, it ends after %d bytes", size, all)
	}
	far := c.Offset("data_offset", model.U32)
	data := c.Pos() + int64(far)
	h.wide, h.isWide = uuid(c, "uuid"), true
	if c.Keyed() {
		c.Key(h.key())
	}
	flag(c, "is_asset")
	h.schema = f.schema.index(c)
	if int64(h.schema) < int64(len(f.schema.entries)) {
		h.class = f.schema.entries[h.schema].name
	}
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.name = c.Terminated("name")
	c.Role(model.RoleName)
	label(c, h)
	if n := data - c.Pos(); n < 0 || n > c.Left() {
		c.Wrong("the data offset leads to %#x, outside of the object's data", data)
	} else {
		extension(c, n, "entry's fields")
	}
	return h
}

// object3 reads an object: its head, and the values of its fields as its class in the schema has them.
func (f *file) object3(c *decode.Cursor, v *reader) {
	f.classFields(c, f.head3(c), v)
	if c.Left() > 0 {
		c.Fail("%d bytes are left after the last field of the schema", c.Left())
	}
}

// classFields: the fields in the order of the class, which is in the schema.
func (f *file) classFields(c *decode.Cursor, h head, v *reader) {
	if !f.lay.frame.published {
		all := c.Left()
		if size := c.Size("fields_size", model.U64); size != uint64(all) {
			c.Wrong("the fields' size is %d, the object ends after %d bytes", size, all)
		}
	}
	c.Struct("fields", "Field[]", func() {
		v.members(v, c, Type{kind: kStruct, index: h.schema})
	})
}
