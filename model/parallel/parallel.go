// Package parallel divides work among the processors.
package parallel

import (
	"runtime"
	"sync"
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
