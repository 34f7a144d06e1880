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
func (p *spanIndex) recordOf(k int) int {
	if p.order == nil {
		return k
	}
	return int(p.order[k])
}

func (p *spanIndex) span(k int) model.Span { return p.spanOf(p.recordOf(k)) }

// firstAfter returns the first part that begins after off.
func (p *spanIndex) firstAfter(off int64) int {
	return sort.Search(p.count, func(k int) bool { return p.span(k).Offset > off })
}

// partsAt returns the parts that may hold the byte at off.
func (p *spanIndex) partsAt(off int64) (from, to int) {
	to = p.firstAfter(off)
	if p.ends != nil {
		from = sort.Search(to, func(k int) bool { return p.ends[k] > off })
		return from, to
	}
	if to > 0 && p.span(to-1).Contains(off) {
		return to - 1, to
	}
	return 0, 0
}

// position returns the part of a record that names s. Records that name the same part have one, the first's.
func (p *spanIndex) position(record int, s model.Span) (k int, ok bool) {
	if p.order == nil {
		return record, record < p.count
	}
	target := recordedSpan{s, uint32(record)}
	k = sort.Search(p.count, func(k int) bool { return recordedSpan{p.span(k), p.order[k]}.compare(target) >= 0 })
	if k < p.count && p.order[k] == target.record {
		return k, true
	}
	return k - 1, k > 0 && p.span(k-1) == s
}

// overlaps reports whether a part shares a byte with s.
func (p *spanIndex) overlaps(s model.Span) bool {
	if p.count == 0 || s.Size <= 0 {
		return false
	}
	for k, to := p.partsAt(s.Offset); k < to; k++ {
		if p.span(k).Overlaps(s) {
			return true
		}
	}
	for k := p.firstAfter(s.Offset); k < p.count; k++ {
		if p.nonempty != nil {
			if k = int(p.nonempty[k]); k == p.count {
				break
			}
		}
		o := p.span(k)
		if o.Offset >= s.End() || o.Size > 0 {
			return o.Offset < s.End()
		}
	}
	return false
}

// indexNonempty stores the next nonempty part for each part, so that overlaps does not visit up to a million empty ones
// on each call.
func (p *spanIndex) indexNonempty() {
	if !p.empty {
		return
	}
	nonempty := make([]uint32, p.count)
	next := p.count
	for k := p.count - 1; k >= 0; k-- {
		if p.span(k).Size > 0 {
			next = k
		}
		nonempty[k] = uint32(next)
	}
	p.nonempty = nonempty
}

// next returns where the first part after off begins, or size.
func (p *spanIndex) next(off, size int64) int64 {
	if k := p.firstAfter(off); k < p.count {
		return p.span(k).Offset
	}
	return size
}

func (p *spanIndex) bounds() model.Span {
	if p.count == 0 {
		return model.Span{}
	}
	first, last := p.span(0), p.span(p.count-1)
	end := last.End()
	if p.ends != nil {
		end = p.ends[p.count-1]
	}
	return model.Span{Offset: first.Offset, Size: end - first.Offset}
}

// recordParts records the parts in c, as a list of elements.
func (p *spanIndex) recordParts(c *decode.Cursor, name, typ, elem string, reading decode.Reading,
	sums *model.Summaries) {
	if p.count == 0 || c.Err() != nil {
		return
	}
	bounds := p.bounds()
	c.GoTo(bounds.Offset)
	p.node = c.Struct(name, typ, func() {
		c.Elements(elem, p.count, p.partsAt, reading)
		c.Summaries(sums)
		c.GoTo(bounds.End())
	})
}

// link returns a link to the part of a record that names s.
func (p *spanIndex) link(key string, record int, s model.Span) *model.Link {
	return &model.Link{Key: key, Target: func() (model.Path, bool) {
		k, ok := p.position(record, s)
		if !ok {
			return nil, false
		}
		return append(p.node.Path(), k), true
	}}
}

// recordedSpan is a part of the file with the record that names it.
type recordedSpan struct {
	model.Span
	record uint32
}

func (p recordedSpan) compare(q recordedSpan) int {
	if p.Offset != q.Offset { // nearly always; the rest would be computed all the same
		return cmp.Compare(p.Offset, q.Offset)
	}
	return cmp.Or(cmp.Compare(p.Size, q.Size), cmp.Compare(p.record, q.record))
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
