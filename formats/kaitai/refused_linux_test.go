package kaitai

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestRefusedFiles holds that a description, or an import, that is not a file of a bounded size is not opened.
func TestRefusedFiles(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name+".ksy") }
	require.NoError(t, syscall.Mkfifo(path("pipe"), 0o600))
	require.NoError(t, os.Symlink("/dev/zero", path("device")))
	require.NoError(t, os.WriteFile(path("large"), nil, 0o600))
	require.NoError(t, os.Truncate(path("large"), model.MaxDescription+1))
	for name, want := range map[string]string{"pipe": "is a pipe", "device": "is a device", "large": "has 4194305 bytes"} {
		_, err := (&Library{}).Load(path(name))
		require.ErrorContains(t, err, want, name)
		var at model.LocationError
		require.ErrorAs(t, err, &at, name)
		text := "meta: {id: main, imports: [" + name + "]}\nseq: [{id: a, type: " + name + "}]"
		require.NoError(t, os.WriteFile(path("main"), []byte(text), 0o600))
		_, err = (&Library{ImportsAnywhere: true}).Load(path("main"))
		assert.ErrorContains(t, err, want, "imported "+name)
	}
}
