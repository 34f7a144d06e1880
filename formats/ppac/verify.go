package ppac

import (
	"context"
	"fmt"
	"hash"
	"io"

	"assay/formats/decode"
	"assay/model"
)

// verify is Payload.Verify.
func (a *Asset) verify(ctx context.Context) (model.Verdict, string, error) {
	r, err := a.check(ctx, unbounded)
	if err != nil {
		return model.Unknown, err.Error(), err
	}
	return r.combined(), a.sentence(r), nil
}

// VerifyEach compares assets with the index. Those that are small are read one after the other, in passing.
func (p payloads) VerifyEach(ctx context.Context, from, to int,
	each func(i int, v model.Verdict, why string, err error)) error {
	quiet, s := p.f.c.Quiet(model.Span{}), p.f.entries.scan(from, to)
	for s.Next(ctx) {
		v, why, err := p.f.verifyEntry(ctx, quiet, s.Index, &s.Entry)
		if ctx.Err() != nil {
			break
		}
		each(s.Index, v, why, err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i := s.Index; i < to; i++ { // the file was cut since it was opened
		each(i, model.Unknown, "the index entry cannot be read", nil)
	}
	return nil
}

// verifyEntry compares the asset of the i-th index entry with it, and says why if they disagree.
func (f *File) verifyEntry(ctx context.Context, quiet *decode.Cursor, i int, x *Entry) (model.Verdict, string, error) {
	a, wrong := f.find(i, x)
	if wrong != nil {
		return model.Unknown, wrong.sentence(x), nil
	}
	if a.Place.Size <= smallMax {
		quiet.Reset(a.Place)
		a.loaded = quiet.Peek(a.Place.Size)
	}
	if !a.findData(quiet) {
		return model.Unknown, doesNotFit(x), nil
	}
	r, err := a.check(ctx, unbounded)
	if err != nil || r.combined() == model.Valid {
		return r.combined(), "", err
	}
	return r.combined(), a.sentence(r), nil
}

func doesNotFit(x *Entry) string {
	return fmt.Sprintf("the data of the entry at %#x do not fit in it", x.Location)
}

// open is Payload.Open: it streams the expanded content, or the stored bytes if they cannot be expanded, and compares
// their checksum at the end.
func (a *Asset) open(ctx context.Context) (io.ReadCloser, error) {
	kind, _ := a.codec(ctx, openLook, nil)
	coverages := a.coverages()
	if len(coverages) == 0 {
		r, err := a.expanded(a.stored(ctx, a.Data), kind)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(r), nil
	}
	first := coverages[0]
	var passed hash.Hash // nil: what passes is not what the checksum is over
	if first == overStored || first == overContent && kind != unknownCodec {
		passed = a.Layout.newHash()
	}
	tee := func(r io.Reader, o coverage) io.Reader {
		if passed != nil && first == o {
			return io.TeeReader(r, passed)
		}
		return r
	}
	r, err := a.expanded(tee(a.stored(ctx, a.Data), overStored), kind)
	if err != nil {
		return nil, err
	}
	return &model.CheckedStream{ReadCloser: io.NopCloser(tee(r, overContent)), AtEnd: func() (model.Verdict, string) {
		if passed != nil && a.agreementOf(passed) == equal {
			return model.Valid, a.Layout.sumName() + " matches"
		}
		v, why, _ := a.verify(ctx) // it may be over something else than what has passed
		return v, why
	}}, nil
}
