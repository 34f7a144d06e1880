package ppac

import (
	"context"
	"crypto/sha256"
	"io"
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

const (
	firstLook = 4 << 10   // expanded bytes that decide the codec of an asset that is only described
	openLook  = 256 << 10 // expanded bytes that decide it for an asset that is opened
	provenMax = 16 << 20  // largest asset that is expanded to prove a compression which the index does not state
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
func (a *asset) mayBeCompressed() bool {
	return a.ent.Compression != Stored ||
		a.f.layout.Later && a.ent.Size != a.ent.MemorySize && a.ent.SHA256 != [32]byte{}
}

// codec returns how the asset is stored, judged by the beginning of its content.
func (a *asset) codec(ctx context.Context) codec {
	if !a.mayBeCompressed() {
		return notCompressed
	}
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	kind, _ := a.findCodec(ctx, (*buf)[:openLook])
	return kind
}

// findCodec returns how the asset is stored and the first bytes of its content, at most as many as first has room for.
// A stream that ends earlier must end without an error; the end of a longer one is checked when it is read.
func (a *asset) findCodec(ctx context.Context, first []byte) (kind codec, head []byte) {
	switch {
	case a.ent.Compression == Deflate:
		return a.findStream(ctx, first)
	case a.isUndeclaredDeflate(ctx, len(first)):
		kind = zlibStream
	case a.ent.Compression == Stored:
		kind = notCompressed
	default:
		kind = unknownCodec
	}
	head, _ = a.beginning(ctx, kind, first)
	return kind, head
}

// beginning returns the first bytes of the asset's content, expanded by kind, and reports whether there was no error.
func (a *asset) beginning(ctx context.Context, kind codec, first []byte) (head []byte, sound bool) {
	r, err := a.stream(ctx, kind)
	if err != nil {
		return nil, false
	}
	n, err := io.ReadFull(r, first)
	return first[:n], err == nil || err == io.EOF ||
		err == io.ErrUnexpectedEOF // the latter unwrapped: the stream ended well
}

// findStream is findCodec for content that is compressed by DEFLATE: the format does not say in which stream.
func (a *asset) findStream(ctx context.Context, first []byte) (kind codec, head []byte) {
	start := make([]byte, min(4, a.Data.Size))
	if _, err := a.f.src.ReadAt(start, a.Data.Offset); err != nil && err != io.EOF {
		return unknownCodec, nil
	}
	damaged := unknownCodec
	for _, k := range []codec{zlibStream, gzipStream, rawStream} {
		if !looksLike(k, start) {
			continue
		}
		if head, ok := a.beginning(ctx, k, first); ok {
			return k, head
		}
		if k != rawStream && damaged == unknownCodec {
			damaged = k
		}
	}
	head, _ = a.beginning(ctx, damaged, first)
	return damaged, head
}

// isUndeclaredDeflate reports whether an asset of the later revision is compressed although its index entry says it is
// stored, as libraries before 12 January 2017 wrote them: a zlib stream without errors whose content has the recorded
// size and SHA-256. A large asset of which only a few bytes are wanted is judged by its beginning.
func (a *asset) isUndeclaredDeflate(ctx context.Context, wanted int) bool {
	if a.ent.Compression != Stored || !a.mayBeCompressed() {
		return false
	}
	start := make([]byte, 2)
	if n, _ := a.f.src.ReadAt(start, a.Data.Offset); n < 2 || a.Data.Size < 2 || !looksLike(zlibStream, start) {
		return false
	}
	if a.ent.MemorySize > provenMax && wanted < openLook {
		r, err := a.stream(ctx, zlibStream)
		if err != nil {
			return false
		}
		_, err = io.CopyN(io.Discard, r, int64(wanted))
		return err == nil
	}
	sum := sha256.New()
	wrong, err := a.expandInto(ctx, sum, zlibStream, unbounded)
	return err == nil && wrong == "" && string(sum.Sum(nil)) == string(a.ent.SHA256[:])
}
