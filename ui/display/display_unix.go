//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// Choose looks for a display for the window, because the toolkit crashes without one. If one of two displays does not
// respond, Choose removes it from the environment, so that the toolkit uses the other.
func Choose() error {
	x11Err, waylandErr := dialX11(), dialWayland()
	switch os.Getenv("FYNE_PLATFORM") {
	case "x11":
		waylandErr = errors.New("FYNE_PLATFORM asks for X11")
	case "wayland":
		x11Err = errors.New("FYNE_PLATFORM asks for Wayland")
	}
	switch {
	case x11Err != nil && waylandErr != nil:
		return fmt.Errorf("no display available (%w; %w). Start Assay in a desktop session, or use a "+
			"command such as tree or verify", waylandErr, x11Err)
	case x11Err != nil:
		return os.Unsetenv("DISPLAY")
	case waylandErr != nil:
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

// raiseX11 asks the window manager to activate a window at the time of the user's action, which the token contains, and
// reports that the start with that token is complete (the startup notification protocol of freedesktop.org). It returns
// false without such a token.
func raiseX11(window uint32, token string) bool {
	timestamp, ok := actionTime(token)
	if !ok {
		return false
	}
	x, err := xgb.NewConn()
	if err != nil {
		return false
	}
	defer x.Close()
	c := windowManager{x, xproto.Setup(x).DefaultScreen(x).Root}
	activate := xproto.ClientMessageEvent{Format: 32, Window: xproto.Window(window), Type: c.atom("_NET_ACTIVE_WINDOW"),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{fromApplication, timestamp, 0, 0, 0})}
	c.send(&activate)
	c.broadcast("remove: ID=" + strconv.Quote(token))
	x.Sync()
	return true
}

const (
	fromApplication = 1
	broadcastPart   = 20 // bytes of text in one message
)

// actionTime returns the X11 time of the user's action from a token.
func actionTime(token string) (uint32, bool) {
	i := strings.LastIndex(token, "_TIME")
	if i < 0 {
		return 0, false
	}
	t, err := strconv.ParseUint(token[i+len("_TIME"):], 10, 32)
	return uint32(t), err == nil
}

// windowManager sends messages to the window manager through the root window.
type windowManager struct {
	x    *xgb.Conn
	root xproto.Window
}

func (c windowManager) atom(name string) xproto.Atom {
	r, err := xproto.InternAtom(c.x, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0
	}
	return r.Atom
}

func (c windowManager) send(e *xproto.ClientMessageEvent) {
	xproto.SendEvent(c.x, false, c.root,
		xproto.EventMaskSubstructureRedirect|xproto.EventMaskSubstructureNotify|xproto.EventMaskPropertyChange,
		string(e.Bytes()))
}

// broadcast sends text to all listeners of startup notification, in messages from one window.
func (c windowManager) broadcast(text string) {
	sender, err := xproto.NewWindowId(c.x)
	if err != nil {
		return
	}
	xproto.CreateWindow(c.x, 0, sender, c.root, -10, -10, 1, 1, 0, xproto.WindowClassInputOnly, 0,
		xproto.CwOverrideRedirect, []uint32{1})
	defer xproto.DestroyWindow(c.x, sender)
	message := append([]byte(text), 0)
	for kind := "_NET_STARTUP_INFO_BEGIN"; len(message) > 0; kind = "_NET_STARTUP_INFO" {
		part := make([]byte, broadcastPart)
		message = message[copy(part, message):]
		c.send(&xproto.ClientMessageEvent{Format: 8, Window: sender, Type: c.atom(kind),
			Data: xproto.ClientMessageDataUnionData8New(part)})
	}
}

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
