package ppac

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/checksum"
)

// result is the result of a check of an asset.
type result struct {
	verdict      model.Verdict // on the recorded checksum
	coverage     coverage      // of a checksum that matches
	contentFault error         // what is wrong with the expanded content, or nil
}

// overall returns the verdict on the asset and its expanded content.
func (r result) overall() model.Verdict {
	if r.contentFault != nil {
		return model.Invalid
	}
	return r.verdict
}

// check compares an asset with the checksum and the expanded size in the index. Verify calls it, and so does the
// decoding of a small asset: at most 64 KiB, and in files of more than 4,096 entries at most 256 MiB divided by the
// number of entries. Adler-32 may cover the stored bytes, the whole DATA ENTRY or the expanded content; a vote of up to
// 16 small assets decides for the file. loaded holds the bytes of the asset's span, or nil if they are not in memory.
// The error is errTooLong if the check takes more than limit bytes of content.
func (a *Asset) check(ctx context.Context, loaded []byte, limit int64) (result, error) {
	if a.fit == fitNot {
		return result{verdict: model.Unknown}, nil
	}
	if a.Span.Size <= maxSmall && !a.mayBeCompressed() {
		return a.checkUncached(ctx, loaded, limit) // faster than to look it up
	}
	if r, ok := a.container.results.find(a.claim()); ok {
		return r, nil
	}
	r, err := a.checkUncached(ctx, loaded, limit)
	if err == nil {
		a.container.results.put(a.claim(), r)
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
		s, fault, err := a.computeSums(ctx, kind, limit, coverages)
		if err != nil {
			return result{verdict: model.Unknown}, err
		}
		if i == 0 {
			r.contentFault = fault
		}
		for _, over := range coverages {
			switch {
			case !s.known[over]:
				compared = false
			case s.byCoverage[over] == a.recordedSum():
				return result{verdict: model.Valid, coverage: over, contentFault: r.contentFault}, nil
			default:
				r.verdict = model.Invalid
			}
		}
	}
	if !compared && (r.contentFault == nil || r.verdict == model.Unrecorded) {
		r.verdict = model.Unknown // it may cover unavailable bytes
	}
	return r, ctx.Err()
}

// checkLoaded is checkUncached for uncompressed bytes in memory.
func (a *Asset) checkLoaded(loaded []byte) result {
	r := result{verdict: model.Unrecorded, coverage: overUnknown}
	for _, coverages := range a.passes() {
		for _, over := range coverages {
			part := loaded
			if over != overEntry {
				part = loaded[a.Data.Offset-a.Span.Offset:][:a.Data.Size]
			}
			if a.isSumOf(part) {
				return result{verdict: model.Valid, coverage: over}
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

// checksums are checksums over different bytes of an asset, and the end of its content.
type checksums struct {
	byCoverage [coverageCount]checksumBytes
	known      [coverageCount]bool
	size       int64 // bytes of the content that were expanded
	truncated  bool  // there are more
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

// computeSums returns the checksums over some bytes of an asset, and the problem of its content if that is compressed.
// The error is errTooLong if the content has more than maxSize bytes.
func (a *Asset) computeSums(ctx context.Context, kind codec, maxSize int64, coverages []coverage) (s checksums,
	fault, err error) {
	limit, hasSize := min(maxSize, a.maxContent()), a.container.Layout.hasMemorySize()
	if !hasSize {
		limit = min(maxSize, model.MaxExpanded(a.Data.Size)) // a stream may go on for long
	}
	s, err = a.computeSumsUpTo(ctx, kind, limit, maxSize, coverages)
	complete := false
	switch {
	case err != nil:
	case kind == notCompressed:
		complete = true
	case kind == unknownCodec && a.Entry.Compression == Deflate:
		fault = errNoStream
	case kind == unknownCodec:
	case s.size > maxSize:
		err = errTooLong
	case s.size > limit && hasSize:
		fault = overLimit(limit)
	case s.size > limit:
	case s.err != nil:
		fault = s.err
	default:
		if complete = true; hasSize && uint64(s.size) != a.Entry.MemorySize {
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

// computeSumsUpTo returns the sums of an asset with its content expanded up to limit bytes or more, but never more than
// maxSize. All entries with the same bytes share one pass. An error is from ctx or a read.
func (a *Asset) computeSumsUpTo(ctx context.Context, kind codec, limit, maxSize int64,
	coverages []coverage) (checksums, error) {
	if !kind.expands() && len(coverages) == 0 {
		return checksums{}, ctx.Err()
	}
	key := stream{a.Span, a.Data, kind}
	before, known := a.container.sums.find(key)
	if known && (!before.truncated || before.size > limit) &&
		!slices.ContainsFunc(coverages, func(over coverage) bool { return !before.known[over] }) {
		return before, nil
	}
	if before.truncated {
		limit = max(limit, min(maxSize, sumsGrow*before.size))
	}
	p, err := a.newHashingReader(ctx, kind, unbounded, coverages)
	s := checksums{}
	if err == nil {
		if kind.expands() {
			p.Reader = io.LimitReader(p.Reader, limit+1)
		}
		s.size, err = copyAll(io.Discard, p.Reader)
	}
	s.err, s.truncated = err, err == nil && s.size > limit
	if err := p.end(ctx, &s); err != nil {
		return checksums{}, err
	}
	for over := range coverageCount {
		if before.known[over] && !s.known[over] && (over != overContent || !before.truncated) {
			s.byCoverage[over], s.known[over] = before.byCoverage[over], true
		}
	}
	a.container.sums.put(key, s)
	return s, nil
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
	case r.contentFault == nil:
		return text
	case r.verdict == model.Invalid:
		return text + "; " + r.contentFault.Error()
	}
	return r.contentFault.Error()
}

// coverage is which bytes of an asset a checksum is computed over.
type coverage int

const (
	overStored coverage = iota
	overEntry
	overContent
	overUnknown // no asset decides it

	coverageCount = overUnknown // the number of known ones
)

// String returns the name of the bytes in a sentence: "stored bytes".
func (over coverage) String() string {
	return [...]string{"stored bytes", "whole data entry", "expanded content",
		"stored bytes, data entry or content"}[over]
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

// chooseAdlerCoverage returns the coverage that matches the Adler-32 of most of some small assets, or the first of
// equal ones. It returns overUnknown if there is no match and fewer than two assets can be compared with all coverages.
func (f *File) chooseAdlerCoverage() (winner coverage) {
	var votes [coverageCount]int
	voters, undecided := 0, 0
	for k := range samples(f.assets.count, maxTried) {
		a, err := f.Asset(f.assets.recordOf(k))
		if err != nil || a.Span.Size > maxVoter || a.fit == fitNot {
			continue
		}
		if voters == maxVoters {
			break
		}
		voters++
		kind, _ := a.provenCodec(context.Background())
		s, _, _ := a.computeSums(context.Background(), kind, smallExpansion*maxVoter,
			[]coverage{overStored, overEntry, overContent})
		for over := range coverageCount {
			if s.known[over] && s.byCoverage[over] == a.recordedSum() {
				votes[over]++
			}
		}
		if kind == unknownCodec && a.Entry.Compression != Deflate {
			undecided++ // its sum may be over the content that cannot be expanded
		}
	}
	for over, n := range votes {
		if n > votes[winner] {
			winner = coverage(over)
		}
	}
	if votes[winner] == 0 && voters-undecided < 2 {
		return overUnknown
	}
	return winner
}

// Limits for assets that are checked when they are displayed.
const (
	maxSmall       = 64 << 10  // stored bytes of an asset
	smallTotal     = 256 << 20 // stored bytes of all such assets of a file
	smallExpansion = 16        // maximum ratio of content to stored bytes
	smallMetadata  = 16 << 10  // bytes of the rest of its DATA ENTRY
)

// smallSize returns the maximum number of stored bytes of a small asset of the file. It returns 0 if the writer of
// the file has just computed the checksums.
func (f *File) smallSize() int64 {
	if f.Source.IsSummed() {
		return 0
	}
	return int64(min(maxSmall, smallTotal/max(f.entries.n, 1)))
}

// loadSmall returns the bytes of a small asset, with a cursor at their beginning, or nil if it is not small.
func (f *File) loadSmall(e *decode.Cursor, span model.Span) []byte {
	return load(e, span, f.smallSize()+smallMetadata)
}

// load returns the bytes of an asset, with a cursor at their beginning, or nil if there are more than limit. They are
// valid until the cursor moves to another asset.
func load(e *decode.Cursor, span model.Span, limit int64) []byte {
	if span.Size > limit {
		return nil
	}
	return e.Peek(span.Size)
}

// checkIfSmall checks an asset if it is small. For a larger one it returns the result of an earlier check; known is
// false if there is none.
func (f *File) checkIfSmall(a *Asset, loaded []byte) (r result, known bool) {
	if f.Layout.Later && a.Entry.SHA256 == [32]byte{} && !a.mayBeCompressed() {
		return result{verdict: model.Unrecorded}, true
	}
	limit := f.smallSize()
	if a.Span.Size > limit+smallMetadata || a.fit == fitNot || a.Data.Size > limit {
		return f.results.find(a.claim())
	}
	r, err := a.check(context.Background(), loaded, smallExpansion*limit)
	return r, err == nil
}

// maxCached is the maximum number of cached results, and of cached sums, each of 100 to 200 bytes.
const maxCached = 1 << 16

// cache keeps values for later checks. It is safe for concurrent use.
//
// The result of a check is cached by its claim, the index entry without its TPU, and the sums by the bytes and how they
// are expanded: thousands of entries of one large asset must not read it thousands of times.
type cache[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

func newCache[K comparable, V any]() *cache[K, V] { return &cache[K, V]{values: make(map[K]V)} }

func (c *cache[K, V]) find(k K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok = c.values[k]
	return v, ok
}

func (c *cache[K, V]) put(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.values[k]; ok || len(c.values) < maxCached {
		c.values[k] = v
	}
}

// claim returns the fields of the index about the bytes of an asset.
func (a *Asset) claim() Entry {
	x := a.Entry
	x.TPU = TPU{}
	return x
}

// stream is the bytes of an asset, and how its stored bytes are expanded.
type stream struct {
	span, stored model.Span
	kind         codec
}
