package ppac

import (
	"cmp"
	"context"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/formats/decode"
	"assay/model"
)

// entries are the index entries of a container. Any goroutine may read them.
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
	l.container.quiet.borrow(func(quiet *decode.Cursor) { l.read(quiet, i, &x) })
	return x
}

// read reads the i-th index entry. If it can no longer be read, its location is outside of every file.
func (l *entries) read(quiet *decode.Cursor, i int, x *Entry) {
	quiet.Reset(l.span(i))
	if l.container.Layout.readEntry(quiet, x); quiet.Err() != nil {
		*x = Entry{Location: math.MaxUint64}
	}
}

// all returns the index entries [from, to) with their numbers, until ctx ends. An entry is good until the next one.
func (l *entries) all(ctx context.Context, from, to int) iter.Seq2[int, *Entry] {
	return func(yield func(int, *Entry) bool) {
		var x Entry
		quiet := l.container.cursor.Quiet(model.Span{})
		for i := from; i < to && (i&0xFFF != 0 || ctx.Err() == nil); i++ {
			if l.read(quiet, i, &x); !yield(i, &x) {
				return
			}
		}
	}
}

// Len is the number of index entries.
func (f *File) Len() int { return f.entries.n }

// Entry returns the i-th index entry. If it can no longer be read, its location is outside of every file.
func (f *File) Entry(i int) Entry { return f.entries.at(i) }

// Entries returns the index entries with their numbers, until ctx ends. An entry is good until the next one.
func (f *File) Entries(ctx context.Context) iter.Seq2[int, *Entry] {
	return f.entries.all(ctx, 0, f.entries.n)
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
		o.entries.read(o.quiet, k, &o.present)
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
		o.entries.read(o.quiet, o.Number(k+i), &o.ahead[i])
	}
}

// A comparison of two containers takes a summary of each element instead of a node. A key is the TPU's eight bytes.

// entrySummaries summarizes the index entries by all recorded fields except TPU and location.
func (f *File) entrySummaries() *model.Summaries {
	return &model.Summaries{Keyed: true, Distinct: true,
		Fill: func(ctx context.Context, first int, out []model.Summary) error {
			for i, x := range f.entries.all(ctx, first, first+len(out)) {
				out[i-first] = model.Summary{Key: x.Bits(), Digest: f.Layout.digest(x), Span: f.entries.span(i)}
			}
			return cmp.Or(ctx.Err(), f.Source.Failed())
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
			entries := f.Ordered(f.assets.order)
			if f.assets.order != nil {
				entries.read(first, len(out))
			}
			for k := range out {
				if err := f.summarize(ctx, entries.At(first+k), &out[k]); err != nil {
					return err
				}
			}
			return ctx.Err()
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
