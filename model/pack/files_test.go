package pack

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
	files, err := Files(t.Context(), dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	assert.Equal(t, "a.txt", files[0].Name)

	r, err := files[0].Open(t.Context())
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "one", string(b))
	require.NoError(t, r.Close())

	r, err = files[0].Open(t.Context())
	require.NoError(t, err)
	later := files[0].ModTime.Add(time.Hour)
	require.NoError(t, os.Chtimes(path, later, later))
	_, err = io.ReadAll(r)
	assert.ErrorIs(t, err, model.ErrChanged, "after it was opened")
	require.NoError(t, r.Close())

	_, err = files[0].Open(t.Context())
	assert.ErrorIs(t, err, model.ErrChanged, "before it was opened")
}
