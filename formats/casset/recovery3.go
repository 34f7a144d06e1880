package casset

import (
	"fmt"
	"math"

	"assay/formats/decode"
	"assay/model"
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

// naturalEnd reads an object by the schema alone and returns where its values end.
func (f *file) naturalEnd(q *decode.Cursor, e entry, d dialect) (int64, bool) {
	q.Reset(model.Span{Offset: e.off, Size: e.size})
	h := f.head3(q)
	if q.Err() != nil {
		return 0, false
	}
	// What is odd in the head does not count; a value that does not end where its size says does.
	q.Reset(model.Span{Offset: q.Pos(), Size: q.Left()})
	if !f.lay.frame.published {
		q.U64("fields_size")
	}
	v := f.values3(d)
	v.members(v, q, Type{kind: kStruct, index: h.schema})
	return q.Pos(), q.Sound()
}

// votes counts the objects whose values end where their entries end, read in each dialect.
type votes struct {
	tried, count int  // of the dialect that was chosen
	byEnd        bool // decided by what is after the last object
}

// chooseDialect tries up to two objects of each class in every dialect of the frame and takes the best.
func (f *file) chooseDialect(q *decode.Cursor) (v votes) {
	dialects := []dialect{{}, {prefix: 8, bareFunctions: true}}
	if f.lay.frame.published {
		dialects = []dialect{{prefix: 4}, {prefix: 4, bareFunctions: true}}
	}
	var count [2]int
	const most = 256
	seen := make(map[uint32]int)
	bytes := int64(0)
	for i, e := range f.objects.entries {
		h, ok := f.head(q, i)
		if !ok || int64(h.schema) >= int64(len(f.schema.entries)) || seen[h.schema] >= 2 {
			continue
		}
		seen[h.schema]++
		if v.tried == most || bytes > 32<<20 {
			break
		}
		v.tried++
		bytes += e.size
		for k, d := range dialects {
			if end, ok := f.naturalEnd(q, e, d); ok && end == e.off+e.size {
				count[k]++
			}
		}
	}
	best := 0
	if count[1] > count[0] {
		best = 1
	}
	if !f.lay.frame.published && count[0] == count[1] && f.src.Size()-f.objects.end == 8 {
		best, v.byEnd = 1, true // no end of data before the end of the file
	}
	f.lay.dialect, v.count = dialects[best], count[best]
	return v
}

// nameVariant says which layout a Bundle 3.0 has and why.
func (l *layout) nameVariant(frame string, v votes) {
	how := "without sizes before them"
	switch {
	case l.frame.published:
		l.variant = "Bundle 3.0 as published"
		if l.frame.gap {
			l.variant += ", four bytes more in the header"
		}
		how = "with a 4-byte size before each"
		if l.dialect.bareFunctions {
			l.variant += ", function lists without sizes"
			how += ", but none in function lists"
		}
	case l.dialect.prefix == 8:
		l.variant = "Bundle 3.0 as the engine first wrote it (r1118)"
		how = "with an 8-byte size before each"
	default:
		l.variant = "Bundle 3.0 as the engine writes it"
	}
	l.why = fmt.Sprintf("%s, and the values of %d of %d objects tried end where their entries end when read %s",
		frame, v.count, v.tried, how)
	if v.byEnd {
		l.why += "; the file ends right after the last object"
	}
}
