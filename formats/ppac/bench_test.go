package ppac

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/ppac/ppactest"
	"assay/formats/ppac/write"
	"assay/model"
	"assay/model/checksum"
)

const million = 1_000_000

// writeMany writes a file of n assets of 64 bytes; in the later revision with a file name for each. If mixed, the
// index has another order than the file.
func writeMany(t testing.TB, n int, l ppactest.Layout, mixed bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "many.pac")
	out, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriterSize(out, 1<<20)
	sum := checksum.Adler32(make([]byte, 64))
	asset := write.Asset{Size: 64, Expanded: 64, Adler32: &sum, SHA256: new([32]byte)}
	if l.Later {
		asset.Metadata = ppactest.Pairs("filename", "dir/file")
	}
	asset.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(make([]byte, asset.Size))), nil
	}
	a := write.Archive{Layout: l, Len: n, Asset: func(i int) (write.Asset, error) {
		s := asset
		s.TPU = ppactest.NewTPU(0x0001, uint16(i%7), uint32(i))
		return s, nil
	}}
	require.NoError(t, write.Encode(t.Context(), w, a))
	require.NoError(t, w.Flush())
	require.NoError(t, out.Close())
	if mixed {
		mixIndex(t, path, n, Layout(l))
	}
	return path
}

// mixIndex moves the index entries of a file of n assets.
func mixIndex(t testing.TB, path string, n int, l Layout) {
	t.Helper()
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	const count = 4 // bytes before the entries
	index := file[int(binary.BigEndian.Uint32(file[24+l.PositionWidth:]))+count:]
	size := int(l.entrySize())
	written := bytes.Clone(index[:n*size])
	for i := range n {
		copy(index[i*7919%n*size:], written[i*size:(i+1)*size])
	}
	require.NoError(t, os.WriteFile(path, file, 0o600))
}

func openFile(t testing.TB, path string) *model.Document {
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	doc, err := Open(context.Background(), src)
	require.NoError(t, err)
	return doc
}

// heapSize returns the memory in use, in bytes.
func heapSize() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkOpenMillion(b *testing.B) {
	for _, c := range []struct {
		name  string
		l     ppactest.Layout
		mixed bool
	}{
		{"published", ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, false},
		{"published-mixed", ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, true},
		{"later", ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 4}, false},
		{"later-mixed", ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 4}, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			path := writeMany(b, million, c.l, c.mixed)
			b.ReportAllocs()
			for b.Loop() {
				doc := openFile(b, path)
				for i := range 40 { // the rows that a window shows first
					doc.Root().ChildNamed("index").ChildNamed("entries").Child(i)
				}
				require.NoError(b, doc.Source.Close())
			}
			b.StopTimer()
			before := heapSize()
			doc := openFile(b, path)
			after := heapSize()
			require.NoError(b, doc.Source.Close())
			b.ReportMetric(float64(after-before)/million, "retained-B/entry") // the cache of file blocks included
		})
	}
}

func BenchmarkCheckMillion(b *testing.B) {
	doc := openFile(b, writeMany(b, million, ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, false))
	for b.Loop() {
		r, err := doc.Check(context.Background(), nil)
		require.NoError(b, err)
		require.False(b, r.Bad())
	}
}

func BenchmarkDumpMillion(b *testing.B) {
	doc := openFile(b, writeMany(b, million, ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, false))
	r, err := doc.Check(context.Background(), nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, doc.Dump(context.Background(), io.Discard, r))
	}
}

// BenchmarkListMillion describes assets without file names; in a mixed order, each of them is read here and there.
func BenchmarkListMillion(b *testing.B) {
	for name, mixed := range map[string]bool{"in order": false, "mixed": true} {
		b.Run(name, func(b *testing.B) {
			doc := openFile(b, writeMany(b, million, ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, mixed))
			for b.Loop() {
				require.NoError(b, doc.Payloads.(payloads).DescribeEach(context.Background(), 0, million,
					func(int, *model.Payload) bool { return true }))
			}
		})
	}
}

func BenchmarkFindKeyMillion(b *testing.B) {
	doc := openFile(b, writeMany(b, million, ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, false))
	for b.Loop() {
		_, ok := doc.FindKey(TPU{0x0001, 6, million - 2}.String())
		_ = ok
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, c := range []struct {
		name string
		l    ppactest.Layout
	}{{"adler32", ppactest.Layout{SizeWidth: 4, PositionWidth: 4}}, {"sha256",
		ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 4}}} {
		b.Run(c.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "big.pac")
			a := ppactest.Archive{Layout: c.l}
			for k := range uint32(64) {
				a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 1, k), Content: make([]byte, 1<<20)})
			}
			require.NoError(b, os.WriteFile(path, encode(b, a), 0o600))
			doc := openFile(b, path)
			b.SetBytes(64 << 20)
			for b.Loop() {
				for i := range doc.Payloads.Len() {
					v, _, err := doc.Payloads.At(i).Verify(context.Background())
					require.NoError(b, err)
					require.Equal(b, model.Valid, v)
				}
			}
		})
	}
}
