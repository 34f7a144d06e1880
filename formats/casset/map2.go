package casset

import (
	"fmt"
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// open2 reads Package 2.0 and Bundle 2.0: typed maps.
func (f *file) open2(c *decode.Cursor) {
	var given uint64
	c.Try(func() {
		c.Struct("header", "Header", func() {
			given = f.headerOf12(c)
			c.U8("cooked")
			f.headerRest(c, given)
		})
	})
	f.listObjects(c, given, f.head2, f.object2)
}

// head2 goes behind an object's head and says where the object ends.
func (f *file) head2(s *scanner) (end int64) {
	s.skip(8 + 8)
	asset := s.u8()
	s.text()
	s.text()
	s.text()
	if asset == 1 {
		s.text()
	}
	data, ok := fit(s.u64(), s.end)
	if s.err != nil {
		return 0
	}
	if !ok || data < s.pos {
		data = s.pos
	}
	s.pos = data
	if s.u8() != 0x10 {
		s.fail("there is no map")
		return 0
	}
	n, ok := fit(s.u64(), s.left()-4)
	if s.err != nil || !ok {
		return 0
	}
	return s.pos + n + 4
}

// object2 records one object.
func (f *file) object2(c *decode.Cursor) {
	objectMark(c)
	key := strconv.FormatUint(c.U64("uuid"), 10)
	c.As("uuid")
	c.Key(key)
	asset := c.U8("is_asset")
	c.Terminated("path")
	c.Role(model.RoleName)
	c.Terminated("class")
	c.Terminated("name")
	c.Role(model.RoleName)
	if asset == 1 {
		c.Terminated("source_path")
	}
	given := c.U64("data_offset")
	c.Role(model.RoleOffset)
	if n := int64(given) - c.Pos(); c.Err() == nil && n != 0 {
		if given > 1<<62 || n < 0 || n > c.Left() {
			c.Wrong("data offset %#x leads out of the object; the fields follow at %#x", given, c.Pos())
		} else {
			c.Bytes("extension", "bytes", n)
			c.Note("%d bytes behind the entry's fields that this layout knows", n)
		}
	}
	c.Enum("type", "u8", model.U8, decode.Names{0x10: "map"})
	if b := c.Last(); c.Err() == nil && b.Symbol == "" {
		c.Fail("an object's fields are a map (type 0x10), not of type %#02x", b.Value)
		return
	}
	size := c.U64("data_size")
	c.Role(model.RoleSize)
	end := c.Pos()
	if n, ok := fit(size, c.Left()); !ok || n < 4 {
		c.Wrong("a map of %d bytes does not fit in the %d that are left", size, c.Left())
		end = c.End() - 4
	} else {
		end += n
	}
	v := &values2{file: f, c: c}
	c.Try(func() {
		restore := c.Limit(end)
		defer restore()
		n := c.U32("field_count")
		c.Role(model.RoleCount)
		c.Struct("fields", "Field[]", func() { v.entries(int64(n), end) })
	})
	c.GoTo(end)
	if c.Left() >= 4 {
		unrecorded(c, "crc", false)
	} else {
		c.Fail("the object ends without its checksum")
	}
}

// values2 records values of 2.0, which have their type before them.
type values2 struct {
	*file
	c *decode.Cursor
	budget
}

// entries records the entries of a map, which must end at end.
func (v *values2) entries(n, end int64) {
	c := v.c
	if c.Err() == nil && n > (end-c.Pos())/2 {
		c.Fail("%d entries do not fit in the %d bytes that are left", n, end-c.Pos())
	}
	for i := int64(0); i < n && c.Err() == nil; i++ {
		name, _, ok := peekText(c)
		if !ok {
			c.Fail("the name of entry %d has no end", i)
			return
		}
		v.record(name)
	}
	if c.Err() == nil && c.Pos() != end {
		c.Fail("the map ends at %#x, its size leads to %#x", c.Pos(), end)
	}
}

// record records an entry of a map.
func (v *values2) record(name string) {
	c := v.c
	if !v.enter(c) {
		return
	}
	defer v.leave()
	inside(c, name, "", func() finish { return v.value(true) })
}

// value records what comes before a value, and the value, inside of the node that is open.
func (v *values2) value(named bool) (last finish) {
	c, node := v.c, v.c.Node()
	var k kind
	c.Struct("header", "FieldHeader", func() {
		if named {
			c.Terminated("name")
		}
		b := c.U8("type")
		k = mapKind(b)
		if c.Err() == nil && k == kBad {
			c.Fail("type byte %#02x is none that 2.0 has", b)
			return
		}
		if c.Err() == nil {
			c.Last().Symbol = k.String()
		}
	})
	node.Type = k.String()
	if c.Err() != nil {
		return nil
	}
	switch k {
	case kBinary:
		if f := v.file; !f.lay.bundle && bareBlob(c) {
			c.Bytes("data", "bytes", 0)
			node.Value = c.Last().Value
			node.Warn(model.Note, node.Span, "an empty blob without its length, as packages had before 2024")
			return nil
		}
		block(c, true)
	case kObject:
		v.reference()
	case kMap, kArray:
		last = v.container(k)
	case kNull:
		node.Symbol = "null"
	default:
		leaf(c, "value", k)
		lift(c)
	}
	return last
}

// bareBlob says that a blob's length cannot be one, and that a name of the next entry or the end of the map is there
// instead: early writers wrote nothing for an empty blob.
func bareBlob(c *decode.Cursor) bool {
	if c.Left() == 0 {
		return true
	}
	if b := c.Peek(8); b != nil {
		if n, ok := fit(little.Uint64(b), c.Left()-16); ok && n >= 0 {
			return false
		}
	}
	name, size, ok := peekText(c)
	if !ok || name == "" || size > 128 {
		return false
	}
	for _, r := range name {
		if r < 0x20 || r > 0x7E {
			return false
		}
	}
	b := c.Peek(size + 1)
	return b != nil && mapKind(b[size]) != kBad
}

func (v *values2) reference() {
	c, n := v.c, v.c.Node()
	object := strconv.FormatUint(c.U64("object"), 10)
	c.As("uuid")
	bundle := strconv.FormatUint(c.U64("bundle"), 10)
	c.As("uuid")
	if c.Err() != nil {
		return
	}
	if object == "0" {
		n.Symbol = "null"
		return
	}
	n.Link = v.link(object, bundle, "")
}

// container records a map or an array: its size, its count, what is in it.
func (v *values2) container(k kind) finish {
	c := v.c
	size := c.U64("size")
	c.Role(model.RoleSize)
	n, ok := fit(size, c.Left())
	if c.Err() == nil && (!ok || n < 4) {
		c.Fail("a %s of %d bytes does not fit in the %d that are left", k, size, c.Left())
	}
	if c.Err() != nil {
		return nil
	}
	end := c.Pos() + n
	restore := c.Limit(end)
	var last finish
	c.Try(func() {
		if k == kArray {
			last = v.array(end)
			return
		}
		n := c.U32("count")
		c.Role(model.RoleCount)
		v.entries(int64(n), end)
	})
	restore()
	c.GoTo(end)
	return last
}

// array records an array: one leaf if all its elements are plain, else elements that are decoded when looked at.
func (v *values2) array(end int64) finish {
	c, node := v.c, v.c.Node()
	b := c.Peek(4)
	if b == nil {
		c.Fail("the count of an array needs 4 bytes, %d are left", c.Left())
		return nil
	}
	n := int64(little.Uint32(b))
	if n > c.Left()-4 {
		c.Fail("%d elements do not fit in the %d bytes that are left", n, c.Left()-4)
		return nil
	}
	plain := true
	s := newScanner(v.src, c.Pos()+4, end)
	for i := int64(0); i < n && plain && s.err == nil; i++ {
		k := mapKind(s.peek1())
		plain = k.scalar()
		skip2(s)
	}
	q, err := newSequence(v.ctx, v.src, c.Pos()+4, end, n, skip2)
	if err == nil && q.end != end {
		err = fmt.Errorf("the array ends at %#x, its size leads to %#x", q.end, end)
	}
	if plain && n > 0 && q.n > 0 {
		c.Bytes("value", "array", q.end-c.Pos())
		c.Last().Value = q.scalars(func(s *scanner) any { return scalar(s, mapKind(s.u8())) })
		lift(c)
		if err != nil {
			c.Fail("element %d of %d: %v", q.n, n, err)
		}
		return nil
	}
	c.U32("count")
	c.Role(model.RoleCount)
	if n == 0 {
		node.Value = model.Scalars{}
	}
	c.GoTo(q.end)
	if err != nil {
		c.Fail("element %d of %d: %v", q.n, n, err)
	}
	depth := v.depth
	return func(list *model.Node) {
		q.under(list, v.proto, "", func(c *decode.Cursor) finish {
			in := &values2{file: v.file, c: c}
			in.depth = depth
			in.enter(c)
			return in.value(false)
		})
	}
}

// skip2 goes behind a value with its type.
func skip2(s *scanner) {
	switch k := mapKind(s.u8()); k {
	case kBad:
		s.fail("a value is of unknown type")
	case kBinary:
		skipBlob(s, true)
	case kObject:
		s.skip(16)
	case kMap, kArray:
		n, ok := fit(s.u64(), s.left())
		if !ok || n < 4 {
			s.fail("a %s does not fit", k)
			return
		}
		s.skip(n)
	default:
		skipScalar(s, k)
	}
}
