package packing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/formats/ppac"
	"assay/model"
)

// fileOf returns the container of a document, or nil for an empty file.
func fileOf(ctx context.Context, d *model.Document) (*ppac.File, error) {
	if f := ppac.FileOf(d); f != nil || d.Source.Size() == 0 {
		return f, nil
	}
	if d.Payloads == nil && d.Format == "ppac" { // without assets
		return ppac.Read(ctx, d.Source)
	}
	return nil, fmt.Errorf("%s is not a PPAC package", model.OneLine(d.Source.Name(), 400))
}

// checkWhole rejects a container with possibly missing assets or metadata: they would count as removed.
func checkWhole(f *ppac.File) error {
	lost := f.Missing()
	if lost == "" {
		return nil
	}
	return fmt.Errorf("%s: the %s is damaged, so its missing assets would be treated as removed; "+
		"run verify for all problems", model.OneLine(f.Source.Name(), 400), lost)
}

// visibleAsset is the asset that a program which loads the container sees under a TPU.
type visibleAsset struct {
	file  *ppac.File // nil if the container does not have the asset
	i     int        // of its index entry
	entry ppac.Entry
}

func (a *visibleAsset) exists() bool { return a.file != nil }

// span returns the span of the asset, or an error if its index entry is invalid.
func (a *visibleAsset) span() (model.Span, error) {
	located, err := a.file.Locate(&a.entry)
	if err != nil {
		return model.Span{}, err
	}
	return located, nil
}

// side iterates over the assets of a container in the order of their TPUs. It stores only that order, and only if the
// index has another.
type side struct {
	file    *ppac.File // nil for an empty file
	entries *ppac.OrderedEntries
	n, k    int          // the number of assets, and which one is present
	current visibleAsset // the k-th
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
	s := &side{file: f, entries: f.EntriesInOrder(order), n: n, k: -1}
	s.next()
	return s, err
}

// visibleOrder returns the indexes of the index entries in the order of their TPUs, and their number. Of duplicate TPUs
// it has the last, which programs use. order is nil if the index has that order.
func visibleOrder(ctx context.Context, f *ppac.File) (order []uint32, n int, err error) {
	type numbered struct {
		tpu uint64
		i   uint32
	}
	numbers, rising := make([]numbered, 0, f.Len()), true
	for i, x := range f.Entries(ctx) {
		tpu := x.Bits()
		rising = rising && (len(numbers) == 0 || numbers[len(numbers)-1].tpu < tpu)
		numbers = append(numbers, numbered{tpu, uint32(i)})
	}
	if err = cmp.Or(ctx.Err(), f.Source.Err()); rising || err != nil {
		return nil, len(numbers), err
	}
	slices.SortFunc(numbers, func(a, b numbered) int {
		return cmp.Or(cmp.Compare(a.tpu, b.tpu), cmp.Compare(a.i, b.i))
	})
	order = make([]uint32, 0, len(numbers))
	for k, x := range numbers {
		if k+1 == len(numbers) || numbers[k+1].tpu != x.tpu {
			order = append(order, x.i)
		}
	}
	return order, len(order), nil
}

// next moves to the next asset.
func (s *side) next() {
	if s.k++; s.k < s.n {
		s.current = visibleAsset{s.file, s.entries.Number(s.k), *s.entries.At(s.k)}
	}
}

// sides are containers that are read in parallel.
type sides struct {
	all    []*side
	assets []visibleAsset // with the present TPU, in each container
}

// sidesOf returns the containers that documents show.
func sidesOf(ctx context.Context, docs ...*model.Document) (*sides, error) {
	s := &sides{assets: make([]visibleAsset, len(docs))}
	for _, d := range docs {
		side, err := newSide(ctx, d)
		if err != nil {
			return nil, err
		}
		s.all = append(s.all, side)
	}
	return s, nil
}

// next moves to the next TPU of any container, and reports whether there was one before ctx ended.
func (s *sides) next(ctx context.Context) bool {
	found, lowest := false, uint64(0)
	for v, side := range s.all {
		if s.assets[v].exists() {
			side.next()
		}
		if side.k < side.n && (!found || side.current.entry.Bits() < lowest) {
			found, lowest = true, side.current.entry.Bits()
		}
	}
	for v, side := range s.all {
		if s.assets[v] = (visibleAsset{}); side.k < side.n && side.current.entry.Bits() == lowest {
			s.assets[v] = side.current
		}
	}
	return found && ctx.Err() == nil
}

// files returns the containers; nil for an empty file.
func (s *sides) files() (files []*ppac.File) {
	for _, side := range s.all {
		files = append(files, side.file)
	}
	return files
}

// lastFile returns the last container that is not nil, or nil.
func lastFile(files []*ppac.File) (found *ppac.File) {
	for _, f := range files {
		found = cmp.Or(f, found)
	}
	return found
}

// arrangement is the order of the assets from several containers: the order of the first index, with the additional
// assets of each next container before the same asset as there, or at the end. If several positions remain, file names
// decide, as in a folder. The assets have numbers from 1, in the order of their TPUs.
type arrangement struct {
	sources  []source
	first    []selected // from asset 1 on: the first source that has it, and its index entry there
	previous []uint32   // from 0 on: the asset before it, or 0; previous[0] is the last of all
}

// source is a container whose assets are combined with others.
type source struct {
	file      *ppac.File
	sideIndex int
	numbers   []uint32 // the asset of each index entry; 0 if programs do not see it
}

// addSource adds a container as the next source.
func (a *arrangement) addSource(s *sides, sideIndex int) {
	if f := s.all[sideIndex].file; f != nil {
		a.sources = append(a.sources, source{f, sideIndex, make([]uint32, f.Len())})
	}
}

// addAsset adds the asset of the next TPU.
func (a *arrangement) addAsset(assets []visibleAsset) {
	var first selected
	for k, s := range slices.Backward(a.sources) {
		if x := &assets[s.sideIndex]; x.exists() {
			s.numbers[x.i] = uint32(len(a.first)) + 1
			first = selected{uint32(k), uint32(x.i)}
		}
	}
	a.first = append(a.first, first)
}

// arrange returns values of all assets, which are in the order of the TPUs, in the order of the container.
func arrange[T any](ctx context.Context, a *arrangement, byTPU []T) []T {
	a.previous = make([]uint32, len(a.first)+1)
	for k := range a.sources {
		a.insert(ctx, uint32(k))
	}
	out := make([]T, 0, len(byTPU))
	for n := a.previous[0]; n != 0; n = a.previous[n] {
		out = append(out, byTPU[n-1])
	}
	slices.Reverse(out)
	return out
}

// insert inserts the assets that a source is the first to have.
func (a *arrangement) insert(ctx context.Context, k uint32) {
	numbers := a.sources[k].numbers
	has := make([]bool, len(a.first)+1)
	for _, n := range numbers {
		has[n] = true
	}
	next := uint32(0)
	for _, n := range slices.Backward(numbers) {
		if n == 0 {
			continue
		}
		if a.first[n-1].file == k {
			before := a.placeOf(ctx, n, next, has)
			a.previous[n], a.previous[before] = a.previous[before], n
		}
		next = n
	}
}

// placeOf returns the asset before which an asset n is inserted: next, or an earlier one that the source of n does not
// have.
func (a *arrangement) placeOf(ctx context.Context, n, next uint32, has []bool) uint32 {
	var path []string
	for ctx.Err() == nil {
		other := a.previous[next]
		if other == 0 || has[other] {
			break
		}
		if path == nil {
			path = a.path(n)
		}
		if slices.Compare(a.path(other), path) <= 0 {
			break
		}
		next = other
	}
	return next
}

// path returns the file name of an asset, else its TPU, as folders and a name.
func (a *arrangement) path(n uint32) []string {
	first := a.first[n-1]
	return strings.Split(a.sources[first.file].file.Label(int(first.entry)), "/")
}
