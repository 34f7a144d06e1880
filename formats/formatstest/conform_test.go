package formatstest_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/formats/formatstest"
)

func TestSweepGoesFromTheFirstToTheLast(t *testing.T) {
	for _, n := range []int{0, 1, 2, 39, 40, 41, 1000} {
		all := slices.Collect(formatstest.Sweep(n))
		if !testing.Short() || n <= 40 {
			assert.Len(t, all, n)
		}
		if n > 0 {
			assert.Equal(t, []int{0, n - 1}, []int{all[0], all[len(all)-1]})
		}
		assert.True(t, slices.IsSorted(all))
		assert.Len(t, slices.Compact(all), len(all), "each once")
	}
}
