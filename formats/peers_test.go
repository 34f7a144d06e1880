//go:build unix

package formats_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/formats"
	"assay/formats/ppac/ppactest"
	"assay/model/export"
)

// The benchmarks in this file run with the tools that do the same, in turn, on the same bytes, and report the medians
// and their ratio. Files are written without fsync, as the tools write them.

// compareWithPeer runs a peer and ours in turn, as often as the benchmark asks. clean is called after each of them. On
// a machine that is busy with other things the processor time tells more than the clock; it is reported too.
func compareWithPeer(b *testing.B, peer, ours, clean func()) {
	var times, cpus [2][]time.Duration
	timed := func(k int, run func()) {
		start, cpu := time.Now(), cpuTime(b)
		run()
		times[k] = append(times[k], time.Since(start))
		cpus[k] = append(cpus[k], cpuTime(b)-cpu)
		clean()
	}
	peer() // memory that no file was in yet is slow
	clean()
	for b.Loop() {
		timed(0, peer)
		timed(1, ours)
	}
	median := func(t []time.Duration) float64 { slices.Sort(t); return float64(t[len(t)/2].Microseconds()) / 1000 }
	theirs, our := median(times[0]), median(times[1])
	b.ReportMetric(0, "ns/op") // of both together: no figure
	b.ReportMetric(theirs, "peer-ms")
	b.ReportMetric(our, "ours-ms")
	b.ReportMetric(our/theirs, "ours/peer")
	b.ReportMetric(median(cpus[1])/median(cpus[0]), "cpu/peer")
}

// cpuTime is the processor time of this process and of those that it ran.
func cpuTime(b *testing.B) (t time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		require.NoError(b, syscall.Getrusage(who, &u))
		t += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return t
}

// command returns what runs a tool, if it is there.
func command(b *testing.B, name string, args ...string) func() {
	return commandInto(b, "", name, args...)
}

// commandInto is command with the output in a file; no name is nowhere. It matters: some tools write a line at a time.
func commandInto(b *testing.B, file, name string, args ...string) func() {
	path, err := exec.LookPath(name)
	if err != nil {
		b.Skip(name + " is not here")
	}
	return func() {
		var said bytes.Buffer
		c := exec.CommandContext(b.Context(), path, args...)
		c.Stderr = &said
		if file != "" {
			out, err := os.Create(file)
			require.NoError(b, err)
			defer out.Close()
			c.Stdout = out
		}
		require.NoError(b, c.Run(), said.String())
	}
}

// contentsOf are count contents of size bytes.
func contentsOf(count int, size int) [][]byte {
	all := make([][]byte, count)
	for i := range all {
		c := make([]byte, size)
		for j := range c {
			c[j] = byte(i + j + j>>8 + j>>17)
		}
		all[i] = c
	}
	return all
}

// writeFile writes a file and waits until the disk has it: it is not to be busy with it later.
func writeFile(b *testing.B, path string, write func(f *os.File)) string {
	f, err := os.Create(path)
	require.NoError(b, err)
	write(f)
	require.NoError(b, f.Sync())
	require.NoError(b, f.Close())
	return path
}

func packFile(b *testing.B, dir string, l ppactest.Layout, contents [][]byte) string {
	a := ppactest.Archive{Layout: l}
	for i, c := range contents {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.TPU{Type: 1, Purpose: 1, Unique: uint32(i)},
			Content: c})
	}
	return writeFile(b, filepath.Join(dir, "all.pac"), func(f *os.File) { require.NoError(b, ppactest.Write(f, a)) })
}

// zipFile writes a zip of stored contents, with dates as archivers write them: 7z lists a zip without dates much
// faster.
func zipFile(b *testing.B, dir string, contents [][]byte) string {
	return writeFile(b, filepath.Join(dir, "all.zip"), func(f *os.File) {
		z := zip.NewWriter(f)
		for i, c := range contents {
			w, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%05d.bin", i), Method: zip.Store,
				Modified: time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)})
			require.NoError(b, err)
			_, err = w.Write(c)
			require.NoError(b, err)
		}
		require.NoError(b, z.Close())
	})
}

// extract opens the file and writes all of its assets into the folder.
func extract(b *testing.B, path string, folder export.Folder) {
	doc, err := formats.Opener{}.OpenFile(b.Context(), path)
	require.NoError(b, err)
	defer doc.Source.Close()
	picks := make([]export.Pick, doc.Payloads.Len())
	for i := range picks {
		picks[i] = export.Pick{From: doc.Payloads, Index: i}
	}
	plan, err := export.NewPlan(b.Context(), folder, picks, export.Options{NoSync: true})
	require.NoError(b, err)
	r := plan.Run(b.Context())
	require.Equal(b, doc.Payloads.Len(), r.Exported)
	require.False(b, r.Bad())
}

// verify returns what verifies all assets of a file, as the verb does.
func verify(b *testing.B, path string) func() {
	var o formats.Opener
	r := &cli.Runner{Open: o.OpenFile, OpenSource: o.Open, Out: io.Discard, Err: io.Discard}
	return func() { require.Equal(b, cli.ExitOK, r.Verify(b.Context(), []string{path}, cli.VerifyOptions{})) }
}

func emptyFolder(b *testing.B, dir string) func() {
	return func() {
		require.NoError(b, os.RemoveAll(dir))
		require.NoError(b, os.Mkdir(dir, 0o777))
	}
}

var four = ppactest.Layout{SizeWidth: 4, PositionWidth: 4}

func BenchmarkLargeAgainstCopy(b *testing.B) {
	dir, out := b.TempDir(), filepath.Join(b.TempDir(), "out")
	all := contentsOf(1, 1<<30)
	path := packFile(b, dir, four, all)
	loose := writeFile(b, filepath.Join(dir, "loose"),
		func(f *os.File) { _, err := f.Write(all[0]); require.NoError(b, err) })
	all = nil
	runtime.GC()
	clean := emptyFolder(b, out)
	clean()
	compareWithPeer(b, command(b, "cp", loose, out), func() {
		folder := export.OpenDirectory(out)
		defer folder.Close()
		extract(b, path, folder)
	}, clean)
}

func BenchmarkSmallAgainst7z(b *testing.B) {
	dir, out := b.TempDir(), filepath.Join(b.TempDir(), "out")
	all := contentsOf(10_000, 2<<10)
	path, peer := packFile(b, dir, four, all), zipFile(b, dir, all)
	clean := emptyFolder(b, out)
	clean()
	compareWithPeer(b, command(b, "7z", "x", "-o"+out, peer), func() {
		folder := export.OpenDirectory(out)
		defer folder.Close()
		extract(b, path, folder)
	}, clean)
}

func BenchmarkVerifyAgainst7z(b *testing.B) {
	dir := b.TempDir()
	all := contentsOf(1024, 1<<20)
	path, peer := packFile(b, dir, four, all), zipFile(b, dir, all)
	all = nil
	runtime.GC()
	compareWithPeer(b, command(b, "7z", "t", peer), verify(b, path), func() {})
}

func BenchmarkVerifyAgainstSha256sum(b *testing.B) {
	dir := b.TempDir()
	all := contentsOf(1024, 1<<20)
	path := packFile(b, dir, ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 4}, all)
	var list bytes.Buffer
	for i, c := range all {
		list.WriteString(writeFile(b, filepath.Join(dir, strconv.Itoa(i)),
			func(f *os.File) { _, err := f.Write(c); require.NoError(b, err) }) + "\n")
	}
	names := writeFile(b, filepath.Join(dir, "names"),
		func(f *os.File) { _, err := f.Write(list.Bytes()); require.NoError(b, err) })
	all = nil
	runtime.GC()
	peer := command(b, "xargs", "-a", names, "-P", strconv.Itoa(runtime.NumCPU()), "-n", "64", "sha256sum")
	compareWithPeer(b, peer, verify(b, path), func() {})
}

// million writes a million assets of five bytes each, in a package and in a zip.
func million(b *testing.B) (pack, zip string) {
	if testing.Short() {
		b.Skip("writes 170 MB")
	}
	dir := b.TempDir()
	all := contentsOf(1_000_000, 5)
	return packFile(b, dir, four, all), zipFile(b, dir, all)
}

// assay runs the program, which is built for it, as a process like its peers.
func assay(b *testing.B, args ...string) func() { return assayInto(b, "", args...) }

// assayInto is assay with the output in a file.
func assayInto(b *testing.B, file string, args ...string) func() {
	program := filepath.Join(b.TempDir(), "assay")
	build := exec.CommandContext(b.Context(), "go", "build", "-tags", "nowindow", "-o", program, "..")
	said, err := build.CombinedOutput()
	require.NoError(b, err, string(said))
	return commandInto(b, file, program, args...)
}

func BenchmarkMillionTreeAgainstUnzip(b *testing.B) {
	pack, zip := million(b)
	compareWithPeer(b, command(b, "unzip", "-l", zip), assay(b, "tree", "--depth", "2", pack), func() {})
}

func BenchmarkMillionListAgainst7z(b *testing.B) {
	pack, zip := million(b)
	out := b.TempDir()
	for name, file := range map[string]string{"nowhere": "", "file": filepath.Join(b.TempDir(), "list")} {
		b.Run(name, func(b *testing.B) {
			compareWithPeer(b, commandInto(b, file, "7z", "l", zip), assayInto(b, file, "extract", "--list", "-o", out, pack),
				func() {})
		})
	}
}

func BenchmarkMillionVerifyAgainst7z(b *testing.B) {
	pack, zip := million(b)
	compareWithPeer(b, command(b, "7z", "t", zip), assay(b, "verify", pack), func() {})
}

func BenchmarkLargeExtractAgainst7z(b *testing.B) {
	dir, out := b.TempDir(), filepath.Join(b.TempDir(), "out")
	all := contentsOf(1024, 1<<20)
	pack, zip := packFile(b, dir, four, all), zipFile(b, dir, all)
	all = nil
	runtime.GC()
	clean := emptyFolder(b, out)
	clean()
	compareWithPeer(b, command(b, "7z", "x", "-o"+out, zip), func() {
		folder := export.OpenDirectory(out)
		defer folder.Close()
		extract(b, pack, folder)
	}, clean)
}
