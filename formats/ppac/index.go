package ppac

import (
	"context"
	"slices"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// index is what is known of the index section.
type index struct {
	section
	claimed    int64  // the count that is recorded
	countFault string // why fewer entries are read

	repeated []uint64 // TPUs that more than one entry has, in order
	largest  uint64   // the largest size or location of an asset that is in its place, also in memory if it can be

	list *model.Node // of the entries

	sortOnce, lastOnce sync.Once // for look-ups by TPU, once there is one
	sorted             tpuTable
	last               []uint32 // of each of those the last index entry, from 1; 0: it has none
}

// findIndex finds how many index entries there are.
func (f *File) findIndex(ctx context.Context) error {
	x := &f.index
	if !x.shown() {
		return nil
	}
	for _, s := range []*section{&f.metadata.section, &f.trashIndex.section} {
		if s.shown() && s.at == x.at {
			s.refuse("is the index's")
		}
	}
	return f.countEntries(ctx)
}

// findAssets finds where the assets are that the index names.
func (f *File) findAssets(ctx context.Context) error {
	if !f.index.shown() {
		return nil
	}
	inside, err := f.indexAssets(ctx)
	if err != nil || !inside {
		return err
	}
	if n, ok := f.indexEndFromAssets(ctx); ok {
		f.cutIndex(n, "an asset begins after %d of them")
		_, err = f.indexAssets(ctx)
	}
	return err
}

// countEntries reads the count of the index and lowers it to the number of entries that there can be.
func (f *File) countEntries(ctx context.Context) error {
	x, size := &f.index, f.Layout.entrySize()
	f.entries.first = x.at + 4
	c := f.cursor.Quiet(model.Span{Offset: x.at, Size: 4})
	if x.claimed = int64(c.U32("count")); c.Err() != nil {
		x.refuse("cannot be read")
		return nil
	}
	fits := (f.Source.Size() - f.entries.first) / size
	f.setIndex(min(x.claimed, fits))
	if f.Layout.Later {
		if found, err := f.findIndexGuard(ctx, fits); found || err != nil {
			return err
		}
	}
	if x.claimed > fits {
		f.cutIndex(fits, "only %d fit")
	}
	for _, s := range []*section{&f.metadata.section, &f.trashIndex.section} {
		if s.state == sectionProven && s.at >= f.entries.first && s.at < x.span.End() {
			f.cutIndex((s.at-f.entries.first)/size, "the "+s.name+" begins after %d of them")
		}
	}
	return nil
}

// setIndex sets the number of index entries.
func (f *File) setIndex(n int64) {
	f.entries.n = int(n)
	f.index.span = model.Span{Offset: f.index.at, Size: 4 + n*f.Layout.entrySize()}
}

// cutIndex sets a number of index entries other than the recorded count.
func (f *File) cutIndex(n int64, why string) {
	f.index.countFault = why
	f.setIndex(n)
}

// indexAssets reads each index entry once: it finds the order of the assets, what is wrong with their places, and TPUs
// that are used twice. inside reports whether some entries name places in the index itself.
func (f *File) indexAssets(ctx context.Context) (inside bool, err error) {
	x, n := &f.index, f.entries.n
	x.largest = 0
	b := spanIndexer{spanIndex: spanIndex{named: f.assetSpan}, records: n}
	tpus := tpuList{keys: make([]uint64, 0, n)}
	for s := f.entries.scan(0, n); s.Next(ctx); {
		tpus.add(s.Entry.TPU)
		place, err := f.Locate(&s.Entry)
		if err != nil {
			inside = inside || place.Size > 0 && place.Overlaps(x.span)
			continue
		}
		x.largest = max(x.largest, s.Entry.Location, s.Entry.Size)
		if s.Entry.Compression != 0 && s.Entry.MemorySize/deflateMost < s.Entry.Size {
			x.largest = max(x.largest, s.Entry.MemorySize)
		}
		b.add(s.Index, place)
	}
	x.repeated = tpus.repeated()
	f.assets = b.index()
	return inside, ctx.Err()
}

// assetSpan returns the part of the file that the i-th index entry names; none if it cannot be there.
func (f *File) assetSpan(i int) model.Span {
	x := f.entries.at(i)
	s, _ := f.Locate(&x)
	return s
}

// recordIndex records INDEX.
func (f *File) recordIndex() {
	c, x := f.cursor, &f.index
	x.record(c, "index", "Index", func() {
		c.U32("count")
		c.Role(model.RoleCount)
		if x.countFault != "" {
			c.Wrong("the entry count %d (of %d bytes each) is invalid: "+x.countFault, x.claimed, f.Layout.entrySize(), f.entries.n)
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
	at := f.Layout.readEntry(e, &x)
	if e.Node() != nil {
		e.Key(x.TPU.String())
	}
	if e.Err() != nil {
		return
	}
	if _, ok := slices.BinarySearch(f.index.repeated, x.Bits()); ok {
		e.Remark(model.Note, e.Node(), "duplicate TPU %s", x.TPU)
	}
	place, err := f.Locate(&x)
	if err != nil {
		e.Remark(model.Error, at.leafOf(err), "%v", err)
		return
	}
	if f.assets.shared {
		if k, ok := f.assets.position(i, place); ok && f.assets.record(k) != i {
			e.Remark(model.Note, e.Node(), "index entry %d has the same bytes", f.assets.record(k))
		}
	}
	if e.Recording() {
		node := e.Node()
		node.Link = f.assets.link(node.Key, i, place)
		at.location.Link = node.Link
		node.SetLabel(func() string { return f.Label(i) })
		f.quiet.borrow(func(quiet *decode.Cursor) { f.showVerdict(quiet, at.sum, i, &x, place) })
	}
}

// showVerdict shows in the leaf of its checksum the verdict on an asset that is small, or was checked before.
func (f *File) showVerdict(quiet *decode.Cursor, sum *model.Node, i int, x *Entry, place model.Span) {
	quiet.Reset(place)
	loaded := f.loadSmall(quiet, place)
	a, _ := f.readAsset(quiet, i, x, place)
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

// sortedTPUs returns the TPUs of the index entries, and that of the file, once they are needed.
func (f *File) sortedTPUs() tpuTable {
	x := &f.index
	x.sortOnce.Do(func() {
		x.sorted = make(tpuTable, 1, f.entries.n+1) // the file has the TPU 0
		for s := f.entries.scan(0, f.entries.n); s.Next(context.Background()); {
			x.sorted = append(x.sorted, s.Entry.Bits())
		}
		slices.Sort(x.sorted)
		x.sorted = slices.Compact(x.sorted)
	})
	return x.sorted
}

// findTPU returns the last index entry with a TPU.
func (f *File) findTPU(tpu TPU) (last int, ok bool) {
	x, tpus := &f.index, f.sortedTPUs()
	x.lastOnce.Do(func() {
		x.last = make([]uint32, len(tpus))
		k := -1
		for s := f.entries.scan(0, f.entries.n); s.Next(context.Background()); {
			if k, ok = tpus.find(s.Entry.Bits(), k); ok {
				x.last[k] = uint32(s.Index) + 1
			}
		}
	})
	k, ok := tpus.find(tpu.Bits(), -1)
	if !ok || x.last[k] == 0 {
		return 0, false
	}
	return int(x.last[k]) - 1, true
}
