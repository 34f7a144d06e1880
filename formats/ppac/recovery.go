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
	if !a.container.Layout.Later {
		return a.fit >= fitSize
	}
	return a.Data.Size <= hashed && a.matches(ctx)
}

// The limits of a search for an index without its offset.
const (
	lostMost   = 64 << 20 // bytes of its entries, before each place where it may end
	lostPart   = 1 << 20  // bytes that are read at a time
	countsMost = 16       // numbers that may be its count, for each of these places and each layout
)

// lostEnd is where an index without its offset may end: where the file ends, or something that follows an index in a
// sound file begins.
type lostEnd struct {
	at     int64
	before string
	counts []int64 // the offsets of the numbers that may be its count
}

// lostEnds returns where an index may end whose offset the header does not have, in a layout.
func (k container) lostEnds(l Layout) (all []*lostEnd) {
	size, head := uint64(k.Source.Size()), k.cursor.Quiet(model.Span{Size: l.headerSize()})
	h, _ := l.readHeader(head)
	if head.Err() != nil {
		return nil
	}
	for _, end := range []struct {
		at     uint64
		before string
	}{{h.Metadata, "the metadata begin"}, {h.Trash, "the trash index begins"}, {size, "the file ends"}} {
		if end.at >= uint64(l.headerSize()) && end.at <= size {
			all = append(all, &lostEnd{at: int64(end.at), before: end.before})
		}
	}
	return all
}

// findLostIndex finds the index of a container whose header does not lead to it, in the first of some layouts that has
// one and is accepted, and says what begins where it ends. nil if there is none. The bytes before each place where it
// may end are read once, for all layouts.
func (k container) findLostIndex(ctx context.Context, layouts []Layout,
	accept func(t *trial) bool) (lost *trial, before string) {
	ends := make([][]*lostEnd, len(layouts))
	together := make(map[int64][]lostCounts)
	for i, l := range layouts {
		ends[i] = k.lostEnds(l)
		for _, e := range ends[i] {
			together[e.at] = append(together[e.at], lostCounts{l, e})
		}
	}
	for at, all := range together {
		k.findCounts(ctx, at, all)
	}
	for i, l := range layouts {
		if lost, before = k.bestLost(ctx, l, ends[i]); lost != nil && accept(lost) {
			return lost, before
		}
	}
	return nil, ""
}

// bestLost returns the index that fits best of those that may end at some places, and says what begins there.
func (k container) bestLost(ctx context.Context, l Layout, ends []*lostEnd) (lost *trial, before string) {
	var most score
	for _, end := range ends {
		for _, at := range end.counts {
			k.indexAt = uint64(at)
			t := try(k.in(l))
			if t == nil || l.Later && end.at == k.Source.Size() && !t.followsAsset(ctx) {
				continue
			}
			if s := t.score(ctx, false); s.better(most) {
				lost, most, before = t, s, end.before
			}
		}
	}
	return lost, before
}

// lostCounts is what is looked for before a place where an index may end: its count, in a layout.
type lostCounts struct {
	Layout
	end *lostEnd
}

// findCounts finds the numbers before end that are how many index entries there are between them and end, or the guard
// before it. What cannot be read has none: the source knows of it.
func (k *container) findCounts(ctx context.Context, end int64, all []lostCounts) {
	guard, _ := k.Source.Bytes(model.Span{Offset: max(0, end-guardSize), Size: min(end, guardSize)})
	guarded := isGuard(guard, indexGuard)
	least := max(0, end-lostMost-2*guardSize)
	for to := end; to > least && ctx.Err() == nil; {
		from := max(least, to-lostPart)
		// A number that begins in this part may end in the next one.
		b, err := k.Source.Bytes(model.Span{Offset: from, Size: min(end, to+guardSize-1) - from})
		if err != nil {
			return
		}
		for _, c := range all {
			if c.Later && !guarded {
				continue
			}
			c.inPart(b, from, to, end)
		}
		to = from
	}
}

// inPart looks at the numbers that begin in the bytes b of a part of the file, the last ones first.
func (c *lostCounts) inPart(b []byte, from, to, end int64) {
	if c.Later {
		end -= guardSize
	}
	size := c.entrySize()
	n := max(1, (end-4-to)/size) // the first that may begin before to
	for ; len(c.end.counts) < countsMost; n++ {
		at := end - 4 - n*size
		if at < max(from, c.headerSize()) {
			return
		}
		if at < to && int64(order.Uint32(b[at-from:])) == n {
			c.end.counts = append(c.end.counts, at)
		}
	}
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
