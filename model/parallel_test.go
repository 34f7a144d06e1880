package model_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

func TestEachRowIsInOneBand(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 1000} {
		times := make([]atomic.Int32, n)
		model.Bands(n, func(from, to int) {
			for i := from; i < to; i++ {
				times[i].Add(1)
			}
		})
		for i := range times {
			assert.EqualValues(t, 1, times[i].Load(), "row %d of %d", i, n)
		}
	}
}

func TestEachNumberIsTakenOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		times := make([]atomic.Int32, n)
		model.Each(3, n, func(worker, i int) {
			times[i].Add(1)
			assert.Less(t, worker, 3)
		})
		for i := range times {
			assert.EqualValues(t, 1, times[i].Load(), "number %d of %d", i, n)
		}
	}
}
