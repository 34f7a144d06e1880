package ppac

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

const (
	maxSample = 48 // number of index entries that are examined to detect the layout
	maxFirst  = 8  // of the first ones, where the count seems to be too large
)

// samples returns up to limit of the numbers below n, evenly spread.
func samples(n, limit int) iter.Seq[int] {
	sampled := min(n, limit)
	return func(yield func(int) bool) {
		for k := 0; k < sampled && yield(k*n/sampled); k++ {
		}
	}
}

// trial is a container in a layout that it may have: its header, and its index as far as it fits.
type trial struct {
	*container
	Header        Header
	entries       entries
	recordedCount int64
	nextPart      string // a description of the structure after an index without an offset in the header
}

// newTrial reads the beginning of the index in a layout. It returns nil if there is no index.
func newTrial(k *container) *trial {
	t := &trial{container: k}
	l, size := k.Layout, uint64(k.Source.Size())
	e := k.cursor.Quiet(model.Span{Size: l.headerSize()})
	t.Header, _ = l.readHeader(e)
	from := cmp.Or(k.indexOffset, t.Header.Index)
	if e.Err() != nil || from < uint64(l.headerSize()) || size < 4 || from > size-4 {
		return nil
	}
	offset := int64(from)
	e.Reset(model.Span{Offset: offset, Size: 4})
	if t.recordedCount = int64(e.U32("count")); e.Err() != nil {
		return nil
	}
	first := offset + 4
	t.entries = entries{container: k, first: first, n: int(min(t.recordedCount, (k.Source.Size()-first)/l.entrySize()))}
	return t
}

// find returns the asset of the i-th index entry, or an error. Only the first entries, up to indexed, count as
// occupied: the recorded count may be wrong.
func (t *trial) find(i, indexed int) (Asset, error) {
	x, from := t.entries.entry(i), t.entries.first-4
	span, err := t.locateOutside(sections{{span: model.Span{Size: t.Layout.headerSize()}},
		{span: model.Span{Offset: from, Size: t.entries.span(indexed).Offset - from}}}, &x)
	if err != nil {
		return Asset{}, err
	}
	return t.AssetAt(i, &x, span), nil
}

// rating rates a container in a layout; ok is false if the file cannot have the layout.
type rating func(ctx context.Context, t *trial) (s decode.Score, ok bool)

// tryAll returns the trial of the layout with the best rating, or nil.
func (k container) tryAll(ctx context.Context, layouts []Layout, rate rating) *trial {
	return decode.Choose(ctx, layouts, func(l Layout) (*trial, decode.Score) {
		if t := newTrial(k.withLayout(l)); t != nil {
			if s, ok := rate(ctx, t); ok {
				return t, s
			}
		}
		return nil, decode.Score{}
	}).Best
}

// certainIf rates a layout by a test that only this layout passes.
func certainIf(passes func(*trial, context.Context) bool) rating {
	return func(ctx context.Context, t *trial) (decode.Score, bool) {
		return decode.Score{Certain: true}, passes(t, ctx)
	}
}

// chooseLayout returns a container that begins with head in its layout, and the reason for it.
func chooseLayout(ctx context.Context, k container, head Header) (*container, string) {
	flagged := layoutOf(head.Flags, false)
	laterLayouts := []Layout{layoutOf(head.Flags, true), layoutOf(^head.Flags, true)}
	if t := k.tryAll(ctx, laterLayouts, certainIf((*trial).hasGuard)); t != nil {
		return t.result("the guard INDX follows %d index entries of %d bytes", t.entries.n, t.Layout.entrySize())
	}
	published := candidates(flagged)
	best := k.tryAll(ctx, published, rateAgainst(flagged))
	if best != nil && best.entries.n > 0 {
		return best.result("%s", best.whyPublished(flagged))
	}
	if t := k.tryAll(ctx, laterLayouts, certainIf((*trial).matchesSums)); t != nil {
		return t.result("index entries of %d bytes have the SHA-256 of their assets, but the guard after them is missing",
			t.Layout.entrySize())
	}
	// A count of 0 is an empty index only in the layout of the flags: elsewhere it may be zeros of an asset.
	accept := func(t *trial) bool { return best == nil || best.Layout != flagged || t.hasByte(ctx, best.Header.Index) }
	if t := k.findLostIndex(ctx, append(laterLayouts[:1:1], published...), accept); t != nil {
		return t.result("no index at the offset in the header; found one of %d entries of %d bytes that ends where %s",
			t.entries.n, t.Layout.entrySize(), t.nextPart)
	}
	if best == nil {
		if t := k.tryAll(ctx, published, certainIf((*trial).endsAtNext)); t != nil {
			return t.result("%d index entries of %d bytes end where the next part begins", t.entries.n,
				t.Layout.entrySize())
		}
	}
	switch {
	case best != nil:
		return best.result("%s", best.whyPublished(flagged))
	case k.Source.Size() >= fixedSize && head.Flags&FlagGiga == 0 && head.Created == 0 && head.Modified == 0:
		return k.withLayout(laterLayouts[0]), "the index cannot be read, and the two times of the published revision are zero"
	}
	return k.withLayout(flagged), "the index is unreadable; field widths taken from the flags"
}

// result returns the container of a trial, with the reason for its layout.
func (t *trial) result(why string, args ...any) (*container, string) {
	return t.withLayout(t.Layout), fmt.Sprintf(why, args...)
}

// whyPublished returns the reason for a published layout, which may contradict the flags.
func (t *trial) whyPublished(flagged Layout) string {
	contradicts := t.Layout.SizeWidth != flagged.SizeWidth || t.Layout.PositionWidth != flagged.PositionWidth
	var why string
	switch {
	case t.entries.n > 0:
		why = fmt.Sprintf("index entries of %d bytes point to valid data entries", t.Layout.entrySize())
	case contradicts:
		why = "the index is empty; field widths inferred from the sections"
	default:
		why = "the index is empty; field widths taken from the flags"
	}
	if contradicts {
		why += ", although the flags ask for other widths"
	}
	return why
}

// hasGuard reports whether the guard of the later revision follows the index entries.
func (t *trial) hasGuard(context.Context) bool {
	e := t.cursor.Quiet(model.Span{Offset: t.entries.span(t.entries.n).Offset, Size: guardSize})
	return int64(t.entries.n) == t.recordedCount && isGuard(e.Peek(guardSize), indexGuard)
}

// candidates returns the published layouts, likelier ones first: the layout of the flags, and no memory size, which the
// document does not list.
func candidates(flagged Layout) (layouts []Layout) {
	for _, l := range []Layout{flagged, {SizeWidth: 8, PositionWidth: 8}, {SizeWidth: 4, PositionWidth: 4},
		{SizeWidth: 8, PositionWidth: 4}, {SizeWidth: 4, PositionWidth: 8}} {
		if len(layouts) == 0 || l != flagged {
			larger := l
			larger.MemorySize = true
			layouts = append(layouts, l, larger)
		}
	}
	return layouts
}

// rateAgainst returns the rating of published layouts by the layout of the flags.
func rateAgainst(flagged Layout) rating {
	return func(ctx context.Context, t *trial) (decode.Score, bool) {
		contradicts := t.Layout.SizeWidth != flagged.SizeWidth || t.Layout.PositionWidth != flagged.PositionWidth
		s, ok := t.score(ctx, contradicts)
		s.Certain = s.Certain && t.Layout == flagged
		return s, ok
	}
}

// The signs of a layout decide between layouts with as many entries that refer to assets. For example, the first entry
// may be valid with and without a memory size.
const (
	signEnds    = 1               // the index ends where something else begins
	signMatches = 2               // an index of one entry has the checksum of its asset
	signAgrees  = 2 * signMatches // each: a stored asset has the memory size of its data
)

// score rates a layout by the index entries that refer to assets, given whether its widths contradict the flags. The
// file can have the layout if half of the sampled entries are sound, or if there are no entries.
func (t *trial) score(ctx context.Context, contradicts bool) (s decode.Score, ok bool) {
	if t.recordedCount == 0 {
		return s, !t.Layout.MemorySize && (!contradicts || t.isCoherent())
	}
	examined := 0
	for i := range samples(t.entries.n, maxSample) {
		t.scoreEntry(i, &s)
		examined++
	}
	if examined == 0 || 2*s.Complete < examined {
		return t.scoreFirst()
	}
	if t.endsAtNext(ctx) {
		s.Signs += signEnds
	}
	if examined == 1 {
		if a, err := t.find(0, 1); err == nil && a.Span.Size <= maxHashed && a.matches(ctx) {
			s.Signs += signMatches
		}
	}
	s.Certain = examined > 1 && s.Complete == examined && s.Problems == 0
	return s, true
}

// scoreFirst is score for an index with mostly invalid entries, as the count may be too large: most of the first
// entries must be sound, and a single entry must not contradict the bytes at all.
func (t *trial) scoreFirst() (best decode.Score, ok bool) {
	var s decode.Score
	for i := range min(t.entries.n, maxFirst) {
		t.scoreEntry(i, &s)
		if examined := i + 1; 2*s.Complete > examined && (examined > 1 || s.Problems == 0) {
			best, ok = s, true
			best.Certain = examined > 1 && s.Complete == examined && s.Problems == 0
		}
	}
	return best, ok
}

// scoreEntry adds an index entry to a score: it is complete if its data and metadata fit, and has a problem if it
// contradicts the bytes.
func (t *trial) scoreEntry(i int, s *decode.Score) {
	a, err := t.find(i, i+1)
	if err != nil {
		return
	}
	isSound, isExact := a.fit >= fitShort, a.fit == fitExact
	if t.Layout.MemorySize && isSound && a.Entry.Compression == Stored {
		if a.Entry.MemorySize == uint64(a.Data.Size) {
			s.Signs += signAgrees
		} else {
			isSound, isExact = isExact, false // believed still if all else is exact
		}
	}
	switch {
	case isSound && isExact:
		s.Complete++
	case isSound:
		s.Complete++
		s.Problems++
	}
}

// endsAtNext reports whether an index with entries ends at the next structure: a section, the first asset, or the end
// of the file.
func (t *trial) endsAtNext(context.Context) bool {
	n := t.entries.n
	if n == 0 || int64(n) != t.recordedCount {
		return false
	}
	end, asset := uint64(t.entries.span(n).Offset), t.entries.entry(0).Location
	return slices.Contains([]uint64{t.Header.Metadata, t.Header.Trash, asset, uint64(t.Source.Size())}, end)
}

// isCoherent reports whether all three offsets of the header are possible.
func (t *trial) isCoherent() bool {
	offsets := []uint64{t.Header.Index, t.Header.Metadata, t.Header.Trash}
	return !slices.ContainsFunc(offsets, func(offset uint64) bool {
		return offset != 0 && (offset < uint64(t.Layout.headerSize()) || offset > uint64(t.Source.Size()-4))
	})
}

// maxHashed is the maximum size of assets that are hashed to detect the layout, in bytes.
const maxHashed = 1 << 20

// matches reports whether the asset has its recorded checksum.
func (a *Asset) matches(ctx context.Context) bool {
	r, err := a.check(ctx, nil, 16*maxHashed)
	return err == nil && r.verdict == model.Valid
}

// matchesSums reports whether a file without the guard has the later revision's index entries all the same.
func (t *trial) matchesSums(ctx context.Context) bool {
	examined, located, recorded, matches := 0, 0, 0, 0
	for i := range samples(t.entries.n, maxSample) {
		examined++
		a, err := t.find(i, 0)
		if err != nil {
			continue
		}
		located++
		if a.Entry.SHA256 == [32]byte{} || a.Span.Size > maxHashed {
			continue
		}
		recorded++
		if a.matches(ctx) {
			matches++
		}
	}
	return 2*located >= examined && matches > 0 && 2*matches >= recorded
}

// The limits of a search for an index without its offset.
const (
	maxLost   = 64 << 20 // bytes of its entries, before each possible end
	lostPart  = 1 << 20  // bytes that are read at a time
	maxCounts = 16       // numbers that may be its count, for each possible end and layout
)

// lostEnd is where an index without its offset may end in a layout: where the file ends, or something that follows an
// index in a sound file begins.
type lostEnd struct {
	Layout
	offset   int64
	nextPart string
	counts   []int64 // the offsets of the numbers that may be its count
}

// lostEnds returns the possible ends, in a layout, of an index without an offset in the header.
func (k container) lostEnds(l Layout) (lostEnds []*lostEnd) {
	size, head := uint64(k.Source.Size()), k.cursor.Quiet(model.Span{Size: l.headerSize()})
	h, _ := l.readHeader(head)
	if head.Err() != nil {
		return nil
	}
	for _, end := range []struct {
		offset   uint64
		nextPart string
	}{{h.Metadata, "the metadata begin"}, {h.Trash, "the trash index begins"}, {size, "the file ends"}} {
		if end.offset >= uint64(l.headerSize()) && end.offset <= size {
			lostEnds = append(lostEnds, &lostEnd{Layout: l, offset: int64(end.offset), nextPart: end.nextPart})
		}
	}
	return lostEnds
}

// findLostIndex finds the index of a container without a valid offset in the header, in the first accepted layout. It
// returns nil if there is none. The bytes before each possible end are read once for all layouts.
func (k container) findLostIndex(ctx context.Context, layouts []Layout, accept func(t *trial) bool) *trial {
	ends, byOffset := make(map[Layout][]*lostEnd), make(map[int64][]*lostEnd)
	for _, l := range layouts {
		ends[l] = k.lostEnds(l)
		for _, e := range ends[l] {
			byOffset[e.offset] = append(byOffset[e.offset], e)
		}
	}
	for offset, lostEnds := range byOffset {
		k.findCounts(ctx, offset, lostEnds)
	}
	return decode.Choose(ctx, layouts, func(l Layout) (*trial, decode.Score) {
		t := k.bestLost(ctx, ends[l])
		if t == nil || !accept(t) {
			return nil, decode.Score{}
		}
		return t, decode.Score{Certain: true}
	}).Best
}

// bestLost returns the best index among the possible ends in a layout.
func (k container) bestLost(ctx context.Context, ends []*lostEnd) *trial {
	var trials []*trial
	for _, end := range ends {
		for _, offset := range end.counts {
			k.indexOffset = uint64(offset)
			t := newTrial(k.withLayout(end.Layout))
			if t == nil || end.Later && end.offset == k.Source.Size() && !t.followsAsset(ctx) {
				continue
			}
			t.nextPart = end.nextPart
			trials = append(trials, t)
		}
	}
	return decode.Choose(ctx, trials, func(t *trial) (*trial, decode.Score) {
		s, ok := t.score(ctx, false)
		if s.Certain = false; !ok { // another may have more entries
			return nil, s
		}
		return t, s
	}).Best
}

// findCounts finds the numbers before end that match the number of index entries between them and end or its guard.
// Unreadable bytes have no counts; the source records the error.
func (k *container) findCounts(ctx context.Context, end int64, lostEnds []*lostEnd) {
	guard, _ := k.Source.Bytes(model.Span{Offset: max(0, end-guardSize), Size: min(end, guardSize)})
	guarded := isGuard(guard, indexGuard)
	least := max(0, end-maxLost-2*guardSize)
	for to := end; to > least && ctx.Err() == nil; {
		from := max(least, to-lostPart)
		// A number that begins in this part may end in the next one.
		b, err := k.Source.Bytes(model.Span{Offset: from, Size: min(end, to+guardSize-1) - from})
		if err != nil {
			return
		}
		for _, c := range lostEnds {
			if c.Later && !guarded {
				continue
			}
			c.inPart(b, from, to, end)
		}
		to = from
	}
}

// inPart examines the numbers that begin in the bytes b of a part of the file, the last ones first.
func (e *lostEnd) inPart(b []byte, from, to, end int64) {
	if e.Later {
		end -= guardSize
	}
	size := e.entrySize()
	n := max(1, (end-4-to)/size) // the first that may begin before to
	for ; len(e.counts) < maxCounts; n++ {
		offset := end - 4 - n*size
		if offset < max(from, e.headerSize()) {
			return
		}
		if offset < to && int64(order.Uint32(b[offset-from:])) == n {
			e.counts = append(e.counts, offset)
		}
	}
}

// followsAsset reports whether an index begins at the end of an asset, as the library writes it. The index of a package
// that is the last asset of a truncated file does not: its offsets refer to that package.
func (t *trial) followsAsset(ctx context.Context) bool {
	for _, e := range t.entries.inRange(ctx, 0, t.entries.n) {
		if e.Location+e.Size == t.indexOffset {
			return true
		}
	}
	return false
}

// hasByte reports whether the index, or an asset that it names, has the byte at off.
func (t *trial) hasByte(ctx context.Context, off uint64) bool {
	if off >= t.indexOffset && off < uint64(t.entries.span(t.entries.n).Offset) {
		return true
	}
	for _, e := range t.entries.inRange(ctx, 0, t.entries.n) {
		if e.Location <= off && off-e.Location < e.Size {
			return true
		}
	}
	return false
}
