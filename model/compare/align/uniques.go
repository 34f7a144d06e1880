package align

import (
	"sort"
)

// Unique is an element that occurs once on either side.
type Unique struct {
	A, B    int32 // its index on each side
	InOrder bool  // it belongs to a longest run in the same order on both sides
}

const (
	noElement int32 = -1 // there is no such element
	repeated  int32 = -2 // there is more than one
)

// Uniques returns the elements that occur once in na elements and once in nb, in the order of b. The functions return
// a hash of each element.
func Uniques(na, nb int, a, b func(i int) uint64) []Unique {
	type occurrence struct{ a, b int32 }
	occurrences := make(map[uint64]occurrence, na)
	for i := range na {
		p := occurrence{int32(i), noElement}
		if _, twice := occurrences[a(i)]; twice {
			p.a = repeated
		}
		occurrences[a(i)] = p
	}
	for i := range nb {
		if p, ok := occurrences[b(i)]; ok && p.a != repeated && p.b != repeated {
			if p.b == noElement {
				p.b = int32(i)
			} else {
				p.b = repeated
			}
			occurrences[b(i)] = p
		}
	}
	var found []Unique
	var seq []int32
	for i := range nb {
		if p, ok := occurrences[b(i)]; ok && p.a != repeated && p.b == int32(i) {
			found, seq = append(found, Unique{A: p.a, B: p.b}), append(seq, p.a)
		}
	}
	for k, rises := range LongestRising(seq) {
		found[k].InOrder = rises
	}
	return found
}

// LongestRising marks the members of a longest rising subsequence.
func LongestRising(seq []int32) []bool {
	tails := make([]int32, 0, len(seq)) // index in seq of the smallest end of a run of each length
	before := make([]int32, len(seq))
	for k, v := range seq {
		n := sort.Search(len(tails), func(t int) bool { return seq[tails[t]] >= v })
		before[k] = noElement
		if n > 0 {
			before[k] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, int32(k))
		} else {
			tails[n] = int32(k)
		}
	}
	keep := make([]bool, len(seq))
	if len(tails) > 0 {
		for k := tails[len(tails)-1]; k != noElement; k = before[k] {
			keep[k] = true
		}
	}
	return keep
}
