package ppac

import (
	"context"
	"iter"
	"slices"

	"assay/model"
)

// findIndexGuard looks for the guard after as many entries as the count says, then after each of those that fit.
func (f *File) findIndexGuard(ctx context.Context, fits int64) (found bool, err error) {
	x, size, first := &f.index, f.Layout.entrySize(), f.entries.first
	c := f.cursor.Quiet(model.Span{Offset: first, Size: f.Source.Size() - first})
	if x.claimed <= fits {
		if c.GoTo(first + x.claimed*size); isGuard(c.Peek(guardSize), indexGuard) {
			f.setIndex(x.claimed)
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
			f.cutIndex(n, "the guard stands after %d of them")
			x.span.Size += guardSize
			return true, nil
		}
		c.Bytes("entry", "IndexEntry", min(size, c.Left()))
	}
	return false, ctx.Err()
}

// soundMost is how many assets inside the index are looked at to tell that its count is wrong.
const soundMost = 1000

// indexEndFromAssets looks for a sound asset among those that the index places inside of itself: the index ends where
// that asset begins. It returns the number of entries before it.
func (f *File) indexEndFromAssets(ctx context.Context) (n int64, ok bool) {
	end := f.index.span.End()
	others := slices.DeleteFunc(slices.Clone(f.occupied), func(s *section) bool { return s == &f.index.section })
	looked := 0
	for s := f.entries.scan(0, f.entries.n); s.Next(ctx); {
		after := f.entries.span(s.Index).End()
		if after > end {
			break
		}
		place, err := f.locateOutside(others, &s.Entry)
		if err != nil || place.Offset < after || place.Offset >= end {
			continue
		}
		if looked++; looked > soundMost {
			break
		}
		if a := f.AssetAt(s.Index, &s.Entry, place); a.isSound(ctx) {
			end, ok = place.Offset, true
		}
	}
	return (end - f.entries.first) / f.Layout.entrySize(), ok
}

// isSound reports whether the bytes that an index entry names are certainly an asset.
func (a *Asset) isSound(ctx context.Context) bool {
	if !a.container.Layout.Later {
		return a.fit >= fitSize
	}
	return a.Data.Size <= hashed && a.matches(ctx)
}

// The limits of a search for an index without its offset.
const (
	lostMost   = 64 << 20 // bytes of its entries
	countsMost = 16       // numbers that may be its count
)

// findLostIndex finds the index of a container in a layout whose header does not lead to it, and says what begins where
// it ends. nil if there is none.
func (k container) findLostIndex(ctx context.Context, l Layout) (lost *trial, before string) {
	size, head := uint64(k.Source.Size()), k.cursor.Quiet(model.Span{Size: l.headerSize()})
	h, _ := l.readHeader(head)
	var most score
	for _, end := range []struct {
		at     uint64
		before string
	}{{h.Metadata, "the metadata begin"}, {h.Trash, "the trash index begins"}, {size, "the file ends"}} {
		if end.at < uint64(l.headerSize()) || end.at > size || head.Err() != nil {
			continue
		}
		for at := range k.countsBefore(ctx, l, int64(end.at)) {
			k.indexAt = uint64(at)
			t := try(k.in(l))
			if t == nil || l.Later && end.at == size && !t.followsAsset(ctx) {
				continue
			}
			if s := t.score(ctx, false); s.better(most) {
				lost, most, before = t, s, end.before
			}
		}
	}
	return lost, before
}

// followsAsset reports whether an index begins where an asset ends, as the library writes it. That of a package which
// is the last asset of a cut file does not: the offsets in it are of that package.
func (t *trial) followsAsset(ctx context.Context) bool {
	for s := t.entries.scan(0, t.entries.n); s.Next(ctx); {
		if s.Entry.Location+s.Entry.Size == t.indexAt {
			return true
		}
	}
	return false
}

// has reports whether the index, or an asset that it names, has the byte at off.
func (t *trial) has(ctx context.Context, off uint64) bool {
	if off >= t.indexAt && off < uint64(t.entries.span(t.entries.n).Offset) {
		return true
	}
	for s := t.entries.scan(0, t.entries.n); s.Next(ctx); {
		if at := s.Entry.Location; at <= off && off-at < s.Entry.Size {
			return true
		}
	}
	return false
}

// countsBefore yields the offsets of the first numbers that are how many index entries there are between them and end,
// or the guard before it.
func (k *container) countsBefore(ctx context.Context, l Layout, end int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		e := k.cursor.Quiet(model.Span{Offset: end - guardSize, Size: guardSize})
		if l.Later {
			if end -= guardSize; !isGuard(e.Peek(guardSize), indexGuard) {
				return
			}
		}
		found := 0
		for n := int64(1); n*l.entrySize() <= lostMost && found < countsMost; n++ {
			at := end - 4 - n*l.entrySize()
			if at < l.headerSize() || n&0xFFFF == 0 && ctx.Err() != nil {
				return
			}
			e.Reset(model.Span{Offset: at, Size: 4})
			if int64(e.U32("count")) != n || e.Err() != nil {
				continue
			}
			if found++; !yield(at) {
				return
			}
		}
	}
}
