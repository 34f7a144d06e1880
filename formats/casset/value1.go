package casset

import (
	"bytes"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// values1 records the fields of one object of 1.x, or of one element.
type values1 struct {
	*file
	c *decode.Cursor
	s *scanner // for looks ahead
	budget
}

// field1 is a field's header.
type field1 struct {
	name, typ string
	size      int64
	data      int64 // where its data begin
}

// names1 are the declared types whose data are known, by the part behind the module's dot.
var names1 = map[string]kind{
	"u8": kU8, "u16": kU16, "u32": kU32, "u64": kU64, "s8": kS8, "s16": kS16, "s32": kS32, "s64": kS64, "f32": kF32, "f64": kF64,
	"b8": kBool, "bool": kBool, "CE::UUID": kUUID64, "CE::Uuid": kUUID64, "CE::String": kString, "CE::Name": kString, "CE::IO::Path": kString,
	"CE::SubClassType": kString, "CE::ClassType": kString, "CE::StructType": kString, "CE::EnumType": kString,
	"CE::Vec2": kVec2, "CE::Vec3": kVec3, "CE::Vec4": kVec4, "CE::Vec2i": kVec2i, "CE::Vec3i": kVec3i, "CE::Vec4i": kVec4i,
	"CE::Quat": kVec4, "CE::Color": kVec4, "CE::Matrix4x4": kMatrix,
	"CE::BinaryBlob": kBinary, "CE::Array": kArray, "CE::ObjectMap": kObjectMap, "CE::Object": kObject,
}

// kind1 gives the kind of a declared type; kBad if its name does not tell: a struct, a class or an enum.
func kind1(typ string) kind {
	if k, ok := names1[typ[strings.LastIndexByte(typ, '.')+1:]]; ok {
		return k
	}
	return kBad
}

// look reads a field's header without recording it.
func (v *values1) look(pos, end int64) (f field1, ok bool) {
	s := v.s
	s.pos, s.end, s.err = pos, end, nil
	f, ok = v.header(s)
	return f, ok && f.size <= s.left()
}

func (f *file) header(s *scanner) (h field1, ok bool) {
	if f.lay.minor >= 2 && !bytes.Equal(s.take(4), fieldMarker) {
		return h, false
	}
	h.name = s.text()
	h.typ = s.text()
	h.size = int64(s.u32())
	h.data = s.pos
	return h, s.err == nil
}

// skipField goes behind a whole field.
func (f *file) skipField(s *scanner) {
	h, ok := f.header(s)
	if !ok {
		s.fail("no field begins here")
	}
	s.skip(h.size)
}

// entries records fields up to end and gives their number. Behind one that is broken it goes on with the next marker.
func (v *values1) entries(end int64) (n int) {
	c := v.c
	for c.Err() == nil && c.Pos() < end {
		at := c.Pos()
		h, _ := v.look(at, end)
		if h.data == 0 || v.s.err != nil {
			next := v.next(at+1, end)
			c.Node().Warn(model.Error, model.Span{Offset: at, Size: next - at}, "no field begins here%s", andNext(next, end))
			c.GoTo(next)
			continue
		}
		n++
		if !v.enter(c) {
			return n
		}
		whole := c.Try(func() { inside(c, h.name, "", func() finish { return v.field(h, end) }) })
		v.leave()
		if !whole && c.Err() == nil {
			c.GoTo(v.next(h.data, end))
		}
	}
	return n
}

// soughtHeader is the longest header of a field that is looked for behind a broken one: of bytes that are full of
// markers, each is tried.
const soughtHeader = 1 << 10

// next gives where the next sound field begins, end if there is none: only markers can be looked for.
func (v *values1) next(pos, end int64) int64 {
	s := v.s
	for v.lay.minor >= 2 {
		if s.pos, s.end, s.err = pos, end, nil; !s.find(fieldMarker) {
			break
		}
		at := s.pos
		s.end = min(end, at+soughtHeader)
		if h, ok := v.header(s); ok && h.size <= end-h.data {
			return at
		}
		pos = at + 1
	}
	return end
}

func andNext(next, end int64) string {
	if next == end {
		return ", and none is found behind"
	}
	return "; the next one is at " + "0x" + strconv.FormatInt(next, 16)
}

// field records a field inside of the node that is open.
func (v *values1) field(h field1, limit int64) (last finish) {
	c, n := v.c, v.c.Node()
	c.Struct("header", "FieldHeader", func() {
		if v.lay.minor >= 2 {
			c.U32("marker")
		}
		c.Terminated("name")
		c.Terminated("type")
		c.U32("size")
		c.Role(model.RoleSize)
	})
	if c.Err() != nil {
		return nil
	}
	k, end := kind1(h.typ), h.data+h.size
	width, fixed := k.fixed()
	if fixed && h.size != 0 && h.size != width && !(k == kF64 && h.size == 4) {
		c.Wrong("a %s has %d bytes, not %d", k, width, h.size)
		if v.begins(h.data+width, limit) || !v.begins(end, limit) {
			end = h.data + width
		}
		h.size = width
	}
	if end > limit {
		n.Type = k.String()
		c.Fail("the data of the field do not fit in the bytes that are left")
		return nil
	}
	if k == kBad && h.size > 0 {
		k = v.guess(h.data, end)
	}
	n.Type = k.String()
	if h.size == 0 && k != kBinary {
		n.Type = kEmpty.String()
		n.Symbol = "no bytes"
		return nil
	}
	restore := c.Limit(end)
	if c.Try(func() { last = v.body(k, h.size) }) && c.Pos() != end {
		n.Warn(model.Error, n.Span, "the value ends at %#x, the field at %#x", c.Pos(), end)
	}
	restore()
	c.GoTo(end)
	return last
}

// begins says that a field or the end of the fields is at pos.
func (v *values1) begins(pos, limit int64) bool {
	if pos == limit {
		return true
	}
	h, ok := v.look(pos, limit)
	return ok && h.typ != ""
}

// guess tells what the declared type does not: a struct (fields), a reference or an enum.
func (v *values1) guess(pos, end int64) kind {
	s := v.s
	s.pos, s.end, s.err = pos, end, nil
	if end-pos == 8 {
		if null(s.take(8)) {
			return kNullOrZero
		}
		return kEnum
	}
	if v.lay.minor >= 2 && bytes.Equal(s.peek(4), fieldMarker) {
		return kStruct
	}
	if _, ok := v.references(s, pos, end, 1); ok {
		return kObject
	}
	if v.lay.minor < 2 {
		s.pos, s.end, s.err = pos, end, nil
		for s.err == nil && s.pos < end {
			v.skipField(s)
		}
		if s.err == nil {
			return kStruct
		}
	}
	return kBad
}

// body records a value of size bytes, up to the cursor's end, inside of the node that is open.
func (v *values1) body(k kind, size int64) finish {
	c := v.c
	switch k {
	case kBinary:
		v.blob(size)
	case kArray, kObjectMap:
		return v.array()
	case kObject:
		uuid, ok := v.references(v.s, c.Pos(), c.End(), 1)
		if !ok {
			c.Fail("the %d bytes are no reference to an object", size)
			return nil
		}
		v.reference(uuid)
	case kStruct:
		v.entries(c.End())
	case kNullOrZero:
		c.U64("value")
	case kF64:
		if size == 4 { // narrowed by every 1.x writer
			k = kF32
		}
		leaf(c, "value", k)
		lift(c)
	case kBad:
		c.Fail("the %d bytes are neither a struct nor a reference nor an enum", size)
	default:
		leaf(c, "value", k)
		lift(c)
	}
	return nil
}

// blob records a blob; its flags came in the summer of 1.2, and only the field's size tells.
func (v *values1) blob(size int64) {
	c := v.c
	if size == 0 {
		c.Bytes("data", "bytes", 0)
		lift(c)
		return
	}
	b := c.Peek(8)
	if b == nil {
		c.Fail("a blob of %d bytes has no length", size)
		return
	}
	n := little.Uint64(b)
	if size < 8 || n != uint64(size-8) && n+8 != uint64(size-8) {
		c.U64("length")
		c.Fail("a blob of %d bytes does not fit its field of %d", n, size)
		return
	}
	block(c, n != uint64(size-8))
}

// references goes over n references that must fill pos to end, with the package's UUID in them or without, whichever
// fits; where both do, as the file's revision has it.
func (v *values1) references(s *scanner, pos, end, n int64) (uuid, ok bool) {
	best := -1
	for _, with := range []bool{v.package1.cooked, !v.package1.cooked} {
		s.pos, s.end, s.err = pos, end, nil
		score := 1
		for i := int64(0); i < n && s.err == nil; i++ {
			if name := skipReference(s, with); name != "" && name[0] != '/' {
				score = 0
			}
		}
		if s.err == nil && s.pos == end && score > best {
			best, uuid, ok = score, with, true
		}
	}
	return uuid, ok
}

// skipReference goes behind a reference and gives its package's name.
func skipReference(s *scanner, uuid bool) (name string) {
	if b := s.take(8); b == nil || null(b) {
		return ""
	}
	s.string(0)
	if uuid {
		s.skip(8)
	}
	name = s.text()
	s.string(0)
	return name
}

// reference records a reference inside of the node that is open.
func (v *values1) reference(withUUID bool) {
	c, n := v.c, v.c.Node()
	object := c.U64("object")
	c.As("uuid")
	if object == 0 {
		n.Symbol = "null"
		return
	}
	c.Terminated("class")
	bundle := ""
	if withUUID {
		bundle = strconv.FormatUint(c.U64("bundle"), 10)
		c.As("uuid")
	}
	name := c.Terminated("package")
	c.Terminated("path")
	if c.Err() == nil {
		if name == "" {
			bundle = ""
		}
		n.Link = v.link(strconv.FormatUint(object, 10), bundle, name)
	}
}
