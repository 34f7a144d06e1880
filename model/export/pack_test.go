package export

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestAFileThatChangesWhileItIsPacked(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("one"), 0o600))
	files, err := Files(t.Context(), dir, func(why string) { t.Error(why) })
	require.NoError(t, err)
	require.Len(t, files, 1)
	assert.Equal(t, "a.txt", files[0].Name)

	r, err := files[0].Open(t.Context())
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "one", string(b))
	require.NoError(t, r.Close())

	later := files[0].ModTime.Add(time.Hour)
	for name, change := range map[string]func() error{
		"another time": func() error { return os.Chtimes(path, later, later) },
		"another size": func() error { return os.WriteFile(path, []byte("more than one"), 0o600) },
	} {
		one, err := PackedFile(path)
		require.NoError(t, err)
		r, err := one.Open(t.Context())
		require.NoError(t, err)
		require.NoError(t, change())
		assert.ErrorIs(t, r.Close(), model.ErrChanged, name)
	}
	r, err = files[0].Open(t.Context())
	require.NoError(t, err)
	assert.ErrorIs(t, r.Close(), model.ErrChanged, "before it was opened")
}
