package align

import (
	"cmp"
	"slices"

	"github.com/zeebo/xxh3"
)

const (
	// MinShare is the share of common content that makes an item the other one under a new name.
	MinShare    = 0.35
	featureSize = 8       // bytes that are one feature
	maxDense    = 4 << 10 // maximum size of items with a feature for every window
	sparseMask  = 15      // mask of the hashes that are features of larger items
	minCommon   = 3       // items of one side with a feature that make it common
)

// Features returns hashes of short windows of the bytes, so that an insertion changes only the windows around it. They
// are sorted, each once.
func Features(b []byte) []uint64 {
	var out []uint64
	for i := 0; i+featureSize <= len(b); i++ {
		h := xxh3.Hash(b[i : i+featureSize])
		if len(b) <= maxDense || h&sparseMask == 0 {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Distinctive returns a function that reports whether only a few items of either side have a feature.
func Distinctive(sides ...[][]uint64) func(feature uint64) bool {
	common := make(map[uint64]bool)
	for _, side := range sides {
		visited := make(map[uint64]uint8)
		for _, features := range side {
			for _, f := range features {
				if visited[f] < minCommon {
					if visited[f]++; visited[f] == minCommon {
						common[f] = true
					}
				}
			}
		}
	}
	return func(f uint64) bool { return !common[f] }
}

// eachFeature calls do for each feature of two items; shared means that both have it.
func eachFeature(l, r []uint64, do func(feature uint64, shared bool)) {
	for len(l)+len(r) > 0 {
		switch {
		case len(r) == 0 || len(l) > 0 && l[0] < r[0]:
			do(l[0], false)
			l = l[1:]
		case len(l) == 0 || r[0] < l[0]:
			do(r[0], false)
			r = r[1:]
		default:
			do(l[0], true)
			l, r = l[1:], r[1:]
		}
	}
}

// Share returns the share of the distinctive features that two items have in common.
func Share(l, r []uint64, distinctive func(feature uint64) bool) float64 {
	both, all := 0, 0
	eachFeature(l, r, func(f uint64, shared bool) {
		if !distinctive(f) {
			return
		}
		if all++; shared {
			both++
		}
	})
	const minFeatures = 4 // fewer of them are chance
	if both < minFeatures {
		return 0
	}
	return float64(both) / float64(all)
}

// Similarity returns the share of features that two items have in common: 1 for the same content, 0 for no common
// feature.
func Similarity(l, r []uint64) float64 {
	if len(l)+len(r) == 0 {
		return 1
	}
	both := 0
	eachFeature(l, r, func(_ uint64, shared bool) {
		if shared {
			both++
		}
	})
	return 2 * float64(both) / float64(len(l)+len(r))
}

// Match is two contents, by their numbers on either side, and the share that they have in common.
type Match struct {
	Old, New int
	Share    float64
}

// BestMatches returns the matches of the largest shares, of each content one.
func BestMatches(found []Match) (best []Match) {
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(b.Share, a.Share) })
	old, new := make(map[int]bool), make(map[int]bool)
	for _, m := range found {
		if !old[m.Old] && !new[m.New] {
			old[m.Old], new[m.New] = true, true
			best = append(best, m)
		}
	}
	return best
}
