//go:build unix

package folder_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/folder"
	"assay/model/modeltest"
)

func TestOnlyLinksOutOfTheFolderAreFollowed(t *testing.T) {
	root := modeltest.Folder(t, map[string]string{"m/file": "1", "z": "22"})
	outside := modeltest.Folder(t, map[string]string{"far": "333"})
	for link, to := range map[string]string{"a": "m", "b": outside, "c": outside, "m/around": "../..", "to z": "z",
		"gone": "nowhere"} {
		modeltest.Symlink(t, to, filepath.Join(root, link))
	}
	type line struct {
		name, link, problem string
		size                int64
	}
	var found []line
	require.NoError(t, folder.Walk(t.Context(), root, func(e folder.Entry) error {
		assert.Equal(t, filepath.Join(root, e.Name), e.Path)
		assert.Equal(t, e.Problem == "", !e.ModTime.IsZero(), e.Name)
		found = append(found, line{e.Name, e.Link, e.Problem, e.Size})
		return nil
	}))
	assert.Equal(t, []line{{"b/far", "", "", 3}, {"gone", "nowhere", "is a link to nowhere, which does not exist", -1},
		{"m/file", "", "", 1}, {"to z", "z", "", 2}, {"z", "", "", 2}}, found)
}

func TestWalkEndsWithItsContextOrAnError(t *testing.T) {
	root := modeltest.Folder(t, map[string]string{"a": "1", "b": "2"})
	ctx, cancel := context.WithCancel(t.Context())
	visited := 0
	err := folder.Walk(ctx, root, func(folder.Entry) error { visited++; cancel(); return nil })
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, visited)
	enough := errors.New("enough")
	assert.ErrorIs(t, folder.Walk(t.Context(), root, func(folder.Entry) error { return enough }), enough)
	assert.ErrorIs(t, folder.Walk(t.Context(), filepath.Join(root, "none"), nil), os.ErrNotExist)
}
