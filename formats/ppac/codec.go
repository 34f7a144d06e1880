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

// codec is how an asset is really stored.
type codec uint8

const (
	plain codec = iota
	zlibStream
	gzipStream
	rawStream
	unknownCodec
)

// String is the codec's name; empty for stored bytes.
func (k codec) String() string {
	return [...]string{"", "zlib", "gzip", "raw-deflate", "unknown"}[k]
}

// extension is what a file of stored bytes is called.
func (k codec) extension() string {
	return [...]string{"", ".zz", ".gz", ".deflate", ".stored"}[k]
}

const (
	firstLook = 4 << 10   // expanded bytes that tell the codec where an asset is only described
	surely    = 256 << 10 // and where it is opened
	provenMax = 16 << 20  // largest asset that is expanded to prove a compression which the index does not state

	deflateMost = 1032 // bytes that one of a deflate stream can expand to
)

// tooMuch is the error of content that expands to more bytes than a limit.
type tooMuch int64

// Error says so.
func (e tooMuch) Error() string {
	return fmt.Sprintf("it expands to more than the %d bytes that are expected", int64(e))
}

var errLeftOver = errors.New("bytes are left over after the end of the compressed stream")

// stream returns the stored bytes, expanded by kind. Its end is an error if bytes are left over.
func (a *asset) stream(ctx context.Context, kind codec) (io.Reader, error) {
	return a.expanded(&storedReader{ctx: ctx, src: a.src, at: a.data.Offset, end: a.data.End()}, kind)
}

// expanded expands the asset's stored bytes, which may have passed through something else.
func (a *asset) expanded(stored io.Reader, kind codec) (io.Reader, error) {
	if kind == plain || kind == unknownCodec {
		return stored, nil
	}
	under := bufio.NewReaderSize(stored, int(min(max(a.data.Size, 16), 256<<10)))
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
		return nil, fmt.Errorf("ppac: the %s stream at %#x: %w", kind, a.data.Offset, noEOF(err))
	}
	c := &cleanReader{r: r, under: under, kind: kind, at: a.data.Offset, left: math.MaxInt64}
	if a.sized {
		c.limit = int64(min(a.ent.MemorySize, math.MaxInt64))
		c.left = c.limit
	}
	return c, nil
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

// cleanReader is an expanded stream that must end where its stored bytes end, and after as many bytes as are recorded
// at the latest.
type cleanReader struct {
	r     io.Reader
	under *bufio.Reader
	kind  codec
	at    int64

	limit, left int64 // how many bytes are recorded, and how many of them are still to come
}

func (c *cleanReader) Read(p []byte) (int, error) {
	if c.left < int64(len(p)) {
		p = p[:c.left+1] // one byte more shows that the stream goes on
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		n, c.left = int(c.left), 0
		return n, tooMuch(c.limit)
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

// looksLike says whether the stored bytes can be a stream of that kind, by its header.
func looksLike(kind codec, head []byte) bool {
	switch kind {
	case zlibStream:
		return len(head) >= 2 && head[0]&15 == 8 && head[0]>>4 <= 7 && (uint(head[0])<<8|uint(head[1]))%31 == 0 &&
			head[1]&0x20 == 0
	case gzipStream:
		return len(head) >= 3 && head[0] == 0x1f && head[1] == 0x8b && head[2] == 8
	}
	return true
}

// expand tells how the asset is stored and returns the first bytes of its content, at most as many as first has room
// for. A stream that ends earlier must end cleanly; whether a longer one does is found when it is read. sound is false
// if no way to expand it is without an error.
func (a *asset) expand(ctx context.Context, first []byte) (kind codec, head []byte, sound bool) {
	read := func(kind codec) ([]byte, bool) {
		r, err := a.stream(ctx, kind)
		if err != nil {
			return nil, false
		}
		n, err := io.ReadFull(r, first)
		return first[:n], err == nil || err == io.EOF ||
			err == io.ErrUnexpectedEOF // the latter unwrapped: the stream ended well
	}
	switch {
	case a.ent.Compression == Stored && a.hidden(ctx, len(first)):
		head, sound = read(zlibStream)
		return zlibStream, head, sound
	case a.ent.Compression == Stored:
		head, sound = read(plain)
		return plain, head, sound
	case a.ent.Compression != Deflate:
		head, _ = read(plain)
		return unknownCodec, head, false
	}
	start := make([]byte, min(4, a.data.Size))
	if _, err := a.src.ReadAt(start, a.data.Offset); err != nil && err != io.EOF {
		return unknownCodec, nil, false
	}
	kind = unknownCodec
	for _, k := range []codec{zlibStream, gzipStream, rawStream} {
		if !looksLike(k, start) {
			continue
		}
		if head, ok := read(k); ok {
			return k, head, true
		}
		if k != rawStream && kind == unknownCodec {
			kind = k // damaged, most likely
		}
	}
	if kind == unknownCodec {
		head, _ = read(plain)
		return kind, head, false
	}
	head, _ = read(kind)
	return kind, head, false
}

// hidden says whether an asset of the later revision is compressed although its index entry does not say so, as
// libraries before 12 January 2017 wrote them: a clean zlib stream of as many bytes as the asset has in memory, with
// its SHA-256. A bigger asset that is only looked at is judged by its beginning.
func (a *asset) hidden(ctx context.Context, look int) bool {
	if !a.later || a.ent.Size == a.ent.MemorySize || a.ent.SHA256 == ([32]byte{}) {
		return false
	}
	start := make([]byte, 2)
	if n, _ := a.src.ReadAt(start, a.data.Offset); n < 2 || a.data.Size < 2 || !looksLike(zlibStream, start) {
		return false
	}
	if a.ent.MemorySize > provenMax && look < surely {
		r, err := a.stream(ctx, zlibStream)
		if err != nil {
			return false
		}
		_, err = io.CopyN(io.Discard, r, int64(look))
		return err == nil
	}
	sum, n, err := a.hash(ctx, zlibStream, math.MaxInt64)
	return err == nil && uint64(n) == a.ent.MemorySize && sum == a.ent.SHA256
}
