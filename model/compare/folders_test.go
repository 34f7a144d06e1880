package compare_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare"
)

func fill(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return root
}

func twoFolders(t *testing.T) (old, new string) {
	old = fill(t, map[string]string{"same": "same", "sub/longer": "short", "sub/byte": "abcdef", "gone": "gone", "was": "the content stays", ".git/x": "1"})
	new = fill(t, map[string]string{"same": "same", "sub/longer": "longer!", "sub/byte": "abcXef", "came": "come!", "is/now": "the content stays", ".git/x": "2"})
	return old, new
}

func TestFolders(t *testing.T) {
	old, new := twoFolders(t)
	files, err := compare.Folders(context.Background(), old, new, nil)
	require.NoError(t, err)
	assert.Equal(t, []compare.File{
		{Name: "came", Old: -1, New: 5, Status: compare.Added},
		{Name: "gone", Old: 4, New: -1, Status: compare.Removed},
		{Name: "is/now", OldName: "was", Old: 17, New: 17, Status: compare.Moved},
		{Name: "same", Old: 4, New: 4, Status: compare.Same},
		{Name: "sub/byte", Old: 6, New: 6, Status: compare.Changed, At: 3},
		{Name: "sub/longer", Old: 5, New: 7, Status: compare.Changed},
	}, files)
	_, err = compare.Folders(context.Background(), filepath.Join(old, "nothing"), new, nil)
	assert.Error(t, err)
	ended, end := context.WithCancel(context.Background())
	end()
	_, err = compare.Folders(ended, old, new, nil)
	assert.ErrorIs(t, err, context.Canceled)
}
