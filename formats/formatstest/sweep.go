package formatstest

import (
	"iter"
	"testing"
)

// sweepShort is the number of steps of a sweep in a short run.
const sweepShort = 40

// Sweep yields the numbers below n: each cut of a file, each byte to damage. In a short run (go test -short) it yields
// some of them, from the first to the last.
func Sweep(n int) iter.Seq[int] {
	steps := n
	if testing.Short() {
		steps = min(n, sweepShort)
	}
	return func(yield func(int) bool) {
		for k := range steps {
			i := k
			if steps < n {
				i = k * (n - 1) / (steps - 1)
			}
			if !yield(i) {
				return
			}
		}
	}
}
