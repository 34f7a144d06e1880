package packing

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/model"
)

var narrow, wide = ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, ppactest.Layout{SizeWidth: 8, PositionWidth: 8}

// overEntry is the sample with sums over the whole DATA ENTRY, as some writers have them. They follow from the widths,
// from the times and from the metadata.
func overEntry(l ppactest.Layout, flags uint32) ppactest.Archive {
	a := sample(l, flags)
	a.AdlerOverEntry = true
	return a
}

// packed opens what is written of a packing, in which each content matches its sum.
func packed(t *testing.T, p model.ArchivePlan) *model.Document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	d := opened(t, out.Bytes())
	require.Equal(t, p.Len(), d.Payloads.Len())
	for i := range p.Len() {
		v, said, err := d.Payloads.At(i).Verify(t.Context())
		require.NoError(t, err)
		assert.Equal(t, model.Valid, v, said)
	}
	return d
}

func TestSumsOfCopiedAssetsHold(t *testing.T) {
	base := opened(t, written(t, overEntry(narrow, 0)))
	other := []byte("other")
	p, err := replace(t.Context(), base, 1, model.PackedFile{Size: int64(len(other)),
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(other)), nil }})
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
