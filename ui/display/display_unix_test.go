//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop/bustest"
)

func TestChooseKeepsDisplaysThatRespond(t *testing.T) {
	x := os.Getenv("DISPLAY")
	require.NotEmpty(t, x, "the test runs on a display")
	runtime := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(runtime, "wayland-7"))
	require.NoError(t, err)
	defer l.Close()
	for name, c := range map[string]struct {
		x11, wayland, platform string
		err                    string
		leaves                 string // the remaining variables
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

func TestActionTimeIsTheLastOneInTheToken(t *testing.T) {
	for token, want := range map[string]uint32{"": 0, "abc": 0, "launcher_TIME42": 42,
		"a_TIME1_TIME4294967295": 4294967295} {
		got, ok := actionTime(token)
		assert.Equal(t, want != 0, ok, token)
		assert.Equal(t, want, got, token)
	}
	for _, bad := range []string{"_TIME", "_TIME-1", "_TIME4294967296", "_TIMEx"} {
		_, ok := actionTime(bad)
		assert.False(t, ok, bad)
	}
}

// The window manager receives the window to activate and the end of the start.
func TestRaiseX11ActivatesTheWindowAndCompletesTheStart(t *testing.T) {
	x, err := xgb.NewConn()
	require.NoError(t, err)
	defer x.Close()
	c := windowManager{x, xproto.Setup(x).DefaultScreen(x).Root}
	require.NoError(t, xproto.ChangeWindowAttributesChecked(x, c.root, xproto.CwEventMask,
		[]uint32{xproto.EventMaskPropertyChange}).Check())
	active, begin, rest := c.atom("_NET_ACTIVE_WINDOW"), c.atom("_NET_STARTUP_INFO_BEGIN"), c.atom("_NET_STARTUP_INFO")

	assert.False(t, raiseX11(7, "of Wayland"))
	token := `a "long" name-for_one-launcher_TIME77`
	require.True(t, raiseX11(7, token))
	var text strings.Builder
	activated := false
	for !strings.HasSuffix(text.String(), "\x00") || !activated {
		ev, err := x.WaitForEvent()
		require.Nil(t, err)
		e, ok := ev.(xproto.ClientMessageEvent)
		switch {
		case !ok:
		case e.Type == active && e.Window == 7:
			activated = true
			assert.Equal(t, []uint32{1, 77}, e.Data.Data32[:2])
		case e.Type == begin || e.Type == rest:
			text.WriteString(strings.TrimRight(string(e.Data.Data8), "\x00"))
			if e.Data.Data8[len(e.Data.Data8)-1] == 0 {
				text.WriteByte(0)
			}
		}
	}
	assert.Equal(t, `remove: ID="a \"long\" name-for_one-launcher_TIME77"`+"\x00", text.String())
}

// scheme is a portal that returns the color scheme of the desktop.
type scheme struct{ value any }

// Read is the portal's method.
func (s *scheme) Read(namespace, key string) (dbus.Variant, *dbus.Error) {
	if namespace+" "+key != "org.freedesktop.appearance color-scheme" {
		return dbus.Variant{}, dbus.MakeFailedError(dbus.ErrClosed)
	}
	return dbus.MakeVariant(dbus.MakeVariant(s.value)), nil
}

func TestTheDesktopSaysWhetherItIsDark(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	assert.Empty(t, readScheme(context.Background()), "without a bus")
	conn := bustest.Start(t)
	assert.Empty(t, readScheme(context.Background()), "without a portal")

	_, err := conn.RequestName("org.freedesktop.portal.Desktop", dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
	for value, want := range map[any]string{
		uint32(0): "light", uint32(1): "dark", uint32(2): "light", uint32(7): "", "dark": "",
	} {
		require.NoError(t, conn.Export(&scheme{value}, "/org/freedesktop/portal/desktop",
			"org.freedesktop.portal.Settings"))
		assert.Equal(t, want, readScheme(context.Background()), value)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	assert.Empty(t, AskScheme(cancelled)())
}
