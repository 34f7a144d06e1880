package model

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpenFilesCanBeReplacedAndRemoved(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	require.NoError(t, os.Mkdir(folder, 0o777))
	path := filepath.Join(folder, "a")
	require.NoError(t, os.WriteFile(path, []byte("before"), 0o600))

	f, err := OpenShared(path)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, os.WriteFile(path, []byte("beyond"), 0o600))
	require.NoError(t, os.Rename(path, path+"2"))
	b := make([]byte, 10)
	n, _ := f.ReadAt(b, 0)
	assert.Equal(t, "beyond", string(b[:n]))
	require.NoError(t, os.Remove(path+"2"))

	require.NoError(t, os.WriteFile(path, nil, 0o600))
	d, err := OpenShared(folder)
	require.NoError(t, err)
	defer d.Close()
	names, err := d.Readdirnames(-1)
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, names)
	assert.NoError(t, os.Rename(folder, folder+"2"))
}

func TestReplaceFileWaitsForReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, ReplaceFile(path, []byte("before"), 0o600))
	reader, err := os.Open(path)
	require.NoError(t, err)
	done := make(chan error)
	go func() { done <- ReplaceFile(path, []byte("after"), 0o600) }()
	b := make([]byte, 10)
	n, _ := reader.Read(b)
	assert.Equal(t, "before", string(b[:n]))
	require.NoError(t, reader.Close())
	require.NoError(t, <-done)
	got, err := ReadShared(path)
	require.NoError(t, err)
	assert.Equal(t, "after", string(got))
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, files, 1)
}

func TestFailedReplaceFileKeepsTheOldFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	require.NoError(t, os.Mkdir(folder, 0o777))
	assert.Error(t, ReplaceFile(folder, []byte("x"), 0o600))
	assert.DirExists(t, folder)
	_, err := ReadShared(filepath.Join(folder, "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}
