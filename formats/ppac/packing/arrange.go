package packing

import (
	"context"
	"slices"
	"strings"

	"assay/formats/ppac"
)

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
