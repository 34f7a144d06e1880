package ppac

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"

	"assay/model"
)

// visibleAsset is an asset that a program sees which loads a container.
type visibleAsset struct {
	tpu, digest uint64
	copiedAsset
}

// sides are containers beside each other: the assets of each that are left to be looked at, sorted by TPU.
type sides struct {
	files []*file // nil: there is nothing in it
	left  [][]visibleAsset
}

// sidesOf returns the containers that documents show.
func sidesOf(ctx context.Context, docs ...*model.Document) (s sides, err error) {
	for _, d := range docs {
		f, err := openedFile(d)
		if err != nil {
			return s, err
		}
		assets, err := f.assetsOf(ctx)
		if err != nil {
			return s, err
		}
		s.files, s.left = append(s.files, f), append(s.left, assets)
	}
	return s, nil
}

// last returns the last of the containers in which there is something, or nil.
func (s *sides) last() (last *file) {
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
func (f *file) assetsOf(ctx context.Context) ([]visibleAsset, error) {
	if f == nil {
		return nil, nil
	}
	all := make([]visibleAsset, 0, f.entries.n)
	entries := f.entries.scan(0, f.entries.n)
	for entries.next(ctx) {
		x := &entries.entry
		all = append(all, visibleAsset{x.bits(), f.layout.digest(x), copiedAsset{f: f, i: entries.i}})
	}
	return lastOfEach(all), entries.err
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

// copies returns what is copied of assets.
func copies(all []visibleAsset) []copiedAsset {
	copied := make([]copiedAsset, len(all))
	for i, s := range all {
		copied[i] = s.copiedAsset
	}
	return copied
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
	return archiveOf(ctx, s.last(), copies(all))
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
			p.Removed = append(p.Removed, tpuOf(from.tpu).String())
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
	p.Packing, err = archiveOf(ctx, s.last(), copies(changed))
	return p, err
}

// replace is Packer.Replace.
func replace(ctx context.Context, d *model.Document, i int, with model.PackedFile) (model.Packing, error) {
	f, err := openedFile(d)
	if err != nil {
		return nil, err
	}
	return archiveOf(ctx, f, []copiedAsset{{f: f, i: i, content: &with}})
}

// tpuOf is the TPU whose bits these are.
func tpuOf(bits uint64) TPU { return TPU{uint16(bits >> 48), uint16(bits >> 32), uint32(bits)} }

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
	if as != described && x.digest != y.digest || x.f.layout.Later != y.f.layout.Later {
		return false, nil
	}
	ex, ey := x.f.entries.at(nil, x.i), y.f.entries.at(nil, y.i)
	if !x.f.layout.Later {
		return b.sameEntries(ctx, x.f, &ex, y.f, &ey, as)
	}
	if as != described && ex.SHA256 == [32]byte{} {
		sx, _ := x.f.locate(&ex)
		sy, _ := y.f.locate(&ey)
		if same, err := b.sameBytes(ctx, part{sx, x.f}, part{sy, y.f}); !same || err != nil {
			return false, err
		}
	}
	return b.sameBytes(ctx, part{x.f.blockOf(ex.TPU), x.f}, part{y.f.blockOf(ey.TPU), y.f})
}

// sameEntries compares DATA ENTRY in two containers, of which one may have wider sizes.
func (b *twoBuffers) sameEntries(ctx context.Context, f *file, x *Entry, g *file, y *Entry, as likeness) (bool, error) {
	sx, err := f.place(x)
	if err != nil {
		return false, err
	}
	sy, err := g.place(y)
	if err != nil {
		return false, err
	}
	switch {
	case as == described:
		sx, err = f.tail(x, sx)
		if err == nil {
			sy, err = g.tail(y, sy)
		}
		if err != nil {
			return false, err
		}
	case as == timeless || f.layout.SizeWidth != g.layout.SizeWidth:
		const times = 16
		if as == recorded {
			same, err := b.sameBytes(ctx, part{model.Span{Offset: sx.Offset, Size: times}, f},
				part{model.Span{Offset: sy.Offset, Size: times}, g})
			if !same || err != nil {
				return false, err
			}
		}
		sx, sy = behind(sx, times+f.layout.SizeWidth), behind(sy, times+g.layout.SizeWidth)
	}
	return b.sameBytes(ctx, part{sx, f}, part{sy, g})
}

// behind is what follows the first bytes of a span.
func behind(s model.Span, n int64) model.Span {
	return model.Span{Offset: s.Offset + n, Size: s.Size - n}
}

// place returns where an asset is in the file.
func (f *file) place(x *Entry) (model.Span, error) {
	s, wrong := f.locate(x)
	if wrong != nil {
		return s, f.broken(x, wrong.sentence(x))
	}
	return s, nil
}

// tail returns what follows the data in the DATA ENTRY at s.
func (f *file) tail(x *Entry, s model.Span) (model.Span, error) {
	a := f.asset(0, x, s)
	if !a.findData(nil) {
		return s, f.broken(x, doesNotFit(x))
	}
	return behind(s, a.Data.End()-s.Offset), nil
}

// part is a part of a file.
type part struct {
	model.Span
	of *file
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
			if _, err := p.of.src.ReadAt(b[k], p.Offset+at); err != nil && err != io.EOF {
				return false, err
			}
		}
		if !bytes.Equal(b[0], b[1]) {
			return false, nil
		}
	}
	return true, nil
}
