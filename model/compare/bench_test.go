package compare_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/align"
)

// The benchmarks also run other tools on the same files if they are installed: cmp -l on files of one size, xdelta3 on
// insertions, and cmp on equal files.

func benchFile(b *testing.B, name string, data []byte) string {
	path := filepath.Join(b.TempDir(), name)
	require.NoError(b, os.WriteFile(path, data, 0o600))
	return path
}

func benchPeer(b *testing.B, command ...string) {
	if _, err := exec.LookPath(command[0]); err != nil {
		return
	}
	b.Run(command[0], func(b *testing.B) {
		for b.Loop() {
			c := exec.Command(command[0], command[1:]...)
			c.Stdout = new(bytes.Buffer) // cmp does no work for /dev/null
			_ = c.Run()                  // exit status 1: they differ
		}
	})
}

func benchBytes(b *testing.B, x, y string, want int) {
	b.Run("assay", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l, err := model.OpenFile(x)
			require.NoError(b, err)
			r, err := model.OpenFile(y)
			require.NoError(b, err)
			e, err := align.Bytes(context.Background(), l, l.Size(), r, r.Size(), nil)
			require.NoError(b, err)
			require.Len(b, e, want)
			l.Close()
			r.Close()
		}
	})
}

const benchSize = 64 << 20

func BenchmarkSevenBytesChanged(b *testing.B) {
	data := noise(benchSize, 1)
	x := benchFile(b, "x", data)
	for i := range 7 {
		data[i*9_000_000+77] ^= 1
	}
	y := benchFile(b, "y", data)
	benchBytes(b, x, y, 7)
	benchPeer(b, "cmp", "-l", x, y)
}

func BenchmarkOneByteInserted(b *testing.B) {
	data := noise(benchSize, 1)
	x := benchFile(b, "x", data)
	y := benchFile(b, "y", slices.Insert(data, benchSize/3, 7))
	benchBytes(b, x, y, 1)
	benchPeer(b, "xdelta3", "-e", "-f", "-s", x, y, filepath.Join(b.TempDir(), "delta"))
}

func BenchmarkInsertedAndCut(b *testing.B) {
	data := noise(benchSize, 1)
	x := benchFile(b, "x", data)
	y := slices.Concat([]byte("new"), data[:10<<20], data[11<<20:40<<20], []byte("more"), data[40<<20:], []byte("end"))
	y[20<<20] ^= 1
	to := benchFile(b, "y", y)
	benchBytes(b, x, to, 5)
	benchPeer(b, "xdelta3", "-e", "-f", "-s", x, to, filepath.Join(b.TempDir(), "delta"))
}

func BenchmarkIdentical(b *testing.B) {
	data := noise(benchSize, 1)
	x, y := benchFile(b, "x", data), benchFile(b, "y", data)
	b.Run("assay", func(b *testing.B) {
		for b.Loop() {
			l, err := model.OpenFile(x)
			require.NoError(b, err)
			r, err := model.OpenFile(y)
			require.NoError(b, err)
			root := &model.Node{Type: "Root"}
			c, err := compare.Documents(context.Background(), model.NewDocument(l, "f", "1", root),
				model.NewDocument(r, "f", "1", root), compare.Options{}, nil)
			require.NoError(b, err)
			require.True(b, c.Identical)
			l.Close()
			r.Close()
		}
	})
	benchPeer(b, "cmp", x, y)
}

// BenchmarkFolders compares 10,000 files, most of them equal. It also measures the time until they are listed.
func BenchmarkFolders(b *testing.B) {
	var roots [2]string
	for side := range roots {
		roots[side] = b.TempDir()
		for i := range 10_000 {
			content := fmt.Sprintf("file %d", i)
			if side == 1 && i%100 == 0 {
				content = fmt.Sprintf("FILE %d", i)
			}
			require.NoError(b, os.WriteFile(filepath.Join(roots[side], fmt.Sprint(i, ".gpb")), []byte(content), 0o600))
		}
	}
	for b.Loop() {
		start := time.Now()
		files, err := compare.Folders(context.Background(), roots[0], roots[1], func([]compare.File) {
			b.ReportMetric(time.Since(start).Seconds(), "s-until-listed")
		}, nil)
		require.NoError(b, err)
		require.Len(b, files, 10_000)
	}
}
