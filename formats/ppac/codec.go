package ppac

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"assay/formats/decode"
	"assay/model"
)

// codec is how the content of an asset is really stored.
type codec uint8

const (
	notCompressed codec = iota
	zlibStream
	gzipStream
	rawStream
	unknownCodec
)

// String is the codec's name; empty for content that is stored as it is.
func (k codec) String() string {
	return [...]string{"", "zlib", "gzip", "raw-deflate", "unknown"}[k]
}

// extension is that of a file of the stored bytes.
func (k codec) extension() string {
	return [...]string{"", ".zz", ".gz", ".deflate", ".stored"}[k]
}

// expands reports whether the stored bytes are a stream that can be expanded.
func (k codec) expands() bool { return k != notCompressed && k != unknownCodec }

// lookSize is how closely an asset is looked at to tell its codec: how many expanded bytes must have no error.
type lookSize int

const (
	// headerLook believes the header of a zlib or gzip stream, for an asset that needs no media type.
	headerLook lookSize = 0
	// firstLook expands the first bytes, for an asset whose media type is shown. A raw stream, which has no header,
	// gets it in any case.
	firstLook lookSize = 4 << 10
	// openLook expands more of them, for an asset that is opened or checked. Compression that the index does not state
	// is then proven by all of the content, however long.
	openLook lookSize = 256 << 10
)

const (
	provenMax   = 16 << 20 // largest asset that is expanded to prove a compression which the index does not state
	deflateMost = 1032     // the most bytes that one byte of a deflate stream expands to
	unbounded   = math.MaxInt64 - 1
)

// looksLike reports whether stored bytes that begin with head can be a stream of that kind.
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

// mayBeCompressed reports whether an asset may be compressed: the index says so, or leaves it open.
func (a *Asset) mayBeCompressed() bool {
	return a.Entry.Compression != Stored ||
		a.Layout.Later && a.Entry.Size != a.Entry.MemorySize && a.Entry.SHA256 != [32]byte{}
}

// codec returns how the content is stored, as far as a look tells, and its first bytes, as many as head has room for.
func (a *Asset) codec(ctx context.Context, look lookSize, head []byte) (codec, []byte) {
	kind := notCompressed
	switch {
	case a.Entry.Compression == Deflate:
		return a.deflateStream(ctx, look, head)
	case a.Entry.Compression != Stored:
		kind = unknownCodec
	case a.isUndeclaredDeflate(ctx, look):
		kind = zlibStream
	}
	if len(head) > 0 {
		head, _ = a.contentHead(ctx, kind, headerLook, head)
	}
	return kind, head
}

// contentHead returns the first bytes of the content as a codec gives them, and reports whether those of a stream, and
// as many as a look expands, have no error.
func (a *Asset) contentHead(ctx context.Context, kind codec, look lookSize, head []byte) (_ []byte, sound bool) {
	if !kind.expands() {
		return a.storedHead(head), true
	}
	r, err := a.expanded(a.Stored(ctx), kind)
	if err != nil {
		return nil, false
	}
	n, err := io.ReadFull(r, head)
	if err == nil {
		_, err = io.CopyN(io.Discard, r, int64(max(0, int(look)-n)))
	}
	return head[:n], err == nil || err == io.EOF ||
		err == io.ErrUnexpectedEOF // the latter unwrapped: the stream ended well
}

// storedHead returns the first stored bytes, as many as head has room for.
func (a *Asset) storedHead(head []byte) []byte {
	n := 0
	a.quiet.borrow(nil, func(quiet *decode.Cursor) {
		s := model.Span{Offset: a.Data.Offset, Size: min(a.Data.Size, int64(len(head)))}
		quiet.Reset(s)
		n = copy(head, quiet.Peek(s.Size))
	})
	return head[:n]
}

// deflateStream is codec for content that is compressed by DEFLATE: the format does not say in which stream.
func (a *Asset) deflateStream(ctx context.Context, look lookSize, head []byte) (codec, []byte) {
	start, damaged := a.storedHead(make([]byte, 3)), unknownCodec
	for _, k := range []codec{zlibStream, gzipStream} {
		if !looksLike(k, start) {
			continue
		}
		if look == headerLook {
			return k, nil
		}
		if head, sound := a.contentHead(ctx, k, look, head); sound {
			return k, head
		}
		damaged = k
	}
	if head, sound := a.contentHead(ctx, rawStream, max(look, firstLook), head); sound {
		return rawStream, head
	}
	head, _ = a.contentHead(ctx, damaged, headerLook, head)
	return damaged, head
}

// isUndeclaredDeflate reports whether an asset of the later revision is compressed although its index entry says it is
// stored, as libraries before 12 January 2017 wrote them: a zlib stream without errors whose content has the recorded
// size and SHA-256. Below openLook, a large asset is judged by its first bytes.
func (a *Asset) isUndeclaredDeflate(ctx context.Context, look lookSize) bool {
	if !a.mayBeCompressed() || !looksLike(zlibStream, a.storedHead(make([]byte, 2))) {
		return false
	}
	if a.Entry.MemorySize > provenMax && look < openLook {
		_, sound := a.contentHead(ctx, zlibStream, max(look, firstLook), nil)
		return sound
	}
	s := sums{kind: zlibStream, most: unbounded}
	sum, err := a.sumOver(ctx, overContent, &s)
	return sum == equal && s.fault == "" && err == nil
}

// expanded expands the asset's stored bytes, which may have passed through something else. Its end is an error if bytes
// are left over.
func (a *Asset) expanded(stored io.Reader, kind codec) (io.Reader, error) {
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
	if a.Layout.hasMemorySize() {
		limit = int64(min(a.Entry.MemorySize, unbounded))
	}
	return &cleanReader{r: r, under: under, kind: kind, at: a.Data.Offset, limit: limit, left: limit}, nil
}

// expandInto expands an asset to the end of its stream, whose own checksum is compared, and returns a sentence about
// what is wrong with the content; whole reports whether all of it was written. The error is errTooLong if the content
// has more than most bytes.
func (a *Asset) expandInto(ctx context.Context, w io.Writer, kind codec, most int64) (whole bool, fault string,
	err error) {
	sized, limit := a.Layout.hasMemorySize(), most
	if !sized {
		limit = min(most, model.MostExpanded(a.Data.Size))
	}
	r, err := a.expanded(a.stored(ctx, a.Data), kind)
	var n int64
	if err == nil {
		buf := copyBuffers.Get().(*[]byte)
		n, err = io.CopyBuffer(w, io.LimitReader(r, limit+1), *buf)
		copyBuffers.Put(buf)
	}
	switch {
	case ctx.Err() != nil:
		return false, "", ctx.Err()
	case errors.Is(err, model.ErrChanged):
		return false, "", err
	case err != nil:
		return false, err.Error(), nil
	case n > most:
		return false, "", errTooLong
	case n > limit:
		return false, overLimit(limit).Error(), nil
	case sized && uint64(n) != a.Entry.MemorySize:
		return true, fmt.Sprintf("it expands to %d bytes, the index says %d", n, a.Entry.MemorySize), nil
	}
	return true, "", nil
}

// errTooLong is the error of a content that is longer than the caller of check reads.
var errTooLong = errors.New("the content is longer than is read for a check")

// overLimit is the error of content that expands to more bytes than this limit.
type overLimit int64

// Error returns the sentence.
func (e overLimit) Error() string {
	return fmt.Sprintf("it expands to more than the %d bytes that are expected", int64(e))
}

var errLeftOver = errors.New("bytes are left over after the end of the compressed stream")

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

// isShort reports whether a stream that was read to its end had fewer bytes than are recorded; false for none.
func (c *cleanReader) isShort() bool { return c != nil && c.limit != unbounded && c.left > 0 }

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
