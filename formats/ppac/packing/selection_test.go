package packing

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

func TestSumsOfCopiedAssetsHold(t *testing.T) {
	base := opened(t, written(t, overEntry(narrow, 0)))
	p, err := replace(t.Context(), base, 1, fileWith("other", time.UnixMilli(0)))
	require.NoError(t, err)
	replaced := packed(t, p)
	for name, layers := range map[string][]*model.Document{
		"other widths":                  {opened(t, written(t, timed(5, "", nil))), opened(t, written(t, overEntry(wide, 3)))},
		"an asset replaced":             {base, replaced},
		"over the entry and the data":   {opened(t, written(t, timed(5, "", map[uint32]string{2: "two"}))), base},
		"of two widths, over the entry": {base, opened(t, written(t, overEntry(wide, 3)))},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := stack(t.Context(), layers)
			require.NoError(t, err)
			packed(t, p)
		})
	}
}

// A sum that does not match is not made to match by writing another.
func TestDamagedContentIsNotCopied(t *testing.T) {
	b := written(t, overEntry(wide, 3))
	b[bytes.Index(b, []byte("readme\n"))] ^= 1
	p, err := patch(t.Context(), opened(t, written(t, ppactest.Archive{})), opened(t, b))
	require.NoError(t, err)
	err = p.Write(t.Context(), io.Discard)
	assert.ErrorContains(t, err, "Adler-32 over the whole data entry is not the")
	assert.ErrorContains(t, err, "verify lists what is wrong")
}

// Sums over other bytes than the content do not tell whether that was changed.
func TestSumsOverEntriesAreNoChange(t *testing.T) {
	base, again := opened(t, written(t, overEntry(narrow, 0))), opened(t, written(t, overEntry(wide, 3)))
	p, err := patch(t.Context(), base, again)
	require.NoError(t, err)
	assert.Zero(t, p.Changed+p.Added+p.Len())
}

// An asset whose metadata are damaged is not copied into another package.
func TestDamagedAssetsAreNotCopied(t *testing.T) {
	b := written(t, sample(ppactest.Layout{}, 0))
	b[bytes.Index(b, []byte("\x08\x0ffilename"))-1] = 9 // the count of the first asset's
	doc := opened(t, b)
	p, err := patch(t.Context(), opened(t, written(t, ppactest.Archive{})), doc)
	require.NoError(t, err)
	assert.ErrorContains(t, p.Write(t.Context(), io.Discard), "verify lists what is wrong")
}

// In the later revision the metadata of a file stand under the TPU 0: where that is an asset they have no place.
func TestOnlyAnAssetHasTheTPU0(t *testing.T) {
	later := ppactest.Layout{Later: true}
	asset := opened(t, written(t, ppactest.Archive{Layout: later, Assets: []ppactest.Asset{
		{Content: []byte("zero"), Metadata: ppactest.Pairs("filename", "zero.txt")}}}))
	titled := opened(t, written(t, sample(later, 0)))
	for _, layers := range [][]*model.Document{{asset, titled}, {titled, asset}} {
		p, err := stack(t.Context(), layers)
		require.NoError(t, err)
		d := packed(t, p)
		assert.Equal(t, 2, d.Root().Named("metadata").Named("blocks").Len(), "a block of each asset that has metadata")
		f, err := fileOf(t.Context(), d)
		require.NoError(t, err)
		b, err := f.Source.Bytes(f.Block(ppac.TPU{}))
		require.NoError(t, err)
		assert.Contains(t, string(b), "zero.txt")
	}
}
