package ppac

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"assay/model"
	"assay/model/checksum"
)

// result is the result of a check of an asset.
type result struct {
	verdict  model.Verdict // on the recorded checksum
	coverage coverage      // of a checksum that matches
	content  error         // the problem of the expanded content, or nil
}

// combined returns the verdict on the asset and its expanded content.
func (r result) combined() model.Verdict {
	if r.content != nil {
		return model.Invalid
	}
	return r.verdict
}

// check compares an asset with the checksum and the expanded size in the index. loaded holds the bytes of the asset's
// span, or nil if they are not in memory. The error is errTooLong if the check takes more than most bytes of content.
func (a *Asset) check(ctx context.Context, loaded []byte, most int64) (result, error) {
	if a.fit == fitNot {
		return result{verdict: model.Unknown}, nil
	}
	if a.Place.Size <= smallMax && !a.mayBeCompressed() {
		return a.checkAnew(ctx, loaded, most) // faster than to look it up
	}
	if r, ok := a.container.results.find(a.Entry); ok {
		return r, nil
	}
	r, err := a.checkAnew(ctx, loaded, most)
	if err == nil {
		a.container.results.keep(a.Entry, r)
	}
	return r, err
}

// checkAnew is check without the results of earlier ones. It reads the content first.
func (a *Asset) checkAnew(ctx context.Context, loaded []byte, most int64) (r result, err error) {
	s := sums{loaded: loaded, most: most}
	s.kind, s.known[overContent] = a.provenCodec(ctx)
	if s.kind != notCompressed {
		if _, err := a.sumOver(ctx, overContent, &s); err != nil {
			return result{verdict: model.Unknown}, err
		}
	}
	r = result{verdict: model.Unrecorded, coverage: overUnknown, content: s.fault}
	compared := true
	for _, o := range a.coverages() {
		sum, err := a.sumOver(ctx, o, &s)
		switch {
		case err != nil:
			return result{verdict: model.Unknown}, err
		case sum == equal:
			return result{verdict: model.Valid, coverage: o, content: s.fault}, nil
		case sum == different:
			r.verdict = model.Invalid
		default:
			compared = false
		}
	}
	if !compared && (s.fault == nil || r.verdict == model.Unrecorded) {
		r.verdict = model.Unknown // it may be over bytes that cannot be had
	}
	return r, ctx.Err()
}

// sums are the checksums over different bytes of an asset, compared with the recorded one. Each is computed once, on
// demand.
type sums struct {
	loaded []byte // the bytes of the asset's span, or nil if they are not in memory
	kind   codec  // how it is stored
	most   int64  // how many bytes of the content are read
	fault  error  // the problem of the expanded content, if that was read
	known  [overUnknown]agreement
}

// sumOver compares the checksum over some bytes of the asset. The error is errTooLong if the content has more than most
// bytes.
func (a *Asset) sumOver(ctx context.Context, o coverage, s *sums) (_ agreement, err error) {
	if o == overContent && s.kind == notCompressed {
		o = overStored
	}
	if s.known[o] != notCompared {
		return s.known[o], nil
	}
	switch o {
	case overStored:
		s.known[o], err = a.sumOverPart(ctx, a.Data, s.loaded)
	case overEntry:
		s.known[o], err = a.sumOverPart(ctx, a.Place, s.loaded)
	default:
		s.known[o], err = a.sumOverContent(ctx, s)
	}
	return s.known[o], err
}

// sumOverPart is sumOver for a part of the asset's bytes.
func (a *Asset) sumOverPart(ctx context.Context, part model.Span, loaded []byte) (agreement, error) {
	if loaded != nil {
		from := part.Offset - a.Place.Offset
		return a.agreement(loaded[from : from+part.Size]), nil
	}
	h := a.container.Layout.newHash()
	n, err := io.Copy(h, a.container.Part(ctx, part))
	switch {
	case err != nil:
		return notCompared, err
	case n < part.Size:
		return impossible, nil
	}
	return a.agreementOf(h.Sum(nil)), nil
}

// sumOverContent is sumOver for expanded content. It also sets the fault of the content.
func (a *Asset) sumOverContent(ctx context.Context, s *sums) (_ agreement, err error) {
	if s.kind == unknownCodec {
		if a.Entry.Compression == Deflate {
			s.fault = errNoStream
		}
		return impossible, nil
	}
	sized := a.container.Layout.hasMemorySize()
	limit := s.most // without a recorded size a stream may go on for long
	if !sized {
		limit = min(limit, model.MostExpanded(a.Data.Size))
	} else if a.Entry.MemorySize < uint64(limit) {
		limit = int64(a.Entry.MemorySize)
	}
	c, err := a.contentSum(ctx, s.kind, limit, s.most)
	switch {
	case err != nil:
		return notCompared, err
	case c.size > s.most:
		return notCompared, errTooLong
	case c.size > limit && sized:
		s.fault = overLimit(limit)
		return impossible, nil
	case c.size > limit:
		return impossible, nil
	case c.err != nil:
		s.fault = c.err
		return impossible, nil // the content could not be expanded completely
	case sized && uint64(c.size) != a.Entry.MemorySize:
		s.fault = fmt.Errorf("it expands to %d bytes, but the index records %d", c.size, a.Entry.MemorySize)
	}
	return a.agreementOf(c.sum[:]), nil
}

// errNoStream is the problem of stored bytes that the index calls compressed, but that do not begin like a stream.
var errNoStream = errors.New("the stored bytes are not a zlib, gzip or raw deflate stream")

// sumsGrow is the factor by which a stream is expanded further if that was not enough: entries of one stream, each with
// a recorded size of one byte more than the last, expand it only a few times.
const sumsGrow = 4

// contentSum returns the size and the checksum of the expanded stored bytes, up to limit bytes or more, but at most
// most. All entries with the same bytes share one expansion. The error is that of the context or of a read.
func (a *Asset) contentSum(ctx context.Context, kind codec, limit, most int64) (contentSum, error) {
	key := stream{a.Data, kind}
	c, known := a.container.results.sumOf(key)
	if known && (!c.cut || c.size > limit) {
		return c, nil
	}
	if known {
		limit = max(limit, min(most, sumsGrow*c.size))
	}
	h := a.container.Layout.newHash()
	c, err := a.expandInto(ctx, h, kind, limit)
	if err != nil {
		return c, err
	}
	copy(c.sum[:], h.Sum(nil))
	a.container.results.keepSum(key, c)
	return c, nil
}

// agreement is how a checksum over some bytes of an asset compares with the recorded one.
type agreement uint8

const (
	notCompared agreement = iota
	impossible            // the bytes cannot be had: unsound content, an unknown compression, or the file was cut
	different
	equal
)

// agrees returns equal or different.
func agrees(same bool) agreement {
	if same {
		return equal
	}
	return different
}

// agreement compares the checksum over bytes with the recorded one.
func (a *Asset) agreement(b []byte) agreement {
	if a.container.Layout.Later {
		return agrees(sha256.Sum256(b) == a.Entry.SHA256)
	}
	return agrees(checksum.Adler32(b) == a.Entry.Adler32)
}

// agreementOf compares a checksum with the recorded one.
func (a *Asset) agreementOf(sum []byte) agreement {
	if a.container.Layout.Later {
		return agrees([sha256.Size]byte(sum) == a.Entry.SHA256)
	}
	return agrees(order.Uint32(sum) == a.Entry.Adler32)
}

// newHash returns the hash that index entries have of their assets.
func (l Layout) newHash() hash.Hash {
	if l.Later {
		return sha256.New()
	}
	return checksum.NewAdler32()
}

// sumName returns the name of the checksum algorithm.
func (l Layout) sumName() string {
	if l.Later {
		return "SHA-256"
	}
	return "Adler-32"
}

// Verify is Payload.Verify.
func (a *Asset) Verify(ctx context.Context) (model.Verdict, string, error) {
	r, err := a.check(ctx, nil, unbounded)
	if err != nil {
		return model.Unknown, err.Error(), err
	}
	return r.combined(), a.sentence(r), nil
}

// open implements Payload.Open: it streams the expanded content, or the stored bytes if they cannot be expanded. At the
// end it checks the content as Verify does, without reading it again if all of it was read. The caller bounds content
// of unknown size: a user may want more of it than a check expands.
func (a *Asset) open(ctx context.Context) (io.ReadCloser, error) {
	s := checksumReader{asset: a, coverages: a.coverages()}
	s.kind, _ = a.provenCodec(ctx)
	content, err := s.content(ctx)
	if err != nil {
		return nil, err
	}
	if len(s.coverages) == 0 && s.kind == notCompressed {
		return io.NopCloser(content), nil
	}
	return &model.CheckedStream{ReadCloser: io.NopCloser(content),
		AtEnd: func() (model.Verdict, string) { return s.verdict(ctx) }}, nil
}

// checksumReader computes the checksum of an asset while the caller reads its content.
type checksumReader struct {
	asset     *Asset
	kind      codec
	coverages []coverage   // for the recorded checksum; empty if there is none
	sum       hash.Hash    // over the first coverage, of the bytes read so far; nil if those bytes are not read
	expanded  *cleanReader // nil for uncompressed content
}

// content returns the stream.
func (s *checksumReader) content(ctx context.Context) (io.Reader, error) {
	over := overUnknown
	if len(s.coverages) > 0 {
		over = s.coverages[0]
	}
	stored := s.asset.Stored(ctx)
	if over == overStored || over == overContent && s.kind == notCompressed {
		stored = s.tee(stored)
	}
	content, err := s.asset.expanded(stored, s.kind)
	if s.expanded, _ = content.(*cleanReader); s.expanded != nil && over == overContent {
		content = s.tee(content)
	}
	return content, err
}

// tee returns a reader that hashes the bytes it reads.
func (s *checksumReader) tee(r io.Reader) io.Reader {
	s.sum = s.asset.container.Layout.newHash()
	return io.TeeReader(r, s.sum)
}

// verdict returns the verdict on a completely read asset, and the reason.
func (s *checksumReader) verdict(ctx context.Context) (model.Verdict, string) {
	sound := !s.expanded.isShort() && (s.kind != unknownCodec || s.asset.Entry.Compression != Deflate)
	switch {
	case sound && len(s.coverages) == 0:
		return model.Unrecorded, ""
	case sound && s.sum != nil && s.asset.agreementOf(s.sum.Sum(nil)) == equal:
		return model.Valid, s.asset.container.Layout.sumName() + " matches"
	}
	v, why, _ := s.asset.Verify(ctx)
	return v, why
}

// sentence returns the result of a check in words.
func (a *Asset) sentence(r result) string {
	text := ""
	switch {
	case a.fit == fitNot:
		return "the data do not fit in their entry"
	case r.verdict == model.Valid && a.container.Layout.Later:
		text = "SHA-256 matches"
	case r.verdict == model.Valid:
		text = fmt.Sprintf("Adler-32 %08x over the %s", a.Entry.Adler32, r.coverage)
	case r.verdict == model.Invalid && a.container.Layout.Later:
		text = "the SHA-256 does not match the index"
	case r.verdict == model.Invalid:
		text = fmt.Sprintf("the Adler-32 of the %s does not match the recorded %08x", a.container.adlerCoverage(), a.Entry.Adler32)
	case r.verdict == model.Unknown && a.container.Layout.Later:
		text = "the compression is unknown and the stored bytes do not match"
	case r.verdict == model.Unknown:
		text = "the content cannot be expanded"
	}
	switch {
	case r.content == nil:
		return text
	case r.verdict == model.Invalid:
		return text + "; " + r.content.Error()
	}
	return r.content.Error()
}

// coverage is which bytes of an asset a checksum is computed over.
type coverage int

const (
	overStored coverage = iota
	overEntry
	overContent
	overUnknown // no asset decides it
)

// String returns the name of the bytes in a sentence: "stored bytes".
func (o coverage) String() string {
	return [...]string{"stored bytes", "whole data entry", "expanded content", "stored bytes, data entry or content"}[o]
}

// coverages returns the bytes that the recorded checksum of an asset may cover, or nil if there is no checksum.
func (a *Asset) coverages() []coverage {
	switch {
	case a.container.Layout.Later && a.Entry.SHA256 == [32]byte{}:
		return nil
	case a.container.Layout.Later && a.mayBeCompressed():
		// The library computed it over the content, and over the compressed bytes where it took those from another
		// file.
		return []coverage{overContent, overStored}
	case a.container.Layout.Later:
		return storedOnly
	}
	switch o := a.container.adlerCoverage(); o {
	case overStored:
		return storedOnly
	case overUnknown:
		return []coverage{overStored, overEntry, overContent}
	default:
		return []coverage{o}
	}
}

var storedOnly = []coverage{overStored}

// SumsAreOfContent reports whether the recorded checksums of a container depend on the contents only, as SHA-256 does,
// and Adler-32 over the stored bytes. Others may change with the widths of numbers, times and metadata.
func (f *File) SumsAreOfContent() bool { return f.Layout.Later || f.adlerCoverage() == overStored }

const (
	votersMax = 16        // number of assets that decide the coverage of Adler-32
	voterMax  = 256 << 10 // stored bytes of the largest of them
	triedMax  = 256       // index entries that are tried to find them
)

// voteOnAdler returns the coverage that matches the Adler-32 of most of some small assets, or the first of equal ones.
// It returns overUnknown if there is no match and fewer than two assets can be compared with all coverages.
func (f *File) voteOnAdler() (most coverage) {
	var votes [overUnknown]int
	voters, undecided := 0, 0
	for k := range samples(f.assets.count, triedMax) {
		a, err := f.Asset(f.assets.record(k))
		if err != nil || a.Place.Size > voterMax || a.fit == fitNot {
			continue
		}
		if voters == votersMax {
			break
		}
		voters++
		s := sums{most: smallExpansion * voterMax}
		s.kind, _ = a.provenCodec(context.Background())
		for o := range overUnknown {
			if sum, _ := a.sumOver(context.Background(), o, &s); sum == equal {
				votes[o]++
			}
		}
		if s.kind == unknownCodec && s.fault == nil {
			undecided++ // its sum may be over the content that cannot be expanded
		}
	}
	for o, n := range votes {
		if n > votes[most] {
			most = coverage(o)
		}
	}
	if votes[most] == 0 && voters-undecided < 2 {
		return overUnknown
	}
	return most
}
