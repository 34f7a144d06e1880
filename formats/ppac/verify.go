package ppac

import (
	"context"
	"fmt"
	"hash"
	"io"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// sentence returns the result of a check in words.
func (f *file) sentence(a *asset, r result) string {
	text := ""
	switch {
	case a.fit == fitNot:
		return "the data do not fit in their entry"
	case r.verdict == model.Valid && f.layout.Later:
		text = "SHA-256 matches"
	case r.verdict == model.Valid:
		text = fmt.Sprintf("Adler-32 %08x over the %s", a.ent.Adler32, r.over)
	case r.verdict == model.Invalid && f.layout.Later:
		text = "SHA-256 is not the one in the index"
	case r.verdict == model.Invalid:
		text = fmt.Sprintf("Adler-32 over the %s is not the %08x of the index", f.adlerOver(), a.ent.Adler32)
	case r.verdict == model.Unknown && f.layout.Later:
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

// verify is Payload.Verify.
func (f *file) verify(ctx context.Context, a *asset) (model.Verdict, string, error) {
	r, err := f.check(ctx, a, unbounded)
	if err != nil {
		return model.Unknown, err.Error(), err
	}
	return r.whole(), f.sentence(a, r), nil
}

// VerifyEach compares assets with the index. Those that are small are read one after the other, in passing.
func (p payloads) VerifyEach(ctx context.Context, from, to int,
	each func(i int, v model.Verdict, why string, err error)) error {
	f := p.f
	quiet := f.c.Quiet(model.Span{})
	next := from
	err := f.each(ctx, from, to, func(i int, x *Entry) bool {
		next = i + 1
		v, why, err := f.verifyEntry(ctx, quiet, i, x)
		if ctx.Err() != nil {
			return false
		}
		each(i, v, why, err)
		return true
	})
	if err == nil {
		err = ctx.Err()
	}
	for ; err == nil && next < to; next++ { // the file was cut since it was opened
		each(next, model.Unknown, "the index entry cannot be read", nil)
	}
	return err
}

// verifyEntry compares the asset of the i-th index entry with it, and says why if they disagree.
func (f *file) verifyEntry(ctx context.Context, quiet *decode.Cursor, i int, x *Entry) (model.Verdict, string, error) {
	a, wrong := f.find(i, x)
	if wrong != nil {
		return model.Unknown, wrong.of(x), nil
	}
	if a.place.Size <= smallMax {
		quiet.Reset(a.place)
		a.loaded = quiet.Peek(a.place.Size)
		if !f.layout.Later {
			a.DataEntry, _ = f.layout.readDataEntry(quiet)
		}
	}
	if !a.findData() {
		return model.Unknown, doesNotFit(x), nil
	}
	r, err := f.check(ctx, &a, unbounded)
	if err != nil || r.whole() == model.Valid {
		return r.whole(), "", err
	}
	return r.whole(), f.sentence(&a, r), nil
}

func doesNotFit(x *Entry) string {
	return fmt.Sprintf("the data of the entry at %#x do not fit in it", x.Location)
}

// open is Payload.Open: it streams the expanded content, or the stored bytes if they cannot be expanded, and compares
// their checksum at the end.
func (f *file) open(ctx context.Context, a *asset) (io.ReadCloser, error) {
	kind, sums := a.codec(ctx), f.sumsOver(a)
	var stored io.Reader = f.stored(ctx, a.Data)
	var sum hash.Hash
	if len(sums) > 0 && sums[0] != overEntry {
		sum = f.newHash()
	}
	below := sum != nil && !slices.Contains(sums[:1], overContent)
	if below {
		stored = io.TeeReader(stored, sum)
	}
	r, err := a.expanded(stored, kind)
	if err != nil {
		return nil, err
	}
	if kind == unknownCodec && !below {
		sum = nil // the stored bytes are read, and not the content that the checksum is of
	}
	if sum != nil && !below {
		r = io.TeeReader(r, sum)
	}
	if len(sums) == 0 {
		return io.NopCloser(r), nil
	}
	return &model.CheckedStream{ReadCloser: io.NopCloser(r), AtEnd: func() (model.Verdict, string) {
		if sum != nil && f.matches(a, sum) {
			return model.Valid, f.sumName() + " matches"
		}
		v, why, err := f.verify(ctx, a) // it may be over something else than what has passed
		if err != nil {
			return model.Unknown, err.Error()
		}
		return v, why
	}}, nil
}
