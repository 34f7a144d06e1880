package packing

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"assay/formats/ppac"
	"assay/model"
)

// fileOf returns the container that a document shows; nil for an empty file.
func fileOf(ctx context.Context, d *model.Document) (*ppac.File, error) {
	if f := ppac.Of(d); f != nil || d.Source.Size() == 0 {
		return f, nil
	}
	if d.Payloads == nil && d.Format == "ppac" { // without assets
		return ppac.Read(ctx, d.Source)
	}
	return nil, fmt.Errorf("%s is not a PPAC package", model.OneLine(d.Source.Name(), 400))
}

// checkWhole refuses a container of which assets or metadata may be missing: they would be taken for removed ones.
func checkWhole(f *ppac.File) error {
	lost := f.Missing()
	if lost == "" {
		return nil
	}
	return fmt.Errorf("%s: the %s is damaged, so its missing assets would be treated as removed; "+
		"verify lists what is wrong with the package", model.OneLine(f.Source.Name(), 400), lost)
}

// visibleAsset is the asset that a program which loads the container sees under a TPU.
type visibleAsset struct {
	file  *ppac.File // nil: the container does not have it
	i     int        // of its index entry
	entry ppac.Entry
}

// exists reports whether the container has the asset.
func (s *visibleAsset) exists() bool { return s.file != nil }

// place returns the part of the file that its index entry names; an empty one if it cannot be there, which the error
// says.
func (s *visibleAsset) place() (model.Span, error) {
	place, err := s.file.Locate(&s.entry)
	if err != nil {
		return model.Span{}, err
	}
	return place, nil
}

// side is a container beside others, whose assets are looked at in the order of their TPUs. Of them nothing is kept but
// that order, and that only if the index has another.
type side struct {
	file    *ppac.File // nil: there is nothing in it
	entries *ppac.OrderedEntries
	n, k    int          // the number of assets, and which one is present
	present visibleAsset // the k-th
}

// newSide returns the container that a document shows, before its first asset.
func newSide(ctx context.Context, d *model.Document) (*side, error) {
	f, err := fileOf(ctx, d)
	if f == nil || err != nil {
		return &side{}, err
	}
	if err := checkWhole(f); err != nil {
		return nil, err
	}
	order, n, err := visibleOrder(ctx, f)
	s := &side{file: f, entries: f.Ordered(order), n: n, k: -1}
	s.next()
	return s, err
}

// visibleOrder returns the numbers of the index entries in the order of their TPUs, and how many there are: of several
// with one TPU the last, which programs see. They are nil if that is the index as it is.
func visibleOrder(ctx context.Context, f *ppac.File) (order []uint32, n int, err error) {
	type numbered struct {
		tpu uint64
		i   uint32
	}
	all, rising := make([]numbered, 0, f.Len()), true
	entries := f.Scan()
	for entries.Next(ctx) {
		tpu := entries.Entry.Bits()
		rising = rising && (len(all) == 0 || all[len(all)-1].tpu < tpu)
		all = append(all, numbered{tpu, uint32(entries.Index)})
	}
	if rising || entries.Err != nil {
		return nil, len(all), entries.Err
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Or(cmp.Compare(a.tpu, b.tpu), cmp.Compare(a.i, b.i)) })
	order = make([]uint32, 0, len(all))
	for k, x := range all {
		if k+1 == len(all) || all[k+1].tpu != x.tpu {
			order = append(order, x.i)
		}
	}
	return order, len(order), nil
}

// next goes on to the next asset.
func (s *side) next() {
	if s.k++; s.k < s.n {
		s.present = visibleAsset{s.file, s.entries.Number(s.k), *s.entries.At(s.k)}
	}
}

// sides are containers beside each other.
type sides struct {
	all    []*side
	assets []visibleAsset // with the present TPU, in each container
}

// sidesOf returns the containers that documents show.
func sidesOf(ctx context.Context, docs ...*model.Document) (*sides, error) {
	s := &sides{assets: make([]visibleAsset, len(docs))}
	for _, d := range docs {
		one, err := newSide(ctx, d)
		if err != nil {
			return nil, err
		}
		s.all = append(s.all, one)
	}
	return s, nil
}

// next goes on to the next TPU that any container has, and reports whether there was one before ctx ended.
func (s *sides) next(ctx context.Context) bool {
	found, lowest := false, uint64(0)
	for v, one := range s.all {
		if s.assets[v].exists() {
			one.next()
		}
		if one.k < one.n && (!found || one.present.entry.Bits() < lowest) {
			found, lowest = true, one.present.entry.Bits()
		}
	}
	for v, one := range s.all {
		if s.assets[v] = (visibleAsset{}); one.k < one.n && one.present.entry.Bits() == lowest {
			s.assets[v] = one.present
		}
	}
	return found && ctx.Err() == nil
}

// files returns the containers; nil where there is nothing in one.
func (s *sides) files() (all []*ppac.File) {
	for _, one := range s.all {
		all = append(all, one.file)
	}
	return all
}

// last returns the last of some containers in which there is something, or nil.
func last(files []*ppac.File) (found *ppac.File) {
	for _, f := range files {
		found = cmp.Or(f, found)
	}
	return found
}
