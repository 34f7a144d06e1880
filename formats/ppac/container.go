package ppac

import (
	"context"
	"io"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// container is a file in a layout, of which any goroutine may read parts and check assets.
type container struct {
	cursor  *decode.Cursor // records the file; others are made of it
	Source  *model.Source
	Layout  Layout
	indexAt uint64 // the offset of an index that the header does not lead to; 0: it does
	quiet   *cursors
	results *results // of the checks of its assets

	// adlerCoverage returns what the Adler-32 sums of the file are over.
	adlerCoverage func() coverage
}

// cursors are quiet cursors to borrow for a look at one place: who reads a list makes one of its own. With them
// BenchmarkDumpMillion allocates 0.9 GB, without 1.7 GB. They are safe for concurrent use.
type cursors struct{ pool sync.Pool }

// newContainer returns the file that c records, whose layout is not known yet.
func newContainer(c *decode.Cursor) container {
	return container{cursor: c, Source: c.Source(),
		quiet:         &cursors{sync.Pool{New: func() any { return c.Quiet(model.Span{}) }}},
		adlerCoverage: func() coverage { return overUnknown }}
}

// in returns the same file in a layout, of which no asset is checked yet.
func (k container) in(l Layout) *container {
	k.Layout, k.results = l, newResults()
	return &k
}

// borrow calls read with a cursor that is read's own until it returns, and with it the bytes that were peeked at.
func (l *cursors) borrow(read func(quiet *decode.Cursor)) {
	quiet := l.pool.Get().(*decode.Cursor)
	defer l.pool.Put(quiet)
	read(quiet)
}

// Part returns a reader of a part of the file, which gives the error of ctx once that has ended.
func (k *container) Part(ctx context.Context, s model.Span) io.Reader {
	return &partReader{ctx: ctx, src: k.Source, at: s.Offset, end: s.End()}
}

// partReader reads a span of a file until its context ends.
type partReader struct {
	ctx     context.Context
	src     *model.Source
	at, end int64
}

func (r *partReader) Read(p []byte) (int, error) {
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
func (r *partReader) WriteTo(w io.Writer) (int64, error) {
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, *buf)
}
