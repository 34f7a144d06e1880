package dprsim

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

const (
	catomHead = 8  // id and total length, which the total length does not count
	markEvery = 64 // catoms of different sizes are found from the offset of each 64th
)

// body is the catoms of one body chunk. Where all are of one size nothing is kept for them; else the offset of each
// 64th.
type body struct {
	c          *decode.Cursor // only its kind is used
	src        *model.Source
	start, end int64
	bigEndian  bool
	modules    []*Module

	count   int64
	stride  int64 // of every catom, or 0
	marks   []int64
	stop    int64 // after the last whole catom
	regular bool  // every byte of every catom has its place, judged by sizes

	content, list *model.Node

	mu      sync.Mutex // guards the place of the catom that was looked at last
	lastRow int64
	lastAt  int64
}

func (b *body) window(block int64) *window { return &window{src: b.src, end: b.end, block: block} }

// scan goes through the body once.
func (b *body) scan(ctx context.Context) error {
	w := b.window(scanBlock)
	b.regular = true
	at := b.start
	for at < b.end {
		if b.count%(1<<16) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		total, ok := w.u32(at + 4)
		if !ok || int64(total) > b.end-at-catomHead {
			break
		}
		size := catomHead + int64(total)
		switch {
		case b.count == 0:
			b.stride = size
		case size != b.stride && b.stride > 0:
			for i := int64(0); i < b.count; i += markEvery {
				b.marks = append(b.marks, b.start+i*b.stride)
			}
			b.stride = 0
		}
		if b.stride == 0 && b.count%markEvery == 0 {
			b.marks = append(b.marks, at)
		}
		b.regular = b.regular && b.whole(w, at, size)
		b.count++
		at += size
	}
	b.stop = at
	b.lastAt = b.start
	return nil
}

// whole reports whether the sizes in a catom are those of the modules.
func (b *body) whole(w *window, at, size int64) bool {
	end := at + size
	at += catomHead
	for _, m := range b.modules {
		if end-at < 4 {
			return false
		}
		n, ok := w.u32(at)
		at += 4
		if !ok || int64(n) > end-at || !m.fills(int64(n)) {
			return false
		}
		at += int64(n)
	}
	return at == end
}

// firstSizes appends the sizes that each module has in the first catoms.
func (b *body) firstSizes(sizes [][]int64) {
	const look = 16
	w := b.window(lookBlock)
	at := b.start
	for range look {
		total, ok := w.u32(at + 4)
		end := at + catomHead + int64(total)
		if !ok || end > b.end {
			return
		}
		at += catomHead
		for m := range sizes {
			n, ok := w.u32(at)
			if !ok || int64(n) > end-at-4 {
				break
			}
			sizes[m] = append(sizes[m], int64(n))
			at += 4 + int64(n)
		}
		at = end
	}
}

// at returns the offset of a catom.
func (b *body) at(row int64) int64 {
	if b.stride > 0 {
		return b.start + row*b.stride
	}
	b.mu.Lock()
	from, at := b.lastRow, b.lastAt
	b.mu.Unlock()
	if mark := row / markEvery; from > row || from/markEvery < mark {
		from, at = mark*markEvery, b.marks[mark]
	}
	w := look(b.src, at, 0)
	defer w.drop()
	for ; from < row; from++ {
		total, ok := w.u32(at + 4)
		if !ok || int64(total) > b.stop-at-catomHead { // the file is not what it was
			return b.stop
		}
		at += catomHead + int64(total)
	}
	b.mu.Lock()
	b.lastRow, b.lastAt = row, at
	b.mu.Unlock()
	return at
}

// size returns the size of the catom at off, which scan has seen.
func (b *body) size(w *window, off int64) int64 {
	if b.stride > 0 {
		return b.stride
	}
	total, _ := w.u32(off + 4)
	return min(catomHead+int64(total), b.stop-off)
}

// row returns the catom that holds the byte at off.
func (b *body) row(off int64) (int64, bool) {
	if off < b.start || off >= b.stop || b.count == 0 {
		return 0, false
	}
	if b.stride > 0 {
		return (off - b.start) / b.stride, true
	}
	mark, found := slices.BinarySearch(b.marks, off)
	if !found {
		mark--
	}
	row, at := int64(mark)*markEvery, b.marks[mark]
	w := look(b.src, at, 0)
	defer w.drop()
	for ; row < b.count; row++ {
		size := b.size(w, at)
		if off < at+size {
			return row, true
		}
		at += max(size, catomHead)
	}
	return 0, false
}

// each calls visit with the place of every catom from the first to the last.
func (b *body) each(ctx context.Context, visit func(w *window, row, off, size int64) error) error {
	w := b.window(scanBlock)
	at := b.start
	for row := range b.count {
		if row%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		size := b.size(w, at)
		if size < catomHead {
			return fmt.Errorf("catom %d at %#x: %w", row, at, model.ErrChanged)
		}
		if err := visit(w, row, at, size); err != nil {
			return err
		}
		if w.err != nil {
			return w.err
		}
		at += size
	}
	return nil
}
