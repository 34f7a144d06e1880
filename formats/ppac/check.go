package ppac

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"

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
	verdict model.Verdict // on the recorded checksum
	over    over          // the bytes that a matching checksum is computed over
	content string        // what is wrong with the expanded content; empty if nothing is
}

// whole returns the verdict on the asset as a whole, which must also expand to what is recorded.
func (r result) whole() model.Verdict {
	if r.content != "" {
		return model.Invalid
	}
	return r.verdict
}

// errTooLong is the error of a content that is longer than the caller of check reads.
var errTooLong = errors.New("the content is longer than is read for a check")

// check compares an asset with what the index records: its checksum, and the size of what it expands to. If that takes
// more than most bytes the error is errTooLong.
func (f *file) check(ctx context.Context, a *asset, most int64) (result, error) {
	if !a.findData() {
		return result{verdict: model.Unknown}, nil
	}
	if sums := f.sumsOver(a); a.place.Size <= smallMax && !a.mayBeCompressed() && len(sums) == 1 {
		return f.checkSmall(a, sums[0]), nil // faster than to look it up
	}
	if r, ok := f.results.find(a.ent); ok {
		return r, nil
	}
	r, err := f.checkStreams(ctx, a, most)
	if err == nil {
		f.results.keep(a.ent, r)
	}
	return r, err
}

// checkSmall is check for a small asset that is stored as it is.
func (f *file) checkSmall(a *asset, o over) (r result) {
	if a.loaded != nil {
		return f.checkBytes(a, a.loaded, o)
	}
	f.quiet.borrow(func(quiet *decode.Cursor) {
		quiet.Reset(a.place)
		r = f.checkBytes(a, quiet.Peek(a.place.Size), o)
	})
	return r
}

// checkBytes is checkSmall with b, the bytes of a.place.
func (f *file) checkBytes(a *asset, b []byte, o over) result {
	if int64(len(b)) < a.place.Size {
		return result{verdict: model.Unknown} // the file has changed, or a read has failed
	}
	if o != overEntry {
		if !a.Data.Within(a.place.End()) || a.Data.Offset < a.place.Offset {
			return result{verdict: model.Unknown}
		}
		b = b[a.Data.Offset-a.place.Offset:][:a.Data.Size]
	}
	match := false
	if f.layout.Later {
		match = sha256.Sum256(b) == a.ent.SHA256
	} else {
		match = checksum.Adler32(b) == a.ent.Adler32
	}
	if match {
		return result{verdict: model.Valid, over: o}
	}
	return result{verdict: model.Invalid}
}

// checkStreams is check by reading what the checksum may be over, the expanded content first.
func (f *file) checkStreams(ctx context.Context, a *asset, most int64) (r result, err error) {
	sums, kind := f.sumsOver(a), a.codec(ctx)
	content := f.newHash()
	if kind.expands() || kind == unknownCodec {
		if r.content, err = a.expandInto(ctx, content, kind, most); err != nil {
			return result{verdict: model.Unknown}, err
		}
	}
	if len(sums) == 0 {
		r.verdict = model.Unrecorded
		return r, nil
	}
	r.verdict, r.over = model.Unknown, overUnknown
	for _, o := range sums {
		if o == overContent && kind == unknownCodec {
			continue // nothing was expanded, and the checksum of nothing says nothing
		}
		sum := content
		if o != overContent || kind == notCompressed {
			if sum, err = f.sumOfStored(ctx, a, o); err != nil {
				return result{verdict: model.Unknown}, err
			}
		}
		switch {
		case f.matches(a, sum):
			r.verdict, r.over = model.Valid, o
			return r, nil
		case o != overContent || r.content == "":
			r.verdict = model.Invalid
		}
	}
	if f.layout.Later && a.ent.Compression > Deflate {
		r.verdict = model.Unknown // it may be over a content that cannot be expanded
	}
	return r, nil
}

// sumOfStored returns the sum of the stored bytes of an asset, or of its whole DATA ENTRY.
func (f *file) sumOfStored(ctx context.Context, a *asset, o over) (hash.Hash, error) {
	span, sum := a.Data, f.newHash()
	if o == overEntry {
		span = a.place
	}
	_, err := f.stored(ctx, span).WriteTo(sum)
	return sum, err
}

// checkIfSmall checks an asset if it is small. Of a larger one it returns the result of an earlier check; known is
// false if there is none.
func (f *file) checkIfSmall(a *asset) (r result, known bool) {
	if f.layout.Later && a.ent.SHA256 == [32]byte{} && !a.mayBeCompressed() {
		return result{verdict: model.Unrecorded}, true
	}
	limit := int64(min(smallMax, smallTotal/max(f.index.n, 1)))
	if a.place.Size > limit+16<<10 || !a.findData() || a.Data.Size > limit {
		r, known = f.results.find(a.ent)
		return r, known
	}
	r, err := f.check(context.Background(), a, smallExpansion*limit)
	return r, err == nil
}
