package casset

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

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
