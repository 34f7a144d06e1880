package casset

import (
	"bytes"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// brokenMost is how many broken places of the list of objects are told one by one.
const brokenMost = 1000

// found12 is the search for the objects of the generations before 3.0.
type found12 struct {
	*file
	q       *decode.Cursor
	broken  []broken
	omitted int
}

// broken is a place where the list is not what it should be.
type broken struct {
	at      int64
	message string
}

func (s *found12) tell(at int64, format string, args ...any) {
	if len(s.broken) >= brokenMost {
		s.omitted++
		return
	}
	s.broken = append(s.broken, broken{at, fmt.Sprintf(format, args...)})
}

// report adds what is broken to the list of objects, which is open.
func (s *found12) report(c *decode.Cursor) {
	for _, b := range s.broken {
		c.Remark(model.Error, model.Span{Offset: b.at}, "%s", b.message)
	}
	if s.omitted > 0 {
		c.Remark(model.Error, model.Span{Offset: c.Pos()}, "%d more places in the list of objects are broken",
			s.omitted)
	}
}

// findAll finds the objects after the header, and returns where the first one is.
func (s *found12) findAll(header int64, given uint64) (start int64) {
	size := s.src.Size()
	start, ok := fit(given, size)
	if !ok || start < header || !s.isFirst(start) {
		start = size
		if s.at(s.q, header); s.q.Find(objectMagic) {
			start = s.q.Pos()
			s.tell(start, "no object begins at the data offset %#x; the first one is at %#x", given, start)
		}
	}
	s.objects.end = start
	for s.ctx.Err() == nil {
		for range 1 << 16 {
			if !s.next() {
				return start
			}
		}
	}
	return start
}

// next finds the object after those that are known; false at the end of the list.
func (s *found12) next() bool {
	pos := s.objects.end
	s.at(s.q, pos)
	magic := s.q.Peek(8)
	if magic == nil || null(magic) {
		return false
	}
	marked := bytes.Equal(magic, objectMagic)
	if end := s.end12(pos); end > pos && s.begins(end) {
		s.objects.add(pos, end-pos)
		return true
	}
	if marked {
		s.objects.add(pos, s.brokenEnd(pos)-pos)
		return true
	}
	s.at(s.q, pos+1)
	if !s.q.Find(objectMagic) {
		s.tell(pos, "no object begins here and none follows")
		return false
	}
	s.objects.end = s.q.Pos()
	s.tell(pos, "no object begins here; the next one is at %#x", s.objects.end)
	return true
}

// brokenEnd returns where the next object begins after the one at pos, which does not end where it says.
func (s *found12) brokenEnd(pos int64) int64 {
	size := s.src.Size()
	s.at(s.q, pos+8)
	if s.q.Find(objectMagic) {
		s.tell(pos, "the object does not end where it says; the next one begins at %#x", s.q.Pos())
		return s.q.Pos()
	}
	s.tell(pos, "the object does not end where it says; it is the last one")
	s.at(s.q, size-8)
	if s.q.U64("end") == 0 && s.q.Err() == nil && size-8 >= pos+8 {
		return size - 8
	}
	return size
}

// isFirst reports whether the list of objects can begin at pos: with an object, if only by what it holds, or its end.
func (s *found12) isFirst(pos int64) bool {
	if s.begins(pos) {
		return true
	}
	end := s.end12(pos)
	return end > pos && s.begins(end)
}

// begins reports whether an object begins at pos, or the end of the list.
func (s *found12) begins(pos int64) bool {
	s.at(s.q, pos)
	b := s.q.Peek(8)
	return b != nil && (bytes.Equal(b, objectMagic) || null(b))
}

// end12 returns where the object at pos says that it ends; 0 if it does not.
func (s *found12) end12(pos int64) int64 {
	q := s.q
	s.at(q, pos)
	if s.lay.generation == 1 {
		h := s.head1(q)
		if q.Err() != nil || h.size > q.Left()-8 {
			return 0
		}
		return q.Pos() + h.size + 8
	}
	s.head2(q)
	typ := q.U8("type")
	n, ok := fit(q.U64("size"), q.Left()-4)
	if q.Err() != nil || !ok || mapTypes.of(typ).kind != kMap {
		return 0
	}
	return q.Pos() + n + 4
}
