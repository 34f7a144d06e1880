package ppac

import (
	"testing"

	"assay/formats/ppac/ppactest"
)

func FuzzOpen(f *testing.F) {
	for _, a := range small() {
		f.Add(written(f, a))
	}
	f.Add(written(f, sample()))
	f.Add(written(f, with(later(0), func(a *ppactest.Archive) { a.NoIDs = true })))
	f.Add(written(f, with(later(1), func(a *ppactest.Archive) { a.OldGuard = true })))
	f.Add(written(f, with(sample(), shuffled)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= 1<<20 {
			look(t, b)
		}
	})
}
