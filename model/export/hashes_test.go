package export

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHashSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	numbers := 20_000
	if testing.Short() {
		numbers = 4_000
	}
	for _, room := range []int{0, 1000} {
		s, want := newHashes(room), map[uint64]bool{}
		for range numbers {
			h := random.Uint64N(1 << random.IntN(64)) // some twice
			if random.IntN(10) == 0 {
				h = math.MaxUint64 - h%8 // at the end, from where the next place is the first
			}
			h = max(h, 1)
			require.Equal(t, want[h], s.has(h))
			require.Equal(t, !want[h], s.add(h))
			require.True(t, s.has(h))
			want[h] = true
		}
		require.Equal(t, len(want), s.n)
	}
	s := newHashes(0)
	require.True(t, s.add(0))
	require.False(t, s.add(1), "0 and 1 are taken for one")
}
