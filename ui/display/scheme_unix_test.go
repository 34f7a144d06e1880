//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"context"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop/bustest"
)

// scheme is a portal that says whether the desktop is light or dark.
type scheme struct{ value any }

// Read is called by the program.
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
