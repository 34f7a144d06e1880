//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/require"
)

const (
	deadline = 5 * time.Minute // for awaited events, which come in milliseconds
	every    = 5 * time.Millisecond
)

// TestMain runs the tests on their own display, with a window manager, where nothing else moves the pointer. The
// program is also the Fyne window that one of the tests drags from.
func TestMain(m *testing.M) {
	if os.Getenv(windowMode) != "" {
		runWindow()
		return
	}
	os.Exit(withDisplay(m))
}

func withDisplay(m *testing.M) int {
	dir, err := os.MkdirTemp("", "dragout")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name, stop, err := startDisplay(dir)
	if err != nil {
		panic(err)
	}
	defer stop()
	os.Setenv("DISPLAY", name)
	os.Unsetenv("WAYLAND_DISPLAY")
	os.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	wm := exec.Command("openbox")
	wm.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
	if err := wm.Start(); err != nil {
		panic(err)
	}
	defer func() { _ = wm.Process.Kill(); _ = wm.Wait() }()
	if err := waitForManager(); err != nil {
		panic(err)
	}
	return m.Run()
}

// startDisplay starts an X server that ends with the test.
func startDisplay(dir string) (name string, stop func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return "", nil, err
	}
	defer r.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{w}
	log, err := os.Create(filepath.Join(dir, "xvfb.log"))
	if err != nil {
		return "", nil, err
	}
	defer log.Close()
	server.Stdout, server.Stderr = log, log
	err = server.Start()
	w.Close()
	if err != nil {
		return "", nil, err
	}
	stop = func() { _ = server.Process.Kill(); _ = server.Wait() }
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		stop()
		text, _ := os.ReadFile(log.Name())
		return "", nil, fmt.Errorf("the display does not start: %s", text)
	}
	return ":" + strings.TrimSpace(line), stop, nil
}

// waitForManager returns when the window manager handles new windows. It reports that it runs somewhat earlier, and
// ignores windows that appear in between, so new ones are created until it handles one.
func waitForManager() error {
	con, err := connect("")
	if err != nil {
		return err
	}
	defer con.x.Close()
	const name = "WM_STATE"
	state, err := xproto.InternAtom(con.x, false, uint16(len(name)), name).Reply()
	if err != nil {
		return err
	}
	for end := time.Now().Add(deadline); time.Now().Before(end); {
		w, err := xproto.NewWindowId(con.x)
		if err != nil {
			return err
		}
		xproto.CreateWindow(con.x, con.screen.RootDepth, w, con.root, 0, 0, 10, 10, 0, xproto.WindowClassInputOutput,
			con.screen.RootVisual, 0, nil)
		xproto.MapWindow(con.x, w)
		for enough := time.Now().Add(200 * time.Millisecond); time.Now().Before(enough); {
			if len(con.getWords(w, state.Atom, xproto.GetPropertyTypeAny)) > 0 {
				return nil
			}
		}
		xproto.DestroyWindow(con.x, w)
	}
	return fmt.Errorf("the window manager does not start")
}

// hand moves the pointer and presses keys, as a user does (XTEST).
type hand struct {
	t     *testing.T
	con   *connection
	major byte
}

func newHand(t *testing.T) *hand {
	con := dial(t)
	const name = "XTEST"
	ext, err := xproto.QueryExtension(con.x, uint16(len(name)), name).Reply()
	require.NoError(t, err)
	require.True(t, ext.Present)
	h := &hand{t, con, ext.MajorOpcode}
	t.Cleanup(func() { h.button(false) })
	return h
}

func dial(t *testing.T) *connection {
	con, err := connect("")
	require.NoError(t, err)
	t.Cleanup(con.x.Close)
	return con
}

func (h *hand) fake(event, detail byte, x, y int16) {
	buf := make([]byte, 36)
	buf[0], buf[1] = h.major, 2
	binary.LittleEndian.PutUint16(buf[2:], 9)
	buf[4], buf[5] = event, detail
	binary.LittleEndian.PutUint32(buf[12:], 0)
	binary.LittleEndian.PutUint16(buf[24:], uint16(x))
	binary.LittleEndian.PutUint16(buf[26:], uint16(y))
	cookie := h.con.x.NewCookie(true, false)
	h.con.x.NewRequest(buf, cookie)
	if err := cookie.Check(); err != nil {
		h.t.Logf("input: %v", err)
	}
}

func (h *hand) move(x, y int16) { h.fake(xproto.MotionNotify, 0, x, y) }

func (h *hand) button(down bool) {
	event := byte(xproto.ButtonRelease)
	if down {
		event = xproto.ButtonPress
	}
	h.fake(event, 1, 0, 0)
}

// escape presses the key. The returned func, or the end of the test, releases it.
func (h *hand) escape() (release func()) {
	require.NotEmpty(h.t, h.con.escape)
	h.fake(xproto.KeyPress, byte(h.con.escape[0]), 0, 0)
	release = func() { h.fake(xproto.KeyRelease, byte(h.con.escape[0]), 0, 0) }
	h.t.Cleanup(release)
	return release
}

var windows atomic.Int32

// newWindow creates a plain window at a position, above all others and without a frame.
func newWindow(t *testing.T, con *connection, x, y int16, managed bool) xproto.Window {
	// The server reuses the IDs of an ended connection for the next one. The window manager, which is notified of the
	// end a little later, would confuse this window with a closed one: so no ID is used twice, nor one of the first,
	// which belong to the windows of the program.
	var w xproto.Window
	for range 500 + windows.Add(1) {
		var err error
		w, err = xproto.NewWindowId(con.x)
		require.NoError(t, err)
	}
	override := uint32(1)
	if managed {
		override = 0
	}
	mask := uint32(xproto.EventMaskStructureNotify | xproto.EventMaskPropertyChange | xproto.EventMaskButtonPress |
		xproto.EventMaskButtonRelease | xproto.EventMaskPointerMotion | xproto.EventMaskKeyPress)
	require.NoError(t, xproto.CreateWindowChecked(con.x, con.screen.RootDepth, w, con.root, x, y, 200, 150, 0,
		xproto.WindowClassInputOutput, con.screen.RootVisual,
		xproto.CwBackPixel|xproto.CwOverrideRedirect|xproto.CwEventMask,
		[]uint32{con.screen.WhitePixel, override, mask}).Check())
	require.NoError(t, xproto.MapWindowChecked(con.x, w).Check())
	return w
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	require.Eventually(t, ok, deadline, every, what)
}
