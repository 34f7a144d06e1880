// Package align aligns two sequences with insertions and deletions: the bytes of two files (Bytes), and elements
// without keys, by their contents (Uniques). It does not depend on documents.
//
// It also measures the similarity of two contents by hashes of short windows of their bytes.
package align

import (
	"context"
	"io"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// Edit is a change of the bytes Old of the old file to the bytes New of the new one. The bytes between two edits are
// the same in both files.
type Edit struct {
	Old, New model.Span
}

const (
	maxEdits    = 1 << 20  // edits that are kept; beyond it, edits that are near each other are joined
	maxChunks   = 1 << 17  // chunks that a part of a file is cut into at a time
	startChunk  = 2 << 10  // average size of the chunks of a file, unless they are too many or too few
	minChunk    = 64       // smallest average size of the chunks
	maxInMemory = 64 << 10 // bytes that are aligned in memory
	minShift    = 256      // minimum length of a part with few equal bytes in which a shift is searched for
)

// Bytes aligns two files with insertions and deletions, and returns the differences in order. They are exact: applying
// the edits to the old file makes the new one.
func Bytes(ctx context.Context, old io.ReaderAt, oldSize int64, new io.ReaderAt, newSize int64,
	progress model.Progress) ([]Edit, error) {
	a := &aligner{ctx: ctx, l: old, r: new, progress: progress, total: oldSize + newSize}
	common := min(oldSize, newSize)
	from, err := FirstDifference(ctx, old, 0, new, 0, common, progress)
	if err != nil || from == common && oldSize == newSize {
		return nil, err
	}
	flip, err := IsFlipped(old, oldSize, new, newSize, from)
	if err != nil {
		return nil, err
	}
	l, r := model.Span{Offset: from, Size: oldSize - from}, model.Span{Offset: from, Size: newSize - from}
	if flip {
		a.l, a.r, l, r = new, old, r, l
	}
	if l, r = a.trimEnd(l, r); l.Size == r.Size {
		a.alignInPlace(l, r)
	} else {
		a.align(l, r, averageChunk(max(l.Size, r.Size)))
	}
	if a.err != nil {
		return nil, a.err
	}
	if flip {
		for i, e := range a.edits {
			a.edits[i] = Edit{Old: e.New, New: e.Old}
		}
	}
	return a.edits, nil
}

// aligner finds the edits from l to r. The first error stays, and ends the work.
type aligner struct {
	ctx      context.Context
	err      error
	l, r     io.ReaderAt
	progress model.Progress
	total    int64
	edits    []Edit
	maxGap   int64 // edits that are not further apart are joined
	buf      [2][]byte
}

// fail keeps the first error, and reports whether there is one.
func (a *aligner) fail(err error) bool {
	if a.err == nil {
		a.err = err
	}
	return a.err != nil
}

// report reports progress, and returns true if the work is to end.
func (a *aligner) report(offset int64) (ended bool) {
	if a.progress != nil {
		a.progress(min(2*offset, a.total), a.total)
	}
	return a.fail(a.ctx.Err())
}

// add records an edit after all others.
func (a *aligner) add(l, r model.Span) {
	if l.Size == 0 && r.Size == 0 {
		return
	}
	if n := len(a.edits); n > 0 && l.Offset-a.edits[n-1].Old.End() <= a.maxGap {
		a.edits[n-1].extendTo(l, r)
		return
	}
	if len(a.edits) >= maxEdits {
		a.coarsen()
		a.add(l, r)
		return
	}
	a.edits = append(a.edits, Edit{l, r})
}

// extendTo extends an edit to the ends of two spans after it.
func (e *Edit) extendTo(l, r model.Span) {
	e.Old.Size = l.End() - e.Old.Offset
	e.New.Size = r.End() - e.New.Offset
}

// coarsen joins edits that are near each other, until there is room for many more.
func (a *aligner) coarsen() {
	for len(a.edits) > maxEdits/2 {
		a.maxGap = max(4, a.maxGap*4)
		merged := a.edits[:1]
		for _, e := range a.edits[1:] {
			last := &merged[len(merged)-1]
			if e.Old.Offset-last.Old.End() <= a.maxGap {
				last.extendTo(e.Old, e.New)
				continue
			}
			merged = append(merged, e)
		}
		a.edits = merged
	}
}

func (a *aligner) load(l, r model.Span) (x, y []byte) {
	for i, s := range []model.Span{l, r} {
		if int64(cap(a.buf[i])) < s.Size {
			a.buf[i] = make([]byte, max(s.Size, streamSize))
		}
	}
	x, y = a.buf[0][:l.Size], a.buf[1][:r.Size]
	if !a.fail(readFull(a.l, x, l.Offset)) {
		a.fail(readFull(a.r, y, r.Offset))
	}
	return x, y
}

// trimEnd cuts off the common end of both spans.
func (a *aligner) trimEnd(l, r model.Span) (model.Span, model.Span) {
	for l.Size > 0 && r.Size > 0 {
		n := min(l.Size, r.Size, streamSize)
		x, y := a.load(model.Span{Offset: l.End() - n, Size: n}, model.Span{Offset: r.End() - n, Size: n})
		if a.fail(a.ctx.Err()) {
			break
		}
		k := int64(commonSuffix(x, y))
		l.Size, r.Size = l.Size-k, r.Size-k
		if k < n {
			break
		}
	}
	return l, r
}

// commonLength returns the number of bytes that l from one offset and r from another have in common, at most n.
func (a *aligner) commonLength(l, r, n int64) int64 {
	k, err := FirstDifference(a.ctx, a.l, l, a.r, r, n, nil)
	a.fail(err)
	return k
}

// trimStart cuts off the common start of both spans.
func (a *aligner) trimStart(l, r model.Span) (model.Span, model.Span) {
	k := a.commonLength(l.Offset, r.Offset, min(l.Size, r.Size))
	return model.Span{Offset: l.Offset + k, Size: l.Size - k}, model.Span{Offset: r.Offset + k, Size: r.Size - k}
}

// alignInPlace compares spans of one size byte by byte. Long parts that differ nearly everywhere are aligned: bytes may
// have been inserted before and deleted after them.
func (a *aligner) alignInPlace(l, r model.Span) {
	var dense Edit // the current part that differs nearly everywhere
	var pending []Edit
	flush := func() {
		if dense.Old.Size < minShift {
			a.addAll(pending)
		} else {
			a.alignShifted(dense, pending)
		}
		pending, dense = pending[:0], Edit{}
	}
	a.eachDifference(l, r, func(e Edit) {
		if len(pending) > 0 && e.Old.Offset-dense.Old.End() > denseGap(dense.Old.Size) {
			flush()
		}
		dense.Old, dense.New = dense.Old.Join(e.Old), dense.New.Join(e.New)
		if len(pending) < maxEdits {
			pending = append(pending, e)
		} else {
			pending[len(pending)-1].extendTo(e.Old, e.New)
		}
	})
	if a.err == nil {
		flush()
	}
}

// eachDifference calls do for each run of differing bytes of two spans of one size.
func (a *aligner) eachDifference(l, r model.Span, do func(e Edit)) {
	x, y := make([]byte, min(l.Size, streamSize)), make([]byte, min(l.Size, streamSize))
	from := int64(-1) // the start of the run, or -1
	end := func(to int64) {
		do(Edit{spanTo(l.Offset+from, l.Offset+to), spanTo(r.Offset+from, r.Offset+to)})
		from = -1
	}
	for offset := int64(0); offset < l.Size; offset += streamSize {
		n := min(l.Size-offset, streamSize)
		if a.fail(readFull(a.l, x[:n], l.Offset+offset)) || a.fail(readFull(a.r, y[:n], r.Offset+offset)) ||
			a.report(l.Offset+offset) {
			return
		}
		for i := int64(0); i < n; {
			if from < 0 {
				if i += int64(commonPrefix(x[i:n], y[i:n])); i < n {
					from = offset + i
				}
				continue
			}
			for i < n && x[i] != y[i] {
				i++
			}
			if i < n {
				end(offset + i)
			}
		}
	}
	if from >= 0 {
		end(l.Size)
	}
}

// denseGap returns the maximum number of equal bytes between different ones in a part that differs nearly everywhere.
func denseGap(size int64) int64 { return min(max(size/4, 8), 64) }

// alignShifted aligns a part that differs nearly everywhere, and takes the alignment if it leaves fewer bytes that
// differ.
func (a *aligner) alignShifted(part Edit, pending []Edit) {
	sub := &aligner{ctx: a.ctx, err: a.err, l: a.l, r: a.r, total: a.total}
	sub.align(part.Old, part.New, averageChunk(part.Old.Size))
	a.fail(sub.err)
	if differingBytes(sub.edits) < differingBytes(pending) {
		pending = sub.edits
	}
	a.addAll(pending)
}

// addAll records edits after all others.
func (a *aligner) addAll(edits []Edit) {
	for _, e := range edits {
		a.add(e.Old, e.New)
	}
}

// differingBytes returns the number of bytes of edits, on the longer side of each.
func differingBytes(edits []Edit) (n int64) {
	for _, e := range edits {
		n += max(e.Old.Size, e.New.Size)
	}
	return n
}

// averageChunk returns the average size of the chunks of a file: the larger the file, the larger the chunks.
func averageChunk(size int64) int64 {
	avg := int64(startChunk)
	for size/avg > maxChunks {
		avg *= 2
	}
	for avg > minChunk && size/avg < 64 {
		avg /= 2
	}
	return avg
}

// smallestChunk returns the smallest chunks that a part of a file is cut into: not so small that their table gets big.
func smallestChunk(size int64) int64 {
	avg := int64(minChunk)
	for size/avg > 4*maxChunks {
		avg *= 2
	}
	return avg
}

// align finds the edits between two spans by chunks that both have.
func (a *aligner) align(l, r model.Span, average int64) {
	l, r = a.trimStart(l, r)
	l, r = a.trimEnd(l, r)
	switch {
	case a.err != nil:
		return
	case l.Size == 0 || r.Size == 0:
		a.add(l, r)
		return
	case l.Size <= maxInMemory && r.Size <= maxInMemory:
		a.alignInMemory(l, r)
		return
	}
	fromL, fromR := l.Offset, r.Offset
	for _, m := range a.anchors(l, r, average) {
		if m.l < fromL || m.r < fromR {
			continue // the previous one was extended over it
		}
		a.alignBetween(spanTo(fromL, m.l), spanTo(fromR, m.r), average)
		fromL, fromR = m.l+m.n, m.r+m.n
	}
	a.alignBetween(spanTo(fromL, l.End()), spanTo(fromR, r.End()), average)
}

func spanTo(from, to int64) model.Span { return model.Span{Offset: from, Size: to - from} }

// alignBetween aligns the bytes between two anchors with smaller chunks, until those are too small.
func (a *aligner) alignBetween(l, r model.Span, average int64) {
	next := max(average/8, smallestChunk(max(l.Size, r.Size)))
	switch {
	case a.report(l.Offset):
	case l.Size == 0 || r.Size == 0:
		a.add(l, r)
	case next < average:
		a.align(l, r, next)
	case l.Size <= maxInMemory && r.Size <= maxInMemory:
		a.alignInMemory(a.trimStart(l, r))
	case l.Size == r.Size:
		a.eachDifference(l, r, func(e Edit) { a.add(e.Old, e.New) })
	default:
		a.add(l, r)
	}
}

// gear is a table of random numbers: the contribution of a byte to the rolling hash that ends chunks.
var gear = func() (g [256]uint64) {
	x := uint64(0x41737361) // any number; it must never change, or two runs would differ
	for i := range g {
		x += 0x9e3779b97f4a7c15
		z := x
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		g[i] = z ^ z>>31
	}
	return g
}()

// chunk is a part of a file with ends that its content determines.
type chunk struct {
	offset, n int64
	hash      uint64
}

// anchor is n bytes that are the same at l and at r.
type anchor struct {
	l, r, n int64
}

// chunksOf divides a span into chunks of about the average size.
func (a *aligner) chunksOf(src io.ReaderAt, s model.Span, average int64) []chunk {
	mask := uint64(average-1) << 40
	least, limit := average/4, average*8
	var out []chunk
	buf := make([]byte, max(streamSize, 2*limit))
	offset := s.Offset // of buf[0]
	buffered := 0      // bytes in buf
	next := s.Offset
	for offset < s.End() {
		n := min(int64(len(buf)-buffered), s.End()-next)
		if a.report(offset) || a.fail(readFull(src, buf[buffered:int64(buffered)+n], next)) {
			return nil
		}
		next += n
		buffered += int(n)
		last := next == s.End()
		consumed := 0
		for consumed < buffered && (last || int64(buffered-consumed) >= limit) {
			size := chunkEnd(buf[consumed:buffered], least, limit, mask)
			hash := xxh3.Hash(buf[consumed : consumed+size])
			out = append(out, chunk{offset: offset + int64(consumed), n: int64(size), hash: hash})
			consumed += size
		}
		copy(buf, buf[consumed:buffered])
		buffered -= consumed
		offset += int64(consumed)
	}
	return out
}

func chunkEnd(b []byte, least, limit int64, mask uint64) int {
	n := min(int64(len(b)), limit)
	var h uint64
	// The hash forgets a byte after 64 more; it needs no more to settle.
	for i := max(0, least-64); i < n; i++ {
		h = h<<1 + gear[b[i]]
		if i >= least && h&mask == 0 {
			return int(i) + 1
		}
	}
	return int(n)
}

// anchors finds runs of bytes in both spans in the same order: chunks that occur once on each side, and the equal
// chunks around them.
func (a *aligner) anchors(l, r model.Span, average int64) []anchor {
	cl, cr := a.chunksOf(a.l, l, average), a.chunksOf(a.r, r, average)
	var out []anchor
	for _, u := range Uniques(len(cl), len(cr), func(i int) uint64 { return cl[i].hash },
		func(i int) uint64 { return cr[i].hash }) {
		l, r := cl[u.A], cr[u.B]
		if !u.InOrder || l.n != r.n {
			continue
		}
		m := anchor{l.offset, r.offset, l.n}
		if n := len(out); n > 0 && out[n-1].l+out[n-1].n == m.l && out[n-1].r+out[n-1].n == m.r {
			out[n-1].n += m.n
			continue
		}
		out = append(out, m)
	}
	return a.verify(out, l, r)
}

// verify compares the bytes of anchors, so far equal only by hash, and extends the anchors at both ends.
func (a *aligner) verify(found []anchor, l, r model.Span) []anchor {
	out := found[:0]
	endL, endR := l.Offset, r.Offset
	for k, m := range found {
		if m.l < endL || m.r < endR {
			skip := max(endL-m.l, endR-m.r)
			if skip >= m.n {
				continue
			}
			m = anchor{m.l + skip, m.r + skip, m.n - skip}
		}
		limitL, limitR := l.End(), r.End()
		if k+1 < len(found) {
			// The next one is verified itself: an extension into it would only read it twice.
			limitL, limitR = found[k+1].l, found[k+1].r
		}
		n := max(m.n, min(limitL-m.l, limitR-m.r))
		same := a.commonLength(m.l, m.r, n)
		if same < m.n {
			continue // two contents with one hash
		}
		m.n = same
		back := a.sameBefore(m, endL, endR)
		if a.err != nil {
			return nil
		}
		m = anchor{m.l - back, m.r - back, m.n + back}
		endL, endR = m.l+m.n, m.r+m.n
		out = append(out, m)
	}
	return out
}

// sameBefore returns the number of bytes before an anchor that are the same, at most down to the ends given.
func (a *aligner) sameBefore(m anchor, endL, endR int64) int64 {
	limit := min(m.l-endL, m.r-endR)
	for back := int64(0); back < limit && a.err == nil; {
		n := min(limit-back, 4096)
		x, y := a.load(model.Span{Offset: m.l - back - n, Size: n}, model.Span{Offset: m.r - back - n, Size: n})
		k := int64(commonSuffix(x, y))
		back += k
		if k < n {
			return back
		}
	}
	return limit
}
