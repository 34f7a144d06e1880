//go:build unix

package export

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A link that leads out of the folder is not followed, and what is no file is left out with a sentence.
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
	assert.ErrorContains(t, err, "dangling", "what should be in it and cannot be read")
}
