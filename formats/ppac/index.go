package ppac

import (
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

type index struct {
	section
	recordedCount    int64
	countFaultFormat string // why the number of entries is another one: a format for that number; "" if it is not

	duplicates []uint64 // TPUs that more than one entry has, in order
	largest    uint64   // the largest size or location of a valid asset, including sizes in memory

	list *model.Node // of the entries

	sortOnce, lastEntriesOnce sync.Once // for look-ups by TPU, once there is one
	sorted                    tpuTable
	lastEntries               []uint32 // the last index entry of each, from 1; 0 without an entry
}

// findIndex determines the number of index entries.
func (f *File) findIndex(ctx context.Context) error {
	x := &f.index
	if !x.isRecorded() {
		return nil
	}
	for _, s := range []*section{&f.metadata.section, &f.trashIndex.section} {
		if s.isRecorded() && s.offset == x.offset {
			s.refuse("belongs to the index")
		}
	}
	return f.countEntries(ctx)
}

// findAssets finds where the assets are that the index names.
func (f *File) findAssets(ctx context.Context) error {
	if !f.index.isRecorded() {
		return nil
	}
	if f.indexAssets(ctx) {
		if n, ok := f.indexEndFromAssets(ctx); ok {
			f.setCount(n, "an asset begins after %d of them")
			f.indexAssets(ctx)
		}
	}
	return ctx.Err()
}

// countEntries reads the count of the index and lowers it to the number of entries that there can be.
func (f *File) countEntries(ctx context.Context) error {
	x, size := &f.index, f.Layout.entrySize()
	f.entries.first = x.offset + 4
	c := f.cursor.Quiet(model.Span{Offset: x.offset, Size: 4})
	if x.recordedCount = int64(c.U32("count")); c.Err() != nil {
		x.refuse("cannot be read")
		return nil
	}
	fits := (f.Source.Size() - f.entries.first) / size
	f.setIndex(min(x.recordedCount, fits))
	if f.Layout.Later {
		if found, err := f.findIndexGuard(ctx, fits); found || err != nil {
			return err
		}
	}
	if x.recordedCount > fits {
		f.setCount(fits, "only %d fit")
	}
	for _, s := range []*section{&f.metadata.section, &f.trashIndex.section} {
		if s.state == sectionProven && s.offset >= f.entries.first && s.offset < x.span.End() {
			f.setCount((s.offset-f.entries.first)/size, "the "+s.name+" begins after %d of them")
		}
	}
	return nil
}

func (f *File) setIndex(n int64) {
	f.entries.n = int(n)
	f.index.span = model.Span{Offset: f.index.offset, Size: 4 + n*f.Layout.entrySize()}
}

// setCount sets a number of index entries other than the recorded count, with a format for that number that explains
// it.
func (f *File) setCount(n int64, faultFormat string) {
	f.index.countFaultFormat = faultFormat
	f.setIndex(n)
}

// indexAssets reads each index entry once: it finds the order of the assets, invalid locations, and duplicate TPUs.
// overlapsIndex reports whether the spans of some entries overlap the index.
func (f *File) indexAssets(ctx context.Context) (overlapsIndex bool) {
	x, n := &f.index, f.entries.n
	x.largest = 0
	b := spanIndexer{spanIndex: spanIndex{spanOf: f.assetSpan}, records: n}
	tpus := tpuList{keys: make([]uint64, 0, n)}
	for i, e := range f.Entries(ctx) {
		tpus.add(e.TPU)
		span, err := f.Locate(e)
		if err != nil {
			overlapsIndex = overlapsIndex || span.Size > 0 && span.Overlaps(x.span)
			continue
		}
		x.largest = max(x.largest, e.Location, e.Size)
		if e.Compression != 0 && e.MemorySize/maxDeflate < e.Size {
			x.largest = max(x.largest, e.MemorySize)
		}
		b.add(i, span)
	}
	x.duplicates = tpus.duplicates()
	f.assets = b.index()
	return overlapsIndex
}

// assetSpan returns the span that the i-th index entry refers to, or an empty one if it is invalid.
func (f *File) assetSpan(i int) model.Span {
	x := f.entries.entry(i)
	s, _ := f.Locate(&x)
	return s
}

func (f *File) recordIndex() {
	c, x := f.cursor, &f.index
	x.record(c, "index", "Index", func() {
		c.Total("count", model.U32)
		if x.countFaultFormat != "" {
			c.Errorf("the entry count %d (of %d bytes each) is invalid: "+x.countFaultFormat, x.recordedCount,
				f.Layout.entrySize(), f.entries.n)
		}
		if f.entries.n > 0 && c.Err() == nil {
			x.list = c.Struct("entries", "IndexEntry[]", func() {
				c.Records("IndexEntry", int64(f.entries.n), f.Layout.entrySize(), f.readIndexEntry)
				c.Summaries(f.entrySummaries())
			})
		}
		if f.Layout.Later {
			readGuard(c, indexGuard)
		}
	})
	if x.list == nil { // the file was cut since its index was counted
		f.entries.n, f.assets = 0, spanIndex{}
	}
}

// readIndexEntry reads the i-th INDEX ENTRY and compares it with the others and with its asset.
func (f *File) readIndexEntry(e *decode.Cursor, i int) {
	var x Entry
	leaves := f.Layout.readEntry(e, &x)
	if e.Node() != nil {
		e.Key(x.TPU.String())
	}
	if e.Err() != nil {
		return
	}
	if _, ok := slices.BinarySearch(f.index.duplicates, x.Bits()); ok {
		e.Remark(model.Note, e.Node(), "duplicate TPU %s", x.TPU)
	}
	span, err := f.Locate(&x)
	if err != nil {
		e.Remark(model.Error, leaves.leafOf(err), "%v", err)
		return
	}
	if f.assets.shared {
		if k, ok := f.assets.position(i, span); ok && f.assets.recordOf(k) != i {
			e.Remark(model.Note, e.Node(), "index entry %d has the same bytes", f.assets.recordOf(k))
		}
	}
	if e.Recording() {
		node := e.Node()
		node.Link = f.assets.link(node.Key, i, span)
		leaves.location.Link = node.Link
		node.SetLabel(func() string { return f.Label(i) })
		f.quiet.borrow(func(quiet *decode.Cursor) { f.showVerdict(quiet, leaves.sum, i, &x, span) })
	}
}

// notChecked names the checksum of an asset that is too large to be checked for display, until Verify has checked it.
const notChecked = model.Symbol("not checked")

// showVerdict shows in the leaf of its checksum the verdict on an asset that is small, or was checked before.
func (f *File) showVerdict(quiet *decode.Cursor, sum *model.Node, i int, x *Entry, span model.Span) {
	quiet.Reset(span)
	loaded := f.loadSmall(quiet, span)
	a, _ := f.readAsset(quiet, i, x, span)
	sum.Symbols = notChecked
	if r, known := f.checkIfSmall(&a, loaded); known {
		sum.Symbols = model.Symbol(r.verdict.String())
	}
}

// entryPath returns the path of the i-th index entry.
func (f *File) entryPath(i int) model.Path { return append(f.index.list.Path(), i) }

// findKey returns the path of the last index entry with a TPU: the library's map keeps that one.
func (f *File) findKey(key string) (model.Path, bool) {
	tpu, ok := ParseTPU(key)
	if !ok {
		return nil, false
	}
	i, ok := f.findTPU(tpu)
	if !ok {
		return nil, false
	}
	return f.entryPath(i), true
}

// sortedTPUs returns the TPUs of the index entries and of the file, sorted on the first call.
func (f *File) sortedTPUs() tpuTable {
	x := &f.index
	x.sortOnce.Do(func() {
		x.sorted = make(tpuTable, 1, f.entries.n+1) // the file has the TPU 0
		for _, e := range f.Entries(context.Background()) {
			x.sorted = append(x.sorted, e.Bits())
		}
		slices.Sort(x.sorted)
		x.sorted = slices.Compact(x.sorted)
	})
	return x.sorted
}

// findTPU returns the last index entry with a TPU.
func (f *File) findTPU(tpu TPU) (last int, ok bool) {
	x, tpus := &f.index, f.sortedTPUs()
	x.lastEntriesOnce.Do(func() {
		x.lastEntries = make([]uint32, len(tpus))
		k := -1
		for i, e := range f.Entries(context.Background()) {
			if k, ok = tpus.find(e.Bits(), k); ok {
				x.lastEntries[k] = uint32(i) + 1
			}
		}
	})
	k, ok := tpus.find(tpu.Bits(), -1)
	if !ok || x.lastEntries[k] == 0 {
		return 0, false
	}
	return int(x.lastEntries[k]) - 1, true
}

// findIndexGuard looks for the guard after the recorded number of entries, then after each number that fits.
func (f *File) findIndexGuard(ctx context.Context, fits int64) (found bool, err error) {
	x, size, first := &f.index, f.Layout.entrySize(), f.entries.first
	c := f.cursor.Quiet(model.Span{Offset: first, Size: f.Source.Size() - first})
	if x.recordedCount <= fits {
		if c.GoTo(first + x.recordedCount*size); isGuard(c.Peek(guardSize), indexGuard) {
			f.setIndex(x.recordedCount)
			x.span.Size += guardSize
			return true, nil
		}
		c.GoTo(first)
	}
	for n := range fits + 1 {
		if n&0xFFFF == 0 && ctx.Err() != nil {
			break
		}
		if isGuard(c.Peek(guardSize), indexGuard) {
			f.setCount(n, "the guard follows %d of them")
			x.span.Size += guardSize
			return true, nil
		}
		c.Bytes("entry", "IndexEntry", min(size, c.Remaining()))
	}
	return false, ctx.Err()
}

// maxExamined is the number of assets inside the index that are examined to find that its count is wrong.
const maxExamined = 1000

// indexEndFromAssets searches the assets that the index locates inside itself for a sound one: the index ends where
// that asset begins. It returns the number of entries before it.
func (f *File) indexEndFromAssets(ctx context.Context) (n int64, ok bool) {
	end := f.index.span.End()
	others := slices.DeleteFunc(slices.Clone(f.occupied), func(s *section) bool { return s == &f.index.section })
	examined := 0
	for i, e := range f.Entries(ctx) {
		after := f.entries.span(i).End()
		if after > end {
			break
		}
		span, err := f.locateOutside(others, e)
		if err != nil || span.Offset < after || span.Offset >= end {
			continue
		}
		if examined++; examined > maxExamined {
			break
		}
		if a := f.AssetAt(i, e, span); a.isSound(ctx) {
			end, ok = span.Offset, true
		}
	}
	return (end - f.entries.first) / f.Layout.entrySize(), ok
}

// isSound reports whether the bytes that an index entry names are certainly an asset.
func (a *Asset) isSound(ctx context.Context) bool {
	if !a.container.Layout.Later {
		return a.fit >= fitSize
	}
	return a.Data.Size <= maxHashed && a.matches(ctx)
}

// entries are the index entries of a container, which are read on access. Any goroutine may read them. In memory an
// entry has only its index in file order, if that differs from the index's order, and after a lookup by TPU the entry
// and the metadata block of each TPU.
type entries struct {
	container *container
	first     int64 // the offset of the first
	n         int
}

// span returns the span of the i-th index entry.
func (e *entries) span(i int) model.Span {
	size := e.container.Layout.entrySize()
	return model.Span{Offset: e.first + int64(i)*size, Size: size}
}

// entry returns the i-th index entry.
func (e *entries) entry(i int) (x Entry) {
	e.container.quiet.borrow(func(quiet *decode.Cursor) { e.read(quiet, i, &x) })
	return x
}

// read reads the i-th index entry. If it can no longer be read, its location is outside of every file.
func (e *entries) read(quiet *decode.Cursor, i int, x *Entry) {
	quiet.Reset(e.span(i))
	if e.container.Layout.readEntry(quiet, x); quiet.Err() != nil {
		*x = Entry{Location: math.MaxUint64}
	}
}

// inRange returns the index entries [from, to) with their numbers, until ctx ends. An entry is good until the next one.
func (e *entries) inRange(ctx context.Context, from, to int) iter.Seq2[int, *Entry] {
	return func(yield func(int, *Entry) bool) {
		var x Entry
		quiet := e.container.cursor.Quiet(model.Span{})
		for i := from; i < to && (i&0xFFF != 0 || ctx.Err() == nil); i++ {
			if e.read(quiet, i, &x); !yield(i, &x) {
				return
			}
		}
	}
}

// Len returns the number of index entries.
func (f *File) Len() int { return f.entries.n }

// Entry returns the i-th index entry. If it can no longer be read, its location is outside of every file.
func (f *File) Entry(i int) Entry { return f.entries.entry(i) }

// Entries returns the index entries with their numbers, until ctx ends. An entry is good until the next one.
func (f *File) Entries(ctx context.Context) iter.Seq2[int, *Entry] {
	return f.entries.inRange(ctx, 0, f.entries.n)
}

// EntriesInOrder returns a reader of index entries in the given order of indexes, or in the order of the index if order
// is nil.
func (f *File) EntriesInOrder(order []uint32) *OrderedEntries {
	return &OrderedEntries{entries: &f.entries, quiet: f.cursor.Quiet(model.Span{}), order: order}
}

// OrderedEntries reads index entries in another order than theirs, for one goroutine. It reads many entries at a time,
// in the order of the index, so that reads of the file are mostly sequential.
type OrderedEntries struct {
	entries *entries
	quiet   *decode.Cursor
	order   []uint32 // nil for the order of the index

	current Entry
	from    int     // where the entries that are read ahead begin in the order
	ahead   []Entry // those entries
}

// maxAhead is the maximum number of index entries that are read ahead.
const maxAhead = 1 << 15

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
		o.entries.read(o.quiet, k, &o.current)
		return &o.current
	}
	if next := o.from + len(o.ahead); k < o.from || k >= next {
		n := 1
		if k == next { // a sequential reader continues
			n = min(4*max(len(o.ahead), 1), maxAhead, len(o.order)-k)
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
