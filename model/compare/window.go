package compare

import (
	"bytes"
	"fmt"

	"assay/model"
	"assay/model/compare/align"
)

const (
	windowSize   = 256 << 10
	maxWindowGap = 64 << 10
)

// window reads one document's bytes, mostly forward, without the cost of a read for each value.
type window struct {
	src  *model.Source
	buf  []byte
	base int64
}

// bytes returns the bytes of a short span; they are valid until the next call.
func (w *window) bytes(s model.Span) ([]byte, error) {
	if from := s.Offset - w.base; from >= 0 && from+s.Size <= int64(len(w.buf)) {
		return w.buf[from : from+s.Size], nil
	}
	if !s.Within(w.src.Size()) {
		return nil, fmt.Errorf("%s: %d bytes at %#x are not in the file", w.src.Name(), s.Size, s.Offset)
	}
	size := max(s.Size, 4<<10)
	if end := w.base + int64(len(w.buf)); s.Offset >= w.base && s.Offset <= end+maxWindowGap {
		size = max(s.Size, windowSize)
	}
	size = min(size, w.src.Size()-s.Offset)
	if int64(cap(w.buf)) < size {
		w.buf = make([]byte, max(size, windowSize))
	}
	w.buf, w.base = w.buf[:size], s.Offset
	n, err := w.src.ReadAt(w.buf, w.base)
	if int64(n) < size {
		w.buf = w.buf[:n]
		if int64(n) < s.Size {
			return nil, err
		}
	}
	return w.buf[:s.Size], nil
}

// read returns the bytes of a short span of a window; they are valid until it is called again.
func (e *engine) read(w *window, s model.Span) []byte {
	b, err := w.bytes(s)
	e.fail(err)
	return b
}

// sameBytes compares a span of each document.
func (e *engine) sameBytes(l, r model.Span) bool {
	if l.Size != r.Size || !l.Within(e.docs[0].Source.Size()) || !r.Within(e.docs[1].Source.Size()) {
		return false
	}
	if l.Size <= windowSize {
		return bytes.Equal(e.read(e.windows[0], l), e.read(e.windows[1], r))
	}
	return e.sameStreams(e.docs[0].Source, l, e.docs[1].Source, r)
}

func (e *engine) sameStreams(ls *model.Source, l model.Span, rs *model.Source, r model.Span) bool {
	if l.Size != r.Size {
		return false
	}
	offset, err := align.FirstDifference(e.ctx, ls, l.Offset, rs, r.Offset, l.Size, nil)
	e.fail(err)
	return offset == l.Size
}
