package ppac

import (
	"cmp"
	"context"
	"math"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// index is the index section, as far as it is known.
type index struct {
	section
	claimed    int64  // the count that is recorded
	n          int    // entries that are read
	countFault string // why there are fewer than are claimed

	misplaced int      // entries whose assets cannot be where they say
	repeated  []uint64 // TPUs that more than one entry has, in order
	largest   uint64   // the largest size or location

	entries *model.Node
}

// recordIndex records INDEX.
func (f *file) recordIndex() {
	c, x := f.c, &f.index
	if !x.shown() {
		return
	}
	c.Try(func() {
		c.GoTo(x.at)
		c.Struct("index", "Index", func() {
			c.U32("count")
			c.Role(model.RoleCount)
			if x.countFault != "" {
				c.Wrong("%d entries of %d bytes cannot be: "+x.countFault, x.claimed, f.layout.entrySize(), x.n)
			}
			if x.n > 0 && c.Err() == nil {
				x.entries = c.Struct("entries", "IndexEntry[]", func() {
					c.Records("IndexEntry", int64(x.n), f.layout.entrySize(), f.readIndexEntry)
					c.Summaries(f.entrySummaries())
				})
			}
			if f.layout.Later {
				readGuard(c, indexGuard)
			}
		})
	})
	if x.entries == nil { // the file was cut since its index was counted
		x.n, f.assets = 0, spanIndex{}
	}
}

// readIndexEntry reads the i-th INDEX ENTRY and compares it with the others and with its asset.
func (f *file) readIndexEntry(e *decode.Cursor, i int) {
	var x Entry
	at := f.layout.readEntry(e, &x)
	if e.Node() != nil {
		e.Key(x.TPU.String())
	}
	if e.Err() != nil {
		return
	}
	f.remarkRepeated(e, x.TPU)
	s, wrong := f.locate(&x)
	if wrong != nil {
		e.Remark(model.Error, at.of(wrong), "%s", wrong.of(&x))
		return
	}
	f.remarkShared(e, i, s)
	if e.Recording() {
		a := f.assetOf(i, x, s)
		f.linkEntry(e.Node(), at, &a)
	}
}

// of returns the leaf that is to blame for a misplaced asset.
func (at entryLeaves) of(wrong *misplaced) *model.Node {
	if wrong.inSize {
		return at.size
	}
	return at.location
}

// remarkRepeated remarks a TPU that other index entries have too.
func (f *file) remarkRepeated(e *decode.Cursor, tpu TPU) {
	if _, ok := slices.BinarySearch(f.index.repeated, tpu.bits()); ok {
		e.Remark(model.Note, e.Node(), "%s is also the TPU of another index entry", tpu)
	}
}

// remarkShared remarks that another index entry names the same part of the file.
func (f *file) remarkShared(e *decode.Cursor, i int, s model.Span) {
	if !f.assets.shared {
		return
	}
	if k, ok := f.assets.position(i, s); ok && f.assets.record(k) != i {
		e.Remark(model.Note, e.Node(), "index entry %d has the same bytes", f.assets.record(k))
	}
}

// linkEntry links the node of an index entry to its asset, labels it like that, and shows the verdict of a small one.
func (f *file) linkEntry(node *model.Node, at entryLeaves, a *asset) {
	i, s := a.i, a.place
	node.Link = &model.Link{Key: node.Key, Target: func() (model.Path, bool) {
		k, ok := f.assets.position(i, s)
		if !ok {
			return nil, false
		}
		return append(f.assetList.Path(), k), true
	}}
	at.location.Link = node.Link
	node.SetLabel(func() string { return f.label(i) })
	if r, known := f.checkIfSmall(a); known {
		at.sum.Symbols = model.Symbol(r.verdict.String())
	}
}

// entrySpan returns the bytes of the i-th index entry.
func (f *file) entrySpan(i int) model.Span {
	size := f.layout.entrySize()
	return model.Span{Offset: f.index.at + 4 + int64(i)*size, Size: size}
}

// entryAt reads the i-th index entry. If it can no longer be read, its location is outside of every file.
func (f *file) entryAt(quiet *decode.Cursor, i int) (x Entry) {
	quiet.Reset(f.entrySpan(i))
	if f.layout.readEntry(quiet, &x); quiet.Err() != nil {
		return Entry{Location: math.MaxUint64}
	}
	return x
}

// entry is entryAt with a borrowed cursor, from any goroutine.
func (f *file) entry(i int) (x Entry) {
	f.quiet.borrow(func(quiet *decode.Cursor) { x = f.entryAt(quiet, i) })
	return x
}

// assetSpan returns the part of the file that the i-th index entry names; none if it cannot be there.
func (f *file) assetSpan(quiet *decode.Cursor, i int) model.Span {
	var x Entry
	at := f.entrySpan(i)
	quiet.Reset(model.Span{Offset: at.Offset + tpuSize, Size: at.Size - tpuSize})
	if f.layout.readPlace(quiet, &x); quiet.Err() != nil {
		return model.Span{}
	}
	s, _ := f.locate(&x)
	return s
}

// each calls visit with the index entries from one to another until it returns false. The entry is good until then.
func (f *file) each(ctx context.Context, from, to int, visit func(i int, x *Entry) bool) error {
	e := f.c.Quiet(model.Span{Offset: f.entrySpan(from).Offset, Size: int64(to-from) * f.layout.entrySize()})
	var x Entry
	for i := from; i < to; i++ {
		if i&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if f.layout.readEntry(e, &x); e.Err() != nil || !visit(i, &x) {
			return nil // if the file was cut since it was opened, the elements say so
		}
	}
	return nil
}

// scan calls visit with the index entries from one to another until it fails.
func (f *file) scan(ctx context.Context, from, to int, visit func(i int, x *Entry) error) error {
	var failed error
	err := f.each(ctx, from, to, func(i int, x *Entry) bool {
		failed = visit(i, x)
		return failed == nil
	})
	return cmp.Or(failed, err)
}

// orderedEntries reads index entries in the order of their assets in the file, for one goroutine. Where the index has
// another order it reads many at a time, in the order of the index, to go through that a few times and not to and fro.
type orderedEntries struct {
	f     *file
	quiet *decode.Cursor

	present Entry
	from    int     // the asset of the first entry that is read ahead
	read    []Entry // the entries from there on
}

// orderedMost is how many index entries are read at a time where they are not in the order of their assets.
const orderedMost = 1 << 15

// at returns the index entry of the k-th asset. It is good until the next call.
func (o *orderedEntries) at(k int) *Entry {
	if o.f.assets.order == nil {
		o.present = o.f.entryAt(o.quiet, k)
		return &o.present
	}
	if next := o.from + len(o.read); k < o.from || k >= next {
		n := 1
		if k == next { // whoever reads on will read on
			n = min(4*max(len(o.read), 1), orderedMost, o.f.assets.count-k)
		}
		_ = o.fill(k, n) // an entry that cannot be read says so itself
	}
	return &o.read[k-o.from]
}

// fill reads the index entries of n assets.
func (o *orderedEntries) fill(from, n int) (err error) {
	type wanted struct{ record, at int }
	order := make([]wanted, n)
	for k := range order {
		order[k] = wanted{o.f.assets.record(from + k), k}
	}
	slices.SortFunc(order, func(a, b wanted) int { return a.record - b.record })
	o.from, o.read = from, slices.Grow(o.read[:0], n)[:n]
	for _, w := range order {
		o.read[w.at] = o.f.entryAt(o.quiet, w.record)
		err = cmp.Or(err, o.quiet.Err())
	}
	return err
}

// findKey returns the path of the last index entry with a TPU: the library's map keeps that one.
func (f *file) findKey(key string) (model.Path, bool) {
	tpu, ok := ParseTPU(key)
	if !ok || f.index.entries == nil {
		return nil, false
	}
	last, size := -1, f.layout.entrySize()
	e := f.c.Quiet(model.Span{Offset: f.entrySpan(0).Offset, Size: int64(f.index.n) * size})
	for i := 0; i < f.index.n && e.Err() == nil; i++ {
		if found := e.U64("tpu"); found == tpu.bits() && e.Err() == nil {
			last = i
		}
		e.Bytes("entry", "IndexEntry", size-tpuSize)
	}
	if last < 0 {
		return nil, false
	}
	return append(f.index.entries.Path(), last), true
}
