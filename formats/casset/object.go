package casset

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// head is what comes before the fields of an object.
type head struct {
	uuid   id
	path   string
	class  string
	name   string
	schema uint32 // of the class (3.0)
	size   int64  // bytes of the fields, as the object says before 3.0; -1 if it does not
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

// object reads an object; only what comes before its fields if there is no reader for them. Lists of objects are walked
// with it, and it is recorded.
func (f *file) object(c *decode.Cursor, r *reader) (h head) {
	switch f.lay.generation {
	case 1:
		f.packageObject(c, r, &h)
	case 2:
		f.mapObject(c, r, &h)
	case 3:
		f.schemaObject(c, r, &h)
	}
	return h
}

// packageObject reads the table "Object Entry" of 1.x.
func (f *file) packageObject(c *decode.Cursor, r *reader, h *head) {
	f.objectStart(c, h)
	h.size = int64(c.Size("data_size", model.U32))
	fields := c.U32("field_count")
	c.Role(model.RoleCount)
	given := c.Offset("data_offset", model.U64)
	offset := c.Last()
	objectName(c, h)
	data, ok := fit(given, c.End())
	if ok = ok && data >= c.Pos(); !ok {
		c.Remark(model.Error, offset, "data offset %#x leads out of the object", given)
	}
	if f.lay.objects.sourcePath && (!ok || endsBefore(c, data)) {
		c.Terminated("source_path")
	}
	if ok {
		extension(c, data-c.Pos(), "entry's fields")
	}
	if r == nil || c.Err() != nil {
		return
	}
	size := h.size
	if size > c.Left()-8 {
		c.Wrong("%d bytes of fields do not fit in the %d that are left", size, c.Left())
		size = max(0, c.Left()-8)
	}
	c.Frame(size, func() {
		c.Struct("fields", "Field[]", func() {
			start := c.Pos()
			if n := r.fieldList(c); n != fields {
				c.Remark(model.Error, model.Span{Offset: start}, "%d fields are announced, %d are found", fields, n)
			}
		})
	})
	if v := c.U32("end"); v != 0 {
		c.Wrong("the fields should end with 0, not with %#x", v)
	}
	zeroChecksum(c, "crc", false)
}

// sourcePathMost is the longest path of a source asset that is looked for.
const sourcePathMost = 4096

// endsBefore reports whether a string is next and ends before an offset.
func endsBefore(c *decode.Cursor, off int64) bool {
	n := min(off-c.Pos(), sourcePathMost)
	return n > 0 && bytes.IndexByte(c.Peek(n), 0) >= 0
}

// mapObject reads the table "Object Entry" of 2.0.
func (f *file) mapObject(c *decode.Cursor, r *reader, h *head) {
	asset := f.objectStart(c, h)
	objectName(c, h)
	if asset && !dataFollow(c) {
		c.Terminated("source_path")
	}
	given := c.Offset("data_offset", model.U64)
	if data, ok := fit(given, c.End()); ok && data >= c.Pos() {
		extension(c, data-c.Pos(), "entry's fields")
	} else {
		c.Wrong("data offset %#x leads out of the object; the fields follow at %#x", given, c.Pos())
	}
	if r == nil {
		h.size = mapSize(c)
		return
	}
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

// dataFollow reports whether the offset of the fields comes next and they follow it: some writers of 2.0 have a source
// path only if is_asset is 1, others if it is not 0.
func dataFollow(c *decode.Cursor) bool {
	b := c.Peek(8)
	return b != nil && little.Uint64(b) == uint64(c.Pos()+8)
}

// mapSize returns how many bytes the map takes that comes next, its type and its size included; -1 if none comes.
func mapSize(c *decode.Cursor) int64 {
	if b := c.Peek(9); b != nil && b[0] == 0x10 {
		if n, ok := fit(little.Uint64(b[1:]), c.Left()-9); ok {
			return 9 + n
		}
	}
	return -1
}

// objectStart reads the beginning that the objects of 1.x and 2.0 have in common.
func (f *file) objectStart(c *decode.Cursor, h *head) (asset bool) {
	objectMark(c)
	f.objectKey(c, h)
	asset = flag(c, "is_asset")
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.class = c.Terminated("class")
	return asset
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

// schemaObject reads an entry of the table "Serialized Data" of 3.0.
func (f *file) schemaObject(c *decode.Cursor, r *reader, h *head) {
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
	if r == nil {
		return
	}
	if f.lay.objects.fieldsSize {
		all := c.Left()
		if size := c.Size("fields_size", model.U64); size != uint64(all) {
			c.Wrong("the fields' size is %d, the object ends after %d bytes", size, all)
		}
	}
	class := h.schema
	c.Struct("fields", "Field[]", func() { r.schemaFields(c, class) })
	if c.Left() > 0 {
		c.Fail("%d bytes are left after the last field of the schema", c.Left())
	}
}

// entrySize reads the first fields of an entry of the table "Serialized Data": its size, with the node that shows it if
// it is recorded, and the distance to its fields, whose offset it returns.
func (f *file) entrySize(c *decode.Cursor) (size uint64, node *model.Node, fields int64) {
	size = c.Size("size", f.lay.objects.size)
	node = c.Last()
	distance := c.Offset("data_offset", model.U32)
	return size, node, c.Pos() + int64(distance)
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

// objectEnd returns where the object before 3.0 at pos says that it ends; 0 if it does not.
func (f *file) objectEnd(q *decode.Cursor, pos int64) int64 {
	at(q, pos)
	size := f.object(q, nil).size
	if q.Err() != nil || size < 0 || size > q.Left()-f.lay.objects.tail {
		return 0
	}
	return q.Pos() + size + f.lay.objects.tail
}

// at starts a quiet cursor at an offset.
func at(q *decode.Cursor, off int64) { q.Reset(model.Span{Offset: off, Size: q.Source().Size() - off}) }

// quiet returns a cursor for reading one object's head after the other.
func (f *file) quiet() *decode.Cursor { return f.cursor.Quiet(model.Span{}) }

// head reads what comes before the fields of the i-th object.
func (f *file) head(q *decode.Cursor, i int) (h head, ok bool) {
	q.Reset(f.objects.span(i))
	h = f.object(q, nil)
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
