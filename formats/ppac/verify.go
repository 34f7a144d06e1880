package ppac

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// VerifyEach compares assets with the index. Those that are small and stored plainly are looked at in passing.
func (p payloads) VerifyEach(ctx context.Context, from, to int,
	each func(i int, v model.Verdict, why string, err error)) error {
	f := p.f
	e := f.c.Quiet(model.Span{})
	next := from
	err := f.each(ctx, from, to, func(i int, ent *Entry) bool {
		next = i + 1
		v, why, err := f.verifyEntry(ctx, e, i, ent)
		if ctx.Err() == nil {
			each(i, v, why, err)
		}
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	for ; err == nil && next < to; next++ { // the file was cut since it was opened
		each(next, model.Unknown, "the index entry cannot be read", nil)
	}
	return err
}

// verifyEntry compares the asset of the i-th index entry with it.
func (f *file) verifyEntry(ctx context.Context, e *decode.Cursor, i int, ent *Entry) (model.Verdict, string, error) {
	s, wrong := f.locate(ent.Location, ent.Size)
	if wrong != nil {
		return model.Unknown, misplacedAt(ent, wrong), nil
	}
	if v, known := f.passing(e, ent, s); known {
		if v != model.Valid {
			return v, f.mismatch(ent), nil
		}
		return v, "", nil
	}
	a := f.assetAt(i, *ent, s)
	if !f.find(a) {
		return model.Unknown, dataMisfit(ent), nil
	}
	if s.Size <= glanceMax && ent.Compression == Stored {
		return f.verify(ctx, a)
	}
	return f.verdicts.of(ent, func() (model.Verdict, string, error) { return f.verify(ctx, a) })
}

// verdicts are those on assets that several index entries may share: thousands of entries that lead to one large
// content must not read it thousands of times. Safe for concurrent use.
type verdicts struct {
	mu    sync.Mutex
	known map[Entry]verdict // by the entry without its TPU
}

type verdict struct {
	v    model.Verdict
	said string
}

// verdictsMost is how many are kept.
const verdictsMost = 1 << 16

func (k *verdicts) of(ent *Entry, verify func() (model.Verdict, string, error)) (model.Verdict, string, error) {
	same := *ent
	same.TPU = TPU{}
	k.mu.Lock()
	got, ok := k.known[same]
	k.mu.Unlock()
	if ok {
		return got.v, got.said, nil
	}
	v, said, err := verify()
	if err != nil {
		return v, said, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = make(map[Entry]verdict)
	}
	if len(k.known) < verdictsMost {
		k.known[same] = verdict{v, said}
	}
	return v, said, nil
}

func misplacedAt(ent *Entry, wrong *misplaced) string {
	return fmt.Sprintf("the %d bytes at %#x %s", ent.Size, ent.Location, wrong.what)
}

func dataMisfit(ent *Entry) string {
	return fmt.Sprintf("the data of the entry at %#x do not fit in it", ent.Location)
}

// passing is the verdict on a small asset that is stored plainly.
func (f *file) passing(e *decode.Cursor, ent *Entry, s model.Span) (model.Verdict, bool) {
	if s.Size > glanceMax || ent.Compression != Stored {
		return model.Unknown, false
	}
	e.Reset(s)
	if f.layout.Later {
		return ent.matchesSHA(e.Peek(s.Size))
	}
	d, fit, _ := f.layout.readDataEntry(e)
	if fit == fitNot {
		return model.Unknown, false
	}
	return ent.matchesAdler(e, f.adlerOver(), s, d.Data)
}

// mismatch says that the sum of an asset is not the one in the index.
func (f *file) mismatch(ent *Entry) string {
	if f.layout.Later {
		return "SHA-256 is not the one in the index"
	}
	return fmt.Sprintf("Adler-32 over the %s is not the %08x of the index", f.adlerOver(), ent.Adler32)
}

// verify compares a whole asset with what the index records: its sum, and of a compressed one also what it expands to.
func (f *file) verify(ctx context.Context, a *asset) (v model.Verdict, said string, err error) {
	if !f.find(a) {
		return model.Unknown, "the data do not fit in their entry", nil
	}
	if a.later {
		v, err = a.verifySHA(ctx, math.MaxInt64)
		said = map[model.Verdict]string{model.Valid: "SHA-256 matches", model.Invalid: f.mismatch(&a.ent),
			model.Unknown: "the compression is unknown and the stored bytes do not match"}[v]
	} else {
		var o over
		v, o, err = f.verifyAdler(ctx, a, math.MaxInt64)
		said = map[model.Verdict]string{model.Valid: fmt.Sprintf("Adler-32 %08x over the %s", a.ent.Adler32, o),
			model.Invalid: f.mismatch(&a.ent), model.Unknown: "the content cannot be expanded"}[v]
	}
	if err == nil && v != model.Invalid {
		fault, ferr := f.expandWhole(ctx, a, math.MaxInt64-1)
		if err = ferr; fault != "" {
			v, said = model.Invalid, fault
		}
	}
	if err == nil {
		f.remember(a.record, v)
	}
	return v, said, err
}

// expandWhole expands a compressed asset to its end, which compares the sum that its stream has, and says what is wrong
// with that. An asset with an unknown compression cannot be expanded, and nothing is said of one that has more than
// most bytes.
func (f *file) expandWhole(ctx context.Context, a *asset, most int64) (fault string, err error) {
	if a.ent.Compression == Stored && (!a.later || a.ent.Size == a.ent.MemorySize) || a.ent.Compression > Deflate {
		return "", nil
	}
	kind := a.kind(ctx)
	switch {
	case kind == plain:
		return "", nil
	case kind == unknownCodec:
		return "the stored bytes are not a zlib, gzip or raw deflate stream", nil
	}
	limit := model.MostExpanded(a.data.Size)
	if f.layout.sized() {
		limit = int64(min(a.ent.MemorySize, math.MaxInt64-1))
	}
	r, err := a.stream(ctx, kind)
	var n int64
	if err == nil {
		n, err = io.Copy(io.Discard, io.LimitReader(r, min(limit, most)+1))
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case n > most:
		return "", nil
	case errors.Is(err, model.ErrChanged):
		return "", err
	case err != nil:
		return err.Error(), nil
	case n > limit:
		return tooMuch(limit).Error(), nil
	case f.layout.sized() && uint64(n) != a.ent.MemorySize:
		return fmt.Sprintf("it expands to %d bytes, the index says %d", n, a.ent.MemorySize), nil
	}
	return "", nil
}
