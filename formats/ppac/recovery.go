package ppac

import (
	"context"
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
	if !a.file.Layout.Later {
		return a.fit >= fitSize
	}
	return a.Data.Size <= hashed && a.matches(ctx)
}
