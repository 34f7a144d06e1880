package packing

import (
	"bytes"
	"context"
	"io"
	"slices"

	"assay/formats/ppac"
	"assay/model"
)

// twoBuffers are for bytes of two assets that are compared.
type twoBuffers [2][]byte

// likeness is what has to be the same of two assets.
type likeness uint8

const (
	recorded  likeness = iota // all that is recorded: content, metadata and times
	timeless                  // the content and the metadata
	described                 // the metadata
)

// same reports whether an asset is recorded alike in two containers. A SHA-256 that is the same stands for the content;
// an Adler-32, which changes may leave as it is, does not.
func (b *twoBuffers) same(ctx context.Context, x, y *visibleAsset, as likeness) (bool, error) {
	lx, ly := x.file.Layout, y.file.Layout
	if lx.Later != ly.Later || as != described && digest(x, y) != digest(y, x) {
		return false, nil
	}
	if lx.Later && (as == described || x.entry.SHA256 != [32]byte{}) {
		return b.sameBlocks(ctx, x, y)
	}
	ax, err := x.located()
	if err != nil {
		return false, err
	}
	ay, err := y.located()
	if err != nil {
		return false, err
	}
	if !lx.Later {
		return b.sameEntries(ctx, ax, ay, as)
	}
	if same, err := b.sameBytes(ctx, part{ax.Place, ax.Source}, part{ay.Place, ay.Source}); !same || err != nil {
		return false, err
	}
	return b.sameBlocks(ctx, x, y)
}

// digest returns what the index records of an asset's content, without the sum if that, or the other's, is over more
// than the content.
func digest(x, other *visibleAsset) uint64 {
	entry := *x.entry
	if !x.file.SumsAreOfContent() || !other.file.SumsAreOfContent() {
		entry.Adler32 = 0
	}
	return x.file.Layout.Digest(&entry)
}

// located returns the asset at its place in the file.
func (s *visibleAsset) located() (*ppac.Asset, error) {
	a, err := s.file.Asset(s.i)
	if err != nil {
		return nil, broken(&a, err)
	}
	return &a, nil
}

// sameBlocks compares the metadata blocks of two assets of the later revision.
func (b *twoBuffers) sameBlocks(ctx context.Context, x, y *visibleAsset) (bool, error) {
	return b.sameBytes(ctx, part{x.file.Block(x.entry.TPU), x.file.Source},
		part{y.file.Block(y.entry.TPU), y.file.Source})
}

// sameEntries compares DATA ENTRY of two assets, of which one may have wider sizes.
func (b *twoBuffers) sameEntries(ctx context.Context, x, y *ppac.Asset, as likeness) (bool, error) {
	px, py := part{x.Place, x.Source}, part{y.Place, y.Source}
	switch {
	case as == described:
		for _, a := range []*ppac.Asset{x, y} {
			if err := a.ReadDataEntry(); err != nil {
				return false, broken(a, err)
			}
		}
		px.Span, py.Span = x.Tail(), y.Tail()
	case as == timeless || x.Layout.SizeWidth != y.Layout.SizeWidth:
		const times = 16
		if as == recorded {
			same, err := b.sameBytes(ctx, px.first(times), py.first(times))
			if !same || err != nil {
				return false, err
			}
		}
		px, py = px.after(times+x.Layout.SizeWidth), py.after(times+y.Layout.SizeWidth)
	}
	return b.sameBytes(ctx, px, py)
}

// part is a part of a file.
type part struct {
	model.Span
	src *model.Source
}

// first is its first n bytes, and after what follows those.
func (p part) first(n int64) part { return part{model.Span{Offset: p.Offset, Size: n}, p.src} }
func (p part) after(n int64) part {
	return part{model.Span{Offset: p.Offset + n, Size: p.Size - n}, p.src}
}

// sameBytes compares two parts of files.
func (b *twoBuffers) sameBytes(ctx context.Context, x, y part) (bool, error) {
	if x.Size != y.Size {
		return false, nil
	}
	const most = 64 << 10
	for at := int64(0); at < x.Size; at += most {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n := min(most, x.Size-at)
		for k, p := range []part{x, y} {
			b[k] = slices.Grow(b[k][:0], int(n))[:n]
			if _, err := p.src.ReadAt(b[k], p.Offset+at); err != nil && err != io.EOF {
				return false, err
			}
		}
		if !bytes.Equal(b[0], b[1]) {
			return false, nil
		}
	}
	return true, nil
}
