package packing

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/formats/ppac/write"
	"assay/model"
)

// rewrite writes all that is read of a container.
func rewrite(ctx context.Context, doc *model.Document) ([]byte, error) {
	f, err := fileOf(ctx, doc)
	if err != nil {
		return nil, err
	}
	type part struct {
		model.Span
		asset write.Asset
	}
	var parts []part
	for i := range f.Len() {
		a, err := f.Asset(i)
		if err != nil {
			return nil, err
		}
		s, err := copyAsset(f, i)
		if err != nil {
			return nil, err
		}
		s.Adler32 = &a.Entry.Adler32 // over whatever it is: the layout stays
		parts = append(parts, part{a.Span, s})
	}
	if trash := doc.Root().ChildNamed("trash"); trash != nil {
		for k := range trash.Len() {
			s := trash.Child(k).Span
			open := func(context.Context) (io.ReadCloser, error) { return io.NopCloser(f.Source.Reader(s)), nil }
			parts = append(parts, part{s, write.Asset{Size: s.Size, Deleted: true, Open: open}})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Size, b.Size))
	})
	for i := range parts[min(1, len(parts)):] {
		parts[i+1].asset.Shared = parts[i+1].Offset == parts[i].Offset && !parts[i].asset.Deleted &&
			parts[i+1].asset.Size > 0
	}
	a := write.Archive{Layout: write.Layout(f.Layout), Flags: f.Header.Flags, Created: f.Header.Created,
		Modified: f.Header.Modified, Len: len(parts),
		Asset: func(i int) (write.Asset, error) { return parts[i].asset, nil }}
	if a.Metadata, err = pairsOf(f); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = write.Encode(ctx, &out, a)
	return out.Bytes(), err
}

func TestPackagesAreRewritten(t *testing.T) {
	with := func(l ppactest.Layout, flags uint32, change func(*ppactest.Archive)) ppactest.Archive {
		a := sample(l, flags)
		change(&a)
		return a
	}
	for name, a := range map[string]ppactest.Archive{
		"published":          sample(ppactest.Layout{}, 0),
		"wide":               sample(ppactest.Layout{SizeWidth: 8, PositionWidth: 8}, 3),
		"wide sizes":         sample(ppactest.Layout{SizeWidth: 8, PositionWidth: 4}, 1),
		"memory sizes":       sample(ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}, 0),
		"adler over entries": with(ppactest.Layout{}, 0, func(a *ppactest.Archive) { a.AdlerOverEntry = true }),
		"later":              sample(ppactest.Layout{Later: true}, 0),
		"later, long":        sample(ppactest.Layout{Later: true}, 1),
		"later, no sums":     with(ppactest.Layout{Later: true}, 0, func(a *ppactest.Archive) { a.NoSums = true }),
	} {
		b := encode(t, a)
		doc := openBytes(t, b)
		again, err := rewrite(t.Context(), doc)
		require.NoError(t, err, name)
		assert.Equal(t, b, again, name)
		p, err := stack(t.Context(), []*model.Document{doc})
		require.NoError(t, err, name)
		var out bytes.Buffer
		require.NoError(t, p.Write(t.Context(), &out), name)
		assert.Equal(t, b, out.Bytes(), "%s: what is alone in a stack stays as it is", name)
	}
}
