//go:build !windows

package userdata

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNothingIsCreatedWithoutAHomeFolder(t *testing.T) {
	for _, variable := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		t.Setenv(variable, "")
	}
	for _, home := range []string{"", "relative", "./x"} {
		t.Chdir(t.TempDir())
		t.Setenv("HOME", home)
		require.ErrorContains(t, Require(), "HOME is not an absolute path")
		assert.Empty(t, Home())
		files := RecordsIn[string](filepath.Join(Data(), "assay", "notes"), "notes", 100)
		assert.ErrorContains(t, files.Change(func() error { return nil }), "HOME")
		_, err := files.Read("a")
		assert.NoError(t, err, "no record exists")
		entries, err := files.Entries()
		assert.NoError(t, err)
		assert.Empty(t, entries)
		assert.ErrorContains(t, os.MkdirAll(Cache(), 0o700), "HOME", "also without MakeFolder")
		left, err := os.ReadDir(".")
		require.NoError(t, err)
		assert.Empty(t, left)
	}
	t.Setenv("HOME", t.TempDir())
	assert.NoError(t, Require())
	assert.NoError(t, MakeFolder(filepath.Join(t.TempDir(), "a", "b"), 0o700))
}
