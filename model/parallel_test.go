package model_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		model.ForEach(3, n, func(worker, i int) {
			times[i].Add(1)
			assert.Less(t, worker, 3)
		})
		for i := range times {
			assert.EqualValues(t, 1, times[i].Load(), "number %d of %d", i, n)
		}
	}
}

// numbers returns n tasks that emit their index, each so many times.
func numbers(n, times int) []model.Task[int] {
	var all []model.Task[int]
	for i := range n {
		all = append(all, func(_ context.Context, emit func(int) error) error {
			for range times {
				if err := emit(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all
}

func TestResultsComeInTheOrderOfTheTasks(t *testing.T) {
	var got, want []int
	for i := range 100 {
		want = append(want, slices.Repeat([]int{i}, 20)...)
	}
	require.NoError(t, model.RunOrdered(t.Context(), slices.Values(numbers(100, 20)), func(i int) error {
		got = append(got, i)
		return nil
	}))
	assert.Equal(t, want, got)
}

func TestRunOrderedStopsAtTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	taken := 0
	take := func(int) error { taken++; return nil }
	assert.ErrorIs(t, model.RunOrdered(t.Context(), slices.Values(numbers(100, 1000)), func(int) error {
		return broken
	}), broken, "an error of take")

	var ended atomic.Int32
	tasks := numbers(3, 1)
	tasks = append(tasks, func(context.Context, func(int) error) error { return broken })
	tasks = append(tasks, func(ctx context.Context, _ func(int) error) error {
		<-ctx.Done()
		ended.Add(1)
		return ctx.Err()
	})
	assert.ErrorIs(t, model.RunOrdered(t.Context(), slices.Values(tasks), take), broken, "an error of a task")

	ctx, stop := context.WithCancel(t.Context())
	tasks = append(numbers(1, 1), func(ctx context.Context, _ func(int) error) error {
		stop()
		<-ctx.Done()
		return ctx.Err()
	})
	assert.ErrorIs(t, model.RunOrdered(ctx, slices.Values(tasks), take), context.Canceled)
	assert.NoError(t, model.RunOrdered(t.Context(), slices.Values(numbers(0, 0)), take), "there may be no tasks")
}
