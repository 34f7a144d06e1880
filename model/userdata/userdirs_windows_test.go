package userdata

import (
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
)

// The library that is used on other systems also has the folders of Windows.
func TestFoldersAreWhereTheLibraryHasThem(t *testing.T) {
	folders := []struct {
		variable string
		got      func() string
		want     *string
	}{
		{"XDG_CONFIG_HOME", Config, &xdg.ConfigHome}, {"XDG_STATE_HOME", State, &xdg.StateHome},
		{"XDG_CACHE_HOME", Cache, &xdg.CacheHome}, {"XDG_DATA_HOME", Data, &xdg.DataHome},
		{"XDG_RUNTIME_DIR", Runtime, &xdg.RuntimeDir}, {"XDG_DOWNLOAD_DIR", Downloads, &xdg.UserDirs.Download},
	}
	t.Cleanup(xdg.Reload)
	for _, f := range folders {
		t.Setenv(f.variable, "")
	}
	xdg.Reload()
	assert.Equal(t, xdg.Home, Home())
	for _, f := range folders {
		assert.True(t, filepath.IsAbs(f.got()), f.variable)
		assert.Equal(t, *f.want, f.got(), f.variable)
		dir := t.TempDir()
		t.Setenv(f.variable, dir)
		assert.Equal(t, dir, f.got(), f.variable)
		t.Setenv(f.variable, "relative")
		assert.Equal(t, *f.want, f.got(), f.variable)
	}
	t.Setenv("LOCALAPPDATA", `Z:\elsewhere`)
	assert.Equal(t, xdg.ConfigHome, Config(), "the folders are those of Windows, not of the environment")
}

func BenchmarkConfig(b *testing.B) {
	for b.Loop() {
		Config()
	}
}
