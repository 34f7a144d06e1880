package packing

import (
	"context"
	"slices"
	"strings"

	"assay/formats/ppac"
)

// arrangement is the order in which the assets of some containers are written together: that of the index of the first,
// with what each next one adds where it stands in its own: before the asset that is next there, or at the end. Where
// that leaves several places, file names decide, as they do in a folder.
// The assets have numbers from 1, in the order of their TPUs.
type arrangement struct {
	sources []source
	first   []selected // from asset 1 on: the first source that has it, and its index entry there
	before  []uint32   // from 0 on: the asset before it, or 0; before[0] is the last of all
}

// source is a container whose assets are put together with others.
type source struct {
	file    *ppac.File
	side    int
	numbers []uint32 // of each index entry the number of its asset; 0: a program does not see it
}

// addSource adds a container as the next source.
func (a *arrangement) addSource(s *sides, side int) {
	if f := s.all[side].file; f != nil {
		a.sources = append(a.sources, source{f, side, make([]uint32, f.Len())})
	}
}

// addAsset adds the asset of the next TPU.
func (a *arrangement) addAsset(in []visibleAsset) {
	var first selected
	for k, s := range slices.Backward(a.sources) {
		if x := &in[s.side]; x.exists() {
			s.numbers[x.i] = uint32(len(a.first)) + 1
			first = selected{uint32(k), uint32(x.i)}
		}
	}
	a.first = append(a.first, first)
}

// arranged returns values of all assets, which have the order of the TPUs, in the order in which they are written.
func arranged[T any](ctx context.Context, a *arrangement, byTPU []T) []T {
	a.before = make([]uint32, len(a.first)+1)
	for k := range a.sources {
		a.insert(ctx, uint32(k))
	}
	out := make([]T, 0, len(byTPU))
	for n := a.before[0]; n != 0; n = a.before[n] {
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
			at := a.placeOf(ctx, n, next, has)
			a.before[n], a.before[at] = a.before[at], n
		}
		next = n
	}
}

// placeOf returns the asset before which an asset n is inserted: next, or one of those before it that the source of n
// does not have.
func (a *arrangement) placeOf(ctx context.Context, n, next uint32, has []bool) uint32 {
	var path []string
	for ctx.Err() == nil {
		other := a.before[next]
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
	at := a.first[n-1]
	return strings.Split(a.sources[at.file].file.Label(int(at.entry)), "/")
}
