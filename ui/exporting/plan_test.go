package exporting

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

// many is a list of assets that uses no memory.
type many int

func (m many) Len() int { return int(m) }

func (m many) At(i int) *model.Payload {
	return &model.Payload{Key: fmt.Sprintf("0100-0000-%08X", i), Name: fmt.Sprintf("assets/%07d.txt", i), Size: 5,
		Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader([]byte("12345"))), nil
		}}
}

func (m many) DescribeEach(ctx context.Context, from, to int, each func(i int, p *model.Payload) bool) error {
	for i := from; i < to && each(i, m.At(i)); i++ {
	}
	return ctx.Err()
}

// BenchmarkPlanMillion plans the million assets of a document, as an export of the whole list does.
func BenchmarkPlanMillion(b *testing.B) {
	const n = 1_000_000
	d := document("many.bin")
	d.Payloads = many(n)
	folder := b.TempDir()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	b.ReportAllocs()
	for b.Loop() {
		list := newExportList(func(d *model.Document) { d.Source.Close() })
		require.Equal(b, n, list.add(d, all))
		plan, _, err := planExport(b.Context(), folder, list.picks(list.all()),
			export.Options{Usual: true, Once: true})
		require.NoError(b, err)
		files, bytes := plan.Counts()
		require.Equal(b, n, files)
		require.EqualValues(b, 5*n, bytes)
		list.clear()
	}
}
