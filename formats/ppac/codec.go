package ppac

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"

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

// String returns the codec's name, or "" for uncompressed content.
func (c codec) String() string {
	return [...]string{"", "zlib", "gzip", "raw-deflate", "unknown"}[c]
}

// extension returns the extension for a file of the stored bytes.
func (c codec) extension() string {
	return [...]string{"", ".zz", ".gz", ".deflate", ".stored"}[c]
}

// expands reports whether the stored bytes are a stream that can be expanded.
func (c codec) expands() bool { return c != notCompressed && c != unknownCodec }

const (
	headSize   = 4 << 10   // bytes of the content that show its media type
	provenSize = 256 << 10 // bytes of the content without an error that prove a stream which the index states
	maxProven  = 16 << 20  // bytes of the longest content that is expanded to describe it
	maxDeflate = 1032      // the most bytes that one byte of a deflate stream expands to
	unbounded  = math.MaxInt64 - 1
)

// looksLike reports whether stored bytes that begin with b may be a stream of that kind.
func looksLike(kind codec, b []byte) bool {
	switch kind {
	case zlibStream:
		return len(b) >= 2 && b[0]&15 == 8 && b[0]>>4 <= 7 && (uint(b[0])<<8|uint(b[1]))%31 == 0 && b[1]&0x20 == 0
	case gzipStream:
		return len(b) >= 3 && b[0] == 0x1f && b[1] == 0x8b && b[2] == 8
	}
	return true
}

// mayBeCompressed reports whether an asset may be compressed: the index marks it as compressed, or is ambiguous.
func (a *Asset) mayBeCompressed() bool {
	return a.Entry.Compression != Stored ||
		a.container.Layout.Later && a.Entry.Size != a.Entry.MemorySize && a.Entry.SHA256 != [32]byte{}
}

// proof is the number of bytes that a stream must expand to without an error.
type proof struct {
	marked   int64 // with the header of a zlib or a gzip stream
	raw      int64 // without such a header
	asStored int64 // for content that the index marks as stored: all of it up to this size, else headSize
}

var (
	listProof  = proof{raw: headSize, asStored: maxProven}
	headProof  = proof{marked: headSize, raw: headSize, asStored: maxProven}
	checkProof = proof{marked: provenSize, raw: provenSize, asStored: unbounded}
)

// detectCodec returns the codec of content whose stored bytes begin with storedStart. The format does not specify the
// stream around DEFLATE: it returns the first possible one with enough proof, or a damaged one. Libraries before 12
// January 2017 marked compressed assets as stored.
func (a *Asset) detectCodec(ctx context.Context, storedStart []byte, required proof) codec {
	switch a.Entry.Compression {
	case Stored:
		if a.mayBeCompressed() && looksLike(zlibStream, storedStart) && a.isDeflated(ctx, required.asStored) {
			return zlibStream
		}
		return notCompressed
	case Deflate:
		damaged := unknownCodec
		for _, kind := range []codec{zlibStream, gzipStream} {
			if looksLike(kind, storedStart) {
				if a.expandsTo(ctx, kind, required.marked) {
					return kind
				}
				damaged = kind
			}
		}
		if a.expandsTo(ctx, rawStream, required.raw) {
			return rawStream
		}
		return damaged
	}
	return unknownCodec
}

// codecAndStart returns the codec of content with stored bytes that begin with storedStart, and the first bytes of the
// content: storedStart, or up to len(buf) expanded bytes.
func (a *Asset) codecAndStart(ctx context.Context, storedStart, buf []byte) (codec, []byte) {
	kind := a.detectCodec(ctx, storedStart, listProof)
	if !kind.expands() {
		return kind, storedStart
	}
	decoded, isSound := a.contentStart(ctx, kind, buf)
	if !isSound {
		kind = a.detectCodec(ctx, storedStart, headProof)
		decoded, _ = a.contentStart(ctx, kind, buf)
	}
	return kind, decoded
}

// provenCodec returns how the content is stored, for an asset that is opened or checked. A compression that the index
// does not state is proven by all of the content, which then has its checksum.
func (a *Asset) provenCodec(ctx context.Context) (kind codec, proven bool) {
	kind = a.detectCodec(ctx, a.storedMark(), checkProof)
	return kind, kind.expands() && a.Entry.Compression == Stored
}

// isDeflated reports whether an asset of the later revision is a zlib stream although its index entry marks it as
// stored: its content has the size and the SHA-256 of the index. For content of more than limit bytes only the first
// bytes are checked.
func (a *Asset) isDeflated(ctx context.Context, limit int64) bool {
	if a.Entry.MemorySize > uint64(limit) {
		return a.expandsTo(ctx, zlibStream, headSize)
	}
	s, fault, err := a.computeSums(ctx, zlibStream, unbounded, compressedPasses[0])
	return s.known[overContent] && s.byCoverage[overContent] == a.recordedSum() && fault == nil && err == nil
}

// contentStart returns the first bytes of an expanded stream, up to len(buf), and reports whether they have no error.
func (a *Asset) contentStart(ctx context.Context, kind codec, buf []byte) (_ []byte, isSound bool) {
	r, err := a.expand(a.StoredReader(ctx), kind, a.maxContent())
	if err != nil {
		return nil, false
	}
	n, err := io.ReadFull(r, buf)
	return buf[:n], err == nil || endsWell(err)
}

// expandsTo reports whether the stored bytes are a stream that expands to n bytes without an error.
func (a *Asset) expandsTo(ctx context.Context, kind codec, n int64) bool {
	if n == 0 {
		return true
	}
	r, err := a.expand(a.StoredReader(ctx), kind, a.maxContent())
	if err != nil {
		return false
	}
	_, err = io.CopyN(io.Discard, r, n)
	return err == nil || endsWell(err)
}

// endsWell reports whether a read of a stream ended at its end: errors in the stream are wrapped.
func endsWell(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// storedStart returns the first n stored bytes, or all if there are fewer. They are valid until the cursor moves.
func (a *Asset) storedStart(quiet *decode.Cursor, n int64) []byte {
	n = min(n, a.Data.Size)
	quiet.Reset(model.Span{Offset: a.Data.Offset, Size: n})
	return quiet.Peek(n)
}

// markSize is the number of bytes that identify a zlib or a gzip stream.
const markSize = 3

// storedMark returns the first stored bytes of an asset that may be compressed, or nil.
func (a *Asset) storedMark() (mark []byte) {
	if a.mayBeCompressed() {
		a.container.quiet.borrow(func(quiet *decode.Cursor) { mark = bytes.Clone(a.storedStart(quiet, markSize)) })
	}
	return mark
}

// maxContent returns the maximum size of the content by the index.
func (a *Asset) maxContent() int64 {
	if a.container.Layout.hasMemorySize() {
		return int64(min(a.Entry.MemorySize, unbounded))
	}
	return unbounded
}

// expand expands the asset's stored bytes, which may have passed through something else, to at most limit bytes. Its
// end is an error if bytes are left over.
func (a *Asset) expand(stored io.Reader, kind codec, limit int64) (io.Reader, error) {
	if !kind.expands() {
		return stored, nil
	}
	compressed := bufio.NewReaderSize(stored, int(min(max(a.Data.Size, 16), 256<<10)))
	var r io.Reader
	var err error
	switch kind {
	case zlibStream:
		r, err = zlib.NewReader(compressed)
	case gzipStream:
		r, err = gzip.NewReader(compressed)
	default:
		r = flate.NewReader(compressed)
	}
	if err != nil {
		return nil, streamError(kind, a.Data.Offset, err)
	}
	return &cleanReader{r: r, compressed: compressed, kind: kind, offset: a.Data.Offset, limit: limit,
		remaining: limit}, nil
}

// open implements Payload.Open: it streams the expanded content, or the stored bytes if they cannot be expanded. At the
// end it checks the content as Verify does, without reading it again if all of it was read. The caller bounds content
// of unknown size: a user may want more of it than a check expands.
func (a *Asset) open(ctx context.Context) (io.ReadCloser, error) {
	kind, _ := a.provenCodec(ctx)
	coverages := a.passes()[0]
	p, err := a.newHashingReader(ctx, kind, a.maxContent(), coverages)
	switch {
	case err != nil:
		return nil, err
	case len(coverages) == 0 && kind == notCompressed:
		return io.NopCloser(p), nil
	}
	return &model.CheckedStream{ReadCloser: io.NopCloser(p),
		AtEnd: func() (model.Verdict, string) { return p.verdict(ctx, kind, coverages) }}, nil
}

// hashingReader reads and hashes the bytes of an asset once: its content, and then its remaining bytes.
type hashingReader struct {
	io.Reader // the content
	asset     Asset
	stored    *errorKeeper
	clean     *cleanReader             // nil for content that is not expanded
	hashes    [coverageCount]hash.Hash // nil for bytes that are not hashed
}

// newHashingReader begins a pass over an asset whose content has up to limit bytes. It can be ended after an error.
func (a *Asset) newHashingReader(ctx context.Context, kind codec, limit int64, coverages []coverage) (p *hashingReader,
	err error) {
	p = &hashingReader{asset: *a, stored: &errorKeeper{r: a.StoredReader(ctx)}}
	for _, over := range coverages {
		p.hashes[over] = a.container.Layout.newHash()
	}
	if h := p.hashes[overEntry]; h != nil {
		head := model.Span{Offset: a.Span.Offset, Size: a.Data.Offset - a.Span.Offset}
		_, p.stored.err = copyAll(h, a.container.Part(ctx, head))
	}
	p.stored.r = p.tee(p.stored.r, overStored, overEntry)
	if p.Reader, err = a.expand(p.stored, kind, limit); err == nil {
		p.clean, _ = p.Reader.(*cleanReader)
		p.Reader = p.tee(p.Reader, overContent)
	}
	return p, err
}

func (p *hashingReader) tee(r io.Reader, coverages ...coverage) io.Reader {
	for _, over := range coverages {
		if h := p.hashes[over]; h != nil {
			r = io.TeeReader(r, h)
		}
	}
	return r
}

// end reads the remaining bytes, and sets the sums. An error is from ctx or a read.
func (p *hashingReader) end(ctx context.Context, s *checksums) error {
	if p.hashes[overStored] != nil || p.hashes[overEntry] != nil {
		_, _ = copyAll(io.Discard, p.stored) // which keeps the error
	}
	if h := p.hashes[overEntry]; h != nil && p.stored.err == nil {
		_, p.stored.err = copyAll(h, p.asset.container.Part(ctx, p.asset.Tail()))
	}
	for over, h := range p.hashes {
		if s.known[over] = h != nil; h != nil {
			h.Sum(s.byCoverage[over][:0])
		}
	}
	return cmp.Or(ctx.Err(), p.stored.err)
}

// verdict returns the verdict on an asset whose content was read to its end, and the reason.
func (p *hashingReader) verdict(ctx context.Context, kind codec, coverages []coverage) (model.Verdict, string) {
	a, s := &p.asset, checksums{}
	if !p.clean.isShort() && (kind != unknownCodec || a.Entry.Compression != Deflate) && p.end(ctx, &s) == nil {
		matches := func(over coverage) bool {
			return s.byCoverage[over] == a.recordedSum() && (over != overContent || kind != unknownCodec)
		}
		switch {
		case len(coverages) == 0:
			return model.Unrecorded, ""
		case slices.ContainsFunc(coverages, matches):
			return model.Valid, a.container.Layout.sumName() + " matches"
		}
	}
	v, why, _ := a.Verify(ctx)
	return v, why
}

// errorKeeper keeps the error of a reader, which a decoder that reads from it may drop.
type errorKeeper struct {
	r   io.Reader
	err error
}

func (k *errorKeeper) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	if err != nil && err != io.EOF {
		k.err = err
	}
	return n, err
}

// errTooLong is the error of a content that is longer than the caller of check reads.
var errTooLong = errors.New("the content is too long to be checked")

// overLimit is the error of content that expands to more bytes than this limit.
type overLimit int64

func (e overLimit) Error() string {
	return fmt.Sprintf("it expands to more than the expected %d bytes", int64(e))
}

var errLeftOver = errors.New("extra bytes after the end of the compressed stream")

// cleanReader reads an expanded stream, which must end where its stored bytes end and must not have more bytes than are
// recorded.
type cleanReader struct {
	r          io.Reader
	compressed *bufio.Reader
	kind       codec
	offset     int64

	limit, remaining int64 // the recorded number of bytes, and the number of unread ones
}

func (c *cleanReader) Read(p []byte) (int, error) {
	if c.remaining < int64(len(p)) {
		p = p[:c.remaining+1] // one more byte shows whether the stream continues
	}
	n, err := c.r.Read(p)
	if int64(n) > c.remaining {
		n, c.remaining = int(c.remaining), 0
		return n, overLimit(c.limit)
	}
	c.remaining -= int64(n)
	if err == io.EOF {
		if _, next := c.compressed.ReadByte(); next == nil {
			err = errLeftOver
		} else if next != io.EOF {
			err = next
		}
	}
	if err != nil && err != io.EOF {
		err = streamError(c.kind, c.offset, err)
	}
	return n, err
}

// isShort reports whether a stream ended before the recorded size. It is false for a nil reader.
func (c *cleanReader) isShort() bool { return c != nil && c.limit != unbounded && c.remaining > 0 }

// streamError returns the error of a stream at an offset, in words where that is the end of it.
func streamError(kind codec, offset int64, err error) error {
	if endsWell(err) {
		return fmt.Errorf("the %s stream at %#x ends before the end of its content", kind, offset)
	}
	return fmt.Errorf("the %s stream at %#x: %w", kind, offset, err)
}
