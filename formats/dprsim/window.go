package dprsim

import (
	"bytes"
	"encoding/binary"
	"sync"

	"assay/model"
)

// window reads pieces of a file that is read from front to back, a block at a time.
type window struct {
	src   *model.Source
	end   int64 // no byte from here on is read
	block int64
	bytes []byte
	at    int64
	runs  []run // room for what one state has
	err   error
}

const (
	scanBlock = 1 << 20 // for a walk over the whole body: these blocks go past the source's cache
	lookBlock = 4 << 10 // for one catom
)

// get returns n bytes at off, good until the next call; nil if they cannot be had.
func (w *window) get(off, n int64) []byte {
	from := off - w.at
	if from >= 0 && from+n <= int64(len(w.bytes)) {
		return w.bytes[from : from+n]
	}
	return w.read(off, n)
}

func (w *window) read(off, n int64) []byte {
	if n < 0 || off < 0 || n > w.end-off {
		return nil
	}
	if n == 0 {
		return []byte{}
	}
	size := max(n, min(w.block, w.end-off))
	if int64(cap(w.bytes)) < size {
		w.bytes = make([]byte, size)
	}
	w.bytes, w.at = w.bytes[:size], off
	got, err := w.src.ReadAt(w.bytes, off)
	w.bytes = w.bytes[:got]
	if int64(got) < n {
		w.err = err
		return nil
	}
	return w.bytes[:n]
}

// u32 reads a number of the framing.
func (w *window) u32(off int64) (uint32, bool) {
	b := w.get(off, 4)
	if b == nil {
		return 0, false
	}
	return binary.BigEndian.Uint32(b), true
}

// toNUL is the number of bytes up to and including the first NUL, all of them if there is none.
func (w *window) toNUL(off, limit int64) int64 {
	for at := off; at < limit; {
		b := w.get(at, min(limit-at, lookBlock))
		if len(b) == 0 {
			break
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return at + int64(i) + 1 - off
		}
		at += int64(len(b))
	}
	return limit - off
}

var windows = sync.Pool{New: func() any { return new(window) }}

// look returns a window for single catoms; let it go with drop.
func look(src *model.Source, off, size int64) *window {
	w := windows.Get().(*window)
	*w = window{src: src, end: src.Size(), block: min(max(size, 64), lookBlock), bytes: w.bytes[:0], at: off,
		runs: w.runs[:0]}
	return w
}

func (w *window) drop() {
	if cap(w.bytes) <= 16*lookBlock {
		w.src = nil
		windows.Put(w)
	}
}
