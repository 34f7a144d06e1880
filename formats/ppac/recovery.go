package ppac

import (
	"bytes"
	"context"
	"slices"

	"assay/model"
)

// findIndex finds how many index entries there are, and where the assets are that they name.
func (f *file) findIndex() error {
	x := &f.index
	if x.shown() {
		for _, s := range []*section{&f.metadata.section, &f.trashIndex.section} {
			if s.shown() && s.at == x.at {
				s.refuse("is the index's")
			}
		}
		if err := f.countEntries(); err != nil {
			return err
		}
	}
	if x.shown() {
		f.occupied = append(f.occupied, &x.section)
	}
	f.keepProven(&f.metadata.section)
	f.keepProven(&f.trashIndex.section)
	if !x.shown() {
		return nil
	}
	inside, err := f.indexAssets()
	if err != nil || !inside {
		return err
	}
	if n, ok := f.indexEndFromAssets(); ok {
		f.cutIndex(n, "an asset begins after %d of them")
		_, err = f.indexAssets()
	}
	return err
}

// countEntries reads the count of the index and lowers it to the number of entries that there can be.
func (f *file) countEntries() error {
	x, size, first := &f.index, f.layout.entrySize(), f.index.at+4
	c := f.c.Quiet(model.Span{Offset: x.at, Size: 4})
	if x.claimed = int64(c.U32("count")); c.Err() != nil {
		x.refuse("cannot be read")
		return nil
	}
	fits := (f.src.Size() - first) / size
	f.setIndex(min(x.claimed, fits))
	if f.layout.Later {
		if found, err := f.findIndexGuard(first, fits); found || err != nil {
			return err
		}
	}
	if x.claimed > fits {
		f.cutIndex(fits, "there is room for %d of them")
	}
	for _, s := range []*section{&f.metadata.section, &f.trashIndex.section} {
		if s.state == sectionProven && s.at >= first && s.at < x.span.End() {
			f.cutIndex((s.at-first)/size, "the "+s.name+" begins after %d of them")
		}
	}
	return nil
}

// findIndexGuard looks for the guard after as many entries as the count says, then after each that fits.
func (f *file) findIndexGuard(first, fits int64) (found bool, err error) {
	x, size := &f.index, f.layout.entrySize()
	c := f.c.Quiet(model.Span{Offset: first, Size: f.src.Size() - first})
	if x.claimed <= fits {
		if c.GoTo(first + x.claimed*size); bytes.Equal(c.Peek(4), indexGuard) {
			f.setIndex(x.claimed)
			x.span.Size += int64(len(indexGuard))
			return true, nil
		}
		c.GoTo(first)
	}
	for n := range fits + 1 {
		if n&0xFFFF == 0 && f.ctx.Err() != nil {
			return false, f.ctx.Err()
		}
		if bytes.Equal(c.Peek(4), indexGuard) {
			f.cutIndex(n, "the guard stands after %d of them")
			x.span.Size += int64(len(indexGuard))
			return true, nil
		}
		c.Bytes("entry", "IndexEntry", min(size, c.Left()))
	}
	return false, nil
}

// setIndex sets the number of index entries.
func (f *file) setIndex(n int64) {
	f.index.n = int(n)
	f.index.span = model.Span{Offset: f.index.at, Size: 4 + n*f.layout.entrySize()}
}

// cutIndex sets a number of index entries other than the recorded count.
func (f *file) cutIndex(n int64, why string) {
	f.index.countFault = why
	f.setIndex(n)
}

// indexAssets reads each index entry once: it finds the order of the assets, what is wrong with their places, and TPUs
// that are used twice. inside reports whether some entries name places in the index itself.
func (f *file) indexAssets() (inside bool, err error) {
	x := &f.index
	x.misplaced, x.largest = x.n, 0
	b := spanIndexer{spanIndex: spanIndex{named: f.spansOf(f.assetSpan)}, records: x.n}
	tpus := tpuList{keys: make([]uint64, 0, x.n)}
	err = f.each(f.ctx, 0, x.n, func(i int, ent *Entry) bool {
		tpus.add(ent.TPU)
		x.largest = max(x.largest, ent.Location, ent.Size)
		s, wrong := f.locate(ent)
		if wrong != nil {
			inside = inside || s.Size > 0 && s.Overlaps(x.span)
			return true
		}
		x.misplaced--
		b.add(i, s)
		return true
	})
	if err != nil {
		return false, err
	}
	x.repeated = tpus.repeated()
	f.assets = b.index()
	return inside, nil
}

// soundMost is how many assets inside the index are looked at to tell that its count is wrong.
const soundMost = 1000

// indexEndFromAssets looks for a sound asset among those that the index places inside of itself: the index ends where
// that asset begins. It returns the number of entries before it.
func (f *file) indexEndFromAssets() (n int64, ok bool) {
	first, size := f.index.at+4, f.layout.entrySize()
	end := f.index.span.End()
	others := slices.DeleteFunc(slices.Clone(f.occupied), func(s *section) bool { return s == &f.index.section })
	looked := 0
	_ = f.each(f.ctx, 0, f.index.n, func(i int, x *Entry) bool {
		after := first + int64(i+1)*size
		if after > end {
			return false
		}
		s, wrong := f.locateAmong(x, others)
		if wrong != nil || s.Offset < after || s.Offset >= end {
			return true
		}
		if looked++; looked > soundMost {
			return false
		}
		if a := f.assetOf(i, *x, s); f.isSound(&a) {
			end, ok = s.Offset, true
		}
		return true
	})
	return (end - first) / size, ok
}

// isSound reports whether the bytes that an index entry names are certainly an asset.
func (f *file) isSound(a *asset) bool {
	if !f.layout.Later {
		return a.findData() && a.fit >= fitSize
	}
	if a.Data.Size > 1<<20 {
		return false
	}
	r, err := f.check(context.Background(), a, 16<<20)
	return err == nil && r.verdict == model.Valid
}
