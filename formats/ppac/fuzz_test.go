package ppac

import (
	"testing"

	"assay/formats/ppac/ppactest"
)

func FuzzOpen(f *testing.F) {
	for _, a := range smallArchives() {
		f.Add(encode(f, a))
	}
	f.Add(encode(f, sample()))
	f.Add(encode(f, changed(laterSample(0), func(a *ppactest.Archive) { a.NoIDs = true })))
	f.Add(encode(f, changed(laterSample(1), func(a *ppactest.Archive) { a.OldGuard = true })))
	f.Add(encode(f, changed(sample(), shuffle)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= 1<<20 {
			openAndCheck(t, b)
		}
	})
}
