package ppac

import (
	"cmp"
	"slices"
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// spanIndex has the parts of a file that a table of fixed records names, in the order of the file. If the table has
// that order itself, nothing is stored.
type spanIndex struct {
	count  int
	spanOf func(record int) model.Span // the part that a record names
	order  []uint32                    // records in the order of their parts; nil if they are in order
	// The furthest end up to each part; nil if no parts overlap.
	ends []int64
	// For each part the first nonempty one from it on; nil before indexNonempty.
	nonempty []uint32
	node     *model.Node // of the list of the parts

	shared bool // some records have the same part, which is stored once
	empty  bool // some part has no bytes
}

// recordOf returns the record of the k-th part.
func (x *spanIndex) recordOf(k int) int {
	if x.order == nil {
		return k
	}
	return int(x.order[k])
}

func (x *spanIndex) span(k int) model.Span { return x.spanOf(x.recordOf(k)) }

// firstAfter returns the first part that begins after off.
func (x *spanIndex) firstAfter(off int64) int {
	return sort.Search(x.count, func(k int) bool { return x.span(k).Offset > off })
}

// partsAt returns the parts that may hold the byte at off.
func (x *spanIndex) partsAt(off int64) (from, to int) {
	to = x.firstAfter(off)
	if x.ends != nil {
		from = sort.Search(to, func(k int) bool { return x.ends[k] > off })
		return from, to
	}
	if to > 0 && x.span(to-1).Contains(off) {
		return to - 1, to
	}
	return 0, 0
}

// position returns the part of a record that names s. Records that name the same part have one, the first's.
func (x *spanIndex) position(record int, s model.Span) (k int, ok bool) {
	if x.order == nil {
		return record, record < x.count
	}
	target := recordedSpan{s, uint32(record)}
	k = sort.Search(x.count, func(k int) bool { return recordedSpan{x.span(k), x.order[k]}.compare(target) >= 0 })
	if k < x.count && x.order[k] == target.record {
		return k, true
	}
	return k - 1, k > 0 && x.span(k-1) == s
}

// overlaps reports whether a part shares a byte with s.
func (x *spanIndex) overlaps(s model.Span) bool {
	if x.count == 0 || s.Size <= 0 {
		return false
	}
	for k, to := x.partsAt(s.Offset); k < to; k++ {
		if x.span(k).Overlaps(s) {
			return true
		}
	}
	for k := x.firstAfter(s.Offset); k < x.count; k++ {
		if x.nonempty != nil {
			if k = int(x.nonempty[k]); k == x.count {
				break
			}
		}
		o := x.span(k)
		if o.Offset >= s.End() || o.Size > 0 {
			return o.Offset < s.End()
		}
	}
	return false
}

// indexNonempty stores the next nonempty part for each part, so that overlaps does not visit up to a million empty ones
// on each call.
func (x *spanIndex) indexNonempty() {
	if !x.empty {
		return
	}
	nonempty := make([]uint32, x.count)
	next := x.count
	for k := x.count - 1; k >= 0; k-- {
		if x.span(k).Size > 0 {
			next = k
		}
		nonempty[k] = uint32(next)
	}
	x.nonempty = nonempty
}

// next returns where the first part after off begins, or size.
func (x *spanIndex) next(off, size int64) int64 {
	if k := x.firstAfter(off); k < x.count {
		return x.span(k).Offset
	}
	return size
}

func (x *spanIndex) bounds() model.Span {
	if x.count == 0 {
		return model.Span{}
	}
	first, last := x.span(0), x.span(x.count-1)
	end := last.End()
	if x.ends != nil {
		end = x.ends[x.count-1]
	}
	return model.Span{Offset: first.Offset, Size: end - first.Offset}
}

// recordParts records the parts in c, as a list of elements.
func (x *spanIndex) recordParts(c *decode.Cursor, name, typ, elem string, reading decode.Reading,
	sums *model.Summaries) {
	if x.count == 0 || c.Err() != nil {
		return
	}
	bounds := x.bounds()
	c.GoTo(bounds.Offset)
	x.node = c.Struct(name, typ, func() {
		c.Elements(elem, x.count, x.partsAt, reading)
		c.Summaries(sums)
		c.GoTo(bounds.End())
	})
}

// link returns a link to the part of a record that names s.
func (x *spanIndex) link(key string, record int, s model.Span) *model.Link {
	return &model.Link{Key: key, Target: func() (model.Path, bool) {
		k, ok := x.position(record, s)
		if !ok {
			return nil, false
		}
		return append(x.node.Path(), k), true
	}}
}

// recordedSpan is a part of the file with the record that names it.
type recordedSpan struct {
	model.Span
	record uint32
}

func (s recordedSpan) compare(q recordedSpan) int {
	if s.Offset != q.Offset { // nearly always; the rest would be computed all the same
		return cmp.Compare(s.Offset, q.Offset)
	}
	return cmp.Or(cmp.Compare(s.Size, q.Size), cmp.Compare(s.record, q.record))
}

// spanIndexer creates a spanIndex. It collects nothing as long as all records are in the order of their parts.
type spanIndexer struct {
	spanIndex
	records int            // of the table
	end     int64          // of the parts so far
	parts   []recordedSpan // set after a record out of order
}

// add adds the part that the next record names.
func (b *spanIndexer) add(record int, s model.Span) {
	if b.parts == nil && (record != b.count || s.Offset < b.end) {
		b.parts = make([]recordedSpan, b.count, max(b.records, b.count+1))
		for r := range b.parts {
			b.parts[r] = recordedSpan{b.spanOf(r), uint32(r)}
		}
	}
	b.count++
	b.empty = b.empty || s.Size == 0
	b.end = max(b.end, s.End())
	if b.parts != nil {
		b.parts = append(b.parts, recordedSpan{s, uint32(record)})
	}
}

func (b *spanIndexer) index() (p spanIndex) {
	if b.parts == nil {
		return b.spanIndex
	}
	slices.SortFunc(b.parts, recordedSpan.compare)
	list := slices.CompactFunc(b.parts, func(x, y recordedSpan) bool { return x.Size > 0 && x.Span == y.Span })
	p = spanIndex{count: len(list), spanOf: b.spanOf, order: make([]uint32, len(list)),
		shared: len(list) < len(b.parts), empty: b.empty}
	var end int64
	overlap := false
	for k, x := range list {
		p.order[k] = x.record
		overlap = overlap || x.Offset < end
		end = max(end, x.End())
	}
	if overlap {
		p.ends, end = make([]int64, len(list)), 0
		for k, x := range list {
			end = max(end, x.End())
			p.ends[k] = end
		}
	}
	return p
}
