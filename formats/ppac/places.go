package ppac

import (
	"math"
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
	// furthest end up to each place; nil: no place begins before the end of the one before
	ends   []int64
	filled []uint32 // for each place the first from it on that has bytes; nil: not made
}

// at returns the record of the k-th place.
func (p *places) at(k int) int {
	if p.order == nil {
		return k
	}
	return int(p.order[k])
}

func (p *places) span(k int) model.Span { return p.record(p.at(k)) }

// after is the first place that begins after off.
func (p *places) after(off int64) int {
	return sort.Search(p.count, func(k int) bool { return p.span(k).Offset > off })
}

// lookup returns the places that may hold the byte at off.
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

// position returns the place of a record whose part is s. Records that name the same part have one place, the first's.
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

// over returns a place that shares a byte with s.
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
		if p.filled != nil {
			if k = int(p.filled[k]); k == p.count {
				break
			}
		}
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

// skipEmpty prepares places of which some are empty for over, which else goes through a million of those each time.
func (p *places) skipEmpty() {
	filled := make([]uint32, p.count)
	next := p.count
	for k := p.count - 1; k >= 0; k-- {
		if p.span(k).Size > 0 {
			next = k
		}
		filled[k] = uint32(next)
	}
	p.filled = filled
}

// next is where the first place after off begins, or size.
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
	sizes   []int64
	// keys are offsets with the place in records after them, so that sorting moves one number each.
	keys  []uint64
	shift int
}

// newGather has n places in a file of so many bytes; ok is false if there is no room in its numbers.
func newGather(n int, size int64) (g *gather, ok bool) {
	g = &gather{shift: bits.Len(uint(n))}
	if bits.Len64(uint64(size))+g.shift > 64 {
		return nil, false
	}
	g.records, g.sizes, g.keys = make([]uint32, n), make([]int64, n), make([]uint64, n)
	return g, true
}

// set makes s, which a record names, the k-th place.
func (g *gather) set(k, record int, s model.Span) {
	g.keys[k] = uint64(s.Offset)<<g.shift | uint64(k)
	g.records[k] = uint32(record)
	g.sizes[k] = s.Size
}

func (g *gather) span(key uint64) model.Span {
	return model.Span{Offset: int64(key >> g.shift), Size: g.sizes[key&(1<<g.shift-1)]}
}

// places sorts what was collected. shared says that some records name the same part.
func (g *gather) places(record func(int) model.Span) (p places, shared bool) {
	g.keys = sorted(g.keys, g.shift) // they come in the order of their records
	var end int64
	overlap := false
	kept := g.keys[:0]
	group := 0 // first of the kept that begin where the present one does
	for _, key := range g.keys {
		s := g.span(key)
		if len(kept) > 0 && int64(kept[group]>>g.shift) != s.Offset {
			group = len(kept)
		}
		if s.Size > 0 && group < len(kept) && g.has(kept[group:], s) {
			shared = true
			continue
		}
		overlap = overlap || s.Offset < end
		end = max(end, s.End())
		kept = append(kept, key)
	}
	p = places{count: len(kept), record: record, order: make([]uint32, len(kept))}
	if overlap {
		p.ends = make([]int64, len(kept))
		end = 0
		for k, key := range kept {
			end = max(end, g.span(key).End())
			p.ends[k] = end
		}
	}
	for k, key := range kept {
		p.order[k] = g.records[key&(1<<g.shift-1)]
	}
	return p, shared
}

func (g *gather) has(group []uint64, s model.Span) bool {
	for n := 0; n < len(group) && n < sharedMax; n++ {
		if g.span(group[len(group)-1-n]) == s {
			return true
		}
	}
	return false
}

// sorted sorts keys by their bits from the one that is given on, in one pass for each 11 bits that differ: a package
// of a million entries opens in half the time that slices.Sort takes. It uses the slice.
func sorted(keys []uint64, from int) []uint64 {
	const digit = 11
	var any, all uint64 = 0, math.MaxUint64
	for _, k := range keys {
		any, all = any|k, all&k
	}
	other := make([]uint64, len(keys))
	for shift := from; (any^all)>>shift != 0; shift += digit {
		shift += bits.TrailingZeros64((any ^ all) >> shift)
		var start [1<<digit + 1]int
		for _, k := range keys {
			start[k>>shift&(1<<digit-1)+1]++
		}
		for i := range 1 << digit {
			start[i+1] += start[i]
		}
		for _, k := range keys {
			d := k >> shift & (1<<digit - 1)
			other[start[d]] = k
			start[d]++
		}
		keys, other = other, keys
	}
	return keys
}
