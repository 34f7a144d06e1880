package archive_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
)

// million is a document of a million assets in a thousand folders.
func million() *model.Document {
	all := make(model.PayloadList, 1_000_000)
	for i := range all {
		all[i] = &model.Payload{Name: fmt.Sprintf("images/%03d/icon_%06d.png", i%1000, i), Type: "png", Size: int64(i),
			Stored: model.Span{Size: int64(i)}}
	}
	d := document()
	d.Payloads = all
	return d
}

func BenchmarkReadMillion(b *testing.B) {
	d := million()
	for b.Loop() {
		_, err := archive.Read(context.Background(), d, func(*archive.Archive) {})
		require.NoError(b, err)
	}
}

func BenchmarkFoldersMillion(b *testing.B) {
	a := read(b, million())
	for b.Loop() {
		_, err := a.Folders(context.Background())
		require.NoError(b, err)
	}
}

func BenchmarkFilterMillion(b *testing.B) {
	a := read(b, million())
	t := a.Table()
	for _, text := range []string{"99999", "size > 900 kB", "*99.png"} {
		b.Run(text, func(b *testing.B) {
			f, err := query.Parse(text, query.TableColumns(t))
			require.NoError(b, err)
			for b.Loop() {
				_, err := query.FilterTable(context.Background(), t, nil, f, nil)
				require.NoError(b, err)
			}
		})
	}
}
