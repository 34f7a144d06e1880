package ppac

import (
	"math/bits"
	"sort"

	"assay/model"
)

// places are the parts of a file that a table of fixed records names, in the order of the file. If the table has that
// order itself nothing is kept.
type places struct {
	count  int
	record func(i int) model.Span // the part that the i-th record names
	order  []uint32               // records in the order of their parts; nil: as they come
	ends   []int64                // furthest end up to each place; nil: no place begins before the end of the one before
}

// at gives the record of the k-th place.
func (p *places) at(k int) int {
	if p.order == nil {
		return k
	}
	return int(p.order[k])
}

func (p *places) span(k int) model.Span { return p.record(p.at(k)) }

// after is the first place that begins behind off.
func (p *places) after(off int64) int {
	return sort.Search(p.count, func(k int) bool { return p.span(k).Offset > off })
}

// lookup gives the places that may hold the byte at off.
func (p *places) lookup(off int64) (from, to int) {
	to = p.after(off)
	if p.ends != nil {
		from = sort.Search(to, func(k int) bool { return p.ends[k] > off })
		return from, to
	}
	if to > 0 && p.span(to-1).Contains(off) {
		return to - 1, to
	}
	return 0, 0
}

// sharedMax is how many parts that begin at one byte are looked through for one that is the same.
const sharedMax = 1000

// position gives the place of a record whose part is s. Records that name the same part have one place, the first's.
func (p *places) position(record int, s model.Span) (k int, ok bool) {
	if p.order == nil {
		return record, record < p.count
	}
	k = sort.Search(p.count, func(k int) bool {
		o := p.span(k).Offset
		return o > s.Offset || o == s.Offset && p.at(k) >= record
	})
	if k < p.count && p.at(k) == record {
		return k, true
	}
	for n := 0; k > 0 && n < sharedMax; n++ {
		k--
		if o := p.span(k); o == s {
			return k, true
		} else if o.Offset != s.Offset {
			break
		}
	}
	return 0, false
}

// over gives a place that shares a byte with s.
func (p *places) over(s model.Span) (model.Span, bool) {
	if p.count == 0 || s.Size <= 0 {
		return model.Span{}, false
	}
	from, to := p.lookup(s.Offset)
	for k := from; k < to; k++ {
		if o := p.span(k); o.Overlaps(s) {
			return o, true
		}
	}
	for k := p.after(s.Offset); k < p.count; k++ {
		o := p.span(k)
		if o.Offset >= s.End() {
			break
		}
		if o.Size > 0 {
			return o, true
		}
	}
	return model.Span{}, false
}

// next is where the first place behind off begins, or size.
func (p *places) next(off, size int64) int64 {
	if k := p.after(off); k < p.count {
		return p.span(k).Offset
	}
	return size
}

// bounds holds all places.
func (p *places) bounds() model.Span {
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

// gather collects places that come in another order than the file's.
type gather struct {
	records []uint32
	spans   [][2]int64 // offset, size
}

func (g *gather) add(record int, s model.Span) {
	g.records = append(g.records, uint32(record))
	g.spans = append(g.spans, [2]int64{s.Offset, s.Size})
}

// places sorts what was collected. shared says that some records name the same part.
func (g *gather) places(record func(int) model.Span) (p places, shared bool) {
	order := g.sorted()
	var end int64
	overlap := false
	kept := order[:0]
	group := 0 // first of the kept that begin where the present one does
	for _, j := range order {
		s := g.spans[j]
		if len(kept) > 0 && g.spans[kept[group]][0] != s[0] {
			group = len(kept)
		}
		if s[1] > 0 && group < len(kept) && g.has(kept[group:], s) {
			shared = true
			continue
		}
		overlap = overlap || s[0] < end
		end = max(end, s[0]+s[1])
		kept = append(kept, j)
	}
	p = places{count: len(kept), record: record, order: kept}
	if overlap {
		p.ends = make([]int64, len(kept))
		end = 0
		for k, j := range kept {
			end = max(end, g.spans[j][0]+g.spans[j][1])
			p.ends[k] = end
		}
	}
	for k, j := range kept {
		kept[k] = g.records[j]
	}
	if cap(kept) > len(kept)+len(kept)/4 {
		p.order = append([]uint32(nil), kept...)
	}
	return p, shared
}

func (g *gather) has(group []uint32, s [2]int64) bool {
	for n := 0; n < len(group) && n < sharedMax; n++ {
		if g.spans[group[len(group)-1-n]] == s {
			return true
		}
	}
	return false
}

// sorted gives the positions in g by offset; those with the same offset stay as they came.
func (g *gather) sorted() []uint32 {
	const digit = 14
	n := len(g.spans)
	order, other := make([]uint32, n), make([]uint32, n)
	var highest int64
	for i := range order {
		order[i] = uint32(i)
		highest = max(highest, g.spans[i][0])
	}
	for shift := 0; shift < bits.Len64(uint64(highest)); shift += digit {
		start := make([]int, 1<<digit+1)
		for _, s := range g.spans {
			start[(s[0]>>shift)&(1<<digit-1)+1]++
		}
		for i := range 1 << digit {
			start[i+1] += start[i]
		}
		for _, j := range order {
			d := (g.spans[j][0] >> shift) & (1<<digit - 1)
			other[start[d]] = j
			start[d]++
		}
		order, other = other, order
	}
	return order
}
