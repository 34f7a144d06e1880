package render

import "slices"

// bin is what is drawn of a chunk of triangles or dots, band by band.
type bin struct {
	all  []uint32
	ends []int // of each band, in all
}

// in returns what is in a band; nothing if the drawing ended before that was known.
func (b *bin) in(band int) []uint32 {
	if band >= len(b.ends) {
		return nil
	}
	from := 0
	if band > 0 {
		from = b.ends[band-1]
	}
	return b.all[from:b.ends[band]]
}

// fill takes what was sorted. A bin is as large as what is in it, as there are many.
func (b *bin) fill(sorted [][]uint32) {
	b.ends = b.ends[:0]
	count := 0
	for _, of := range sorted {
		count += len(of)
		b.ends = append(b.ends, count)
	}
	b.all = b.all[:0]
	if cap(b.all) < count {
		b.all = make([]uint32, 0, count+count/8)
	}
	for _, of := range sorted {
		b.all = append(b.all, of...)
	}
}

// emptied returns as many empty lists as there are bands, in the memory of others.
func emptied(lists [][]uint32, bands int) [][]uint32 {
	lists = slices.Grow(lists[:0], bands)[:bands]
	for i := range lists {
		lists[i] = lists[i][:0]
	}
	return lists
}
