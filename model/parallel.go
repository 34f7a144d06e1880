package model

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// Bands calls work for bands of rows, one for each processor, in parallel, and returns when all are done.
func Bands(rows int, work func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), rows)
	if parts <= 1 {
		work(0, rows)
		return
	}
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() { work(rows*i/parts, rows*(i+1)/parts) })
	}
	wait.Wait()
}

// ForEach calls work for every number below n, with several workers: each takes the next number when it is done with
// one. It returns when all are done.
func ForEach(workers, n int, work func(worker, i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for worker := range min(workers, n) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				work(worker, int(i))
			}
		})
	}
	wait.Wait()
}

// Task is work that emits its results in order. emit blocks until there is space; its error means that no more results
// are needed.
type Task[T any] func(ctx context.Context, emit func(T) error) error

const (
	maxTasksAhead   = 16 // tasks started before the first result is taken
	maxResultsAhead = 4  // of a task
)

// RunOrdered runs tasks in parallel, one for each processor, and calls take with their results in the order of the
// tasks. It ends early with the first error of a task, of take or of ctx, and returns when no task runs any more.
func RunOrdered[T any](ctx context.Context, tasks iter.Seq[Task[T]], take func(T) error) error {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan chan T, maxTasksAhead)
	go feed(inner, stop, tasks, queue)
	for results := range queue {
		for r := range results {
			if inner.Err() != nil {
				continue // the others have been canceled
			}
			if err := take(r); err != nil {
				stop(err)
			}
		}
	}
	return context.Cause(inner)
}

// feed begins the tasks. It closes the queue when all have ended.
func feed[T any](ctx context.Context, stop context.CancelCauseFunc, tasks iter.Seq[Task[T]], queue chan<- chan T) {
	defer close(queue)
	var wait sync.WaitGroup
	defer wait.Wait()
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for task := range tasks {
		results := make(chan T, maxResultsAhead)
		select {
		case free <- struct{}{}: // in order: the first task always runs
		case <-ctx.Done():
			return
		}
		queue <- results // the receiver continues until the queue is closed
		wait.Go(func() {
			defer func() { <-free }()
			defer close(results)
			err := task(ctx, func(r T) error {
				select {
				case results <- r:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			})
			if err != nil {
				stop(err)
			}
		})
	}
}
