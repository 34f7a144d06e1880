package ppac

import (
	"bytes"
	"math"

	"assay/formats/decode"
	"assay/model"
)

// TrashEntry is a part of the file that is deleted.
type TrashEntry struct{ Start, Length uint64 }

// readTrashEntry reads TRASH ENTRY.
func (l Layout) readTrashEntry(e *decode.Cursor) (t TrashEntry, start *model.Node) {
	t.Start = e.Offset("start", l.position())
	start = e.Last()
	t.Length = e.Size("length", l.size())
	return t, start
}

// trashIndex is what is known of the trash index.
type trashIndex struct {
	part
	claimed int64
	n       int
	guarded bool
	bad     bool // some regions are not shown as they are listed
}

// planTrash tells how many entries the trash index has before limit.
func (f *file) planTrash(limit int64) {
	x, stride := &f.trashIndex, f.layout.trashStride()
	if !x.shown {
		return
	}
	e := f.c.Quiet(model.Span{Offset: x.at, Size: min(4, limit-x.at)})
	if x.claimed = int64(e.U32("count")); e.Err() != nil {
		x.drop("has no room before the next part of the file")
		return
	}
	fits := (limit - x.at - 4) / stride
	x.n = int(min(x.claimed, fits))
	x.span = model.Span{Offset: x.at, Size: 4 + int64(x.n)*stride}
	if f.layout.Later {
		guard := f.bytesAt(model.Span{Offset: x.span.End(), Size: 4}, f.src.Size())
		x.guarded = bytes.Equal(guard, trashGuard) && x.claimed <= fits
		if x.strong = x.guarded; x.guarded {
			x.span.Size += 4
		}
		return
	}
	x.strong = x.n > 0 && x.claimed <= fits
	for k := range min(x.n, sampleMax) {
		t := f.trashAt(e, k*x.n/min(x.n, sampleMax))
		size := uint64(f.src.Size())
		x.strong = x.strong && t.Start >= uint64(f.layout.headerSize()) && t.Start <= size && t.Length <= size-t.Start
	}
}

// trashAt reads the i-th TRASH ENTRY; one that lies nowhere if it cannot be read any more.
func (f *file) trashAt(look *decode.Cursor, i int) TrashEntry {
	stride := f.layout.trashStride()
	look.Reset(model.Span{Offset: f.trashIndex.at + 4 + int64(i)*stride, Size: stride})
	t, _ := f.layout.readTrashEntry(look)
	if look.Err() != nil {
		return TrashEntry{Start: math.MaxUint64}
	}
	return t
}

// region returns the bytes of a listed region that can be trash, and what is wrong with it.
func (f *file) region(t TrashEntry) (s model.Span, wrong string) {
	start, length, size := t.Start, t.Length, uint64(f.src.Size())
	if start > size {
		return s, "is not in the file"
	}
	if length > size-start {
		length, wrong = size-start, "reaches beyond the end of the file"
	}
	s = model.Span{Offset: int64(start), Size: int64(length)}
	if o, ok := f.live.over(s); ok {
		return model.Span{}, "reaches into the " + o.name
	}
	if _, ok := f.assets.over(s); ok {
		return model.Span{}, "reaches into an asset"
	}
	return s, wrong
}

// regionAt is the region that the i-th trash entry lists.
func (f *file) regionAt(look *decode.Cursor, i int) model.Span {
	s, _ := f.region(f.trashAt(look, i))
	return s
}

// planRegions finds the trash.
func (f *file) planRegions() error {
	x := &f.trashIndex
	if !x.shown || x.n == 0 {
		return nil
	}
	if f.index.empty {
		f.assets.skipEmpty()
	}
	look := f.c.Quiet(model.Span{})
	regular, end := true, int64(0)
	for i := range x.n {
		if i&0xFFFF == 0xFFFF && f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		s, wrong := f.region(f.trashAt(look, i))
		x.bad = x.bad || wrong != ""
		regular = regular && s.Size > 0 && s.Offset >= end
		end = max(end, s.End())
	}
	at := func(i int) model.Span {
		look := f.looks.Get().(*decode.Cursor)
		defer f.looks.Put(look)
		return f.regionAt(look, i)
	}
	f.trash = places{count: x.n, record: at}
	if regular {
		return nil
	}
	g, ok := newGather(x.n, f.src.Size())
	if !ok {
		f.trash = places{}
		x.bad = true
		return nil
	}
	n := 0
	for i := range x.n {
		if s := f.regionAt(look, i); s.Size > 0 {
			g.set(n, i, s)
			n++
		}
	}
	g.keys = g.keys[:n]
	f.trash, _ = g.places(at)
	return nil
}

// showTrashIndex records TRASH INDEX.
func (f *file) showTrashIndex() {
	c, x := f.c, &f.trashIndex
	if !x.shown {
		return
	}
	c.Try(func() {
		c.GoTo(x.at)
		c.Struct("trash_index", "TrashIndex", func() {
			c.U32("count")
			c.Role(model.RoleCount)
			if x.claimed > int64(x.n) {
				c.Wrong("%d entries of %d bytes do not fit before the next part of the file, %d are read", x.claimed,
					f.layout.trashStride(), x.n)
			}
			if x.n > 0 {
				c.Struct("entries", "TrashEntry[]", func() {
					c.Records("TrashEntry", int64(x.n), f.layout.trashStride(), f.showTrashEntry)
				})
			}
			if f.layout.Later {
				readGuard(c, trashGuard)
			}
		})
	})
}

// showTrashEntry reads the i-th TRASH ENTRY and looks for its region.
func (f *file) showTrashEntry(e *decode.Cursor, i int) {
	t, leaf := f.layout.readTrashEntry(e)
	if e.Err() != nil {
		return
	}
	s, wrong := f.region(t)
	if wrong != "" {
		e.RemarkOn(leaf, model.Error, "the trash of %d bytes at %#x %s", t.Length, t.Start, wrong)
	}
	if s.Size > 0 && leaf != nil {
		leaf.Link = &model.Link{Target: func() (model.Path, bool) {
			k, ok := f.trash.position(i, s)
			if !ok {
				return nil, false
			}
			return append(f.trashList.Path(), k), true
		}}
	}
}

// showTrash records the regions that the trash index lists.
func (f *file) showTrash() {
	if f.trash.count == 0 || f.c.Err() != nil {
		return
	}
	bounds := f.trash.bounds()
	f.c.GoTo(bounds.Offset)
	f.trashList = f.c.Struct("trash", "bytes[]", func() {
		f.c.Elements("bytes", f.trash.count, f.trashSpan, f.trash.lookup, func(e *decode.Cursor, _ int) { e.Whole() })
		f.c.GoTo(bounds.End())
	})
}

// trashSpan is the k-th region in the order of the file. What an earlier region has is that one's.
func (f *file) trashSpan(look *decode.Cursor, k int) model.Span {
	s := f.regionAt(look, f.trash.at(k))
	if f.trash.ends != nil && k > 0 {
		start := min(max(s.Offset, f.trash.ends[k-1]), s.End())
		s = model.Span{Offset: start, Size: s.End() - start}
	}
	return s
}
