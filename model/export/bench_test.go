package export_test

import (
	"context"
	"fmt"
	"hash/adler32"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

// container is a file with assets one after the other, as a package holds them. The peers of these benchmarks are in
// the plan: 7z x, cp, 7z t and sha256sum on the same bytes.
func container(b *testing.B, count int, size int64) model.PayloadList {
	path := filepath.Join(b.TempDir(), "container")
	f, err := os.Create(path)
	require.NoError(b, err)
	chunk := make([]byte, size)
	var list model.PayloadList
	sums := make([]uint32, count)
	for i := range count {
		for j := range chunk {
			chunk[j] = byte(i + j + j>>8)
		}
		sums[i] = adler32.Checksum(chunk)
		_, err := f.Write(chunk)
		require.NoError(b, err)
	}
	require.NoError(b, f.Sync()) // the disk is not to be busy with it later
	require.NoError(b, f.Close())
	src, err := model.OpenFile(path)
	require.NoError(b, err)
	b.Cleanup(func() { src.Close() })
	for i := range count {
		span := model.Span{Offset: int64(i) * size, Size: size}
		name := fmt.Sprintf("%05d.bin", i)
		list = append(list, &model.Payload{Key: name, Name: name, Size: size, Stored: span, Open: func(context.Context) (io.ReadCloser, error) {
			h := adler32.New()
			return &model.CheckedStream{ReadCloser: io.NopCloser(io.TeeReader(src.Reader(span), h)), AtEnd: func() (model.Verdict, string) {
				if h.Sum32() == sums[i] {
					return model.Valid, ""
				}
				return model.Invalid, ""
			}}, nil
		}})
	}
	return list
}

func benchmarkExport(b *testing.B, count int, size int64, to func(b *testing.B) export.Folder, opts export.Options) {
	list := container(b, count, size)
	b.SetBytes(int64(count) * size)
	for b.Loop() {
		b.StopTimer()
		folder := to(b)
		b.StartTimer()
		plan, err := export.NewPlan(b.Context(), folder, picks(list...), opts)
		require.NoError(b, err)
		r := plan.Run(b.Context())
		require.Equal(b, count, r.Exported)
		require.False(b, r.Bad())
		b.StopTimer()
		if d, ok := folder.(*export.Directory); ok && opts.NoSync {
			var names []string
			for _, row := range r.Rows {
				names = append(names, row.Path)
			}
			require.NoError(b, d.Sync(names))
			require.NoError(b, os.RemoveAll(d.Path())) // so that the next one gets memory that was in use before, as its peers do
		}
		b.StartTimer()
	}
}

func onDisk(b *testing.B) export.Folder {
	d := export.OpenDirectory(filepath.Join(b.TempDir(), "out"))
	b.Cleanup(func() { d.Close() })
	return d
}

func nowhere(*testing.B) export.Folder { return export.Nowhere{} }

func BenchmarkExtractSmall(b *testing.B) {
	benchmarkExport(b, 10_000, 2<<10, onDisk, export.Options{})
}

func BenchmarkExtractSmallNoSync(b *testing.B) {
	benchmarkExport(b, 10_000, 2<<10, onDisk, export.Options{NoSync: true})
}

func BenchmarkExtractLarge(b *testing.B) {
	benchmarkExport(b, 1, 1<<30, onDisk, export.Options{})
}

func BenchmarkExtractLargeNoSync(b *testing.B) {
	benchmarkExport(b, 1, 1<<30, onDisk, export.Options{NoSync: true})
}

func BenchmarkVerifyAdler(b *testing.B) {
	benchmarkExport(b, 1024, 1<<20, nowhere, export.Options{})
}

func BenchmarkVerifySums(b *testing.B) {
	benchmarkExport(b, 1024, 1<<20, nowhere, export.Options{Sums: true})
}
