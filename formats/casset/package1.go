package casset

import (
	"bytes"
	"math"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// Packages 1.x have objects that are lists of fields with names and types. Incomplete types are inferred from the
// bytes. The tables are in the document of packages.

// package1Head reads the table "Object Entry" up to the fields.
func (f *file) package1Head(c *decode.Cursor) (h head) {
	f.objectStart(c, &h)
	h.size = int64(c.Size("data_size", model.U32))
	h.count = c.Total("field_count", model.U32)
	dataOffset := c.Offset("data_offset", model.U64)
	offset := c.Last()
	h.name = c.Terminated("name")
	c.Role(model.RoleName)
	data, ok := bounded(dataOffset, c.End())
	if ok = ok && data >= c.Pos(); !ok {
		c.Remark(model.Error, offset, "data offset %#x is outside the object", dataOffset)
	}
	if f.layout.objects.sourcePath && (!ok || endsBefore(c, data)) {
		c.Terminated("source_path")
	}
	if ok {
		extension(c, data-c.Pos(), "entry's fields")
	}
	return h
}

// maxSourcePath is the maximum length of the path of a source asset.
const maxSourcePath = 1 << 16

// endsBefore reports whether a string is next and ends before an offset.
func endsBefore(c *decode.Cursor, off int64) bool {
	n := min(off-c.Pos(), maxSourcePath)
	return n > 0 && bytes.IndexByte(c.Peek(n), 0) >= 0
}

// package1Fields reads the list of fields, its end and the checksum.
func (r *valueReader) package1Fields(c *decode.Cursor, h head) {
	size := h.size
	if size > c.Remaining()-8 {
		c.Errorf("%d bytes of fields do not fit in the remaining %d bytes", size, c.Remaining())
		size = max(0, c.Remaining()-8)
	}
	c.Frame(size, func() {
		c.Struct("fields", "Field[]", func() {
			start := c.Pos()
			if n := r.fieldList(c); n != h.count {
				c.Remark(model.Error, model.Span{Offset: start}, "expected %s, found %d",
					model.PlainCount(h.count, "field"), n)
			}
		})
	})
	if v := c.U32("end"); v != 0 {
		c.Errorf("the fields should end with 0, not with %#x", v)
	}
	zeroChecksum(c, "crc", false)
}

// fieldList reads fields up to the end and returns their number. After a damaged field it continues at the next marker.
func (r *valueReader) fieldList(c *decode.Cursor) (count int64) {
	for c.Err() == nil && c.Remaining() > 0 {
		offset := c.Pos()
		if !r.isAtField(c) {
			next, found := r.nextField(c, offset+1)
			broken := model.Span{Offset: offset, Size: next - offset}
			if found {
				c.Remark(model.Error, broken, "no field begins here; the next one is at %#x", next)
			} else {
				c.Remark(model.Error, broken, "no field found here or after this")
			}
			c.GoTo(next)
			continue
		}
		count++
		complete := c.Try(func() { r.listedField(c) })
		if !complete && r.isFull() {
			c.GoTo(c.End()) // skip the other fields too
			return count
		}
		if !complete && c.Err() == nil {
			next, _ := r.nextField(c, max(offset+1, c.Pos()))
			c.GoTo(next)
		}
	}
	return count
}

// listedField reads a field of a list.
func (r *valueReader) listedField(c *decode.Cursor) {
	r.field(c, "field", func() {
		c.Struct("field", kUnknown.String(), func() { r.fieldEntry(c) })
	})
}

// fieldEntry reads the table "Field List Entry" into the open node.
func (r *valueReader) fieldEntry(c *decode.Cursor) {
	start, n := c.Pos(), c.Node()
	var typ string
	var size int64
	c.Struct("header", "FieldHeader", func() { typ, size = r.entryHeader(c, n) })
	if n != nil && strings.HasSuffix(typ, ".CE::Color") {
		n.Role = model.RoleColor
	}
	declared := declaredKind(typ)
	width, fixed := declared.fixedSize()
	if fixed && size != 0 && size != width && !(declared == kF64 && size == 4) {
		c.Errorf("a %s has %d bytes, not %d", declared, width, size)
		if r.hasFieldOrEndAt(c, c.Pos()+width) || !r.hasFieldOrEndAt(c, c.Pos()+size) {
			size = width
		}
	}
	c.Type(declared.String())
	if size > c.Remaining() {
		c.Fail("the data of the field do not fit in the remaining bytes")
	}
	readFramed(c, start, size, func() { r.fieldData(c, declared) })
}

// entryHeader reads the bytes before the data of a field: marker, name, type and size. n is the field's node, if it is
// recorded.
func (r *valueReader) entryHeader(c *decode.Cursor, n *model.Node) (typ string, size int64) {
	if r.layout.values.marker {
		c.U32("marker")
	}
	r.fieldName(c, n)
	typ = c.Terminated("type")
	return typ, int64(c.Size("size", model.U32))
}

// declaredKinds maps declared types of 1.x with documented data, by the part after the module's dot.
var declaredKinds = map[string]kind{
	"u8": kU8, "u16": kU16, "u32": kU32, "u64": kU64, "s8": kS8, "s16": kS16, "s32": kS32, "s64": kS64,
	"f32": kF32, "f64": kF64, "b8": kBool, "bool": kBool, "CE::UUID": kUUID64, "CE::Uuid": kUUID64,
	"CE::String": kString, "CE::Name": kString, "CE::IO::Path": kString,
	"CE::SubClassType": kString, "CE::ClassType": kString, "CE::StructType": kString, "CE::EnumType": kString,
	"CE::Vec2": kVec2, "CE::Vec3": kVec3, "CE::Vec4": kVec4,
	"CE::Vec2i": kVec2i, "CE::Vec3i": kVec3i, "CE::Vec4i": kVec4i,
	"CE::Quat": kVec4, "CE::Color": kVec4, "CE::Matrix4x4": kMatrix,
	"CE::BinaryBlob": kBinary, "CE::Array": kArray, "CE::ObjectMap": kObjectMap,
	"CE::Object": kObject,
}

// declaredKind returns the kind of a declared type, or kUnknown for a name that does not define it: a struct, a class
// or an enum.
func declaredKind(typ string) kind { return declaredKinds[typ[strings.LastIndexByte(typ, '.')+1:]] }

// fieldData reads the table "Field Data": all bytes that are left, of a field that declares a type.
func (r *valueReader) fieldData(c *decode.Cursor, declared kind) {
	size, t := c.Remaining(), inferred{kind: declared}
	switch {
	case size == 0 && declared == kBinary: // an empty blob
		r.bytes(c, 0)
		return
	case size == 0:
		c.Type("empty")
		nameValue(c, "no bytes")
		return
	case declared == kUnknown && r.layout.values.marker && r.isAtField(c):
		t = inferred{kind: kStruct}
	case declared == kUnknown && size == 8 && order.Uint64(c.Peek(8)) == 0:
		c.Type("object_null_or_enum0") // a null reference or an enum: the file does not distinguish them
		r.leaf(c, "value", kU64)
		return
	default:
		if found := r.infer(c, declared, c.Pos(), c.End(), 1); found.kind != kUnknown {
			t = found
		}
	}
	if declared == kUnknown { // a struct, a reference or an enum
		c.Type(t.kind.String())
	}
	if b := c.Peek(8); t.kind == kBinary && !t.short && b != nil && order.Uint64(b)+16 != uint64(size) {
		c.Fail("a blob of %d bytes does not fit its field of %d", c.U64("length"), size)
	}
	r.inferredValue(c, t)
}

// inferredValue reads a value of a type into the open node.
func (r *valueReader) inferredValue(c *decode.Cursor, t inferred) {
	switch t.kind {
	case kBinary:
		r.blob(c, !t.short)
	case kObject:
		r.namedReference(c, t.short)
	case kStruct:
		if t.fields == 0 {
			r.fieldList(c)
		}
		for range t.fields {
			r.listedField(c)
		}
	case kArray, kObjectMap:
		r.declaredArray(c)
	case kUnknown:
		c.Fail("a value of unknown type cannot be read")
	default:
		r.plainValue(c, t.kind)
	}
}

// declaredArray reads the table "Array Field Data": the elements' type, their count, the bytes they take, and the
// elements without anything between them.
func (r *valueReader) declaredArray(c *decode.Cursor) {
	declaredType := c.Terminated("element_type")
	b := c.Peek(8)
	if b == nil {
		c.Fail("the count and the size of an array need 8 bytes, but only %d remain", c.Remaining())
		return
	}
	n, size := int64(order.Uint32(b)), int64(order.Uint32(b[4:]))
	if size > c.Remaining()-8 {
		c.Fail("elements of %d bytes do not fit in the remaining %d bytes", size, c.Remaining()-8)
		return
	}
	from, end, elem := c.Pos()+8, c.Pos()+8+size, inferred{kind: kU8}
	if n > 0 && size > 0 {
		elem = r.infer(c, declaredKind(declaredType), from, end, n)
	}
	width, fixed := elem.kind.fixedSize()
	switch {
	case n > 0 && size == 0:
		arrayLeaf(c, "value", 8, nil)
		nameValue(c, model.PlainCount(n, "element")+" without bytes")
	case n > 0 && fixed && width*n != size:
		c.Fail("%d elements of %d bytes do not take %d", n, width, size)
	case elem.kind.isPlain():
		r.plainArray(c, "value", 4+4, n, elem.kind)
		c.CopyValueUp()
		if elem.zero {
			nameValue(c, "null references or enums of 0")
		}
	case elem.kind == kUnknown || elem.kind == kArray || elem.kind == kObjectMap:
		arrayLeaf(c, "value", 8+size, model.Blob{Source: r.src, Span: model.Span{Offset: from, Size: size}})
		c.Errorf("cannot separate elements of type %q", declaredType)
	default:
		r.declaredElements(c, elem, from, end, n)
	}
	if c.Err() == nil && c.Pos() != end {
		c.Fail("%d elements end at %#x, but their size implies %#x", n, c.Pos(), end)
	}
}

// declaredElements reads the count, the size and the elements of an array that are not plain. Empty blobs take no
// bytes: there may be fewer than the count.
func (r *valueReader) declaredElements(c *decode.Cursor, elem inferred, from, end, n int64) {
	minSize := int64(8)
	c.Total("count", model.U32)
	switch elem.kind {
	case kStruct:
		minSize = 6 * int64(elem.fields)
	case kBinary:
		found := r.countBlobs(c, from, end, n, elem.short)
		if found < n {
			c.Notef("%d of the %d blobs are empty and take no bytes; the file does not record which", n-found, n)
		}
		n = found
	}
	c.Size("size", model.U32)
	r.list(c, elem.kind.String(), n, minSize, func(r *valueReader, e *decode.Cursor) {
		r.inferredValue(e, elem)
	})
}

// namedReference reads the table "Object Field Data": a reference with names. A null reference has only the UUID; a
// short one has no UUID of the package. It returns the name of the package.
func (f *file) namedReference(c *decode.Cursor, short bool) (name string) {
	object := f.uuid(c, "object")
	if object.isNull() {
		nameValue(c, "null")
		return ""
	}
	c.Terminated("class")
	var bundle id
	if !short {
		bundle = f.uuid(c, "bundle")
	}
	if name = c.Terminated("package"); name == "" {
		bundle = id{}
	}
	c.Terminated("path")
	f.linkTo(c, object, bundle, name)
	return name
}

// inferred is the type of values, inferred from their bytes.
type inferred struct {
	kind   kind   // kUnknown if the bytes do not determine it
	short  bool   // before August 2023: a blob without flags, a reference without the package's UUID
	fields uint32 // number of fields of each struct; 0 if they fill its bytes
	zero   bool   // enums that are all 0, as null references are
}

// infer returns the type of n values that fill a part of the file, a field or the elements of an array, without moving
// the cursor. declared is the declared kind.
func (r *valueReader) infer(c *decode.Cursor, declared kind, from, end, n int64) inferred {
	switch declared {
	case kF64:
		if end-from == 4*n { // narrowed by every writer of 1.x
			return inferred{kind: kF32}
		}
	case kBinary:
		for _, short := range []bool{false, true} {
			if r.countBlobs(c, from, end, n, short) >= 0 {
				return inferred{kind: kBinary, short: short}
			}
		}
		return inferred{}
	case kUnknown:
		if end-from == 8*n {
			zeros := countFilling(c, from, end, n, func(q *decode.Cursor) {
				if q.U64("value") != 0 {
					q.Fail("not zero")
				}
			})
			return inferred{kind: kEnum, zero: zeros == n}
		}
		// Structs follow each other directly, and each has the same number of fields.
		if fields := r.countFields(c, from, end); fields > 0 && fields%n == 0 {
			return inferred{kind: kStruct, fields: uint32(fields / n)}
		}
		return r.inferReferences(c, from, end, n)
	case kObject:
		return r.inferReferences(c, from, end, n)
	}
	return inferred{kind: declared}
}

// inferReferences tries n references that must fill a part of the file, with the package's UUID as in the file's
// revision, and then the opposite. It prefers references with package names that begin with a slash.
func (f *file) inferReferences(c *decode.Cursor, from, end, n int64) (t inferred) {
	withoutUUID := !f.layout.values.packageUUIDs
	for _, short := range []bool{withoutUUID, !withoutUUID} {
		candidate, likely := inferred{kind: kObject, short: short}, true
		found := countFilling(c, from, end, n, func(q *decode.Cursor) {
			name := f.namedReference(q, short)
			likely = likely && (name == "" || name[0] == '/')
		})
		if found == n && likely {
			return candidate
		}
		if found == n && t.kind == kUnknown {
			t = candidate
		}
	}
	return t
}

// countFields returns the number of fields that fill a part of the file, or -1 if they do not.
func (f *file) countFields(c *decode.Cursor, from, end int64) int64 {
	look := f.lookaheadReader()
	return countFilling(c, from, end, math.MaxInt64, func(q *decode.Cursor) {
		if !f.isAtField(q) {
			q.Fail("no field begins here")
		}
		_, size := look.entryHeader(q, nil)
		q.Bytes("data", "bytes", size)
	})
}

// countBlobs returns the number of blobs, up to n, that fill a part of the file, or -1 if they do not.
func (f *file) countBlobs(c *decode.Cursor, from, end, n int64, short bool) int64 {
	look := f.lookaheadReader()
	return countFilling(c, from, end, n, func(q *decode.Cursor) { look.blob(q, !short) })
}

// countFilling returns the number of values, up to limit, that fill the bytes from one offset to another, or -1 if they
// do not fit exactly. value reads one of them.
func countFilling(c *decode.Cursor, from, end, limit int64, value func(q *decode.Cursor)) (n int64) {
	q := lookaheadCursor(c, from, end)
	for ; q.Remaining() > 0 && n < limit && q.Err() == nil; n++ {
		value(q)
	}
	if q.Err() != nil || q.Remaining() > 0 {
		return -1
	}
	return n
}

// lookaheadReader returns a reader for trying to read values, which are not used.
func (f *file) lookaheadReader() *valueReader { return &valueReader{file: f} }

// isAtField reports whether a field can begin at the cursor, by its marker if it has one.
func (f *file) isAtField(c *decode.Cursor) bool {
	return !f.layout.values.marker || bytes.Equal(c.Peek(4), fieldMarker)
}

// hasFieldAt reports whether a field begins at an offset, with a header of at most limit bytes.
func (f *file) hasFieldAt(c *decode.Cursor, pos, limit int64) bool {
	q := lookaheadCursor(c, pos, min(pos+limit, c.End()))
	if !f.isAtField(q) {
		return false
	}
	typ, size := f.lookaheadReader().entryHeader(q, nil)
	return q.Err() == nil && size <= c.End()-q.Pos() && typ != ""
}

// hasFieldOrEndAt reports whether a field, or the end of the fields, is at an offset.
func (f *file) hasFieldOrEndAt(c *decode.Cursor, pos int64) bool {
	return pos == c.End() || pos < c.End() && f.hasFieldAt(c, pos, math.MaxInt32)
}

// maxFieldHeader limits the header of a field that is searched after a damaged one, because each marker is tried.
const maxFieldHeader = 1 << 10

// nextField returns the offset of the next sound field, or the end: fields without markers cannot be found.
func (f *file) nextField(c *decode.Cursor, from int64) (int64, bool) {
	if f.layout.values.marker {
		find := c.Quiet(model.Span{Offset: from, Size: c.End() - from})
		for ; find.Find(fieldMarker); find.GoTo(find.Pos() + 1) {
			if f.hasFieldAt(c, find.Pos(), maxFieldHeader) {
				return find.Pos(), true
			}
		}
	}
	return c.End(), false
}
