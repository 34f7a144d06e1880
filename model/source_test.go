package model_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
)

func writeFile(t *testing.T, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, b, 0o600))
	return path
}

// pattern returns n bytes that depend on their offset.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return b
}

func TestSourceReadsItsFile(t *testing.T) {
	const block = 64 << 10
	content := pattern(3*block + 17)
	src, err := model.OpenFile(writeFile(t, "a.bin", content))
	require.NoError(t, err)
	defer src.Close()
	for _, c := range []struct{ off, n int }{
		{0, 1}, {0, block}, {block - 1, 2}, {1, 3 * block}, {3 * block, 17}, {len(content) - 1, 1}, {5, 0},
		{0, len(content)},
	} {
		got, err := src.Bytes(model.Span{Offset: int64(c.off), Size: int64(c.n)})
		require.NoError(t, err, "%d bytes at %d", c.n, c.off)
		assert.True(t, bytes.Equal(content[c.off:c.off+c.n], got), "%d bytes at %d", c.n, c.off)
	}
	_, err = src.Bytes(model.Span{Offset: int64(len(content)) - 1, Size: 2})
	assert.ErrorContains(t, err, "not in the file")
	n, err := src.ReadAt(make([]byte, 20), int64(len(content))-3)
	assert.Equal(t, 3, n)
	assert.ErrorIs(t, err, io.EOF)
}

func TestSourceIsSafeForManyReaders(t *testing.T) {
	content := pattern(40 * (64 << 10))
	src, err := model.OpenFile(writeFile(t, "a.bin", content))
	require.NoError(t, err)
	defer src.Close()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 300 {
				off := int64((i*7919 + g*104729) % (len(content) - 100))
				got, err := src.Bytes(model.Span{Offset: off, Size: 100})
				assert.NoError(t, err)
				assert.True(t, bytes.Equal(content[off:off+100], got))
			}
		})
	}
	wg.Wait()
}

func TestSourceReportsAChangedFile(t *testing.T) {
	path := writeFile(t, "a.bin", pattern(100_000))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	defer src.Close()
	require.NoError(t, src.Changed())

	require.NoError(t, os.Truncate(path, 1000))
	assert.ErrorIs(t, src.Changed(), model.ErrChanged)
	assert.False(t, src.IsIntact())
	_, err = src.Bytes(model.Span{Offset: 50_000, Size: 10})
	assert.ErrorIs(t, err, model.ErrChanged, "missing bytes are an error, not a crash")

	require.NoError(t, os.Remove(path))
	assert.ErrorIs(t, src.Changed(), model.ErrChanged)
}

func TestReplacedFileCanStillBeRead(t *testing.T) {
	path := writeFile(t, "a.bin", pattern(1000))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	defer src.Close()
	// Windows does not permit replacing an open file by renaming another
	require.NoError(t, os.Rename(path, path+".old"))
	require.NoError(t, os.Rename(writeFile(t, "b.bin", pattern(10)), path))
	require.NoError(t, os.Remove(path+".old"))
	assert.ErrorIs(t, src.Changed(), model.ErrChanged)
	assert.True(t, src.IsIntact())
	got, err := src.Bytes(model.Span{Size: 1000})
	require.NoError(t, err)
	assert.Equal(t, pattern(1000), got)
}

func TestErrorOfABrokenLinkHasItsTarget(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link.bin")
	modeltest.Symlink(t, "nowhere", link)
	_, err := model.OpenFile(link)
	assert.EqualError(t, err, "link.bin is a link to nowhere, which does not exist")
}

func TestSectionIsCutToTheSource(t *testing.T) {
	src := model.NewSource("a", bytes.NewReader(pattern(100)), 100)
	s := src.Section("inner", model.Span{Offset: 90, Size: 1 << 62})
	assert.EqualValues(t, 10, s.Size())
	b, err := s.Bytes(model.Span{Offset: 2, Size: 8})
	require.NoError(t, err)
	assert.Equal(t, pattern(100)[92:], b)
	assert.Zero(t, src.Section("none", model.Span{Offset: 200, Size: 5}).Size())
}

func TestFoldersAndDevicesDoNotOpen(t *testing.T) {
	dir := t.TempDir()
	_, err := model.OpenFile(dir)
	assert.ErrorContains(t, err, "is a folder")
	_, err = model.OpenFile(filepath.Join(dir, "missing.gpb"))
	assert.ErrorContains(t, err, "missing.gpb cannot be opened")
	assert.NotContains(t, err.Error(), dir, "the message does not have the folder")
	_, err = model.StatFile(os.DevNull)
	assert.ErrorContains(t, err, "is a device")
}

func TestNullDeviceIsAnAbsentFile(t *testing.T) {
	for _, path := range []string{os.DevNull, "/dev/null"} { // git writes the latter on Windows, too
		src, err := model.OpenFile(path)
		require.NoError(t, err)
		assert.True(t, src.IsAbsent())
		assert.Zero(t, src.Size())
		assert.NoError(t, src.Changed())
		require.NoError(t, src.Close())
	}
	src, err := model.OpenFile(writeFile(t, "empty.bin", nil))
	require.NoError(t, err)
	assert.False(t, src.IsAbsent())
	require.NoError(t, src.Close())
}

func TestSourceStaysOpenForItsHolders(t *testing.T) {
	src, err := model.OpenFile(writeFile(t, "a.bin", pattern(10)))
	require.NoError(t, err)
	src.Hold()
	require.NoError(t, src.Close())
	_, err = src.Bytes(model.Span{Size: 10})
	require.NoError(t, err)
	require.NoError(t, src.Close())
	src, err = model.OpenFile(writeFile(t, "b.bin", pattern(10)))
	require.NoError(t, err)
	require.NoError(t, src.Close())
	assert.Error(t, src.Close(), "the file was closed at once")
}

func TestOnlySourcesOfBytesAreInMemory(t *testing.T) {
	assert.True(t, model.NewSource("m", strings.NewReader("abc"), 3).InMemory())
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, []byte("abc"), 0o600))
	f, err := model.OpenFile(path)
	require.NoError(t, err)
	defer f.Close()
	assert.False(t, f.InMemory())
}

// failing returns an error for every read at or after an offset.
type failing struct{ from int64 }

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.from {
		return 0, io.ErrNoProgress
	}
	return len(p), nil
}

func TestSourceReportsTheFirstFailedRead(t *testing.T) {
	src := model.NewSource("a", failing{50}, 100)
	var reported []model.ReadError
	report := func(err *model.ReadError) { reported = append(reported, *err) }
	src.OnFailed(report)
	b := make([]byte, 10)
	for _, off := range []int64{0, 60, 70} {
		_, _ = src.Section("part", model.Span{Offset: off, Size: 20}).ReadAt(b, 2)
	}
	want := model.ReadError{Span: model.Span{Offset: 62, Size: 10}, Err: io.ErrNoProgress}
	assert.Equal(t, []model.ReadError{want}, reported)
	assert.ErrorIs(t, src.Err(), io.ErrNoProgress)
	assert.EqualError(t, src.Err(), "cannot read 10 bytes at 0x3e: multiple Read calls return no data or error")
	src.OnFailed(report)
	assert.Equal(t, []model.ReadError{want, want}, reported, "the read failed before the call")
}

func TestOpenFilesCanBeReplacedAndRemoved(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	require.NoError(t, os.Mkdir(folder, 0o777))
	path := filepath.Join(folder, "a")
	require.NoError(t, os.WriteFile(path, []byte("before"), 0o600))

	f, err := model.OpenShared(path)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, os.WriteFile(path, []byte("beyond"), 0o600))
	require.NoError(t, os.Rename(path, path+"2"))
	b := make([]byte, 10)
	n, _ := f.ReadAt(b, 0)
	assert.Equal(t, "beyond", string(b[:n]))
	require.NoError(t, os.Remove(path+"2"))

	require.NoError(t, os.WriteFile(path, nil, 0o600))
	d, err := model.OpenShared(folder)
	require.NoError(t, err)
	defer d.Close()
	names, err := d.Readdirnames(-1)
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, names)
	assert.NoError(t, os.Rename(folder, folder+"2"))
}

func TestReplaceFileWaitsForReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, model.ReplaceFile(path, []byte("before"), 0o600))
	reader, err := os.Open(path)
	require.NoError(t, err)
	done := make(chan error)
	go func() { done <- model.ReplaceFile(path, []byte("after"), 0o600) }()
	b := make([]byte, 10)
	n, _ := reader.Read(b)
	assert.Equal(t, "before", string(b[:n]))
	require.NoError(t, reader.Close())
	require.NoError(t, <-done)
	got, err := model.ReadShared(path)
	require.NoError(t, err)
	assert.Equal(t, "after", string(got))
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, files, 1)
}

func TestFailedReplaceFileKeepsTheOldFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	require.NoError(t, os.Mkdir(folder, 0o777))
	assert.Error(t, model.ReplaceFile(folder, []byte("x"), 0o600))
	assert.DirExists(t, folder)
	_, err := model.ReadShared(filepath.Join(folder, "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}
