//go:build unix

package export

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// A write removes the part that a killed program left in the folder, and keeps one that is being written.
func TestStalePartialFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	left, other := filepath.Join(dir, temporaryName()), filepath.Join(dir, ".assay-mine.txt")
	for _, path := range []string{left, other} {
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
	}
	link := filepath.Join(dir, temporaryName())
	require.NoError(t, os.Symlink(other, link))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	written, err := createNamed(root, ".")
	require.NoError(t, err)
	t.Cleanup(written.Discard)
	_, err = written.Write([]byte("half"))
	require.NoError(t, err)
	require.NoError(t, WriteFile(filepath.Join(dir, "new"), false, func(w io.Writer) error {
		_, err := w.Write([]byte("whole"))
		return err
	}, func(*model.Source) error { return nil }))
	assert.NoFileExists(t, left)
	assert.FileExists(t, other)
	_, err = os.Lstat(link)
	assert.NoError(t, err, "a link is not removed")
	assert.NoError(t, written.Publish("mine", false), "the file of another program is kept")
}

func TestAFileIsReplacedThroughALink(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(path("file"), []byte("old"), 0o600))
	require.NoError(t, os.Mkdir(path("sub"), 0o700))
	require.NoError(t, os.Symlink("../file", path("sub/link")))
	require.NoError(t, os.Symlink("sub/link", path("link")))
	require.NoError(t, os.Symlink("new", path("dangling")))
	require.NoError(t, os.Symlink("circle", path("circle")))
	write := func(name string, replace bool) error {
		return WriteFile(path(name), replace, func(w io.Writer) error {
			_, err := io.WriteString(w, "written")
			return err
		}, func(*model.Source) error { return nil })
	}
	for link, file := range map[string]string{"link": "file", "dangling": "new"} {
		require.Error(t, write(link, false))
		require.NoError(t, write(link, true))
		b, err := os.ReadFile(path(file))
		require.NoError(t, err)
		assert.Equal(t, "written", string(b))
		info, err := os.Lstat(path(link))
		require.NoError(t, err)
		assert.NotZero(t, info.Mode()&os.ModeSymlink, link)
	}
	for _, name := range []string{"circle", "sub"} {
		assert.ErrorContains(t, write(name, true), "it is not a regular file")
	}
	assert.ErrorContains(t, WriteFile(os.DevNull, true, nil, nil), "it is not a regular file")
}

// Links to files outside the folder and special files are skipped, each with a message.
func TestFilesOutsideAFolderAreNotPacked(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o600))
	require.NoError(t, os.WriteFile(path("a"), []byte("x"), 0o600))
	require.NoError(t, os.Symlink("a", path("b")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret"), path("file")))
	require.NoError(t, os.Symlink(outside, path("folder")))
	require.NoError(t, syscall.Mkfifo(path("pipe"), 0o600))
	var skipped []string
	files, err := Files(t.Context(), dir, func(why string) { skipped = append(skipped, why) })
	require.NoError(t, err)
	require.Len(t, files, 2)
	assert.Equal(t, []string{"a", "b"}, []string{files[0].Name, files[1].Name})
	assert.Len(t, skipped, 3)

	_, err = ReadTypes("/dev/zero")
	assert.ErrorContains(t, err, "zero")
	require.NoError(t, os.Symlink("none", path("dangling")))
	_, err = Files(t.Context(), dir, func(string) {})
	assert.ErrorContains(t, err, "dangling", "a file that cannot be read is an error")
}
