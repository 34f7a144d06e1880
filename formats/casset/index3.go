package casset

import (
	"fmt"
	"math"

	"assay/model"
)

// found is what the pass over the list of objects found besides them.
type found struct {
	count    uint32 // as announced
	tableEnd int64
	problems []model.Problem
	stuck    bool // the list breaks off where no object can begin
}

// placeData decides where the data begin: where the header says, or behind the schema as the engine's reader does.
func (f *file) placeData() (moved string) {
	fr := &f.lay.frame
	behind := f.schema.end + 4
	s := newScanner(f.src, 0, 0)
	if fr.dataGiven {
		if _, ok := fr.objectAt(f.src, s, fr.data+12); ok || fr.data == behind {
			return ""
		}
	}
	if _, ok := fr.objectAt(f.src, s, behind+12); ok || !fr.dataGiven {
		if behind > f.src.Size()-12 || f.schema.problem != "" {
			if !fr.dataGiven {
				fr.data = 0
			}
			return ""
		}
		fr.data = behind
		return fmt.Sprintf("the data begin behind the schema, at %#x", behind)
	}
	return ""
}

// index3 finds the objects by their entries' sizes.
func (f *file) index3() (found found) {
	fr := f.lay.frame
	if fr.data == 0 {
		return found
	}
	s := newScanner(f.src, fr.data+8, f.src.Size())
	found.count = s.u32()
	f.objects.end = fr.data + 12
	f.walk3(&found)
	return found
}

// walk3 goes on from the end of the objects that are known. It does not stop where the count says as long as objects
// follow: a count may lie.
func (f *file) walk3(found *found) {
	fr := f.lay.frame
	s := newScanner(f.src, 0, 0)
	s.next = scanMost
	for len(f.objects.entries) < math.MaxInt32 {
		pos := f.objects.end
		size, ok := fr.objectAt(f.src, s, pos)
		if !ok {
			s.pos, s.end, s.err = pos, f.src.Size(), nil
			v := s.number(4)
			found.stuck = s.err == nil && (v != 0 || int64(found.count) > int64(len(f.objects.entries)) && s.left() > fr.least())
			break
		}
		f.objects.entries = append(f.objects.entries, entry{pos, size})
		f.objects.end += size
		if len(f.objects.entries)&0xFFFF == 0 && f.ctx.Err() != nil {
			break
		}
	}
	f.walkEnd(found)
}

// votes counts the objects whose values end where their entries end, read as each dialect has them.
type votes struct {
	tried    int
	dialects []dialect
	count    []int
	byEnd    bool // decided by what stands behind the last object
}

// index3votes tries up to two objects of each class in every dialect of the frame and takes the best.
func (f *file) index3votes() (v votes) {
	v.dialects = []dialect{{}, {prefix: 8, fnBare: true}}
	if f.lay.frame.draft {
		v.dialects = []dialect{{prefix: 4}, {prefix: 4, fnBare: true}}
	}
	v.count = make([]int, len(v.dialects))
	const most = 256
	seen := make(map[uint32]int)
	s := newScanner(f.src, 0, 0)
	s.next = scanMost
	bytes := int64(0)
	for i := range f.objects.entries {
		h, ok := f.head(s, i)
		if !ok || int64(h.schema) >= int64(len(f.schema.entries)) || seen[h.schema] >= 2 {
			continue
		}
		seen[h.schema]++
		if v.tried++; v.tried > most || bytes > 32<<20 {
			break
		}
		bytes += f.objects.entries[i].size
		for k, d := range v.dialects {
			if end, ok := f.naturalEnd(s, f.objects.entries[i], d); ok && end == f.objects.entries[i].off+f.objects.entries[i].size {
				v.count[k]++
			}
		}
	}
	best := 0
	for k := range v.count {
		if v.count[k] > v.count[best] {
			best = k
		}
	}
	if !f.lay.frame.draft && v.count[0] == v.count[1] && f.src.Size()-f.objects.end == 8 {
		best, v.byEnd = 1, true // no end of data before the end of the file
	}
	f.lay.dialect = v.dialects[best]
	return v
}

// naturalEnd reads an object's values by the schema alone and says where they end.
func (f *file) naturalEnd(s *scanner, e entry, d dialect) (int64, bool) {
	fr := f.lay.frame
	s.pos, s.end, s.err = e.off, e.off+e.size, nil
	s.skip(fr.width())
	far := int64(s.u32())
	data := s.pos + far
	s.skip(16 + 1)
	schema := s.u32()
	s.text()
	s.text()
	if s.err != nil || int64(schema) >= int64(len(f.schema.entries)) {
		return 0, false
	}
	if data >= s.pos && data <= s.end {
		s.pos = data
	}
	if !fr.draft {
		s.skip(8)
	}
	pass{&f.schema, d, true}.structure(s, schema, 0)
	return s.pos, s.err == nil
}

// recover3 goes on behind an object whose size is broken: where its values end by the schema, or where those of the
// one before it end, if the next object or the end of the list is there.
func (f *file) recover3(found *found) {
	f.walkEnd(found)
	for tries := 0; found.stuck && tries < 64; tries++ {
		pos := f.objects.end
		s := newScanner(f.src, 0, 0)
		n := len(f.objects.entries)
		if n > 0 {
			last := f.objects.entries[n-1]
			whole := entry{last.off, f.src.Size() - last.off}
			if end, ok := f.naturalEnd(s, whole, f.lay.dialect); ok && end != pos && f.follows(s, end) {
				f.objects.entries[n-1].size = end - last.off
				f.objects.end = end
				f.walk3(found)
				continue
			}
		}
		if end, ok := f.naturalEnd(s, entry{pos, f.src.Size() - pos}, f.lay.dialect); ok && f.follows(s, end) {
			f.objects.entries = append(f.objects.entries, entry{pos, end - pos})
			f.objects.end = end
			f.walk3(found)
			continue
		}
		break
	}
	if found.stuck || int64(len(f.objects.entries)) < int64(found.count) {
		f.broken3(found)
	}
}

// broken3 says that the list breaks off, and keeps the beginning of an object that the end of the file cuts off.
func (f *file) broken3(found *found) {
	pos := f.objects.end
	found.problems = append(found.problems, model.Problem{Severity: model.Error, Span: model.Span{Offset: pos},
		Message: fmt.Sprintf("the list of objects breaks off after %d of %d", len(f.objects.entries), found.count)})
	s := newScanner(f.src, pos, f.src.Size())
	size := s.number(f.lay.frame.width())
	if left := f.src.Size() - pos; s.err == nil && left >= f.lay.frame.least() && size > uint64(left) && size < 1<<40 {
		f.objects.entries = append(f.objects.entries, entry{pos, left})
		f.objects.end = f.src.Size()
	}
}

// walkEnd sets where the list ends. Until the dialect is known it is taken to end as all but that of r1118.
func (f *file) walkEnd(found *found) {
	found.tableEnd = f.objects.end + 4
	if f.lay.dialect.prefix == 8 {
		found.tableEnd = f.objects.end
	}
}

// follows says that an object or the end of the list is at pos.
func (f *file) follows(s *scanner, pos int64) bool {
	if _, ok := f.lay.frame.objectAt(f.src, s, pos); ok {
		return true
	}
	s.pos, s.end, s.err = pos, f.src.Size(), nil
	v := s.u32()
	return s.err == nil && v == 0 && s.left() <= 8
}

// nameVariant says which layout a Bundle 3.0 has and why.
func (l *layout) nameVariant(frame string, v votes) {
	best := 0
	for k := range v.dialects {
		if v.dialects[k] == l.dialect {
			best = k
		}
	}
	how := "without sizes before them"
	switch {
	case l.frame.draft:
		l.variant = "Bundle 3.0 as published"
		if l.frame.gap {
			l.variant += ", four bytes more in the header"
		}
		how = "with a 4-byte size before each"
		if l.dialect.fnBare {
			l.variant += ", function lists without sizes"
			how += ", but none in function lists"
		}
	case l.dialect.prefix == 8:
		l.variant = "Bundle 3.0 as the engine first wrote it (r1118)"
		how = "with an 8-byte size before each"
	default:
		l.variant = "Bundle 3.0 as the engine writes it"
	}
	l.why = fmt.Sprintf("%s, and the values of %d of %d objects tried end where their entries end when read %s", frame, v.count[best], v.tried, how)
	if v.byEnd {
		l.why += "; the file ends right behind the last object"
	}
}
