package align

import (
	"context"
	"io"

	"assay/model"
)

// Edit says that the bytes Old of the old file stand as the bytes New in the new one. What lies between two edits is
// the same in both files.
type Edit struct {
	Old, New model.Span
}

const (
	editsMax    = 1 << 20  // edits that are kept; beyond it, edits that are near each other are joined
	chunksMax   = 1 << 17  // chunks that a part of a file is cut into at a time
	chunkLeast  = 2 << 10  // average size of the chunks of a file
	chunkFinest = 64       // and of the smallest part of one
	fineMax     = 64 << 10 // bytes that are aligned in memory
	shiftLeast  = 256      // bytes that must differ nearly all before a shift is looked for in files of one size
)

// Bytes aligns two files over what was inserted and deleted, and returns what differs, in order. Bytes that are called
// the same are the same: applying the edits to the old file makes the new one.
func Bytes(ctx context.Context, old io.ReaderAt, oldSize int64, new io.ReaderAt, newSize int64,
	progress model.Progress) ([]Edit, error) {
	a := &aligner{ctx: ctx, l: old, r: new, progress: progress, total: oldSize + newSize}
	least := min(oldSize, newSize)
	from, err := FirstDifference(ctx, old, 0, new, 0, least, progress)
	if err != nil || from == least && oldSize == newSize {
		return nil, err
	}
	flip := oldSize > newSize
	if oldSize == newSize {
		var x, y [1]byte
		if err := readFull(old, x[:], from); err != nil {
			return nil, err
		}
		if err := readFull(new, y[:], from); err != nil {
			return nil, err
		}
		flip = x[0] > y[0]
	}
	l, r := model.Span{Offset: from, Size: oldSize - from}, model.Span{Offset: from, Size: newSize - from}
	if flip {
		a.l, a.r, l, r = new, old, r, l
	}
	if l, r, err = a.trimEnd(l, r); err != nil {
		return nil, err
	}
	if l.Size == r.Size {
		err = a.inPlace(l, r, true)
	} else {
		err = a.align(l, r, averageFor(max(l.Size, r.Size)))
	}
	if err != nil {
		return nil, err
	}
	if flip {
		for i, e := range a.edits {
			a.edits[i] = Edit{Old: e.New, New: e.Old}
		}
	}
	return a.edits, nil
}

// aligner finds the edits from l to r.
type aligner struct {
	ctx      context.Context
	l, r     io.ReaderAt
	progress model.Progress
	total    int64
	edits    []Edit
	near     int64 // edits that are not further apart become one
	buf      [2][]byte
}

func (a *aligner) report(at int64) error {
	if a.progress != nil {
		a.progress(min(2*at, a.total), a.total)
	}
	return a.ctx.Err()
}

// add records an edit after all others.
func (a *aligner) add(l, r model.Span) {
	if l.Size == 0 && r.Size == 0 {
		return
	}
	if n := len(a.edits); n > 0 && l.Offset-a.edits[n-1].Old.End() <= a.near {
		last := &a.edits[n-1]
		last.Old.Size = l.End() - last.Old.Offset
		last.New.Size = r.End() - last.New.Offset
		return
	}
	if len(a.edits) >= editsMax {
		a.coarsen()
		a.add(l, r)
		return
	}
	a.edits = append(a.edits, Edit{l, r})
}

// coarsen makes one of edits that are near each other, until there is room for many more.
func (a *aligner) coarsen() {
	for len(a.edits) > editsMax/2 {
		a.near = max(4, a.near*4)
		kept := a.edits[:1]
		for _, e := range a.edits[1:] {
			last := &kept[len(kept)-1]
			if e.Old.Offset-last.Old.End() <= a.near {
				last.Old.Size = e.Old.End() - last.Old.Offset
				last.New.Size = e.New.End() - last.New.Offset
				continue
			}
			kept = append(kept, e)
		}
		a.edits = kept
	}
}

// load reads a span of each file.
func (a *aligner) load(l, r model.Span) (x, y []byte, err error) {
	for i, s := range []model.Span{l, r} {
		if int64(cap(a.buf[i])) < s.Size {
			a.buf[i] = make([]byte, max(s.Size, streamSize))
		}
	}
	x, y = a.buf[0][:l.Size], a.buf[1][:r.Size]
	if err = readFull(a.l, x, l.Offset); err == nil {
		err = readFull(a.r, y, r.Offset)
	}
	return x, y, err
}

// trimEnd cuts off what both spans end with.
func (a *aligner) trimEnd(l, r model.Span) (model.Span, model.Span, error) {
	for l.Size > 0 && r.Size > 0 {
		n := min(l.Size, r.Size, streamSize)
		x, y, err := a.load(model.Span{Offset: l.End() - n, Size: n}, model.Span{Offset: r.End() - n, Size: n})
		if err == nil {
			err = a.ctx.Err()
		}
		if err != nil {
			return l, r, err
		}
		k := int64(commonSuffix(x, y))
		l.Size, r.Size = l.Size-k, r.Size-k
		if k < n {
			break
		}
	}
	return l, r, nil
}

// trimStart cuts off what both spans begin with.
func (a *aligner) trimStart(l, r model.Span) (model.Span, model.Span, error) {
	n := min(l.Size, r.Size)
	k, err := FirstDifference(a.ctx, a.l, l.Offset, a.r, r.Offset, n, nil)
	return model.Span{Offset: l.Offset + k, Size: l.Size - k}, model.Span{Offset: r.Offset + k, Size: r.Size - k}, err
}

// inPlace compares spans of one size byte by byte. Long parts that differ nearly everywhere are aligned: something may
// have been inserted before and deleted after them.
func (a *aligner) inPlace(l, r model.Span, shifts bool) error {
	var dense Edit // the present part that differs nearly everywhere
	var pending []Edit
	flush := func() error {
		if dense.Old.Size < shiftLeast || !shifts {
			for _, e := range pending {
				a.add(e.Old, e.New)
			}
		} else if err := a.shifted(dense, pending); err != nil {
			return err
		}
		pending, dense = pending[:0], Edit{}
		return nil
	}
	note := func(at, n int64) error {
		e := Edit{model.Span{Offset: l.Offset + at, Size: n}, model.Span{Offset: r.Offset + at, Size: n}}
		if !shifts {
			a.add(e.Old, e.New)
			return nil
		}
		if len(pending) > 0 && e.Old.Offset-dense.Old.End() > denseGap(dense.Old.Size) {
			if err := flush(); err != nil {
				return err
			}
		}
		dense.Old, dense.New = dense.Old.Join(e.Old), dense.New.Join(e.New)
		if len(pending) < editsMax {
			pending = append(pending, e)
		} else {
			last := &pending[len(pending)-1]
			last.Old, last.New = last.Old.Join(e.Old), last.New.Join(e.New)
		}
		return nil
	}
	x, y := make([]byte, min(l.Size, streamSize)), make([]byte, min(l.Size, streamSize))
	from := int64(-1) // where the run of differing bytes began
	for at := int64(0); at < l.Size; at += streamSize {
		n := min(l.Size-at, streamSize)
		if err := readFull(a.l, x[:n], l.Offset+at); err != nil {
			return err
		}
		if err := readFull(a.r, y[:n], r.Offset+at); err != nil {
			return err
		}
		if err := a.report(l.Offset + at); err != nil {
			return err
		}
		for i := int64(0); i < n; {
			if from < 0 {
				if i += int64(commonPrefix(x[i:n], y[i:n])); i < n {
					from = at + i
				}
				continue
			}
			for i < n && x[i] != y[i] {
				i++
			}
			if i < n {
				if err := note(from, at+i-from); err != nil {
					return err
				}
				from = -1
			}
		}
	}
	if from >= 0 {
		if err := note(from, l.Size-from); err != nil {
			return err
		}
	}
	return flush()
}

// denseGap is how many equal bytes there may be between differing ones of a part that differs nearly everywhere.
func denseGap(size int64) int64 { return min(max(size/4, 8), 64) }

// shifted aligns a part that differs nearly everywhere, and takes the alignment if it leaves fewer bytes that differ.
func (a *aligner) shifted(part Edit, pending []Edit) error {
	var differ int64
	for _, e := range pending {
		differ += e.Old.Size
	}
	sub := &aligner{ctx: a.ctx, l: a.l, r: a.r, total: a.total}
	if err := sub.align(part.Old, part.New, averageFor(part.Old.Size)); err != nil {
		return err
	}
	var aligned int64
	for _, e := range sub.edits {
		aligned += max(e.Old.Size, e.New.Size)
	}
	if aligned < differ {
		pending = sub.edits
	}
	for _, e := range pending {
		a.add(e.Old, e.New)
	}
	return nil
}

func averageFor(size int64) int64 {
	avg := int64(chunkLeast)
	for size/avg > chunksMax {
		avg *= 2
	}
	for avg > chunkFinest && size/avg < 64 {
		avg /= 2
	}
	return avg
}

// finestFor is the smallest chunks that a part of a file is cut into: not so small that their table gets big.
func finestFor(size int64) int64 {
	avg := int64(chunkFinest)
	for size/avg > 4*chunksMax {
		avg *= 2
	}
	return avg
}

// align finds the edits between two spans by chunks that both have.
func (a *aligner) align(l, r model.Span, average int64) error {
	l, r, err := a.trimStart(l, r)
	if err != nil {
		return err
	}
	if l, r, err = a.trimEnd(l, r); err != nil {
		return err
	}
	switch {
	case l.Size == 0 || r.Size == 0:
		a.add(l, r)
		return nil
	case l.Size <= fineMax && r.Size <= fineMax:
		return a.fine(l, r)
	}
	anchors, err := a.anchors(l, r, average)
	if err != nil {
		return err
	}
	if len(anchors) == 0 {
		return a.finer(l, r, average)
	}
	fromL, fromR := l.Offset, r.Offset
	for _, m := range anchors {
		if m.l < fromL || m.r < fromR {
			continue // swallowed by the one before, which went on
		}
		if err := a.finer(model.Span{Offset: fromL, Size: m.l - fromL}, model.Span{Offset: fromR, Size: m.r - fromR},
			average); err != nil {
			return err
		}
		fromL, fromR = m.l+m.n, m.r+m.n
	}
	return a.finer(model.Span{Offset: fromL, Size: l.End() - fromL}, model.Span{Offset: fromR, Size: r.End() - fromR},
		average)
}

// finer aligns what lies between two anchors with smaller chunks, until those are too small.
func (a *aligner) finer(l, r model.Span, average int64) error {
	if err := a.report(l.Offset); err != nil {
		return err
	}
	if l.Size == 0 || r.Size == 0 {
		a.add(l, r)
		return nil
	}
	if next := max(average/8, finestFor(max(l.Size, r.Size))); next < average {
		return a.align(l, r, next)
	}
	if l.Size <= fineMax && r.Size <= fineMax {
		l, r, err := a.trimStart(l, r)
		if err != nil {
			return err
		}
		return a.fine(l, r)
	}
	if l.Size == r.Size {
		return a.inPlace(l, r, false)
	}
	a.add(l, r)
	return nil
}
