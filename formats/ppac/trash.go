package ppac

import (
	"context"
	"errors"
	"math"

	"assay/formats/decode"
	"assay/model"
)

type trashIndex struct {
	section
	n       int    // entries that are read
	largest uint64 // the largest start or length of a valid region
}

// TrashEntry is TRASH ENTRY: a part of the file that is deleted.
type TrashEntry struct{ Start, Length uint64 }

func (l Layout) readTrashEntry(e *decode.Cursor) (t TrashEntry, start *model.Node) {
	t.Start = e.Offset("start", l.position())
	start = e.Last()
	t.Length = e.Size("length", l.size())
	return t, start
}

func (l Layout) trashEntrySize() int64 { return l.PositionWidth + l.SizeWidth }

// findTrashIndex finds the number of entries of TRASH INDEX that end before limit, and whether it proves itself: by its
// entries, in the later revision by the guard.
func (f *File) findTrashIndex(_ context.Context, limit int64) {
	x, size := &f.trashIndex, f.Layout.trashEntrySize()
	if !x.isRecorded() {
		return
	}
	quiet := f.cursor.Quiet(model.Span{Offset: x.offset, Size: f.Source.Size() - x.offset})
	claimed := int64(quiet.U32("count"))
	if quiet.Err() != nil || quiet.Pos() > limit {
		x.refuse("does not fit before the next part of the file")
		return
	}
	fits := (limit - quiet.Pos()) / size
	x.n = int(min(claimed, fits))
	x.span = model.Span{Offset: x.offset, Size: 4 + int64(x.n)*size}
	if x.setProven(x.n > 0 && claimed <= fits && f.trashIsInFile()); f.Layout.Later {
		x.proveByGuard(quiet, claimed <= fits, limit, trashGuard)
	}
}

func (f *File) recordTrashIndex() {
	c, x, size := f.cursor, &f.trashIndex, f.Layout.trashEntrySize()
	x.record(c, "trash_index", "TrashIndex", func() {
		claimed := c.Total("count", model.U32)
		if claimed > int64(x.n) {
			c.Errorf("%d entries of %d bytes do not fit before the next part of the file; reading %d", claimed, size,
				x.n)
		}
		if x.n > 0 {
			c.Struct("entries", "TrashEntry[]", func() {
				c.Records("TrashEntry", int64(x.n), size, f.readTrashIndexEntry)
			})
		}
		if f.Layout.Later {
			readGuard(c, trashGuard)
		}
	})
}

// trashIsInFile reports whether a sample of the trash entries all name parts of the file.
func (f *File) trashIsInFile() bool {
	quiet, size := f.cursor.Quiet(model.Span{}), uint64(f.Source.Size())
	for i := range samples(f.trashIndex.n, maxSample) {
		t := f.trashEntryAt(quiet, i)
		if t.Start < uint64(f.Layout.headerSize()) || t.Start > size || t.Length > size-t.Start {
			return false
		}
	}
	return true
}

// readTrashIndexEntry reads the i-th TRASH ENTRY and finds its region.
func (f *File) readTrashIndexEntry(e *decode.Cursor, i int) {
	t, start := f.Layout.readTrashEntry(e)
	if e.Err() != nil {
		return
	}
	s, err := f.trashRegion(t)
	if err != nil {
		e.Remark(model.Error, start, "the trash of %d bytes at %#x %v", t.Length, t.Start, err)
	}
	if s.Size > 0 && start != nil {
		start.Link = f.trash.link("", i, s)
	}
}

// trashEntryAt reads the i-th TRASH ENTRY. If it is unreadable, the entry has an invalid start.
func (f *File) trashEntryAt(quiet *decode.Cursor, i int) TrashEntry {
	size := f.Layout.trashEntrySize()
	quiet.Reset(model.Span{Offset: f.trashIndex.offset + 4 + int64(i)*size, Size: size})
	t, _ := f.Layout.readTrashEntry(quiet)
	if quiet.Err() != nil {
		return TrashEntry{Start: math.MaxUint64}
	}
	return t
}

// trashRegion returns the bytes of a listed region that can be trash, and its error.
func (f *File) trashRegion(t TrashEntry) (s model.Span, err error) {
	start, length, size := t.Start, t.Length, uint64(f.Source.Size())
	if start > size {
		return s, errors.New("is not in the file")
	}
	if length > size-start {
		length, err = size-start, errors.New("extends past the end of the file")
	}
	s = model.Span{Offset: int64(start), Size: int64(length)}
	if o := f.occupied.overlapping(s); o != nil {
		return model.Span{}, errors.New("overlaps the " + o.name)
	}
	if f.assets.overlaps(s) {
		return model.Span{}, errors.New("overlaps an asset")
	}
	return s, err
}

// trashSpan returns the region that the i-th trash entry lists.
func (f *File) trashSpan(i int) (s model.Span) {
	f.quiet.borrow(func(quiet *decode.Cursor) { s, _ = f.trashRegion(f.trashEntryAt(quiet, i)) })
	return s
}

// findTrash finds the regions of the trash index.
func (f *File) findTrash(ctx context.Context) error {
	x := &f.trashIndex
	if !x.isRecorded() || x.n == 0 {
		return nil
	}
	f.assets.indexNonempty()
	quiet := f.cursor.Quiet(model.Span{})
	b := spanIndexer{spanIndex: spanIndex{spanOf: f.trashSpan}, records: x.n}
	for i := range x.n {
		if i&0xFFFF == 0xFFFF && ctx.Err() != nil {
			return ctx.Err()
		}
		t := f.trashEntryAt(quiet, i)
		s, err := f.trashRegion(t)
		if err == nil {
			x.largest = max(x.largest, t.Start, t.Length)
		}
		if s.Size > 0 {
			b.add(i, s)
		}
	}
	f.trash = b.index()
	return nil
}

// recordTrash records the regions that the trash index lists.
func (f *File) recordTrash() {
	read := func(e *decode.Cursor, _ int) { readBytes(e) }
	f.trash.recordParts(f.cursor, "trash", "bytes[]", "bytes", decode.LocatedReading(f.unsharedTrash, read), nil)
}

// unsharedTrash returns the k-th region in the order of the file, without the bytes of the regions before it.
func (f *File) unsharedTrash(k int) model.Span {
	s := f.trash.span(k)
	if f.trash.ends != nil && k > 0 {
		start := min(max(s.Offset, f.trash.ends[k-1]), s.End())
		s = model.Span{Offset: start, Size: s.End() - start}
	}
	return s
}
