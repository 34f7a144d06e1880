//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"
)

// schemeWait is the maximum time that the first frame waits for the color scheme of the desktop.
const schemeWait = 100 * time.Millisecond

// AskScheme requests the color scheme of the desktop. The returned func waits for the answer: "light", "dark", or ""
// without an answer.
func AskScheme(ctx context.Context) func() string {
	ctx, cancel := context.WithTimeout(ctx, schemeWait)
	answer := make(chan string, 1)
	go func() { answer <- readScheme(ctx) }()
	return func() string {
		defer cancel()
		select {
		case scheme := <-answer:
			return scheme
		case <-ctx.Done():
			return ""
		}
	}
}

func readScheme(ctx context.Context) string {
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return ""
	}
	defer conn.Close()
	if conn.Auth(nil) != nil || conn.Hello() != nil {
		return ""
	}
	const namespace, key = "org.freedesktop.appearance", "color-scheme"
	var value dbus.Variant
	call := conn.Object("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop").
		CallWithContext(ctx, "org.freedesktop.portal.Settings.Read", dbus.FlagNoAutoStart, namespace, key)
	if call.Store(&value) != nil {
		return ""
	}
	for { // the portal wraps the value twice
		inner, ok := value.Value().(dbus.Variant)
		if !ok {
			break
		}
		value = inner
	}
	switch value.Value() {
	case uint32(1):
		return "dark"
	case uint32(0), uint32(2): // the toolkit treats no preference as light
		return "light"
	}
	return ""
}
