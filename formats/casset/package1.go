package casset

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// package1 is what only a Package 1.x has.
type package1 struct {
	cooked bool // references carry the package's UUID
}

// listProblems is how many broken places of the list of objects are told one by one.
const listProblems = 1000

// open1 reads Package 0.1 to 1.2.
func (f *file) open1(c *decode.Cursor) {
	var given uint64
	c.Try(func() {
		c.Struct("header", "Header", func() {
			given = f.headerOf12(c)
			if f.lay.minor >= 2 {
				f.revision12(c, given)
			}
			f.headerRest(c, given)
		})
	})
	f.listObjects(c, given, f.head1, f.object1)
}

// revision12 tells the revisions of 1.2 apart by what is between the dependencies and the data: nothing, one byte, or
// two strings.
func (f *file) revision12(c *decode.Cursor, given uint64) {
	n := int64(given) - c.Pos()
	if c.Err() != nil || given > uint64(c.End()) || n < 0 {
		return
	}
	what := "nothing is"
	s := newScanner(f.src, c.Pos(), c.Pos()+n)
	first := s.peek1()
	s.text()
	typ := s.text()
	switch {
	case n == 0:
		f.lay.variant += ", plain"
	case n >= 2 && s.err == nil && s.pos == s.end && (typ == "" || strings.Contains(typ, "/") || strings.Contains(typ, "::")):
		f.lay.variant += ", with the primary object's name"
		what = "two strings are"
		c.Terminated("primary_name")
		c.Terminated("primary_type")
	case first <= 1:
		f.lay.variant += ", with the cooked byte"
		what = "one byte is"
		f.package1.cooked = true
		c.U8("cooked")
	}
	f.lay.why += "; " + what + " between the dependencies and the data"
}

// brokenPlaces are the places where a list of objects is not what it should be, the first of them one by one.
type brokenPlaces struct {
	problems []model.Problem
	omitted  int
}

func (b *brokenPlaces) add(at int64, format string, args ...any) {
	if len(b.problems) >= listProblems {
		b.omitted++
		return
	}
	b.problems = append(b.problems, model.Problem{Severity: model.Error, Span: model.Span{Offset: at}, Message: fmt.Sprintf(format, args...)})
}

// listObjects finds the objects of 1.x and 2.0 and records them. head goes behind one object's head and says where the
// object ends.
func (f *file) listObjects(c *decode.Cursor, given uint64, head func(*scanner) int64, each func(*decode.Cursor)) {
	start, broken := f.findObjects(c.Pos(), given, head)
	if f.ctx.Err() != nil {
		return
	}
	c.Try(func() { c.GoTo(start) })
	list := f.list(c, 1, nil, each)
	if list == nil {
		return
	}
	list.Problems = append(list.Problems, broken.problems...)
	if broken.omitted > 0 {
		list.Warn(model.Error, list.Span, "%d more places in the list of objects are broken", broken.omitted)
	}
	c.Try(func() {
		if end := c.U64("end"); c.Err() == nil && end != 0 {
			c.Wrong("the list of objects should end with 0, not with %#x", end)
		}
	})
}

// findObjects notes where the objects behind the header are, and gives where the first one is.
func (f *file) findObjects(header int64, given uint64, head func(*scanner) int64) (start int64, broken brokenPlaces) {
	size := f.src.Size()
	start, ok := fit(given, size)
	s := newScanner(f.src, header, size)
	s.next = scanMost
	if s.pos = start; !ok || start < header || !f.objectOrEnd(s, head) {
		s.err, s.pos = nil, header
		if s.find(objectMagic) {
			broken.add(s.pos, "no object begins at the data offset %#x; the first one is at %#x", given, s.pos)
		}
		start = s.pos
	}
	f.objects.end = start
	for {
		pos := f.objects.end
		s.pos, s.end, s.err = pos, size, nil
		magic := s.peek(8)
		if magic == nil || null(magic) {
			return start, broken
		}
		if !f.objectOrEnd(s, head) {
			s.pos, s.err = pos+1, nil
			if !s.find(objectMagic) {
				broken.add(pos, "no object begins here and none follows")
				return start, broken
			}
			broken.add(pos, "no object begins here; the next one is at %#x", s.pos)
			f.objects.end = s.pos
			continue
		}
		end := f.objectEnd(s, head, &broken)
		f.objects.entries = append(f.objects.entries, entry{pos, end - pos})
		f.objects.end = end
		if len(f.objects.entries)&0xFFFF == 0 && f.ctx.Err() != nil {
			return start, broken
		}
	}
}

// objectEnd gives where the object ends that begins where the scanner is: where it says, if another one or the end of
// the list is there, else where the next one begins.
func (f *file) objectEnd(s *scanner, head func(*scanner) int64, broken *brokenPlaces) int64 {
	pos, size := s.pos, f.src.Size()
	s.err = nil
	end := head(s)
	s.err = nil
	if s.pos = end; end > pos && nextObject(s) {
		return end
	}
	s.pos, s.err = pos+8, nil
	if s.find(objectMagic) {
		broken.add(pos, "the object at %#x does not end where it says; the next one begins at %#x", pos, s.pos)
		return s.pos
	}
	broken.add(pos, "the object at %#x does not end where it says; it is the last one", pos)
	if v, ok := at8(f.src, size-8); ok && v == 0 && size-8 >= pos+8 {
		return size - 8
	}
	return size
}

// objectOrEnd says that an object is where the scanner is, if only by what it holds, or the end of the list.
func (f *file) objectOrEnd(s *scanner, head func(*scanner) int64) bool {
	at := s.pos
	b := s.peek(8)
	if b == nil || bytes.Equal(b, objectMagic) || null(b) {
		return b != nil
	}
	end := head(s)
	s.err = nil
	s.pos = end
	ok := end > at && nextObject(s)
	s.pos = at
	return ok
}

// objectMark records the magic of an object. Without it the object is where the one before it says, and is read.
func objectMark(c *decode.Cursor) {
	b := c.Peek(8)
	sound := bytes.Equal(b, objectMagic)
	c.Bytes("magic", "bytes", 8)
	if c.Err() == nil {
		c.Last().Value = strings.ToValidUTF8(string(b), "\uFFFD")
		if !sound {
			c.Wrong("an object begins with % x", objectMagic)
		}
	}
}

// nextObject says that an object or the end of the list is where the scanner is.
func nextObject(s *scanner) bool {
	b := s.peek(8)
	return b != nil && (bytes.Equal(b, objectMagic) || null(b))
}

// head1 goes behind an object's head and says where the object ends.
func (f *file) head1(s *scanner) (end int64) {
	s.skip(8 + 8 + 1)
	s.text()
	s.text()
	n := int64(s.u32())
	s.u32()
	data, ok := fit(s.u64(), s.end)
	s.text()
	if !ok || data < s.pos {
		if !f.lay.old {
			s.text()
		}
		data = s.pos
	}
	if s.err != nil || n > s.end-data-8 {
		return 0
	}
	return data + n + 8
}

// object1 records one object.
func (f *file) object1(c *decode.Cursor) {
	objectMark(c)
	key := strconv.FormatUint(c.U64("uuid"), 10)
	c.As("uuid")
	c.Key(key)
	c.U8("is_asset")
	c.Terminated("path")
	c.Role(model.RoleName)
	c.Terminated("class")
	size := c.U32("data_size")
	c.Role(model.RoleSize)
	count := c.U32("field_count")
	c.Role(model.RoleCount)
	given := c.U64("data_offset")
	c.Role(model.RoleOffset)
	offset := c.Last()
	c.Terminated("name")
	c.Role(model.RoleName)
	data, ok := fit(given, c.End())
	ok = ok && data >= c.Pos()
	if !ok && c.Err() == nil {
		offset.Warn(model.Error, offset.Span, "data offset %#x leads out of the object", given)
	}
	if !f.lay.old && (!ok || data > c.Pos()) {
		if _, n, whole := peekText(c); !ok || whole && c.Pos()+n <= data {
			c.Terminated("source_path")
		}
	}
	if n := data - c.Pos(); ok && n > 0 {
		c.Bytes("extension", "bytes", n)
		c.Note("%d bytes behind the entry's fields that this layout knows", n)
	}
	if c.Err() != nil {
		return
	}
	end := c.Pos() + int64(size)
	if int64(size) > c.Left()-8 {
		c.Wrong("%d bytes of fields do not fit in the %d that are left", size, c.Left())
		end = max(c.Pos(), c.End()-8)
	}
	v := &values1{file: f, c: c, s: newScanner(f.src, c.Pos(), end)}
	c.Struct("fields", "Field[]", func() {
		restore := c.Limit(end)
		defer restore()
		if n := v.entries(end); c.Err() == nil && int64(n) != int64(count) {
			c.Node().Warn(model.Error, c.Node().Span, "%d fields are announced, %d are found", count, n)
		}
	})
	c.GoTo(end)
	if v := c.U32("end"); c.Err() == nil && v != 0 {
		c.Wrong("the fields should end with 0, not with %#x", v)
	}
	unrecorded(c, "crc", false)
}
