package casset

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// markScan finds the objects of the generations before 3.0, which begin with a magic, and remarks what is broken on
// their list, which is open.
type markScan struct {
	ctx       context.Context
	c, q      *decode.Cursor // q reads quietly
	objects   *index
	objectEnd func(q *decode.Cursor, pos int64) int64

	broken int // places where the list is not what it should be
}

// brokenMost is how many broken places of the list of objects are reported one by one.
const brokenMost = 1000

func (s *markScan) remark(at int64, format string, args ...any) {
	if s.broken++; s.broken <= brokenMost {
		s.c.Remark(model.Error, model.Span{Offset: at}, format, args...)
	}
}

// first returns where the list of objects begins: at the data offset, or else at the first object after the header.
func (s *markScan) first(header int64, given uint64) (start int64, ok bool) {
	start, ok = fit(given, s.q.Source().Size())
	if ok && start >= header && s.isFirst(start) {
		return start, true
	}
	at(s.q, header)
	s.q.Find(objectMagic)
	return s.q.Pos(), false
}

// findAll finds the objects from the first on.
func (s *markScan) findAll(start int64) {
	s.objects.end = start
	for s.next() {
		if len(s.objects.entries)&0xFFFF == 0 && s.ctx.Err() != nil {
			return
		}
	}
	if n := s.broken - brokenMost; n > 0 {
		s.c.Remark(model.Error, model.Span{Offset: s.c.Pos()}, "%d more places in the list of objects are broken", n)
	}
}

// next finds the object after those that are known; false at the end of the list.
func (s *markScan) next() bool {
	pos := s.objects.end
	at(s.q, pos)
	magic := s.q.Peek(8)
	if magic == nil || null(magic) {
		return false
	}
	marked := bytes.Equal(magic, objectMagic)
	if end := s.objectEnd(s.q, pos); end > pos && s.begins(end) {
		s.objects.add(pos, end-pos)
		return true
	}
	if marked {
		s.objects.add(pos, s.brokenEnd(pos)-pos)
		return true
	}
	at(s.q, pos+1)
	if !s.q.Find(objectMagic) {
		s.remark(pos, "no object begins here and none follows")
		return false
	}
	s.objects.end = s.q.Pos()
	s.remark(pos, "no object begins here; the next one is at %#x", s.objects.end)
	return true
}

// brokenEnd returns where the next object begins after the one at pos, which does not end where it says.
func (s *markScan) brokenEnd(pos int64) int64 {
	size := s.q.Source().Size()
	at(s.q, pos+8)
	if s.q.Find(objectMagic) {
		s.remark(pos, "the object does not end where it says; the next one begins at %#x", s.q.Pos())
		return s.q.Pos()
	}
	s.remark(pos, "the object does not end where it says; it is the last one")
	at(s.q, size-8)
	if s.q.U64("end") == 0 && s.q.Err() == nil && size-8 >= pos+8 {
		return size - 8
	}
	return size
}

// isFirst reports whether the list of objects can begin at pos: with an object, if only by what it holds, or its end.
func (s *markScan) isFirst(pos int64) bool {
	if s.begins(pos) {
		return true
	}
	end := s.objectEnd(s.q, pos)
	return end > pos && s.begins(end)
}

// begins reports whether an object or the end of the list begins at pos.
func (s *markScan) begins(pos int64) bool {
	at(s.q, pos)
	b := s.q.Peek(8)
	return b != nil && (bytes.Equal(b, objectMagic) || null(b))
}

// objectEnd returns where the object at pos says that it ends; 0 if it does not.
func (f *file) objectEnd(q *decode.Cursor, pos int64) int64 {
	at(q, pos)
	h := f.readHead(q)
	size, after := h.size, int64(8) // the end of the fields and the checksum
	if f.lay.generation == 2 {
		typ := q.U8("type")
		n, ok := fit(q.U64("size"), q.Left())
		if !ok || mapTypes[typ].kind != kMap {
			return 0
		}
		size, after = n, 4
	}
	if q.Err() != nil || size > q.Left()-after {
		return 0
	}
	return q.Pos() + size + after
}

func null(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// sizeScan finds the objects of a Bundle 3.0, which begin with their sizes.
type sizeScan struct {
	ctx        context.Context
	q          *decode.Cursor
	lay        *layout
	data       int64 // where the data table is; 0: unknown
	objects    *index
	naturalEnd func(q *decode.Cursor, e entry) (end int64, ok bool)

	count    uint32 // as announced
	stuck    bool   // no object can begin where the last one ends, and the list goes on
	broken   bool   // and it cannot be read on: at brokenAt, after that many whole objects
	brokenAt int64
	whole    int
}

// entryAt reads the beginning of the entry at pos and reports whether an object may be there.
func (l *layout) entryAt(q *decode.Cursor, pos int64) (size int64, ok bool) {
	least := l.entryLeast()
	if pos < 0 || pos > q.Source().Size()-least {
		return 0, false
	}
	at(q, pos)
	n, _, fields := l.entrySize(q)
	size, ok = fit(n, q.End()-pos)
	return size, ok && q.Err() == nil && size >= least && fields-pos <= size && fields-q.Pos() >= 16+1+4+1+1
}

// findAll finds the objects by their entries' sizes.
func (s *sizeScan) findAll() {
	if s.data == 0 {
		return
	}
	at(s.q, s.data+8)
	s.count = s.q.U32("count")
	s.objects.end = s.data + 12
	s.walk()
}

// walk goes on from the end of the objects that are known. It does not stop where the count says as long as objects
// follow: a count may be wrong.
func (s *sizeScan) walk() {
	s.stuck = false
	for len(s.objects.entries) < math.MaxInt32 {
		pos := s.objects.end
		size, ok := s.lay.entryAt(s.q, pos)
		if !ok {
			at(s.q, pos)
			v := s.q.U32("end")
			more := int64(s.count) > int64(len(s.objects.entries)) && s.q.Left() > s.lay.entryLeast()
			s.stuck = s.q.Err() == nil && (v != 0 || more)
			return
		}
		s.objects.add(pos, size)
		if len(s.objects.entries)&0xFFFF == 0 && s.ctx.Err() != nil {
			return
		}
	}
}

// tableEnd is where the data table ends.
func (s *sizeScan) tableEnd() int64 {
	if s.lay.first() {
		return s.objects.end
	}
	return s.objects.end + 4
}

// recover goes on after an object whose size is broken: where its values end by the schema, or where those of the one
// before it end, if the next object or the end of the list is there.
func (s *sizeScan) recover() {
	for tries := 0; s.stuck && tries < 64; tries++ {
		last := len(s.objects.entries) - 1
		if (last < 0 || !s.resize(last, s.objects.entries[last].off)) && !s.resize(last+1, s.objects.end) {
			break
		}
		s.walk()
	}
	if s.stuck || int64(len(s.objects.entries)) < int64(s.count) {
		s.keepTruncated()
	}
}

// resize makes the object at off, which is the i-th and last, end where its values end, if an object or the end of the
// list follows there. It reports whether one does.
func (s *sizeScan) resize(i int, off int64) bool {
	end, ok := s.naturalEnd(s.q, entry{off, s.q.Source().Size() - off})
	if !ok || i < len(s.objects.entries) && end == s.objects.end || !s.follows(end) {
		return false
	}
	s.objects.entries = s.objects.entries[:i]
	s.objects.add(off, end-off)
	return true
}

// keepTruncated keeps the beginning of an object that the end of the file cuts off.
func (s *sizeScan) keepTruncated() {
	pos := s.objects.end
	s.broken, s.brokenAt, s.whole = true, pos, len(s.objects.entries)
	at(s.q, pos)
	size := s.q.Number("size", s.lay.entryForm())
	if left := s.q.Source().Size() - pos; s.q.Err() == nil && left >= s.lay.entryLeast() && size > uint64(left) &&
		size < 1<<40 {
		s.objects.add(pos, left)
	}
}

// follows reports whether an object or the end of the list is at pos.
func (s *sizeScan) follows(pos int64) bool {
	if _, ok := s.lay.entryAt(s.q, pos); ok {
		return true
	}
	at(s.q, pos)
	v := s.q.U32("end")
	return s.q.Err() == nil && v == 0 && s.q.Left() <= 8
}

// placeData decides where the data begin: where the header says, or after the schema as the engine's reader does.
func (f *file) placeData(q *decode.Cursor) (moved string) {
	t := &f.tables
	after := f.schema.end + 4
	if t.schema == 0 && !t.dataGiven { // the file ends in its header
		t.data = 0
		return ""
	}
	if t.dataGiven {
		if _, ok := f.lay.entryAt(q, t.data+12); ok || t.data == after {
			return ""
		}
	}
	if _, ok := f.lay.entryAt(q, after+12); !ok && t.dataGiven {
		return ""
	}
	if after <= f.src.Size()-12 && f.schema.problem == "" {
		t.data = after
		return fmt.Sprintf("the data begin after the schema, at %#x", after)
	}
	if !t.dataGiven {
		t.data = 0
	}
	return ""
}
