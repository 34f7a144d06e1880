package ppac

import (
	"context"
	"fmt"
	"hash"
	"io"
	"sync"

	"assay/model"
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

// Verify is Payload.Verify.
func (a *Asset) Verify(ctx context.Context) (model.Verdict, string, error) {
	r, err := a.check(ctx, unbounded)
	if err != nil {
		return model.Unknown, err.Error(), err
	}
	return r.combined(), a.sentence(r), nil
}

// open is Payload.Open: it streams the expanded content, or the stored bytes if they cannot be expanded. At its end it
// is checked as verify does; where all of it passes by, that is not read again.
func (a *Asset) open(ctx context.Context) (io.ReadCloser, error) {
	kind, _ := a.codec(ctx, openLook, nil)
	coverages := a.coverages()
	var sum hash.Hash // over what passes by; nil: the checksum may be over something else
	tee := func(r io.Reader, o coverage) io.Reader {
		if sum == nil && len(coverages) > 0 && coverages[0] == o {
			sum = a.Layout.newHash()
			return io.TeeReader(r, sum)
		}
		return r
	}
	content, err := a.expanded(tee(a.Stored(ctx), overStored), kind)
	if err != nil {
		return nil, err
	}
	if len(coverages) == 0 && kind == notCompressed {
		return io.NopCloser(content), nil
	}
	stream, _ := content.(*cleanReader)
	if kind != unknownCodec {
		content = tee(content, overContent)
	}
	return &model.CheckedStream{ReadCloser: io.NopCloser(content), AtEnd: func() (model.Verdict, string) {
		sound := !stream.isShort() && (kind != unknownCodec || a.Entry.Compression != Deflate)
		switch {
		case sound && len(coverages) == 0:
			return model.Unrecorded, ""
		case sound && sum != nil && a.agreementOf(sum) == equal:
			return model.Valid, a.Layout.sumName() + " matches"
		}
		v, why, _ := a.Verify(ctx)
		return v, why
	}}, nil
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
