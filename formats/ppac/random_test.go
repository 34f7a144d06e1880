package ppac

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
)

// randomArchive returns a container of small assets in one of the layouts, which the first of them determines.
func randomArchive(seed uint64) ppactest.Archive {
	r := rand.New(rand.NewPCG(seed, 1))
	layouts := append(publishedLayouts(), laidOut{archive: laterSample(0)}, laidOut{archive: laterSample(1)})
	of := layouts[r.IntN(len(layouts))].archive
	a := ppactest.Archive{Layout: of.Layout, Flags: of.Flags, Created: 1e12, Modified: 1e12 + r.Int64N(9),
		AdlerOverEntry: r.IntN(5) == 0, NoSums: of.Layout.Later && r.IntN(4) == 0}
	if r.IntN(2) == 0 {
		a.Metadata = ppactest.Pairs("title", fmt.Sprint(r.IntN(99)), "", "")
	}
	for u := range 1 + uint32(r.IntN(5)) {
		s := ppactest.Asset{TPU: ppactest.NewTPU(uint16(r.IntN(3)), uint16(r.IntN(2)), u), Created: 1e12,
			Modified: 1e12, Content: make([]byte, r.IntN(60)), Deleted: u > 0 && r.IntN(8) == 0,
			Codec: []string{"", "", ppactest.Zlib, ppactest.Gzip, ppactest.RawDeflate}[r.IntN(5)]}
		if r.IntN(2) == 0 {
			for i := range s.Content {
				s.Content[i] = byte(r.Uint32())
			}
		}
		if r.IntN(2) == 0 {
			s.Metadata = ppactest.Pairs("filename", "x.bin")
		}
		a.Assets = append(a.Assets, s)
	}
	return a
}

// TestRandomFilesAreReadAsWritten: a file has the layout in which it was written, and no problem.
func TestRandomFilesAreReadAsWritten(t *testing.T) {
	seeds := uint64(1500)
	if testing.Short() {
		seeds = 200
	}
	for seed := range seeds {
		a := randomArchive(seed)
		b := encode(t, a)
		doc := openBytes(t, b)
		r := check(t, doc)
		require.False(t, r.Bad(), "%d: %v", seed, r.Problems)
		require.EqualValues(t, len(b), r.Accounted, seed)
		requireAssets(t, doc, a)
		want := Layout(a.Layout)
		if want.PositionWidth == 0 {
			want = layoutOf(a.Flags, want.Later)
		}
		require.Equal(t, want.String(), doc.Variant, seed)
		require.False(t, t.Failed(), seed)
	}
}

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
