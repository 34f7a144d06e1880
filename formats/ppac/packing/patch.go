package packing

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"

	"assay/formats/ppac"
	"assay/model"
)

// visibleAsset is an asset that a program sees which loads a container.
type visibleAsset struct {
	tpu, digest uint64
	f           *ppac.File
	i           int               // its index entry
	content     *model.PackedFile // instead of what is stored; nil: that
}

// sides are containers beside each other: the assets of each that are left to be looked at, sorted by TPU.
type sides struct {
	files []*ppac.File // nil: there is nothing in it
	left  [][]visibleAsset
}

// sidesOf returns the containers that documents show.
func sidesOf(ctx context.Context, docs ...*model.Document) (s sides, err error) {
	for _, d := range docs {
		f, err := fileOf(ctx, d)
		if err == nil {
			err = checkWhole(f)
		}
		if err != nil {
			return s, err
		}
		assets, err := assetsOf(ctx, f)
		if err != nil {
			return s, err
		}
		s.files, s.left = append(s.files, f), append(s.left, assets)
	}
	return s, nil
}

// last returns the last of the containers in which there is something, or nil.
func (s *sides) last() (last *ppac.File) {
	for _, f := range s.files {
		last = cmp.Or(f, last)
	}
	return last
}

// next sets in to the asset with the lowest TPU of all that are left, in each container, nil where it is not, and
// reports whether there was one before ctx ended.
func (s *sides) next(ctx context.Context, in []*visibleAsset) (found bool) {
	if ctx.Err() != nil {
		return false
	}
	var lowest uint64
	for _, side := range s.left {
		if len(side) > 0 && (!found || side[0].tpu < lowest) {
			lowest, found = side[0].tpu, true
		}
	}
	for v, side := range s.left {
		if in[v] = nil; len(side) > 0 && side[0].tpu == lowest {
			in[v], s.left[v] = &side[0], side[1:]
		}
	}
	return found
}

// assetsOf returns the assets of a container, sorted by TPU: of several entries with one the last.
func assetsOf(ctx context.Context, f *ppac.File) ([]visibleAsset, error) {
	if f == nil {
		return nil, nil
	}
	all := make([]visibleAsset, 0, f.Len())
	entries := f.Scan()
	for entries.Next(ctx) {
		x := &entries.Entry
		all = append(all, visibleAsset{tpu: x.Bits(), digest: f.Layout.Digest(x), f: f, i: entries.Index})
	}
	return lastOfEach(all), entries.Err
}

// lastOfEach sorts assets by TPU, and keeps the last index entry of each.
func lastOfEach(all []visibleAsset) []visibleAsset {
	order := func(a, b visibleAsset) int { return cmp.Or(cmp.Compare(a.tpu, b.tpu), a.i-b.i) }
	if !slices.IsSortedFunc(all, order) {
		slices.SortFunc(all, order)
	}
	kept := all[:0]
	for i, s := range all {
		if i+1 == len(all) || all[i+1].tpu != s.tpu {
			kept = append(kept, s)
		}
	}
	return kept
}

// stack is Packer.Stack.
func stack(ctx context.Context, layers []*model.Document) (model.Packing, error) {
	s, err := sidesOf(ctx, layers...)
	if err != nil {
		return nil, err
	}
	var all []visibleAsset
	for in := make([]*visibleAsset, len(layers)); s.next(ctx, in); {
		for _, a := range slices.Backward(in) {
			if a != nil {
				all = append(all, *a)
				break
			}
		}
	}
	return archiveOf(ctx, s.last(), all)
}

// patch is Packer.Patch.
func patch(ctx context.Context, older, newer *model.Document) (*model.Patch, error) {
	s, err := sidesOf(ctx, older, newer)
	if err != nil {
		return nil, err
	}
	p, c := new(model.Patch), new(twoBuffers)
	var changed []visibleAsset
	for in := make([]*visibleAsset, 2); s.next(ctx, in); {
		from, to := in[0], in[1]
		switch {
		case to == nil:
			p.Removed = append(p.Removed, ppac.TPUOf(from.tpu).String())
			continue
		case from == nil:
			p.Added++
		default:
			same, err := c.same(ctx, from, to, recorded)
			if err != nil {
				return nil, err
			}
			if same {
				continue
			}
			p.Changed++
		}
		changed = append(changed, *to)
	}
	p.Packing, err = archiveOf(ctx, s.last(), changed)
	return p, err
}

// replace is Packer.Replace.
func replace(ctx context.Context, d *model.Document, i int, with model.PackedFile) (model.Packing, error) {
	f, err := fileOf(ctx, d)
	if err != nil {
		return nil, err
	}
	return archiveOf(ctx, f, []visibleAsset{{f: f, i: i, content: &with}})
}

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
	if as != described && x.digest != y.digest || x.f.Layout.Later != y.f.Layout.Later {
		return false, nil
	}
	ax, wrong := x.f.Asset(x.i)
	ay, wrongToo := y.f.Asset(y.i)
	if x.f.Layout.Later {
		if as != described && ax.Entry.SHA256 == [32]byte{} {
			same, err := b.sameBytes(ctx, part{ax.Place, x.f.Source}, part{ay.Place, y.f.Source})
			if !same || err != nil {
				return false, err
			}
		}
		return b.sameBytes(ctx, part{x.f.Block(ax.Entry.TPU), x.f.Source}, part{y.f.Block(ay.Entry.TPU), y.f.Source})
	}
	if wrong != nil {
		return false, broken(&ax, wrong)
	}
	if wrongToo != nil {
		return false, broken(&ay, wrongToo)
	}
	return b.sameEntries(ctx, &ax, &ay, as)
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
