package ppac

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"assay/model"
)

const (
	sampleMax         = 48  // index entries that are looked at to tell the layout
	leastScore        = .5  // the score from which a layout is believed
	contradictionCost = .02 // what a layout loses for widths that the flags contradict
	memorySizeCost    = .01 // what it loses for memory sizes, which the document does not list
	sectionWorth      = .05 // what it wins if an index of one entry ends where a section begins

	firstWorth  = .6 // of a sound first entry, whatever follows it: by itself enough to be believed
	firstsWorth = .9 // of several first ones: less than entries from all of the index

	memorySizeWorth    = .1 // what the entry of a stored asset wins for a memory size that is the size of the data
	memorySizeMismatch = .4 // what it loses for another: if all else is exact, it is believed still
)

// fitWorth is the score of an index entry by how well it leads to a DATA ENTRY. It is believed if the metadata fit.
var fitWorth = [...]float64{fitNot: 0, fitOverrun: .3, fitShort: leastScore, fitSize: .8, fitExact: 1}

// samples returns up to most of the numbers below n, evenly spread.
func samples(n, most int) iter.Seq[int] {
	looked := min(n, most)
	return func(yield func(int) bool) {
		for k := 0; k < looked && yield(k*n/looked); k++ {
		}
	}
}

// trial is a container in a layout that it may have: its header, and its index as far as there is room for it.
type trial struct {
	*container
	Header  Header
	entries entries
	claimed int64 // the count that is recorded
}

// try reads the beginning of the index in a layout; nil if there is none.
func try(k *container) *trial {
	t := &trial{container: k}
	l, size := k.Layout, uint64(k.Source.Size())
	e := k.cursor.Quiet(model.Span{Size: l.headerSize()})
	t.Header, _ = l.readHeader(e)
	if e.Err() != nil || t.Header.Index < uint64(l.headerSize()) || size < 4 || t.Header.Index > size-4 {
		return nil
	}
	at := int64(t.Header.Index)
	e.Reset(model.Span{Offset: at, Size: 4})
	if t.claimed = int64(e.U32("count")); e.Err() != nil {
		return nil
	}
	t.entries = entries{file: k, first: at + 4, n: int(min(t.claimed, (k.Source.Size()-at-4)/l.entrySize()))}
	return t
}

// find returns the asset of the i-th index entry; the error says why there can be none. Only the index up to some entry
// is taken for sure: the count may be wrong.
func (t *trial) find(i, indexed int) (Asset, error) {
	x, from := t.entries.at(i), t.entries.first-4
	place, err := t.locateOutside(sections{{span: model.Span{Size: t.Layout.headerSize()}},
		{span: model.Span{Offset: from, Size: t.entries.span(indexed).Offset - from}}}, &x)
	if err != nil {
		return Asset{}, err
	}
	return t.assetAt(i, &x, place), nil
}

// chooseLayout returns the layout of a container that begins with head, and says why.
func chooseLayout(ctx context.Context, k container, head []byte) (Layout, string) {
	flags := uint32(0)
	if len(head) >= 28 {
		flags = order.Uint32(head[24:])
	}
	asked := layoutOf(flags)
	longs := asked.SizeWidth // bit 0 is the later revision's, too
	later := []Layout{{Later: true, SizeWidth: 4, PositionWidth: longs},
		{Later: true, SizeWidth: 4, PositionWidth: 12 - longs}}
	for _, l := range later {
		if t := try(k.in(l)); t != nil && t.hasGuard() {
			return l, fmt.Sprintf("the guard INDX follows %d index entries of %d bytes", t.entries.n, l.entrySize())
		}
	}
	best, score, n := choosePublished(k, asked)
	if score >= leastScore {
		return best, whyPublished(best, asked, n)
	}
	for _, l := range later {
		if t := try(k.in(l)); t != nil && t.matchesSums(ctx) {
			return l, fmt.Sprintf("half or more of the index entries of %d bytes match their SHA-256, though the "+
				"guard after them is missing", l.entrySize())
		}
	}
	if len(head) >= 28 && flags&FlagGiga == 0 && bytes.Equal(head[8:24], make([]byte, 16)) {
		return later[0], "the index cannot be read; where the published revision has two times there are zeros"
	}
	return best, "the index cannot be read, so the flags say how wide the fields are"
}

// whyPublished says why a file with so many index entries has that layout, where the flags ask for another or the same.
func whyPublished(best, asked Layout, n int) string {
	why := fmt.Sprintf("the index entries of %d bytes lead to sound data entries", best.entrySize())
	if n == 0 {
		why = "the index is empty, so the flags say how wide the fields are"
	}
	if best.SizeWidth != asked.SizeWidth || best.PositionWidth != asked.PositionWidth {
		why += ", although the flags ask for other widths"
	}
	return why
}

// hasGuard reports whether the guard of the later revision follows the index entries.
func (t *trial) hasGuard() bool {
	e := t.cursor.Quiet(model.Span{Offset: t.entries.span(t.entries.n).Offset, Size: guardSize})
	return int64(t.entries.n) == t.claimed && isGuard(e.Peek(guardSize), indexGuard)
}

// candidate is a published layout, and what its score loses: contradictionCost or more if the flags ask for other
// widths.
type candidate struct {
	Layout
	cost float64
}

// candidates are the published layouts, those that the flags ask for first.
func candidates(asked Layout) (all []candidate) {
	add := func(l Layout, cost float64) {
		larger := l
		larger.MemorySize = true
		all = append(all, candidate{l, cost}, candidate{larger, cost + memorySizeCost})
	}
	add(asked, 0)
	for _, w := range [][2]int64{{8, 8}, {4, 4}, {8, 4}, {4, 8}} {
		if l := (Layout{SizeWidth: w[0], PositionWidth: w[1]}); l != asked {
			add(l, contradictionCost)
		}
	}
	return all
}

// choosePublished scores the layouts of the published document and returns the best, the one asked for if none is any
// good, with the number of its index entries.
func choosePublished(k container, asked Layout) (best Layout, score float64, n int) {
	best = asked
	for _, c := range candidates(asked) {
		t := try(k.in(c.Layout))
		if t == nil {
			continue
		}
		contradicts := c.cost >= contradictionCost
		s, looked := t.score(contradicts)
		s -= c.cost
		if s > score && (!contradicts || s >= leastScore-contradictionCost-memorySizeCost) {
			best, score, n = c.Layout, s, t.entries.n
		}
		if c.cost == 0 && looked > 1 && s >= 1 {
			break // nothing can be better
		}
	}
	return best, score, n
}

// score returns how well the index entries lead to data entries, from 0 to a little over 1, and how many were looked
// at.
func (t *trial) score(contradicts bool) (score float64, looked int) {
	if t.claimed == 0 {
		return t.scoreEmpty(contradicts), 0
	}
	for i := range samples(t.entries.n, sampleMax) {
		score += t.scoreEntry(i)
		looked++
	}
	score /= float64(max(looked, 1))
	if score < leastScore {
		score = max(score, t.scoreFirst())
	}
	if looked == 1 && score > 0 && t.endsAtSection() {
		score += sectionWorth // one entry alone may read well both with and without a memory size
	}
	return score, looked
}

// scoreEmpty scores a layout in which the index has no entries.
func (t *trial) scoreEmpty(contradicts bool) float64 {
	if t.Layout.MemorySize || contradicts && !t.isCoherent() {
		return 0
	}
	return leastScore + contradictionCost
}

// scoreFirst scores the first entries. A count that is too big leads to entries that are none; those are entries in any
// case.
func (t *trial) scoreFirst() (score float64) {
	sum := 0.
	for k := range min(t.entries.n, 8) {
		sum += t.scoreEntry(k)
		worth := firstsWorth
		if k == 0 {
			worth = firstWorth
		}
		score = max(score, worth*sum/float64(k+1))
	}
	return score
}

// endsAtSection reports whether the index ends where something else begins.
func (t *trial) endsAtSection() bool {
	end := uint64(t.entries.span(t.entries.n).Offset)
	return slices.Contains([]uint64{t.Header.Index, t.Header.Metadata, t.Header.Trash, uint64(t.Source.Size())}, end)
}

// isCoherent reports whether all three offsets of the header are possible.
func (t *trial) isCoherent() bool {
	offsets := []uint64{t.Header.Index, t.Header.Metadata, t.Header.Trash}
	return !slices.ContainsFunc(offsets, func(at uint64) bool {
		return at != 0 && (at < uint64(t.Layout.headerSize()) || at > uint64(t.Source.Size()-4))
	})
}

// scoreEntry scores one index entry.
func (t *trial) scoreEntry(i int) float64 {
	a, err := t.find(i, i+1)
	if err != nil {
		return 0
	}
	score := fitWorth[a.fit]
	if t.Layout.MemorySize && score > 0 && a.Entry.Compression == Stored {
		if a.Entry.MemorySize == uint64(a.Data.Size) {
			score += memorySizeWorth
		} else {
			score = max(0, score-memorySizeMismatch)
		}
	}
	return score
}

// matchesSums reports whether a file without the guard has the later revision's index entries all the same.
func (t *trial) matchesSums(ctx context.Context) bool {
	const hashed = 1 << 20 // assets up to this size are hashed
	looked, located, recorded, matches := 0, 0, 0, 0
	for i := range samples(t.entries.n, sampleMax) {
		looked++
		a, err := t.find(i, 0)
		if err != nil {
			continue
		}
		located++
		if a.Entry.SHA256 == [32]byte{} || a.Place.Size > hashed {
			continue
		}
		recorded++
		if r, err := a.check(ctx, nil, 16*hashed); err == nil && r.verdict == model.Valid {
			matches++
		}
	}
	return 2*located >= looked && matches > 0 && 2*matches >= recorded
}
