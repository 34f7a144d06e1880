package casset

import (
	"bytes"
	"fmt"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// declaredKinds are the types that fields of 1.x declare and whose data are known, by the part after the module's dot.
var declaredKinds = map[string]kind{
	"u8": kU8, "u16": kU16, "u32": kU32, "u64": kU64, "s8": kS8, "s16": kS16, "s32": kS32, "s64": kS64,
	"f32": kF32, "f64": kF64, "b8": kBool, "bool": kBool, "CE::UUID": kUUID64, "CE::Uuid": kUUID64,
	"CE::String": kString, "CE::Name": kString, "CE::IO::Path": kString,
	"CE::SubClassType": kString, "CE::ClassType": kString, "CE::StructType": kString, "CE::EnumType": kString,
	"CE::Vec2": kVec2, "CE::Vec3": kVec3, "CE::Vec4": kVec4,
	"CE::Vec2i": kVec2i, "CE::Vec3i": kVec3i, "CE::Vec4i": kVec4i,
	"CE::Quat": kVec4, "CE::Color": kVec4, "CE::Matrix4x4": kMatrix,
	"CE::BinaryBlob": kBinary, "CE::Array": kArray, "CE::ObjectMap": kObjectMap, "CE::Object": kObject,
}

// declaredType returns the declared type; it is not known if its name does not tell: a struct, a class or an enum.
func declaredType(typ string) Type {
	return Type{kind: declaredKinds[typ[strings.LastIndexByte(typ, '.')+1:]]}
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

// fields1 reads n fields of 1.x; if n is 0, those up to the end of what may be read. It returns their number. After one
// that is broken it goes on at the next marker.
func (r *reader) fields1(c *decode.Cursor, n uint32) (count uint32) {
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

// begins reports whether a field or the end of the fields is at an offset.
func (f *file) begins(c *decode.Cursor, pos int64) bool {
	if pos >= c.End() {
		return pos == c.End()
	}
	q := ahead(c, pos, c.End())
	if !f.atField(q) {
		return false
	}
	h := f.lookahead().readField1(q, nil)
	return q.Err() == nil && h.size <= q.Left() && h.typ != ""
}

// lookahead returns a reader for trying to read values, which are not used.
func (f *file) lookahead() *reader { return &reader{file: f} }

// headerMost bounds the header of a field that is looked for after a broken one, because each marker is tried.
const headerMost = 1 << 10

// nextField returns where the next sound field begins, the end if there is none: only markers can be looked for.
func (f *file) nextField(c *decode.Cursor, from int64) (int64, bool) {
	end := c.End()
	if !f.marked() {
		return end, false
	}
	find := c.Quiet(model.Span{Offset: from, Size: end - from})
	for find.Find(fieldMarker) {
		at := find.Pos()
		q := ahead(c, at, min(end, at+headerMost))
		if h := f.lookahead().readField1(q, nil); q.Err() == nil && h.size <= end-q.Pos() {
			return at, true
		}
		find.GoTo(at + 1)
	}
	return end, false
}

// fieldsIn counts the fields that fill a part of the file; 0 if they do not.
func (f *file) fieldsIn(c *decode.Cursor, from, end int64) (n int64) {
	look := f.lookahead()
	for q := ahead(c, from, end); q.Left() > 0; n++ {
		if !f.atField(q) {
			return 0
		}
		q.Bytes("data", "bytes", look.readField1(q, nil).size)
		if q.Err() != nil {
			return 0
		}
	}
	return n
}

// infer returns the type of a field's value, all bytes that are left, and shows it where the declared type does not say
// it: a struct, a reference or an enum.
func (r *reader) infer(c *decode.Cursor, t Type) Type {
	from, end := c.Pos(), c.End()
	switch {
	case t.kind == kF64 && c.Left() == 4: // narrowed by every writer of 1.x
		return Type{kind: kF32}
	case t.kind == kBinary && c.Left() >= 8:
		size, n := uint64(c.Left()), peekU64(c)
		if t.flags = n+16 == size; !t.flags && n+8 != size {
			c.U64("length")
			c.Fail("a blob of %d bytes does not fit its field of %d", n, size)
		}
		return t
	case t.kind == kObject:
		t.uuids, _ = r.references(c, from, end, 1)
		return t
	case t.kind != kUnknown:
		return t
	case c.Left() == 8 && peekU64(c) == 0:
		t = Type{kind: kU64, either: true}
	case c.Left() == 8:
		t.kind = kEnum
	case r.marked() && r.atField(c):
		t.kind = kStruct
	default:
		if uuids, ok := r.references(c, from, end, 1); ok {
			t = Type{kind: kObject, uuids: uuids}
		} else if !r.marked() && r.fieldsIn(c, from, end) > 0 {
			t.kind = kStruct
		}
	}
	c.Type(t.String())
	return t
}

// peekU64 returns the next eight bytes as a number, without going on; 0 if they cannot be read.
func peekU64(c *decode.Cursor) uint64 {
	if b := c.Peek(8); b != nil {
		return little.Uint64(b)
	}
	return 0
}

// references tries n references that must fill a part of the file, with the package's UUID in them or without,
// whichever fits; where both do, as the file's revision has it.
func (f *file) references(c *decode.Cursor, from, end, n int64) (uuids, ok bool) {
	best, look := -1, f.lookahead()
	for _, with := range []bool{f.lay.packageUUIDs, !f.lay.packageUUIDs} {
		q := ahead(c, from, end)
		score := 1
		for i := int64(0); i < n && q.Err() == nil; i++ {
			if name := look.reference(q, Type{kind: kObject, uuids: with}); name != "" && name[0] != '/' {
				score = 0
			}
		}
		if q.Err() == nil && q.Left() == 0 && score > best {
			best, uuids, ok = score, with, true
		}
	}
	return uuids, ok
}

// array1 reads the table "Array Field Data": the elements' type, their count, the bytes they take, and the elements
// without anything between them.
func (r *reader) array1(c *decode.Cursor) {
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
	width, fixed := elem.kind.fixed()
	switch {
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
		b := c.Bytes("value", "array", end-c.Pos())
		b.Span = model.Span{Offset: from, Size: size}
		if leaf := c.Last(); leaf != nil {
			leaf.Value = b
		}
		c.Wrong("elements of type %q cannot be told apart", declared)
	default:
		r.elements1(c, elem, from, end, n)
	}
	if c.Err() == nil && c.Pos() != end {
		c.Fail("%d elements end at %#x, their size leads to %#x", n, c.Pos(), end)
	}
}

// elements1 reads elements that are not plain, and their count and size. Empty blobs take no bytes: there may be fewer
// than the count says.
func (r *reader) elements1(c *decode.Cursor, elem Type, from, end, n int64) {
	c.U32("count")
	c.Role(model.RoleCount)
	least := int64(8)
	switch elem.kind {
	case kBinary:
		if stored := r.blobsIn(c, from, end, n, elem.flags); stored < n {
			c.Note("%d of the %d blobs are empty and take no bytes; the file does not say which", n-stored, n)
			n = stored
		}
	case kStruct:
		least = 6 * int64(elem.fields)
	}
	c.Size("size", model.U32)
	r.elements(c, elem, n, least, false, true)
}

// inferElements returns the type of n elements that fill a part of the file. Structs follow each other without anything
// between them, and each has as many fields as the others.
func (r *reader) inferElements(c *decode.Cursor, t Type, from, end, n int64) Type {
	size := end - from
	switch {
	case size == 0 || n == 0:
		return Type{kind: kU8}
	case t.kind == kF64 && size == 4*n:
		return Type{kind: kF32}
	case t.kind == kBinary:
		for _, flags := range []bool{true, false} {
			if r.blobsIn(c, from, end, n, flags) >= 0 {
				return Type{kind: kBinary, flags: flags}
			}
		}
		return Type{}
	case t.kind == kArray || t.kind == kObjectMap:
		return Type{}
	case t.kind != kUnknown && t.kind != kObject:
		return t
	}
	if t.kind == kUnknown {
		if fields := r.fieldsIn(c, from, end); fields > 0 && fields%n == 0 {
			return Type{kind: kStruct, fields: uint32(fields / n)}
		}
		if size == 8*n {
			q := ahead(c, from, end)
			for q.Left() > 0 && q.Err() == nil {
				if q.U64("value") != 0 {
					return Type{kind: kEnum}
				}
			}
			return Type{kind: kU64} // null references or enums
		}
	}
	if uuids, ok := r.references(c, from, end, n); ok {
		return Type{kind: kObject, uuids: uuids}
	}
	return Type{}
}

// blobsIn counts the blobs, up to n, that fill a part of the file; -1 if they do not.
func (f *file) blobsIn(c *decode.Cursor, from, end, n int64, flags bool) (count int64) {
	look, q := f.lookahead(), ahead(c, from, end)
	for ; q.Left() > 0 && count < n && q.Err() == nil; count++ {
		look.blob(q, Type{kind: kBinary, flags: flags})
	}
	if q.Err() != nil || q.Left() > 0 {
		return -1
	}
	return count
}
