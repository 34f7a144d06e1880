package ppac

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"assay/model"
)

const (
	deflateMost = 1032 // the most bytes that one byte of a deflate stream expands to
	unbounded   = math.MaxInt64 - 1
)

// overLimit is the error of content that expands to more bytes than this limit.
type overLimit int64

// Error returns the sentence.
func (e overLimit) Error() string {
	return fmt.Sprintf("it expands to more than the %d bytes that are expected", int64(e))
}

var errLeftOver = errors.New("bytes are left over after the end of the compressed stream")

// stream returns the stored bytes, expanded by kind. Its end is an error if bytes are left over.
func (a *asset) stream(ctx context.Context, kind codec) (io.Reader, error) {
	return a.expanded(a.f.stored(ctx, a.Data), kind)
}

// expanded expands the asset's stored bytes, which may have passed through something else.
func (a *asset) expanded(stored io.Reader, kind codec) (io.Reader, error) {
	if !kind.expands() {
		return stored, nil
	}
	under := bufio.NewReaderSize(stored, int(min(max(a.Data.Size, 16), 256<<10)))
	var r io.Reader
	var err error
	switch kind {
	case zlibStream:
		r, err = zlib.NewReader(under)
	case gzipStream:
		r, err = gzip.NewReader(under)
	default:
		r = flate.NewReader(under)
	}
	if err != nil {
		return nil, fmt.Errorf("ppac: the %s stream at %#x: %w", kind, a.Data.Offset, noEOF(err))
	}
	limit := int64(unbounded)
	if a.f.layout.hasMemorySize() {
		limit = int64(min(a.ent.MemorySize, unbounded))
	}
	return &cleanReader{r: r, under: under, kind: kind, at: a.Data.Offset, limit: limit, left: limit}, nil
}

// expandInto expands an asset to the end of its stream, whose own checksum is compared, and returns a sentence about
// what is wrong with the content; an empty one for an unknown compression. The error is errTooLong if the content has
// more than most bytes.
func (a *asset) expandInto(ctx context.Context, w io.Writer, kind codec, most int64) (wrong string, err error) {
	switch {
	case kind == unknownCodec && a.ent.Compression == Deflate:
		return "the stored bytes are not a zlib, gzip or raw deflate stream", nil
	case kind == unknownCodec:
		return "", nil
	}
	sized, limit := a.f.layout.hasMemorySize(), most
	if !sized {
		limit = min(most, model.MostExpanded(a.Data.Size))
	}
	r, err := a.stream(ctx, kind)
	var n int64
	if err == nil {
		buf := copyBuffers.Get().(*[]byte)
		n, err = io.CopyBuffer(w, io.LimitReader(r, limit+1), *buf)
		copyBuffers.Put(buf)
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, model.ErrChanged):
		return "", err
	case err != nil:
		return err.Error(), nil
	case n > most:
		return "", errTooLong
	case n > limit:
		return overLimit(limit).Error(), nil
	case sized && uint64(n) != a.ent.MemorySize:
		return fmt.Sprintf("it expands to %d bytes, the index says %d", n, a.ent.MemorySize), nil
	}
	return "", nil
}

// stored returns a reader of a part of the file.
func (f *file) stored(ctx context.Context, s model.Span) *storedReader {
	return &storedReader{ctx: ctx, src: f.src, at: s.Offset, end: s.End()}
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
func (r *storedReader) WriteTo(w io.Writer) (n int64, err error) {
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	for {
		got, err := r.Read(*buf)
		if got > 0 {
			put, werr := w.Write((*buf)[:got])
			n += int64(put)
			if werr != nil {
				return n, werr
			}
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// cleanReader reads an expanded stream, which must end where its stored bytes end and must not have more bytes than are
// recorded.
type cleanReader struct {
	r     io.Reader
	under *bufio.Reader
	kind  codec
	at    int64

	limit, left int64 // the number of bytes that are recorded, and of those that are not yet read
}

func (c *cleanReader) Read(p []byte) (int, error) {
	if c.left < int64(len(p)) {
		p = p[:c.left+1] // one byte more shows that the stream goes on
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		n, c.left = int(c.left), 0
		return n, overLimit(c.limit)
	}
	c.left -= int64(n)
	if err == io.EOF {
		if _, more := c.under.ReadByte(); more == nil {
			err = errLeftOver
		} else if more != io.EOF {
			err = more
		}
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("ppac: the %s stream at %#x: %w", c.kind, c.at, noEOF(err))
	}
	return n, err
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
