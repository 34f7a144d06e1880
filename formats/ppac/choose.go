package ppac

import (
	"bytes"
	"context"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

const (
	sampleMax = 48  // index entries that are looked at to tell the layout
	certain   = .5  // the score from which a layout is believed
	flagsLie  = .02 // what a layout loses for widths that the flags contradict
	extraSize = .01 // what it loses for memory sizes, which the document does not list
)

// chooser tells which layout a file has.
type chooser struct {
	c     *decode.Cursor
	size  int64
	head  []byte // the first 52 bytes, or what there is
	flags uint32
}

func (h *chooser) offset(l Layout, k int64) (uint64, bool) {
	c := h.c.Quiet(model.Span{Offset: 28 + k*l.PositionWidth, Size: l.PositionWidth})
	at := c.Number("offset", l.position())
	return at, c.Err() == nil
}

// index returns where a layout's records begin, how many there are said to be, and how many there is room for.
func (h *chooser) index(l Layout) (first, claimed, n int64, ok bool) {
	at, ok := h.offset(l, 0)
	if !ok || at < uint64(l.headerSize()) || h.size < 4 || at > uint64(h.size-4) {
		return 0, 0, 0, false
	}
	c := h.c.Quiet(model.Span{Offset: int64(at), Size: 4})
	first, claimed = int64(at)+4, int64(c.U32("count"))
	if c.Err() != nil {
		return 0, 0, 0, false
	}
	return first, claimed, min(claimed, (h.size-first)/l.stride()), true
}

func (h *chooser) is(span model.Span, want []byte) bool {
	if !span.Within(h.size) {
		return false
	}
	b, err := h.c.Source().Bytes(span)
	return err == nil && bytes.Equal(b, want)
}

// choose returns the layout and says why.
func (h *chooser) choose() (Layout, string) {
	asked := byFlags(h.flags)
	longs := asked.SizeWidth // bit 0 is the later revision's, too
	for _, w := range []int64{longs, 12 - longs} {
		l := Layout{Later: true, SizeWidth: 4, PositionWidth: w}
		if first, claimed, n, ok := h.index(l); ok && n == claimed &&
			h.is(model.Span{Offset: first + n*l.stride(), Size: 4}, indexGuard) {
			return l, fmt.Sprintf("the guard INDX follows %d index entries of %d bytes", n, l.stride())
		}
	}
	best, score, n := h.published(asked)
	if score >= certain {
		why := fmt.Sprintf("the index entries of %d bytes lead to sound data entries", best.stride())
		if n == 0 {
			why = "the index is empty, so the flags say how wide the fields are"
		}
		if best.SizeWidth != asked.SizeWidth || best.PositionWidth != asked.PositionWidth {
			why += ", although the flags ask for other widths"
		}
		return best, why
	}
	for _, w := range []int64{longs, 12 - longs} {
		l := Layout{Later: true, SizeWidth: 4, PositionWidth: w}
		if h.unguarded(l) {
			return l, fmt.Sprintf("half or more of the index entries of %d bytes match their SHA-256, though the guard after "+
				"them is missing", l.stride())
		}
	}
	if len(h.head) >= 28 && h.flags&FlagGiga == 0 && bytes.Equal(h.head[8:24], make([]byte, 16)) {
		return Layout{Later: true, SizeWidth: 4, PositionWidth: longs},
			"the index cannot be read; where the published revision has two times there are zeros"
	}
	return best, "the index cannot be read, so the flags say how wide the fields are"
}

// published scores the layouts of the published document and returns the best, the one asked for if none is any good.
func (h *chooser) published(asked Layout) (best Layout, score float64, n int64) {
	widths := [][2]int64{{asked.SizeWidth, asked.PositionWidth}, {8, 8}, {4, 4}, {8, 4}, {4, 8}}
	best = asked
	for i, w := range widths {
		if i > 0 && w == widths[0] {
			continue
		}
		for _, extra := range []bool{false, true} {
			l := Layout{SizeWidth: w[0], PositionWidth: w[1], MemorySize: extra}
			s, count, looked := h.score(l, i > 0)
			if i > 0 {
				s -= flagsLie
			}
			if extra {
				s -= extraSize
			}
			if i > 0 && s < certain-flagsLie-extraSize {
				continue
			}
			if s > score {
				best, score, n = l, s, count
			}
			if i == 0 && !extra && looked > 1 && s >= 1 {
				return best, score, n // nothing can be better
			}
		}
	}
	return best, score, n
}

// score is how well the index entries of a layout lead to data entries, from 0 to a little over 1.
func (h *chooser) score(l Layout, againstFlags bool) (score float64, count int64, looked int) {
	first, claimed, n, ok := h.index(l)
	if !ok {
		return 0, 0, 0
	}
	if claimed == 0 {
		if l.MemorySize || againstFlags && !h.coherent(l) {
			return 0, 0, 0
		}
		return certain + flagsLie, 0, 0
	}
	looked = int(min(n, sampleMax))
	table := l.entryTable()
	for k := range int64(looked) {
		score += h.entry(table, first, k*n/int64(looked))
	}
	if looked > 0 {
		score /= float64(looked)
	}
	// A count that is too big leads to entries that are none; the first ones are entries in any case.
	if sum := 0.; score < certain {
		for k := range min(n, 8) {
			sum += h.entry(table, first, k)
			worth := .9
			if k == 0 {
				worth = .6
			}
			score = max(score, worth*sum/float64(k+1))
		}
	}
	// One entry alone may read well both with and without a memory size: the index should end where something begins.
	if looked == 1 && score > 0 && h.begins(l, first+n*l.stride()) {
		score += .05
	}
	return score, n, looked
}

// coherent says whether all three offsets of a header are possible.
func (h *chooser) coherent(l Layout) bool {
	for k := range int64(3) {
		at, ok := h.offset(l, k)
		if !ok || at != 0 && (at < uint64(l.headerSize()) || at > uint64(h.size-4)) {
			return false
		}
	}
	return true
}

// begins says whether a section begins at off, or the file ends there.
func (h *chooser) begins(l Layout, off int64) bool {
	for k := range int64(3) {
		if at, ok := h.offset(l, k); ok && at == uint64(off) {
			return true
		}
	}
	return off == h.size
}

// entry scores one index entry. Only the index up to it is taken for sure: the count may be wrong.
func (h *chooser) entry(table *entryTable, first, i int64) float64 {
	l := table.layout
	record := model.Span{Offset: first + i*l.stride(), Size: l.stride()}
	var ent Entry
	table.read(h.c.Quiet(record), &ent)
	live := sections{{model.Span{Size: l.headerSize()}, "header"},
		{model.Span{Offset: first - 4, Size: record.End() - first + 4}, "index"}}
	span, wrong := l.locate(ent.Location, ent.Size, h.size, live)
	if wrong != nil {
		return 0
	}
	d, f, _ := l.readDataEntry(h.c.Quiet(span))
	score := []float64{fitNot: 0, fitOverrun: .3, fitShort: .5, fitSize: .8, fitExact: 1}[f]
	if l.MemorySize && score > 0 && ent.Compression == Stored {
		if ent.MemorySize == uint64(d.Data.Size) {
			score += .1
		} else {
			score = max(0, score-.4)
		}
	}
	return score
}

// unguarded says whether a file without the guard has the later revision's index entries all the same.
func (h *chooser) unguarded(l Layout) bool {
	first, _, n, ok := h.index(l)
	if !ok || n == 0 {
		return false
	}
	const hashed = 1 << 20 // assets up to this size are hashed
	live := sections{{model.Span{Size: l.headerSize()}, "header"}}
	looked, sound, sums, matches := min(n, sampleMax), 0, 0, 0
	table := l.entryTable()
	for k := range looked {
		record := model.Span{Offset: first + k*n/looked*l.stride(), Size: l.stride()}
		e := h.c.Quiet(record)
		var ent Entry
		table.read(e, &ent)
		span, wrong := l.locate(ent.Location, ent.Size, h.size, live)
		if e.Err() != nil || wrong != nil {
			continue
		}
		sound++
		if ent.SHA256 == ([32]byte{}) || span.Size > hashed {
			continue
		}
		sums++
		a := asset{src: h.c.Source(), ent: ent, later: true, sized: true, data: span}
		if v, err := a.verifySHA(context.Background(), 16*hashed); err == nil && v == model.Valid {
			matches++
		}
	}
	return 2*sound >= int(looked) && matches > 0 && 2*matches >= sums
}
