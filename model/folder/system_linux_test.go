package folder_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/folder"
	"assay/model/modeltest"
)

func TestSystemFoldersAreNotEntered(t *testing.T) {
	root := modeltest.Folder(t, map[string]string{"a": "1"})
	modeltest.Symlink(t, "/proc", filepath.Join(root, "processes"))
	problems := map[string]string{}
	require.NoError(t, folder.Walk(t.Context(), root, func(e folder.Entry) error {
		problems[e.Name] = e.Problem
		return nil
	}))
	assert.Equal(t, map[string]string{"a": "",
		"processes": "is a system folder and was skipped; open it directly to list it"}, problems)

	problems = map[string]string{}
	require.NoError(t, folder.Walk(t.Context(), "/proc/self/task", func(e folder.Entry) error {
		problems[e.Name] = e.Problem
		return nil
	}), "it may be opened itself")
	assert.NotEmpty(t, problems)
}
