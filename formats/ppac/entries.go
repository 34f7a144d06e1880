package ppac

import (
	"context"
	"math"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// entries are the index entries of a container. Any goroutine may read them: one by number, or some in their order.
type entries struct {
	*container
	first int64 // the offset of the first
	n     int
}

// span returns the bytes of the i-th index entry.
func (l *entries) span(i int) model.Span {
	size := l.layout.entrySize()
	return model.Span{Offset: l.first + int64(i)*size, Size: size}
}

// at reads the i-th index entry, with a borrowed cursor if quiet is nil. If it can no longer be read, its location is
// outside of every file.
func (l *entries) at(quiet *decode.Cursor, i int) (x Entry) {
	l.quiet.borrow(quiet, func(quiet *decode.Cursor) {
		quiet.Reset(l.span(i))
		if l.layout.readEntry(quiet, &x); quiet.Err() != nil {
			x = Entry{Location: math.MaxUint64}
		}
	})
	return x
}

// scan returns the index entries from one to another, of which next reads the first.
func (l *entries) scan(from, to int) *entryScan {
	return &entryScan{layout: &l.layout, i: from - 1, to: to,
		e: l.c.Quiet(model.Span{Offset: l.span(from).Offset, Size: int64(to-from) * l.layout.entrySize()})}
}

// entryScan reads index entries one after the other.
type entryScan struct {
	layout *Layout
	e      *decode.Cursor
	to     int
	i      int   // the present entry; after the last, the first that was not read
	entry  Entry // good until next is called
	err    error // the context's, or why an entry cannot be read: the file was cut since it was opened
}

// next reads the next index entry, and reports whether there is one.
func (s *entryScan) next(ctx context.Context) bool {
	if s.i++; s.i >= s.to {
		return false
	}
	if s.i&0xFFF == 0 {
		s.err = ctx.Err()
	}
	if s.err == nil {
		s.layout.readEntry(s.e, &s.entry)
		s.err = s.e.Err()
	}
	return s.err == nil
}

// orderedEntries reads index entries in the order of their assets in the file, for one goroutine. Where the index has
// another order it reads many at a time, in the order of the index, to go through that a few times and not to and fro.
type orderedEntries struct {
	*file
	quiet *decode.Cursor

	present Entry
	from    int     // the asset of the first entry that is read ahead
	ahead   []Entry // the entries from there on
}

// orderedMost is how many index entries are read at a time where they are not in the order of their assets.
const orderedMost = 1 << 15

// at returns the index entry of the k-th asset. It is good until the next call.
func (o *orderedEntries) at(k int) *Entry {
	if o.assets.order == nil {
		o.present = o.entries.at(o.quiet, k)
		return &o.present
	}
	if next := o.from + len(o.ahead); k < o.from || k >= next {
		n := 1
		if k == next { // whoever reads on will read on
			n = min(4*max(len(o.ahead), 1), orderedMost, o.assets.count-k)
		}
		o.read(k, n)
	}
	return &o.ahead[k-o.from]
}

// read reads the index entries of n assets.
func (o *orderedEntries) read(from, n int) {
	type request struct{ record, at int }
	requests := make([]request, n)
	for k := range requests {
		requests[k] = request{o.assets.record(from + k), k}
	}
	slices.SortFunc(requests, func(a, b request) int { return a.record - b.record })
	o.from, o.ahead = from, slices.Grow(o.ahead[:0], n)[:n]
	for _, r := range requests {
		o.ahead[r.at] = o.entries.at(o.quiet, r.record)
	}
}
