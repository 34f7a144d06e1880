package packing

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

// differenceOf compares the first asset of two containers.
func differenceOf(t *testing.T, docs ...*model.Document) difference {
	t.Helper()
	s, err := sidesOf(t.Context(), docs...)
	require.NoError(t, err)
	require.True(t, s.next(t.Context()))
	d, err := new(comparer).compare(t.Context(), &s.assets[0], &s.assets[1])
	require.NoError(t, err)
	return d
}

func TestDifferences(t *testing.T) {
	for name, l := range map[string]ppactest.Layout{"published": {}, "later": {Later: true}} {
		for _, noSums := range []bool{false, true} {
			base := ppactest.Archive{Layout: l, NoSums: noSums, AdlerOverEntry: noSums}
			of := func(assets ...ppactest.Asset) *model.Document {
				a := base
				a.Assets = assets
				return opened(t, written(t, a))
			}
			asset := ppactest.Asset{TPU: ppactest.NewTPU(1, 1, 1), Created: 5, Modified: 6, Content: []byte("readme"),
				Metadata: ppactest.Pairs("filename", "readme.txt")}
			content2, names2, times2 := asset, asset, asset
			content2.Content = []byte("README")
			names2.Metadata = ppactest.Pairs("filename", "README.md")
			times2.Modified++
			both := content2
			both.Metadata = names2.Metadata
			wantTimes := timesDiffer
			if l.Later {
				wantTimes = 0 // it has none
			}
			for _, test := range []struct {
				other ppactest.Asset
				want  difference
			}{{asset, 0}, {content2, contentDiffers}, {names2, metadataDiffers}, {times2, wantTimes},
				{both, contentDiffers | metadataDiffers}} {
				assert.Equal(t, test.want, differenceOf(t, of(asset), of(test.other)), name)
			}
			assert.Equal(t, presenceDiffers, differenceOf(t, of(asset), of()), name)
			base.Layout = ppactest.Layout{Later: !l.Later}
			other := of(asset)
			base.Layout = l
			assert.Equal(t, allDiffers, differenceOf(t, of(asset), other), name)
		}
	}
}

// The same content may be recorded with a size or a sum that another container leaves out.
func TestRecordsThatAreLeftOut(t *testing.T) {
	of := func(l ppactest.Layout, noSums bool, content string) *model.Document {
		return opened(t, written(t, ppactest.Archive{Layout: l, NoSums: noSums, Assets: []ppactest.Asset{
			{TPU: ppactest.NewTPU(1, 1, 1), Content: []byte(content)}}}))
	}
	memory, later := ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}, ppactest.Layout{Later: true}
	for name, test := range map[string]struct {
		old, same, other *model.Document
	}{
		"a memory size": {of(narrow, false, "one"), of(memory, false, "one"), of(memory, false, "two")},
		"wider sizes":   {of(narrow, false, "one"), of(wide, false, "one"), of(wide, false, "two")},
		"a SHA-256":     {of(later, false, "one"), of(later, true, "one"), of(later, true, "two")},
	} {
		assert.Zero(t, differenceOf(t, test.old, test.same), name)
		assert.Zero(t, differenceOf(t, test.same, test.old), name)
		assert.Equal(t, contentDiffers, differenceOf(t, test.old, test.other), name)
	}
}

// A sum over the whole entry may be another for the same content, but not one that the bytes do not have.
func TestABrokenSumIsADifference(t *testing.T) {
	two := sample(narrow, 0).Assets[:2]
	for name, a := range map[string]ppactest.Archive{
		"over the content": {Assets: two},
		"over the entry":   {AdlerOverEntry: true, Assets: two},
		"of one asset":     {AdlerOverEntry: true, Assets: two[:1]},
		"of a later one":   {Layout: ppactest.Layout{Later: true}, Assets: two},
	} {
		t.Run(name, func(t *testing.T) {
			b := written(t, a)
			sound := opened(t, b)
			f, err := fileOf(t.Context(), sound)
			require.NoError(t, err)
			b = bytes.Clone(b)
			b[sound.Root().Named("index").Named("entries").Child(0).Span.End()-1] ^= 1
			broken := opened(t, b)
			assert.Equal(t, contentDiffers, differenceOf(t, broken, sound))
			assert.Equal(t, contentDiffers, differenceOf(t, sound, broken))
			p, err := patch(t.Context(), broken, sound)
			require.NoError(t, err)
			assert.Equal(t, 1, p.Changed)
			packed(t, p)
			m, err := merge(t.Context(), broken, broken, sound)
			require.NoError(t, err)
			require.Len(t, m.Assets, 1)
			assert.Equal(t, byTheirs, m.Assets[0].Changed)
			assert.Equal(t, f.Entry(0).TPU.String(), m.Key(0))
		})
	}
	other := opened(t, written(t, overEntry(narrow, 0)))
	p, err := patch(t.Context(), opened(t, written(t, sample(narrow, 0))), other)
	require.NoError(t, err)
	assert.Zero(t, p.Changed, "sums over other bytes")
}

// An asset whose place is not in the file is the same as itself, and another than one that is there, whatever sum both
// have.
func TestMisplacedAssetsAreCompared(t *testing.T) {
	two := sample(narrow, 0).Assets[:2]
	for name, a := range map[string]ppactest.Archive{
		"published":      {Assets: two},
		"later":          {Assets: two, Layout: ppactest.Layout{Later: true}},
		"later, no sums": {Assets: two, Layout: ppactest.Layout{Later: true}, NoSums: true},
	} {
		t.Run(name, func(t *testing.T) {
			sound, broken := opened(t, written(t, a)), opened(t, misplaced(t, a))
			assert.Zero(t, differenceOf(t, broken, broken))
			assert.Equal(t, allDiffers, differenceOf(t, sound, broken))
			assert.Equal(t, allDiffers, differenceOf(t, broken, sound))

			m, err := merge(t.Context(), broken, broken, broken)
			require.NoError(t, err)
			assert.Empty(t, m.Assets)
			p, err := patch(t.Context(), broken, broken)
			require.NoError(t, err)
			assert.Zero(t, p.Changed)
			p, err = patch(t.Context(), broken, sound)
			require.NoError(t, err)
			assert.Equal(t, 1, p.Changed)

			a.Metadata = ppactest.Pairs("title", "so that the index does not end the file")
			inIndex := func(a ppactest.Archive) *model.Document {
				return opened(t, moved(t, a, func(f *ppac.File) uint64 {
					return f.Header.Index + 80 - f.Entry(0).Size
				}))
			}
			a.Assets = slices.Clone(a.Assets)
			before := inIndex(a)
			a.Assets[1].TPU.Unique++
			m, err = merge(t.Context(), before, before, inIndex(a))
			require.NoError(t, err)
			assert.Len(t, m.Assets, 2, "of the first it is not its bytes that changed, but the index")
			a.Assets[1].TPU.Unique--

			a.Assets[0].Metadata = ppactest.Pairs("filename", "text/other.txt", "by", "me")
			other := differenceOf(t, broken, opened(t, misplaced(t, a)))
			if a.Layout.Later {
				assert.Equal(t, metadataDiffers, other, "they are not beside the data")
			} else {
				assert.Equal(t, allDiffers, other, "the size of the entry is another")
			}
		})
	}
}
