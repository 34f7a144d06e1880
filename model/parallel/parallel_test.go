package parallel_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/parallel"
)

func TestEachRowIsInOneBand(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 1000} {
		times := make([]atomic.Int32, n)
		parallel.Bands(n, func(from, to int) {
			for i := from; i < to; i++ {
				times[i].Add(1)
			}
		})
		for i := range times {
			assert.EqualValues(t, 1, times[i].Load(), "row %d of %d", i, n)
		}
	}
}
