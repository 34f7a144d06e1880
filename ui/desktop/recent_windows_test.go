package desktop_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"assay/ui/desktop"
)

// An opened file is in the shell's folder of recent files.
func TestOpenedIsRecent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "färbe 7f3a.gpb")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, desktop.AddRecent(file))
	recent, err := windows.KnownFolderPath(windows.FOLDERID_Recent, 0)
	require.NoError(t, err)
	link := filepath.Join(recent, "färbe 7f3a.gpb.lnk")
	assert.FileExists(t, link)
	assert.NoError(t, os.RemoveAll(link))
	assert.Error(t, desktop.AddRecent("a\x00b"))
}
