package ppac

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/checksum"
)

const (
	smallMax       = 64 << 10  // stored bytes of a small asset, which is checked when it is looked at
	smallTotal     = 256 << 20 // stored bytes of all small assets of a file
	smallExpansion = 16        // how many times its stored bytes the content of a small asset may have
)

// result is the result of a check of an asset.
type result struct {
	verdict  model.Verdict // on the recorded checksum
	coverage coverage      // of a checksum that matches
	content  string        // what is wrong with the expanded content; empty if nothing is
}

// combined returns the verdict on the asset, whose content must also expand to what is recorded.
func (r result) combined() model.Verdict {
	if r.content != "" {
		return model.Invalid
	}
	return r.verdict
}

// contents checks the contents of assets. It is safe for concurrent use.
type contents struct {
	*container
	adlerCoverage func() coverage // of the Adler-32 sums of the file
	results       results
}

func newContents(k *container) *contents {
	return &contents{container: k, adlerCoverage: func() coverage { return overUnknown },
		results: results{known: map[Entry]result{}}}
}

// check compares an asset with what the index records: its checksum, and the size of what it expands to. If that takes
// more than most bytes the error is errTooLong.
func (a *Asset) check(ctx context.Context, most int64) (result, error) {
	if !a.findData(nil) {
		return result{verdict: model.Unknown}, nil
	}
	if a.Place.Size <= smallMax && !a.mayBeCompressed() {
		return a.compare(ctx, most) // faster than to look it up
	}
	if r, ok := a.results.find(a.Entry); ok {
		return r, nil
	}
	r, err := a.compare(ctx, most)
	if err == nil {
		a.results.keep(a.Entry, r)
	}
	return r, err
}

// compare is check without the results of earlier ones. It reads the content first.
func (a *Asset) compare(ctx context.Context, most int64) (r result, err error) {
	kind, _ := a.codec(ctx, openLook, nil)
	s := sums{kind: kind, most: most}
	if s.kind.expands() && a.Entry.Compression == Stored {
		s.known[overContent] = equal // which has proven the codec
	}
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
	if !compared && (s.fault == "" || r.verdict == model.Unrecorded) {
		r.verdict = model.Unknown // it may be over bytes that cannot be had
	}
	return r, ctx.Err()
}

// checkIfSmall checks an asset if it is small. Of a larger one it returns the result of an earlier check; known is
// false if there is none.
func (f *File) checkIfSmall(a *Asset) (r result, known bool) {
	if f.Layout.Later && a.Entry.SHA256 == [32]byte{} && !a.mayBeCompressed() {
		return result{verdict: model.Unrecorded}, true
	}
	limit := int64(min(smallMax, smallTotal/max(f.entries.n, 1)))
	if a.Place.Size > limit+16<<10 || !a.findData(nil) || a.Data.Size > limit {
		return f.results.find(a.Entry)
	}
	r, err := a.check(context.Background(), smallExpansion*limit)
	return r, err == nil
}

// sentence returns the result of a check in words.
func (a *Asset) sentence(r result) string {
	text := ""
	switch {
	case a.fit == fitNot:
		return "the data do not fit in their entry"
	case r.verdict == model.Valid && a.Layout.Later:
		text = "SHA-256 matches"
	case r.verdict == model.Valid:
		text = fmt.Sprintf("Adler-32 %08x over the %s", a.Entry.Adler32, r.coverage)
	case r.verdict == model.Invalid && a.Layout.Later:
		text = "SHA-256 is not the one in the index"
	case r.verdict == model.Invalid:
		text = fmt.Sprintf("Adler-32 over the %s is not the %08x of the index", a.adlerCoverage(), a.Entry.Adler32)
	case r.verdict == model.Unknown && a.Layout.Later:
		text = "the compression is unknown and the stored bytes do not match"
	case r.verdict == model.Unknown:
		text = "the content cannot be expanded"
	}
	switch {
	case r.content == "":
		return text
	case r.verdict == model.Invalid:
		return text + "; " + r.content
	}
	return r.content
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

// coverages lists what the recorded checksum of an asset may be over; nothing if none is recorded.
func (a *Asset) coverages() []coverage {
	switch {
	case a.Layout.Later && a.Entry.SHA256 == [32]byte{}:
		return nil
	case a.Layout.Later && a.mayBeCompressed():
		// The library computed it over the content, and over the compressed bytes where it took those from another
		// file.
		return []coverage{overContent, overStored}
	case a.Layout.Later:
		return storedOnly
	}
	switch o := a.adlerCoverage(); o {
	case overStored:
		return storedOnly
	case overUnknown:
		return []coverage{overStored, overEntry, overContent}
	default:
		return []coverage{o}
	}
}

var storedOnly = []coverage{overStored}

// sums are the checksums of an asset over each coverage. Each is computed when it is asked for, once.
type sums struct {
	kind  codec  // how the asset is stored
	most  int64  // how many bytes of the content are read
	fault string // what is wrong with the expanded content, if that was read
	known [overUnknown]agreement
}

// sumOver compares the checksum over some bytes of an asset with the recorded one. The error is errTooLong if the
// content has more than most bytes.
func (a *Asset) sumOver(ctx context.Context, o coverage, s *sums) (agreement, error) {
	if o == overContent && s.kind == notCompressed {
		o = overStored
	}
	if s.known[o] != notCompared {
		return s.known[o], nil
	}
	var err error
	switch o {
	case overStored:
		s.known[o], err = a.sumOverPart(ctx, a.Data)
	case overEntry:
		s.known[o], err = a.sumOverPart(ctx, a.Place)
	default:
		s.known[o], err = a.sumOverContent(ctx, s)
	}
	return s.known[o], err
}

// sumOverPart is sumOver for a part of the file.
func (a *Asset) sumOverPart(ctx context.Context, part model.Span) (got agreement, err error) {
	switch {
	case a.loaded != nil:
		from := part.Offset - a.Place.Offset
		return a.agreement(a.loaded[from : from+part.Size]), nil
	case part.Size <= smallMax:
		got = impossible
		a.quiet.borrow(nil, func(quiet *decode.Cursor) {
			quiet.Reset(part)
			if b := quiet.Peek(part.Size); int64(len(b)) == part.Size {
				got = a.agreement(b)
			}
		})
		return got, nil
	}
	h := a.Layout.newHash()
	if _, err := a.stored(ctx, part).WriteTo(h); err != nil {
		return notCompared, err
	}
	return a.agreementOf(h), nil
}

// sumOverContent is sumOver for content that is expanded. It finds what is wrong with that, too.
func (a *Asset) sumOverContent(ctx context.Context, s *sums) (_ agreement, err error) {
	if s.kind == unknownCodec {
		if a.Entry.Compression == Deflate {
			s.fault = "the stored bytes are not a zlib, gzip or raw deflate stream"
		}
		return impossible, nil
	}
	h := a.Layout.newHash()
	switch s.fault, err = a.expandInto(ctx, h, s.kind, s.most); {
	case err != nil:
		return notCompared, err
	case s.fault != "":
		return impossible, nil // what was expanded is not the content; it may be nothing
	}
	return a.agreementOf(h), nil
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
	if a.Layout.Later {
		return agrees(sha256.Sum256(b) == a.Entry.SHA256)
	}
	return agrees(checksum.Adler32(b) == a.Entry.Adler32)
}

// agreementOf compares the checksum of what h was given with the recorded one.
func (a *Asset) agreementOf(h hash.Hash) agreement {
	sum := h.Sum(nil)
	if a.Layout.Later {
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

// sumName is what it is called.
func (l Layout) sumName() string {
	if l.Later {
		return "SHA-256"
	}
	return "Adler-32"
}

// resultsMax is how many results are kept.
const resultsMax = 1 << 16

// results keeps the results of checks. Index entries that differ only in their TPU share a result: thousands of entries
// of one large asset must not read it thousands of times. It is safe for concurrent use.
type results struct {
	mu    sync.Mutex
	known map[Entry]result // by the index entry without its TPU
}

func (k *results) find(x Entry) (result, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	x.TPU = TPU{}
	r, ok := k.known[x]
	return r, ok
}

func (k *results) keep(x Entry, r result) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if x.TPU = (TPU{}); len(k.known) < resultsMax {
		k.known[x] = r
	}
}
