package packing

import (
	"bytes"
	"cmp"
	"context"
	"testing"
	"time"

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

// A patch to an empty file has nothing of the old package but its layout.
func TestPatchesToAnEmptyFile(t *testing.T) {
	old := opened(t, written(t, sample(narrow, 0)))
	p, err := patch(t.Context(), old, emptyFile())
	require.NoError(t, err)
	assert.Len(t, p.Removed, 3)
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	d := opened(t, out.Bytes())
	assert.Equal(t, old.Variant, d.Variant)
	assert.Nil(t, d.Root().Named("metadata"))
	f, err := fileOf(t.Context(), d)
	require.NoError(t, err)
	assert.Zero(t, f.Header.Modified)
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

// canceller cancels what writes to it at the first piece, and counts the bytes.
type canceller struct {
	cancel func()
	n      int
}

func (c *canceller) Write(p []byte) (int, error) {
	c.cancel()
	c.n += len(p)
	return len(p), nil
}

func TestCopiesOfPackagesCanBeCancelled(t *testing.T) {
	doc := opened(t, written(t, ppactest.Archive{Assets: []ppactest.Asset{{Content: make([]byte, 4<<20)}}}))
	stop, cancel := context.WithCancel(t.Context())
	p, err := stack(stop, []*model.Document{doc})
	require.NoError(t, err)
	require.IsType(t, verbatim{}, p)
	out := &canceller{cancel: cancel}
	assert.ErrorIs(t, p.Write(stop, out), context.Canceled)
	assert.LessOrEqual(t, out.n, 1<<20)
}

// A damaged asset is mended by another content. What is recorded about it stays, but for what stood beside the data.
func TestDamagedAssetsAreReplaced(t *testing.T) {
	cut := func(t testing.TB, a ppactest.Archive) []byte {
		b := written(t, a)
		b[bytes.Index(b, []byte("\x08\x0ffilename"))-1] = 9 // the count of the first asset's
		return b
	}
	for name, test := range map[string]struct {
		layout          ppactest.Layout
		damaged         func(testing.TB, ppactest.Archive) []byte
		name            string
		created, latest int64
	}{
		"published":           {narrow, written, "text/readme.txt", 5, 100},
		"published, its data": {narrow, cut, "", 100, 100},
		"published, nowhere":  {narrow, misplaced, "", 100, 100},
		"later, nowhere":      {ppactest.Layout{Later: true}, misplaced, "text/readme.txt", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			doc := opened(t, test.damaged(t, sample(test.layout, 0)))
			p, err := replace(t.Context(), doc, 0, fileWith("repaired", time.UnixMilli(100)))
			require.NoError(t, err)
			repaired := packed(t, p)
			f, err := fileOf(t.Context(), repaired)
			require.NoError(t, err)
			a, err := f.Asset(0)
			require.NoError(t, err)
			b, err := f.Source.Bytes(a.Data)
			require.NoError(t, err)
			assert.Equal(t, "repaired", string(b))
			assert.Equal(t, test.created, a.Created)
			assert.Equal(t, test.latest, a.Modified)
			assert.Contains(t, repaired.Root().Named("assets").Child(0).Title(), cmp.Or(test.name, "0100-0001-00000001"))
		})
	}
}
