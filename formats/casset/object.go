package casset

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// sourcePathMost is the longest path of a source asset that is looked for.
const sourcePathMost = 4096

// head is what comes before the fields of an object, whatever the generation.
type head struct {
	uuid   id
	path   string
	class  string
	name   string
	schema uint32 // of the class (3.0)

	fields uint32 // how many there are (1.x)
	size   int64  // the bytes of the fields (1.x)
}

// title is what a person calls the object: its path, its name, its class.
func (h head) title() string { return cmp.Or(h.path, h.name, className(h.class)) }

// className is a class without the module that it is in: "CE::Texture2D" of "/Code/System.CE::Texture2D".
func className(class string) string {
	class = class[strings.LastIndexByte(class, '/')+1:]
	if _, name, ok := strings.Cut(class, "."); ok {
		return name
	}
	return class
}

// readHead reads what comes before the fields of an object of any generation. A list of objects is walked with it, and
// objects are recorded with it.
func (f *file) readHead(c *decode.Cursor) (h head) {
	if f.lay.generation == 3 {
		f.entryHead(c, &h)
	} else {
		f.objectHead(c, &h)
	}
	return h
}

// objectHead reads the table "Object Entry" of 1.x or 2.0, up to the fields. Both begin alike.
func (f *file) objectHead(c *decode.Cursor, h *head) {
	objectMark(c)
	f.objectKey(c, h)
	asset := flag(c, "is_asset")
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.class = c.Terminated("class")
	if f.lay.generation == 2 {
		objectHead2(c, h, asset)
	} else {
		f.objectHead1(c, h)
	}
}

// objectHead1 reads what 1.x has after the class: size, number and offset of the fields, name, source path.
func (f *file) objectHead1(c *decode.Cursor, h *head) {
	h.size = int64(c.Size("data_size", model.U32))
	h.fields = c.U32("field_count")
	c.Role(model.RoleCount)
	given := c.Offset("data_offset", model.U64)
	offset := c.Last()
	objectName(c, h)
	data, ok := fit(given, c.End())
	if ok = ok && data >= c.Pos(); !ok {
		c.Remark(model.Error, offset, "data offset %#x leads out of the object", given)
	}
	if !f.lay.old && (!ok || endsBefore(c, data)) {
		c.Terminated("source_path")
	}
	if ok {
		extension(c, data-c.Pos(), "entry's fields")
	}
}

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

// objectMark reads the magic of an object. An object without it is read all the same: the one before it ends here.
func objectMark(c *decode.Cursor) {
	b := c.Peek(8)
	marked := bytes.Equal(b, objectMagic)
	text := ""
	if c.Recording() {
		text = strings.ToValidUTF8(string(b), "\uFFFD")
	}
	c.Bytes("magic", "bytes", 8)
	if leaf := c.Last(); leaf != nil {
		leaf.Value = text
	}
	if !marked {
		c.Wrong("an object begins with % x", objectMagic)
	}
}

// objectKey reads the UUID, which is the object's key.
func (f *file) objectKey(c *decode.Cursor, h *head) {
	h.uuid = f.uuid(c, "uuid")
	if c.Node() != nil {
		c.Key(h.uuid.String())
	}
}

// objectName reads the name, the last part of what a person calls the object.
func objectName(c *decode.Cursor, h *head) {
	h.name = c.Terminated("name")
	c.Role(model.RoleName)
	if c.Recording() && c.Err() == nil {
		c.Node().SetLabel((*h).title)
	}
}

// dataFollow reports whether the offset of the fields comes next and they follow it: some writers of 2.0 have a source
// path only if is_asset is 1, others if it is not 0.
func dataFollow(c *decode.Cursor) bool {
	b := c.Peek(8)
	return b != nil && little.Uint64(b) == uint64(c.Pos()+8)
}

// endsBefore reports whether a string is next and ends before an offset.
func endsBefore(c *decode.Cursor, off int64) bool {
	n := min(off-c.Pos(), sourcePathMost)
	return n > 0 && bytes.IndexByte(c.Peek(n), 0) >= 0
}

// entrySize reads the first fields of an entry of the table "Serialized Data": its size, with the node that shows it if
// it is recorded, and the distance to its fields, whose offset it returns.
func (f *file) entrySize(c *decode.Cursor) (size uint64, node *model.Node, fields int64) {
	size = c.Size("size", f.lay.entryForm())
	node = c.Last()
	distance := c.Offset("data_offset", model.U32)
	return size, node, c.Pos() + int64(distance)
}

// entryHead reads an entry of the table "Serialized Data", up to the fields.
func (f *file) entryHead(c *decode.Cursor, h *head) {
	all := c.Left()
	size, node, fields := f.entrySize(c)
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

// object reads an object of any generation: its head, its fields, and what is after them.
func (f *file) object(c *decode.Cursor, r *reader) {
	switch h := f.readHead(c); {
	case f.lay.generation == 1:
		f.fieldList(c, h.size, h.fields, r)
	case f.lay.generation == 2:
		f.fieldMap(c, r)
	default:
		f.fieldValues(c, h.schema, r)
	}
}

// fieldList reads what is after the head of an object of 1.x: size bytes of fields, 0, a checksum. fields is how many
// there should be.
func (f *file) fieldList(c *decode.Cursor, size int64, fields uint32, r *reader) {
	if c.Err() != nil {
		return
	}
	if size > c.Left()-8 {
		c.Wrong("%d bytes of fields do not fit in the %d that are left", size, c.Left())
		size = max(0, c.Left()-8)
	}
	c.Frame(size, func() {
		c.Struct("fields", "Field[]", func() {
			start := c.Pos()
			if n := r.fields1(c, 0); n != fields {
				c.Remark(model.Error, model.Span{Offset: start}, "%d fields are announced, %d are found", fields, n)
			}
		})
	})
	if v := c.U32("end"); v != 0 {
		c.Wrong("the fields should end with 0, not with %#x", v)
	}
	zeroChecksum(c, "crc", false)
}

// fieldMap reads what is after the head of an object of 2.0: the map of its fields, a checksum.
func (f *file) fieldMap(c *decode.Cursor, r *reader) {
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

// fieldValues reads what is after the head of an object of 3.0: the values of its fields as its class, an entry of the
// schema, has them.
func (f *file) fieldValues(c *decode.Cursor, class uint32, r *reader) {
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

// at starts a quiet cursor at an offset.
func (f *file) at(q *decode.Cursor, off int64) {
	q.Reset(model.Span{Offset: off, Size: f.src.Size() - off})
}

// quiet returns a cursor for reading one object's head after the other.
func (f *file) quiet() *decode.Cursor { return f.cursor.Quiet(model.Span{}) }

// head reads the head of the i-th object.
func (f *file) head(q *decode.Cursor, i int) (h head, ok bool) {
	q.Reset(f.objects.span(i))
	h = f.readHead(q)
	return h, q.Err() == nil
}

// heads calls visit with the head of each object; what cannot be read of one is left out.
func (f *file) heads(ctx context.Context, visit func(i int, h head)) error {
	q := f.quiet()
	for i := range f.objects.entries {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		h, _ := f.head(q, i)
		visit(i, h)
	}
	return nil
}
