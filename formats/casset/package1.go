package casset

import (
	"bytes"
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

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

// endsBefore reports whether a string is next and ends before an offset.
func endsBefore(c *decode.Cursor, off int64) bool {
	n := min(off-c.Pos(), sourcePathMost)
	return n > 0 && bytes.IndexByte(c.Peek(n), 0) >= 0
}

// objectFields1 reads what is after the head of an object of 1.x: size bytes of fields, 0, a checksum. fields is how
// many there should be.
func (f *file) objectFields1(c *decode.Cursor, size int64, fields uint32, r *reader) {
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
			if n := r.fieldList(c, 0); n != fields {
				c.Remark(model.Error, model.Span{Offset: start}, "%d fields are announced, %d are found", fields, n)
			}
		})
	})
	if v := c.U32("end"); v != 0 {
		c.Wrong("the fields should end with 0, not with %#x", v)
	}
	zeroChecksum(c, "crc", false)
}

// fieldList reads n fields of 1.x; if n is 0, those up to the end of what may be read. It returns their number. After
// one that is broken it goes on at the next marker.
func (r *reader) fieldList(c *decode.Cursor, n uint32) (count uint32) {
	if n > 0 {
		for ; count < n && c.Err() == nil; count++ {
			r.field(c, "field", Type{})
		}
		return count
	}
	for c.Err() == nil && c.Left() > 0 {
		at := c.Pos()
		if !r.atField(c) {
			next, found := r.nextField(c, at+1)
			if found {
				c.Remark(model.Error, model.Span{Offset: at, Size: next - at},
					"no field begins here; the next one is at %#x", next)
			} else {
				c.Remark(model.Error, model.Span{Offset: at, Size: next - at},
					"no field begins here, and no other one follows")
			}
			c.GoTo(next)
			continue
		}
		count++
		whole := c.Try(func() { r.field(c, "field", Type{}) })
		if !whole && r.fields > fieldMost {
			return count
		}
		if !whole && c.Err() == nil {
			next, _ := r.nextField(c, max(at+1, c.Pos()))
			c.GoTo(next)
		}
	}
	return count
}

// fieldEntry reads the table "Field List Entry" into the open node: what is before the data, and the data.
func (r *reader) fieldEntry(c *decode.Cursor) {
	start := c.Pos()
	declared, size := r.fieldHeader1(c)
	c.Type(declared.String())
	r.framed(c, start, size, func() {
		t := r.infer(c, declared)
		if declared.kind == kUnknown { // a struct, a reference or an enum
			c.Type(t.String())
		}
		if t.kind == kBinary {
			blobFills(c)
		}
		r.value(c, t)
	})
}

// blobFills fails if a blob with flags does not fill its field. Empty ones may have no length.
func blobFills(c *decode.Cursor) {
	if size, n := uint64(c.Left()), peekU64(c); size >= 8 && n+16 != size {
		c.U64("length")
		c.Fail("a blob of %d bytes does not fit its field of %d", n, size)
	}
}

// fieldHeader1 reads what 1.x has before a value. The type is what the field declares, as far as it is known.
func (r *reader) fieldHeader1(c *decode.Cursor) (t Type, size int64) {
	var h field1
	n := c.Node()
	c.Struct("header", "FieldHeader", func() { h = r.readField1(c, n) })
	t, size = declaredType(h.typ), h.size
	if n != nil && strings.HasSuffix(h.typ, ".CE::Color") {
		n.Role = model.RoleColor
	}
	width, fixed := t.kind.fixed()
	if fixed && size != 0 && size != width && !(t.kind == kF64 && size == 4) {
		c.Wrong("a %s has %d bytes, not %d", t, width, size)
		if r.begins(c, c.Pos()+width) || !r.begins(c, c.Pos()+size) {
			size = width
		}
	}
	if size > c.Left() {
		c.Type(t.String())
		c.Fail("the data of the field do not fit in the bytes that are left")
	}
	if size == 0 && t.kind != kBinary {
		t.kind = kEmpty
	}
	return t, size
}

// field1 is what comes before the data of a field of 1.x.
type field1 struct {
	typ  string
	size int64
}

// readField1 reads the table "Field List Entry": marker, name, type, size. n is the field's node, if it is recorded.
func (r *reader) readField1(c *decode.Cursor, n *model.Node) (h field1) {
	if r.marked() {
		c.U32("marker")
	}
	r.fieldName(c, n)
	h.typ = c.Terminated("type")
	h.size = int64(c.Size("size", model.U32))
	return h
}

// marked reports whether a marker comes before each field.
func (f *file) marked() bool { return f.lay.minor >= 2 }

// atField reports whether a field can begin here, as far as its marker tells.
func (f *file) atField(c *decode.Cursor) bool {
	return !f.marked() || bytes.Equal(c.Peek(4), fieldMarker)
}

// declaredKinds are the types that fields of 1.x declare and whose data are known, by the part after the module's dot.
var declaredKinds = map[string]kind{
	"u8": kU8, "u16": kU16, "u32": kU32, "u64": kU64, "s8": kS8, "s16": kS16, "s32": kS32, "s64": kS64,
	"f32": kF32, "f64": kF64, "b8": kBool, "bool": kBool, "CE::UUID": kUUID64, "CE::Uuid": kUUID64,
	"CE::String": kString, "CE::Name": kString, "CE::IO::Path": kString,
	"CE::SubClassType": kString, "CE::ClassType": kString, "CE::StructType": kString, "CE::EnumType": kString,
	"CE::Vec2": kVec2, "CE::Vec3": kVec3, "CE::Vec4": kVec4,
	"CE::Vec2i": kVec2i, "CE::Vec3i": kVec3i, "CE::Vec4i": kVec4i,
	"CE::Quat": kVec4, "CE::Color": kVec4, "CE::Matrix4x4": kMatrix,
	"CE::BinaryBlob": kBinary, "CE::Array": kDeclaredArray, "CE::ObjectMap": kObjectMap,
	"CE::Object": kNamedObject,
}

// declaredType returns the declared type; it is not known if its name does not tell: a struct, a class or an enum.
func declaredType(typ string) Type {
	return Type{kind: declaredKinds[typ[strings.LastIndexByte(typ, '.')+1:]]}
}

// arrayBytes reads an array whose elements cannot be told apart as one block, without its count and size.
func arrayBytes(c *decode.Cursor, elements model.Span) {
	b := c.Bytes("value", "array", elements.End()-c.Pos())
	b.Span = elements
	if leaf := c.Last(); leaf != nil {
		leaf.Value = b
	}
}

// declaredArray reads the table "Array Field Data": the elements' type, their count, the bytes they take, and the
// elements without anything between them.
func (r *reader) declaredArray(c *decode.Cursor) {
	declared := c.Terminated("element_type")
	b := c.Peek(8)
	if b == nil {
		c.Fail("the count and the size of an array need 8 bytes, %d are left", c.Left())
		return
	}
	n, size := int64(little.Uint32(b)), int64(little.Uint32(b[4:]))
	if size > c.Left()-8 {
		c.Fail("elements of %d bytes do not fit in the %d that are left", size, c.Left()-8)
		return
	}
	from, end := c.Pos()+8, c.Pos()+8+size
	elem := r.inferElements(c, declaredType(declared), from, end, n)
	r.inferredElements(c, declared, elem, from, end, n)
	if c.Err() == nil && c.Pos() != end {
		c.Fail("%d elements end at %#x, their size leads to %#x", n, c.Pos(), end)
	}
}

// inferredElements reads the count, the size and the n elements of an array, whose type is inferred.
func (r *reader) inferredElements(c *decode.Cursor, declared string, elem Type, from, end, n int64) {
	size := end - from
	switch width, fixed := elem.kind.fixed(); {
	case n > 0 && size == 0:
		c.Bytes("value", "array", 8)
		if leaf := c.Last(); leaf != nil {
			leaf.Value = nil
		}
		nameValue(c, fmt.Sprintf("%d elements without bytes", n))
	case n > 0 && fixed && width*n != size:
		c.Fail("%d elements of %d bytes do not take %d", n, width, size)
	case n == 0 || elem.kind.plain():
		r.row(c, "value", elem, 8, n, width)
		c.CopyValueUp()
	case elem.kind == kUnknown:
		arrayBytes(c, model.Span{Offset: from, Size: size})
		c.Wrong("elements of type %q cannot be told apart", declared)
	default:
		r.declaredElements(c, elem, from, end, n)
	}
}

// declaredElements reads elements that are not plain, and their count and size. Empty blobs take no bytes: there may be
// fewer than the count says.
func (r *reader) declaredElements(c *decode.Cursor, elem Type, from, end, n int64) {
	c.U32("count")
	c.Role(model.RoleCount)
	least := int64(8)
	switch elem.kind {
	case kBinary, kBinaryNoFlags:
		if stored := r.blobsIn(c, from, end, n, elem.kind); stored < n {
			c.Note("%d of the %d blobs are empty and take no bytes; the file does not say which", n-stored, n)
			n = stored
		}
	case kFieldList:
		least = 6 * int64(elem.fields)
	}
	c.Size("size", model.U32)
	r.elements(c, elem, n, least, false, func(in *reader, e *decode.Cursor) { in.value(e, elem) })
}

// namedReference reads the table "Object Field Data": a reference with names, of which a null one has only the UUID. It
// returns the name of the package.
func (r *reader) namedReference(c *decode.Cursor, k kind) (name string) {
	object := r.uuid(c, "object")
	if object.null() {
		nameValue(c, "null")
		return ""
	}
	c.Terminated("class")
	var bundle id
	if k == kNamedUUIDs {
		bundle = r.uuid(c, "bundle")
	}
	if name = c.Terminated("package"); name == "" {
		bundle = id{}
	}
	c.Terminated("path")
	r.linkTo(c, object, bundle, name)
	return name
}
