package ppac

import (
	"context"
	"crypto/sha256"
	"hash"
	"io"

	"assay/model"
	"assay/model/checksum"
)

// open streams the expanded content, or the stored bytes if they cannot be expanded, and compares on the way.
func (f *file) open(ctx context.Context, a *asset) (io.ReadCloser, error) {
	kind := a.kind(ctx)
	var stored io.Reader = &storedReader{ctx: ctx, src: a.src, at: a.data.Offset, end: a.data.End()}
	if a.later && a.ent.SHA256 == ([32]byte{}) {
		r, err := a.expanded(stored, kind)
		if err != nil {
			return nil, err
		}
		return closer{r}, nil
	}
	h, below := f.hashOf(a)
	if h != nil && below {
		stored = io.TeeReader(stored, h)
	}
	r, err := a.expanded(stored, kind)
	if err != nil {
		return nil, err
	}
	if h != nil && !below {
		r = io.TeeReader(r, h)
	}
	return &model.CheckedStream{ReadCloser: closer{r}, AtEnd: func() (model.Verdict, string) {
		if h != nil && f.matches(a, h.Sum(nil)) {
			f.remember(a.record, model.Valid)
			return model.Valid, f.sumName() + " matches"
		}
		v, said, err := f.verify(ctx, a) // it may be over something else than what has passed
		if err != nil {
			return model.Unknown, err.Error()
		}
		return v, said
	}}, nil
}

// hashOf returns the hash that an asset's recorded sum is likely to be: below the expansion or above. It is nil if it
// cannot be made of what passes.
func (f *file) hashOf(a *asset) (h hash.Hash, below bool) {
	if a.later {
		return sha256.New(), false
	}
	switch f.adlerOver() {
	case overStored, overUnknown:
		return checksum.NewAdler32(), true
	case overContent:
		return checksum.NewAdler32(), false
	}
	return nil, false
}

func (f *file) matches(a *asset, sum []byte) bool {
	if a.later {
		return string(sum) == string(a.ent.SHA256[:])
	}
	return order.Uint32(sum) == a.ent.Adler32
}

// closer is a stream that needs no closing.
type closer struct{ io.Reader }

// Close does nothing.
func (closer) Close() error { return nil }
