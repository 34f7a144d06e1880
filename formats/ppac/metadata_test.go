package ppac

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/model"
)

// TestBlocksOfAssetsAreFound: of the metadata blocks of the later revision only the last one of each asset is kept.
func TestBlocksOfAssetsAreFound(t *testing.T) {
	a := ppactest.Archive{Layout: ppactest.Layout{Later: true}}
	for k := range uint32(3) {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 1, k), Content: readme})
	}
	b := encode(t, a)
	const strangers = 5000
	metadata := order.AppendUint64(nil, strangers+4) // a size of 0, and the number of blocks
	block := func(tpu TPU, name string) {
		metadata = order.AppendUint64(metadata, tpu.Bits())
		metadata = append(metadata, 0, 1, 0, 0, byte(len("filename")), byte(len(name)))
		metadata = append(metadata, "filename"+name...)
	}
	block(TPU{1, 1, 2}, "two")
	block(TPU{1, 1, 0}, "old")
	for k := range uint32(strangers) {
		block(TPU{2, 2, k}, "stranger")
	}
	block(TPU{1, 1, 0}, "zero")
	block(TPU{}, "file")
	metadata = append(metadata, metadataGuard...)
	order.PutUint32(b[32:], uint32(len(b)))
	f, err := fileIn(t.Context(), source(append(b, metadata...)))
	require.NoError(t, err)
	for i, name := range []string{"zero", "0001-0001-00000001", "two"} {
		assert.Equal(t, name, f.Label(i))
	}
	assert.Len(t, f.metadata.blocks, 4, "nothing is kept of blocks that are of no asset")
	for tpu, entry := range map[TPU]int{{1, 1, 2}: 2, {1, 1, 0}: 0, {}: -1, {2, 2, 7}: -1} {
		path, ok := f.findKey(tpu.String())
		if assert.Equal(t, entry >= 0, ok, tpu); ok {
			assert.Equal(t, f.entryPath(entry), path)
		}
	}
	pairs, err := f.Pairs()
	require.NoError(t, err)
	assert.Equal(t, []MetadataEntry{{"filename", "file"}}, pairs)
}

func TestAssetsAreReadDespiteMetadataBeyondTheirEntry(t *testing.T) {
	b := encode(t, sample())
	b[bytes.Index(b, []byte("\x08\x0ffilename"))-1] = 9 // the count of the first asset's
	f, err := fileIn(t.Context(), source(b))
	require.NoError(t, err)
	a, err := f.Asset(0)
	require.NoError(t, err)
	assert.Equal(t, fitOverrun, a.fit)
	assert.Equal(t, "text/readme.txt", f.Label(0))
	v, why, err := a.Verify(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Valid, v, why)
	assert.ErrorContains(t, a.CheckFit(), "do not fit")
}

// TestComparisonsCanBeCanceled: reading the whole index, or contents, ends with the context.
func TestComparisonsCanBeCanceled(t *testing.T) {
	stop, cancel := context.WithCancel(t.Context())
	cancel()
	for _, a := range []ppactest.Archive{sample(),
		changed(laterSample(0), func(a *ppactest.Archive) { a.NoSums = true })} {
		b := encode(t, a)
		f, err := fileIn(t.Context(), source(b))
		require.NoError(t, err)
		for _, s := range []*model.Summaries{f.entrySummaries(), f.assetSummaries()} {
			assert.ErrorIs(t, s.Fill(stop, 0, make([]model.Summary, f.entries.n)), context.Canceled)
		}
	}
}
