//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/jezek/xgb"
)

// Choose looks for a display for the window, because the toolkit crashes without one. If one of two displays does not
// respond, Choose removes it from the environment, so that the toolkit uses the other.
func Choose() error {
	x, wayland := dialX11(), dialWayland()
	switch os.Getenv("FYNE_PLATFORM") {
	case "x11":
		wayland = errors.New("FYNE_PLATFORM asks for X11")
	case "wayland":
		x = errors.New("FYNE_PLATFORM asks for Wayland")
	}
	switch {
	case x != nil && wayland != nil:
		return fmt.Errorf("no display available (%w; %w). Start Assay in a desktop session, or use a "+
			"command such as tree or verify", wayland, x)
	case x != nil:
		return os.Unsetenv("DISPLAY")
	case wayland != nil:
		return os.Unsetenv("WAYLAND_DISPLAY")
	}
	return nil
}

func dialX11() error {
	name := os.Getenv("DISPLAY")
	if name == "" {
		return errors.New("DISPLAY is empty")
	}
	c, err := xgb.NewConn()
	if err != nil {
		return fmt.Errorf("the X11 display %s is not responding", name)
	}
	c.Close()
	return nil
}

func dialWayland() error {
	if os.Getenv("WAYLAND_SOCKET") != "" {
		return nil // an inherited connection
	}
	name := os.Getenv("WAYLAND_DISPLAY")
	path := cmp.Or(name, "wayland-0")
	if !filepath.IsAbs(path) {
		path = filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), path)
	}
	c, err := net.Dial("unix", path)
	switch {
	case err == nil:
		return c.Close()
	case name == "":
		return errors.New("WAYLAND_DISPLAY is empty")
	}
	return fmt.Errorf("the Wayland display %s is not responding", name)
}
