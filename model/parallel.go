package model

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Bands works on a number of rows, in as many bands at once as there are processors. It returns when all are done.
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

// Each works on every number below n, on so many at once: each worker takes the next number when it is done with one.
// It returns when all are done.
func Each(workers, n int, work func(worker, i int)) {
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
