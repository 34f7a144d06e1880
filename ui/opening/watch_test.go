package opening

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
)

func TestLinkIsTheSameFileAsItsTarget(t *testing.T) {
	folder := modeltest.Folder(t, map[string]string{"one": "1", "two": "2"})
	one, link := filepath.Join(folder, "one"), filepath.Join(folder, "link")
	modeltest.Symlink(t, one, link)
	f := NewFile(link)
	assert.True(t, f.HasPath(one) && f.HasPath(link))
	assert.False(t, f.HasPath(filepath.Join(folder, "two")))
	assert.True(t, f.IsSame(NewFile(one)))
	assert.False(t, f.IsSame(NewFile("")))
	assert.ElementsMatch(t, []string{one, link}, f.WatchedPaths())
	assert.Empty(t, NewFile("").WatchedPaths())
}

func TestChangesOfAFile(t *testing.T) {
	path := filepath.Join(modeltest.Folder(t, map[string]string{"one": "0123456789"}), "one")
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	defer src.Close()
	assert.Empty(t, CheckFile(src))
	assert.Equal(t, "0123456789", string(ReadSmall(src)))
	require.NoError(t, os.WriteFile(path, []byte("0"), 0o600))
	c := CheckFile(src)
	assert.Equal(t, "changed", c.Badge)
	assert.Contains(t, c.Text, "from 10 to 1 bytes")
	assert.Nil(t, ReadSmall(src), "these are other bytes")
	require.NoError(t, os.Rename(path, path+"2"))
	assert.Equal(t, "gone", CheckFile(src).Badge)
}
