package casset

import (
	"fmt"
	"math"

	"assay/formats/decode"
)

// found3 is the search for the objects of a Bundle 3.0.
type found3 struct {
	*file
	q        *decode.Cursor
	count    uint32 // as announced
	stuck    bool   // the list breaks off where no object can begin
	broken   bool   // and nothing helps
	brokenAt int64
	whole    int // the objects before that
}

// walkAll finds the objects by their entries' sizes.
func (s *found3) walkAll() {
	fr := s.lay.frame
	if fr.data == 0 {
		return
	}
	s.at(s.q, fr.data+8)
	s.count = s.q.U32("count")
	s.objects.end = fr.data + 12
	s.walk()
}

// walk goes on from the end of the objects that are known. It does not stop where the count says as long as objects
// follow: a count may lie.
func (s *found3) walk() {
	s.stuck = false
	for len(s.objects.entries) < math.MaxInt32 {
		pos := s.objects.end
		size, ok := s.objectAt(s.q, pos)
		if !ok {
			s.at(s.q, pos)
			v := s.q.U32("end")
			more := int64(s.count) > int64(len(s.objects.entries)) && s.q.Left() > s.lay.frame.least()
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
func (s *found3) tableEnd() int64 {
	if s.lay.dialect.prefix == 8 { // r1118 has no end of data
		return s.objects.end
	}
	return s.objects.end + 4
}

// recover goes on after an object whose size is broken: where its values end by the schema, or where those of the one
// before it end, if the next object or the end of the list is there.
func (s *found3) recover() {
	for tries := 0; s.stuck && tries < 64; tries++ {
		pos, last := s.objects.end, len(s.objects.entries)-1
		if last >= 0 {
			off := s.objects.entries[last].off
			if end, ok := s.naturalEnd(s.q, entry{off, s.src.Size() - off}, s.lay.dialect); ok && end != pos &&
				s.follows(end) {
				s.objects.entries = s.objects.entries[:last]
				s.objects.add(off, end-off)
				s.walk()
				continue
			}
		}
		end, ok := s.naturalEnd(s.q, entry{pos, s.src.Size() - pos}, s.lay.dialect)
		if !ok || !s.follows(end) {
			break
		}
		s.objects.add(pos, end-pos)
		s.walk()
	}
	if s.stuck || int64(len(s.objects.entries)) < int64(s.count) {
		s.breakOff()
	}
}

// breakOff keeps the beginning of an object that the end of the file cuts off.
func (s *found3) breakOff() {
	pos := s.objects.end
	s.broken, s.brokenAt, s.whole = true, pos, len(s.objects.entries)
	s.at(s.q, pos)
	size := s.q.Number("size", s.lay.frame.form())
	if left := s.src.Size() - pos; s.q.Err() == nil && left >= s.lay.frame.least() && size > uint64(left) &&
		size < 1<<40 {
		s.objects.add(pos, left)
	}
}

// follows reports whether an object or the end of the list is at pos.
func (s *found3) follows(pos int64) bool {
	if _, ok := s.objectAt(s.q, pos); ok {
		return true
	}
	s.at(s.q, pos)
	v := s.q.U32("end")
	return s.q.Err() == nil && v == 0 && s.q.Left() <= 8
}

// placeData decides where the data begin: where the header says, or after the schema as the engine's reader does.
func (f *file) placeData(q *decode.Cursor) (moved string) {
	fr := &f.lay.frame
	after := f.schema.end + 4
	if fr.dataGiven {
		if _, ok := f.objectAt(q, fr.data+12); ok || fr.data == after {
			return ""
		}
	}
	if _, ok := f.objectAt(q, after+12); !ok && fr.dataGiven {
		return ""
	}
	if after <= f.src.Size()-12 && f.schema.problem == "" {
		fr.data = after
		return fmt.Sprintf("the data begin after the schema, at %#x", after)
	}
	if !fr.dataGiven {
		fr.data = 0
	}
	return ""
}
