package model

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Task is work whose results are emitted one after the other. emit waits until there is room for the result; its error
// says that nothing more is wanted.
type Task[T any] func(ctx context.Context, emit func(T) error) error

const (
	tasksAhead   = 16 // tasks that are begun before the results of the first are taken
	resultsAhead = 4  // of a task
)

// Ordered works on tasks, as many at once as there are processors, and calls take with their results in the order of
// the tasks. It ends early with the first error of a task or of take, or with the context's. No task runs any more when
// it returns.
func Ordered[T any](ctx context.Context, tasks iter.Seq[Task[T]], take func(T) error) error {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue := make(chan chan T, tasksAhead)
	go feed(inner, stop, tasks, queue)
	for results := range queue {
		for r := range results {
			if inner.Err() != nil {
				continue // the others are told to end
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
		results := make(chan T, resultsAhead)
		select {
		case free <- struct{}{}: // in order: the first task always runs
		case <-ctx.Done():
			return
		}
		queue <- results // whoever takes goes on until the queue is closed
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
