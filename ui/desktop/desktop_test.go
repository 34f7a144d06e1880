package desktop_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/ui/desktop"
)

func TestMissingFolderIsASentence(t *testing.T) {
	err := desktop.ShowInFolder(t.Context(), filepath.Join(t.TempDir(), "gone", "a.gpb"))
	assert.EqualError(t, err, "the folder of a.gpb no longer exists")
}

func TestTheTokenIsTakenOnce(t *testing.T) {
	t.Setenv("DESKTOP_STARTUP_ID", "launcher-1_TIME7")
	t.Setenv("XDG_ACTIVATION_TOKEN", "")
	assert.Equal(t, "launcher-1_TIME7", desktop.TakeToken())
	assert.Empty(t, desktop.TakeToken())

	t.Setenv("DESKTOP_STARTUP_ID", "launcher-2_TIME8")
	t.Setenv("XDG_ACTIVATION_TOKEN", "wayland")
	assert.Equal(t, "wayland", desktop.TakeToken())
	assert.Empty(t, os.Getenv("DESKTOP_STARTUP_ID"))
}
