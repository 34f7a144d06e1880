package packing

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/model"
)

// An empty package does not show whether its index would have memory sizes: it is put together with any.
func TestEmptyPackagesOfAnyLayoutAreStacked(t *testing.T) {
	full := opened(t, written(t, sample(ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}, 0)))
	p, err := patch(t.Context(), full, full)
	require.NoError(t, err)
	var empty, out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &empty))
	all, err := stack(t.Context(), []*model.Document{full, opened(t, empty.Bytes())})
	require.NoError(t, err)
	require.NoError(t, all.Write(t.Context(), &out))
	assert.Equal(t, full.Variant, opened(t, out.Bytes()).Variant)
}

func TestPatchesCanBeCancelled(t *testing.T) {
	stop, cancel := context.WithCancel(t.Context())
	cancel()
	for _, later := range []bool{false, true} {
		doc := opened(t, written(t, sample(ppactest.Layout{Later: later}, 0)))
		_, err := patch(stop, doc, doc)
		assert.ErrorIs(t, err, context.Canceled)
		_, err = stack(stop, []*model.Document{doc, doc})
		assert.ErrorIs(t, err, context.Canceled)
	}
}

// A package with a damaged asset is mended by a patch that has it.
func TestDamagedAssetsArePatched(t *testing.T) {
	a := sample(ppactest.Layout{}, 0)
	b := written(t, a)
	b[bytes.Index(b, []byte("\x08\x0ffilename"))-1] = 9 // the count of the first asset's
	a.Assets[0].Content = []byte("changed")
	p, err := patch(context.Background(), opened(t, b), opened(t, written(t, a)))
	require.NoError(t, err)
	assert.Equal(t, 1, p.Changed)
	assert.Zero(t, p.Added)
}
