package ppac

import (
	"bytes"
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

// rewritten returns what the writer makes of all that is read of a container.
func rewritten(ctx context.Context, src *model.Source) ([]byte, error) {
	f, err := fileIn(ctx, src)
	if err != nil {
		return nil, err
	}
	type part struct {
		at    int64
		asset write.Asset
		index int
	}
	var parts []part
	for k := range f.assets.count {
		i := f.assets.record(k)
		s, err := f.copied(i)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{f.assets.span(k).Offset, s, i})
	}
	for k := range f.trash.count {
		s := f.trash.span(k)
		parts = append(parts, part{s.Offset, write.Asset{Size: s.Size, Deleted: true,
			Open: func(ctx context.Context) (io.ReadCloser, error) { return io.NopCloser(f.stored(ctx, s)), nil }}, 0})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return int(a.at - b.at) })
	for i := range parts[min(1, len(parts)):] {
		parts[i+1].asset.Shared = parts[i+1].at == parts[i].at && !parts[i].asset.Deleted && parts[i+1].asset.Size > 0
	}
	a := write.Archive{Layout: write.Layout(f.layout), Flags: f.header.Flags, Created: f.header.Created,
		Modified: f.header.Modified, Len: len(parts), EmptySections: !f.layout.Later && f.trashIndex.shown(),
		Asset: func(i int) (write.Asset, error) { return parts[i].asset, nil }}
	for _, p := range parts {
		a.Index = append(a.Index, p.index)
	}
	if a.Metadata, err = f.pairs(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = write.To(ctx, &out, a)
	return out.Bytes(), err
}

func TestWhatIsReadIsWrittenAgain(t *testing.T) {
	published := func(flags uint32, l ppactest.Layout) ppactest.Archive {
		return with(sample(), func(a *ppactest.Archive) { a.Flags, a.Layout = flags, l })
	}
	for name, a := range map[string]ppactest.Archive{
		"published": sample(), "wide": published(3, ppactest.Layout{SizeWidth: 8, PositionWidth: 8}),
		"wide sizes":         published(1, ppactest.Layout{SizeWidth: 8, PositionWidth: 4}),
		"memory sizes":       published(0, ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}),
		"adler over entries": with(sample(), func(a *ppactest.Archive) { a.AdlerOverEntry = true }),
		"later":              later(0), "later, long": later(1),
		"later, no sums": with(later(0), func(a *ppactest.Archive) { a.NoSums = true }),
	} {
		b := written(t, a)
		again, err := rewritten(t.Context(), source(b))
		require.NoError(t, err, name)
		assert.Equal(t, b, again, name)
	}
}
