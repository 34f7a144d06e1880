package ppac

import (
	"context"
	"io"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/formats/decode"
	"assay/model"
)

// entries are the index entries of a container. Any goroutine may read them: one by number, or some in their order.
type entries struct {
	container *container
	first     int64 // the offset of the first
	n         int
}

// span returns the bytes of the i-th index entry.
func (l *entries) span(i int) model.Span {
	size := l.container.Layout.entrySize()
	return model.Span{Offset: l.first + int64(i)*size, Size: size}
}

// at returns the i-th index entry.
func (l *entries) at(i int) (x Entry) {
	l.container.quiet.borrow(func(quiet *decode.Cursor) { x = l.read(quiet, i) })
	return x
}

// read reads the i-th index entry. If it can no longer be read, its location is outside of every file.
func (l *entries) read(quiet *decode.Cursor, i int) (x Entry) {
	quiet.Reset(l.span(i))
	if l.container.Layout.readEntry(quiet, &x); quiet.Err() != nil {
		return Entry{Location: math.MaxUint64}
	}
	return x
}

// Len is the number of index entries.
func (f *File) Len() int { return f.entries.n }

// Entry returns the i-th index entry. If it can no longer be read, its location is outside of every file.
func (f *File) Entry(i int) Entry { return f.entries.at(i) }

// Scan returns the index entries in their order.
func (f *File) Scan() *EntryScan { return f.entries.scan(0, f.entries.n) }

// scan returns the index entries [from, to). The first call of Next reads the first.
func (l *entries) scan(from, to int) *EntryScan {
	all := model.Span{Offset: l.span(from).Offset, Size: int64(to-from) * l.container.Layout.entrySize()}
	return &EntryScan{layout: &l.container.Layout, e: l.container.cursor.Quiet(all), Index: from - 1, to: to}
}

// EntryScan reads index entries one after the other.
type EntryScan struct {
	layout *Layout
	e      *decode.Cursor
	to     int
	Index  int   // the present entry; after the last, the first that was not read
	Entry  Entry // good until Next is called
	Err    error // the context's, or why an entry cannot be read: the file was cut since it was opened
}

// Next reads the next index entry, and reports whether there is one.
func (s *EntryScan) Next(ctx context.Context) bool {
	if s.Index++; s.Index >= s.to {
		return false
	}
	if s.Index&0xFFF == 0 {
		s.Err = ctx.Err()
	}
	if s.Err == nil {
		s.layout.readEntry(s.e, &s.Entry)
		s.Err = s.e.Err()
	}
	return s.Err == nil
}

// Ordered returns a reader of index entries in the given order of indexes, or in the order of the index if order is
// nil.
func (f *File) Ordered(order []uint32) *OrderedEntries {
	return &OrderedEntries{entries: &f.entries, quiet: f.cursor.Quiet(model.Span{}), order: order}
}

// OrderedEntries reads index entries in another order than theirs, for one goroutine. It reads many at a time, in the
// order of the index, to go through that a few times and not to and fro.
type OrderedEntries struct {
	entries *entries
	quiet   *decode.Cursor
	order   []uint32 // nil for the order of the index

	present Entry
	from    int     // where the entries that are read ahead begin in the order
	ahead   []Entry // those entries
}

// aheadMost is how many index entries are read ahead.
const aheadMost = 1 << 15

// Number returns the number in the index of the k-th entry in the order.
func (o *OrderedEntries) Number(k int) int {
	if o.order == nil {
		return k
	}
	return int(o.order[k])
}

// At returns the k-th index entry in the order. It is good until the next call.
func (o *OrderedEntries) At(k int) *Entry {
	if o.order == nil {
		o.present = o.entries.read(o.quiet, k)
		return &o.present
	}
	if next := o.from + len(o.ahead); k < o.from || k >= next {
		n := 1
		if k == next { // a sequential reader continues
			n = min(4*max(len(o.ahead), 1), aheadMost, len(o.order)-k)
		}
		o.read(k, n)
	}
	return &o.ahead[k-o.from]
}

// read reads n index entries from the k-th in the order on.
func (o *OrderedEntries) read(k, n int) {
	inIndex := make([]int, n)
	for i := range inIndex {
		inIndex[i] = i
	}
	slices.SortFunc(inIndex, func(a, b int) int { return o.Number(k+a) - o.Number(k+b) })
	o.from, o.ahead = k, slices.Grow(o.ahead[:0], n)[:n]
	for _, i := range inIndex {
		o.ahead[i] = o.entries.read(o.quiet, o.Number(k+i))
	}
}

// A comparison of two containers takes a summary of each element instead of a node. A key is the TPU's eight bytes.

// entrySummaries summarizes the index entries by all recorded fields except TPU and location.
func (f *File) entrySummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true,
		Fill: func(ctx context.Context, first int, out []model.Summary) error {
			s := f.entries.scan(first, first+len(out))
			for s.Next(ctx) {
				x := &s.Entry
				out[s.Index-first] = model.Summary{Key: x.Bits(), Digest: f.Layout.digest(x),
					Span: f.entries.span(s.Index)}
			}
			return s.Err
		}}
}

// digest returns a hash that is equal for entries of the same asset at any location, with any TPU.
func (l Layout) digest(x *Entry) uint64 {
	var b [56]byte
	order.PutUint64(b[:], x.Size-l.leastAsset())
	order.PutUint32(b[8:], x.Compression)
	order.PutUint64(b[12:], x.MemorySize)
	order.PutUint32(b[20:], x.Adler32)
	copy(b[24:], x.SHA256[:])
	return xxh3.Hash(b[:])
}

// assetSummaries summarizes the assets by the index's record of their content.
func (f *File) assetSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true, Recorded: true,
		Fill: func(ctx context.Context, first int, out []model.Summary) error {
			if f.assets.order == nil {
				s := f.entries.scan(first, first+len(out))
				for s.Next(ctx) && s.Err == nil {
					s.Err = f.summarize(ctx, &s.Entry, &out[s.Index-first])
				}
				return s.Err
			}
			entries := f.Ordered(f.assets.order)
			entries.read(first, len(out))
			for k := range out {
				if err := f.summarize(ctx, entries.At(first+k), &out[k]); err != nil {
					return err
				}
			}
			return nil
		}}
}

// summarize describes the asset of an index entry.
func (f *File) summarize(ctx context.Context, x *Entry, s *model.Summary) error {
	place, err := f.Locate(x)
	if err != nil {
		return io.ErrUnexpectedEOF // the file was cut since it was opened
	}
	s.Key, s.Span = x.Bits(), place
	s.Digest = f.Layout.digest(x)
	if f.Layout.Later && x.SHA256 == [32]byte{} {
		// No checksum is recorded: the stored bytes speak for themselves.
		h := xxh3.New()
		if _, err := io.Copy(h, f.Part(ctx, place)); err != nil {
			return err
		}
		s.Digest ^= h.Sum64()
	}
	return nil
}

// blockSummaries describe the metadata of assets in the later revision: TPU, and all after count and size.
func (f *File) blockSummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Fill: func(_ context.Context, first int, out []model.Summary) error {
		quiet := f.cursor.Quiet(model.Span{})
		for i := range out {
			s := f.metadata.elements.At(first + i)
			quiet.Reset(s)
			tpu, _, _, _ := readBlockHead(quiet)
			if quiet.Err() != nil {
				return quiet.Err()
			}
			b, err := f.Source.Bytes(model.Span{Offset: quiet.Pos(), Size: quiet.Left()})
			if err != nil {
				return err
			}
			out[i] = model.Summary{Key: tpu.Bits(), Digest: xxh3.Hash(b), Span: s}
		}
		return nil
	}}
}
