package ppac

import (
	"context"
	"io"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// container is a file in a layout, of which any goroutine may read parts.
type container struct {
	c      *decode.Cursor // records the file; others are made of it
	Source *model.Source
	Layout Layout
	quiet  *cursors
}

// cursors are quiet cursors to borrow. They are safe for concurrent use.
type cursors struct{ pool sync.Pool }

// newContainer returns the file that c records, whose layout is not known yet.
func newContainer(c *decode.Cursor) container {
	return container{c: c, Source: c.Source(),
		quiet: &cursors{sync.Pool{New: func() any { return c.Quiet(model.Span{}) }}}}
}

// in returns the same file in a layout.
func (k container) in(l Layout) *container {
	k.Layout = l
	return &k
}

// borrow calls read with a cursor that is read's own until it returns, and with it the bytes that were peeked at. That
// is quiet, or one of those to borrow if quiet is nil.
func (l *cursors) borrow(quiet *decode.Cursor, read func(quiet *decode.Cursor)) {
	if quiet == nil {
		quiet = l.pool.Get().(*decode.Cursor)
		defer l.pool.Put(quiet)
	}
	read(quiet)
}

// stored returns a reader of a part of the file.
func (k *container) stored(ctx context.Context, s model.Span) *storedReader {
	return &storedReader{ctx: ctx, src: k.Source, at: s.Offset, end: s.End()}
}

// storedReader reads a span of a file until its context ends.
type storedReader struct {
	ctx     context.Context
	src     *model.Source
	at, end int64
}

func (r *storedReader) Read(p []byte) (int, error) {
	if r.at >= r.end {
		return 0, io.EOF
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.src.ReadAt(p[:min(int64(len(p)), r.end-r.at)], r.at)
	r.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

var copyBuffers = sync.Pool{New: func() any { b := make([]byte, 512<<10); return &b }}

// WriteTo copies in big pieces, past the block cache.
func (r *storedReader) WriteTo(w io.Writer) (int64, error) {
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, *buf)
}
