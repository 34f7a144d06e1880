package model

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// runs returns the spans of the indexes below n for which is returns true.
func runs(n int, is func(i int) bool) (out []Span) {
	for i := range n {
		if !is(i) {
			continue
		}
		if k := len(out); k > 0 && out[k-1].End() == int64(i) {
			out[k-1].Size++
		} else {
			out = append(out, Span{int64(i), 1})
		}
	}
	return out
}

func TestSpanSetAgreesWithCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const size = 60
	for range 2000 {
		s := spanSet{joinAt: 1 + r.IntN(12)} // small, so that spans are joined early
		var owners [size]int
		for range r.IntN(20) {
			at := r.IntN(size)
			v := Span{int64(at), int64(r.IntN(min(12, size-at+1)))}
			s.add(v)
			for i := v.Offset; i < v.End(); i++ {
				owners[i]++
			}
		}
		held, gaps, twice := s.coverage(size)
		require.Equal(t, runs(size, func(i int) bool { return owners[i] == 0 }), gaps)
		var shared []Span // adjacent spans may be returned as two
		for _, v := range twice {
			if k := len(shared); k > 0 && shared[k-1].End() == v.Offset {
				shared[k-1].Size += v.Size
			} else {
				shared = append(shared, v)
			}
		}
		require.Equal(t, runs(size, func(i int) bool { return owners[i] > 1 }), shared)
		n := int64(0)
		for _, g := range gaps {
			n += g.Size
		}
		require.Equal(t, int64(size), held+n)
	}
}

func TestFillAddsMissingSpans(t *testing.T) {
	var owned, elsewhere spanSet
	owned.add(Span{0, 10})
	owned.add(Span{20, 10})
	elsewhere.add(Span{5, 10})
	elsewhere.add(Span{5, 10})
	elsewhere.add(Span{18, 30})
	owned.fill(&elsewhere, 50)
	held, gaps, twice := owned.coverage(50)
	require.Equal(t, int64(45), held)
	require.Equal(t, []Span{{15, 3}, {48, 2}}, gaps)
	require.Empty(t, twice)
}
