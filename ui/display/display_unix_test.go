//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChooseDisplay(t *testing.T) {
	x := os.Getenv("DISPLAY")
	require.NotEmpty(t, x, "the test runs on a display")
	runtime := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(runtime, "wayland-7"))
	require.NoError(t, err)
	defer l.Close()
	for name, c := range map[string]struct {
		x11, wayland, platform string
		err                    string
		leaves                 string // what is left of the two
	}{
		"both":            {x, "wayland-7", "", "", x + " wayland-7"},
		"no Wayland":      {x, "", "", "", x + " "},
		"Wayland is gone": {x, "wayland-8", "", "", x + " "},
		"no X11":          {"", "wayland-7", "", "", " wayland-7"},
		"X11 is gone":     {":65000", "wayland-7", "", "", " wayland-7"},
		"none": {"", "", "",
			"(WAYLAND_DISPLAY is empty; DISPLAY is empty). Start Assay in a desktop session", ""},
		"both are gone": {":65000", "wayland-8", "",
			"the Wayland display wayland-8 is not responding; the X11 display :65000 is not responding", ""},
		"the other is asked": {":65000", "wayland-7", "x11",
			"(FYNE_PLATFORM asks for X11; the X11 display :65000 is not responding)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DISPLAY", c.x11)
			t.Setenv("WAYLAND_DISPLAY", c.wayland)
			t.Setenv("FYNE_PLATFORM", c.platform)
			t.Setenv("XDG_RUNTIME_DIR", runtime)
			t.Setenv("WAYLAND_SOCKET", "")
			err := Choose()
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.leaves, os.Getenv("DISPLAY")+" "+os.Getenv("WAYLAND_DISPLAY"))
		})
	}
}
