package ppac

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"assay/model"
	"assay/model/checksum"
)

// result is the result of a check of an asset.
type result struct {
	verdict  model.Verdict // on the recorded checksum
	coverage coverage      // of a checksum that matches
	content  error         // the problem of the expanded content, or nil
}

// overall returns the verdict on the asset and its expanded content.
func (r result) overall() model.Verdict {
	if r.content != nil {
		return model.Invalid
	}
	return r.verdict
}

// check compares an asset with the checksum and the expanded size in the index. Verify calls it, and so does the
// decoding of a small asset: at most 64 KiB, and in files of more than 4,096 entries at most 256 MiB divided by the
// number of entries. Adler-32 may cover the stored bytes, the whole DATA ENTRY or the expanded content; a vote of up to
// 16 small assets decides for the file. loaded holds the bytes of the asset's
// span, or nil if they are not in memory. The error is errTooLong if the check takes more than limit bytes of content.
func (a *Asset) check(ctx context.Context, loaded []byte, limit int64) (result, error) {
	if a.fit == fitNot {
		return result{verdict: model.Unknown}, nil
	}
	if a.Place.Size <= maxSmall && !a.mayBeCompressed() {
		return a.checkUncached(ctx, loaded, limit) // faster than to look it up
	}
	if r, ok := a.container.results.find(a.claim()); ok {
		return r, nil
	}
	r, err := a.checkUncached(ctx, loaded, limit)
	if err == nil {
		a.container.results.keep(a.claim(), r)
	}
	return r, err
}

// checkUncached is check without cached results.
func (a *Asset) checkUncached(ctx context.Context, loaded []byte, limit int64) (r result, err error) {
	kind, proven := a.provenCodec(ctx)
	if proven {
		return result{verdict: model.Valid, coverage: overContent}, nil
	}
	if kind == notCompressed && loaded != nil {
		return a.checkLoaded(loaded), nil
	}
	r = result{verdict: model.Unrecorded, coverage: overUnknown}
	compared := true
	for i, coverages := range a.passes() {
		s, fault, err := a.sums(ctx, kind, limit, coverages)
		if err != nil {
			return result{verdict: model.Unknown}, err
		}
		if i == 0 {
			r.content = fault
		}
		for _, o := range coverages {
			switch {
			case !s.known[o]:
				compared = false
			case s.byCoverage[o] == a.recordedSum():
				return result{verdict: model.Valid, coverage: o, content: r.content}, nil
			default:
				r.verdict = model.Invalid
			}
		}
	}
	if !compared && (r.content == nil || r.verdict == model.Unrecorded) {
		r.verdict = model.Unknown // it may cover unavailable bytes
	}
	return r, ctx.Err()
}

// checkLoaded is check for uncompressed bytes in memory, as for a million assets.
func (a *Asset) checkLoaded(loaded []byte) result {
	r := result{verdict: model.Unrecorded, coverage: overUnknown}
	for _, coverages := range a.passes() {
		for _, o := range coverages {
			part := loaded
			if o != overEntry {
				part = loaded[a.Data.Offset-a.Place.Offset:][:a.Data.Size]
			}
			if a.isSumOf(part) {
				return result{verdict: model.Valid, coverage: o}
			}
			r.verdict = model.Invalid
		}
	}
	return r
}

// isSumOf reports whether b has the recorded checksum.
func (a *Asset) isSumOf(b []byte) bool {
	if a.container.Layout.Later {
		return sha256.Sum256(b) == a.Entry.SHA256
	}
	return checksum.Adler32(b) == a.Entry.Adler32
}

// sums are checksums over different bytes of an asset, and the end of its content.
type sums struct {
	byCoverage [overUnknown]checksumBytes
	known      [overUnknown]bool
	size       int64 // bytes of the content that were expanded
	cut        bool  // there are more
	err        error // of the stream after these bytes
}

// checksumBytes are the bytes of a SHA-256; an Adler-32 has the first four.
type checksumBytes = [sha256.Size]byte

func (a *Asset) recordedSum() (sum checksumBytes) {
	if a.container.Layout.Later {
		return a.Entry.SHA256
	}
	order.PutUint32(sum[:], a.Entry.Adler32)
	return sum
}

// sums returns the checksums over some bytes of an asset, and the problem of its content if that is compressed. The
// error is errTooLong if the content has more than most bytes.
func (a *Asset) sums(ctx context.Context, kind codec, most int64, coverages []coverage) (s sums, fault, err error) {
	limit, sized := min(most, a.maxContent()), a.container.Layout.hasMemorySize()
	if !sized {
		limit = min(most, model.MaxExpanded(a.Data.Size)) // a stream may go on for long
	}
	s, err = a.sumsUpTo(ctx, kind, limit, most, coverages)
	complete := false
	switch {
	case err != nil:
	case kind == notCompressed:
		complete = true
	case kind == unknownCodec && a.Entry.Compression == Deflate:
		fault = errNoStream
	case kind == unknownCodec:
	case s.size > most:
		err = errTooLong
	case s.size > limit && sized:
		fault = overLimit(limit)
	case s.size > limit:
	case s.err != nil:
		fault = s.err
	default:
		if complete = true; sized && uint64(s.size) != a.Entry.MemorySize {
			fault = fmt.Errorf("it expands to %d bytes, but the index records %d", s.size, a.Entry.MemorySize)
		}
	}
	s.known[overContent] = s.known[overContent] && complete
	return s, fault, err
}

// errNoStream is the problem of stored bytes that the index calls compressed, but that do not begin like a stream.
var errNoStream = errors.New("the stored bytes are not a zlib, gzip or raw deflate stream")

// sumsGrow is the least factor by which a stream is expanded further: entries of one stream, each with a recorded size
// of one byte more than the last, expand it only a few times.
const sumsGrow = 4

// sumsUpTo returns the sums of an asset with its content expanded up to limit bytes or more, but at most most. All
// entries with the same bytes share one pass. An error is from ctx or a read.
func (a *Asset) sumsUpTo(ctx context.Context, kind codec, limit, most int64, coverages []coverage) (sums, error) {
	if !kind.expands() && len(coverages) == 0 {
		return sums{}, ctx.Err()
	}
	key := stream{a.Place, a.Data, kind}
	before, known := a.container.sums.find(key)
	if known && (!before.cut || before.size > limit) &&
		!slices.ContainsFunc(coverages, func(o coverage) bool { return !before.known[o] }) {
		return before, nil
	}
	if before.cut {
		limit = max(limit, min(most, sumsGrow*before.size))
	}
	p, err := a.hashing(ctx, kind, unbounded, coverages)
	s := sums{}
	if err == nil {
		if kind.expands() {
			p.Reader = io.LimitReader(p.Reader, limit+1)
		}
		s.size, err = copyAll(io.Discard, p.Reader)
	}
	s.err, s.cut = err, err == nil && s.size > limit
	if err := p.end(ctx, &s); err != nil {
		return sums{}, err
	}
	for o := range overUnknown {
		if before.known[o] && !s.known[o] && (o != overContent || !before.cut) {
			s.byCoverage[o], s.known[o] = before.byCoverage[o], true
		}
	}
	a.container.sums.keep(key, s)
	return s, nil
}

// hashingReader reads and hashes the bytes of an asset once: its content, and then its remaining bytes.
type hashingReader struct {
	io.Reader // the content
	asset     Asset
	stored    *failing
	clean     *cleanReader           // nil for content that is not expanded
	hashes    [overUnknown]hash.Hash // nil for bytes that are not hashed
}

// hashing begins a pass over an asset whose content has up to limit bytes. The pass can be ended after an error.
func (a *Asset) hashing(ctx context.Context, kind codec, limit int64, coverages []coverage) (p *hashingReader,
	err error) {
	p = &hashingReader{asset: *a, stored: &failing{r: a.StoredReader(ctx)}}
	for _, o := range coverages {
		p.hashes[o] = a.container.Layout.newHash()
	}
	if h := p.hashes[overEntry]; h != nil {
		head := model.Span{Offset: a.Place.Offset, Size: a.Data.Offset - a.Place.Offset}
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
	for _, o := range coverages {
		if h := p.hashes[o]; h != nil {
			r = io.TeeReader(r, h)
		}
	}
	return r
}

// end reads the remaining bytes, and sets the sums. An error is from ctx or a read.
func (p *hashingReader) end(ctx context.Context, s *sums) error {
	if p.hashes[overStored] != nil || p.hashes[overEntry] != nil {
		_, _ = copyAll(io.Discard, p.stored) // which keeps the error
	}
	if h := p.hashes[overEntry]; h != nil && p.stored.err == nil {
		_, p.stored.err = copyAll(h, p.asset.container.Part(ctx, p.asset.Tail()))
	}
	for o, h := range p.hashes {
		if s.known[o] = h != nil; h != nil {
			h.Sum(s.byCoverage[o][:0])
		}
	}
	return cmp.Or(ctx.Err(), p.stored.err)
}

// verdict returns the verdict on an asset whose content was read to its end, and the reason.
func (p *hashingReader) verdict(ctx context.Context, kind codec, coverages []coverage) (model.Verdict, string) {
	a, s := &p.asset, sums{}
	if !p.clean.isShort() && (kind != unknownCodec || a.Entry.Compression != Deflate) && p.end(ctx, &s) == nil {
		matches := func(o coverage) bool {
			return s.byCoverage[o] == a.recordedSum() && (o != overContent || kind != unknownCodec)
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
	return r.overall(), a.sentence(r), nil
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

// passes returns the bytes that the recorded checksum of an asset may cover, in the order of the passes over the asset;
// one pass hashes all coverages of an element.
func (a *Asset) passes() [][]coverage {
	switch {
	case !a.container.Layout.Later:
		return publishedPasses[a.container.adlerCoverage()]
	case a.Entry.SHA256 == [32]byte{}:
		return noSums
	case a.mayBeCompressed():
		return compressedPasses
	}
	return publishedPasses[overStored]
}

var (
	noSums = [][]coverage{nil}
	// While the coverage of a file's checksums is unknown, the stored bytes are hashed first: most writers take those.
	publishedPasses = [...][][]coverage{{{overStored}}, {{overEntry}}, {{overContent}},
		overUnknown: {{overStored}, {overEntry, overContent}}}
	// The library computed a SHA-256 over the content, and rarely, for bytes from another file, over the compressed
	// bytes: these are hashed only if the content does not match.
	compressedPasses = [][]coverage{{overContent}, {overStored}}
)

// SumsAreOfContent reports whether the recorded checksums of a container depend on the contents only, as SHA-256 does,
// and Adler-32 over the stored bytes. Others may change with the widths of numbers, times and metadata.
func (f *File) SumsAreOfContent() bool { return f.Layout.Later || f.adlerCoverage() == overStored }

const (
	maxVoters = 16        // number of assets that decide the coverage of Adler-32
	maxVoter  = 256 << 10 // stored bytes of the largest of them
	maxTried  = 256       // index entries that are tried to find them
)

// voteOnAdler returns the coverage that matches the Adler-32 of most of some small assets, or the first of equal ones.
// It returns overUnknown if there is no match and fewer than two assets can be compared with all coverages.
func (f *File) voteOnAdler() (most coverage) {
	var votes [overUnknown]int
	voters, undecided := 0, 0
	for k := range samples(f.assets.count, maxTried) {
		a, err := f.Asset(f.assets.record(k))
		if err != nil || a.Place.Size > maxVoter || a.fit == fitNot {
			continue
		}
		if voters == maxVoters {
			break
		}
		voters++
		kind, _ := a.provenCodec(context.Background())
		s, _, _ := a.sums(context.Background(), kind, smallExpansion*maxVoter,
			[]coverage{overStored, overEntry, overContent})
		for o := range overUnknown {
			if s.known[o] && s.byCoverage[o] == a.recordedSum() {
				votes[o]++
			}
		}
		if kind == unknownCodec && a.Entry.Compression != Deflate {
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
