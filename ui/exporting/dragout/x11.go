//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"reflect"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

const (
	xdndVersion    = 5
	oldestVersion  = 3       // the oldest version with the messages of version 5
	maxWindowDepth = 64      // maximum depth of nested windows to search
	keysymEscape   = 0xff1b  // from X11/keysymdef.h
	maxPart        = 1 << 16 // bytes of a property sent in one part
	watchedEvents  = xproto.EventMaskPropertyChange | xproto.EventMaskStructureNotify
	anyButton      = 0x1f00 // mask of the pointer's state
	propertyWords  = 1 << 12
	maxDeferred    = 64 // maximum number of requests that wait for the files of one drag
	shapeRectangle = 1  // requests and constants of the SHAPE extension
	shapeInput     = 2
)

func init() {
	// The library logs every display without an access file to standard error.
	xgb.Logger = log.New(io.Discard, "", 0)
}

// atoms holds the atoms of the protocols. A tag is the name of an atom that is not a Go name.
type atoms struct {
	XdndAware, XdndProxy, XdndTypeList, XdndSelection         xproto.Atom
	XdndEnter, XdndPosition, XdndStatus, XdndLeave            xproto.Atom
	XdndDrop, XdndFinished, XdndActionCopy, XdndActionPrivate xproto.Atom
	XdndDirectSave0                                           xproto.Atom
	CLIPBOARD, TARGETS, TIMESTAMP, MULTIPLE, INCR             xproto.Atom
	UTF8                                                      xproto.Atom `name:"UTF8_STRING"`
	Pair                                                      xproto.Atom `name:"ATOM_PAIR"`
	URIList                                                   xproto.Atom `name:"text/uri-list"`
	Plain                                                     xproto.Atom `name:"text/plain"`
	PlainUTF8                                                 xproto.Atom `name:"text/plain;charset=utf-8"`
	Copied                                                    xproto.Atom `name:"x-special/gnome-copied-files"`
	Portal                                                    xproto.Atom `name:"application/vnd.portal.filetransfer"`
	WindowType                                                xproto.Atom `name:"_NET_WM_WINDOW_TYPE"`
	WindowDND                                                 xproto.Atom `name:"_NET_WM_WINDOW_TYPE_DND"`
	Stamp                                                     xproto.Atom `name:"ASSAY_TIME"`
}

// connection is the second connection to the display.
type connection struct {
	x          *xgb.Conn
	screen     *xproto.ScreenInfo
	root       xproto.Window
	atom       atoms
	maxPart    int              // bytes of a property that fit into one request
	shape      byte             // major opcode of SHAPE, or 0 without it
	escape     []xproto.Keycode // the key codes of Escape
	timeWindow xproto.Window    // window for querying the server's time
}

func connect(display string) (*connection, error) {
	x, err := xgb.NewConnDisplay(display)
	if err != nil {
		return nil, err
	}
	c := &connection{x: x}
	if err := c.setup(); err != nil {
		x.Close()
		return nil, err
	}
	return c, nil
}

func (c *connection) setup() error {
	setup := xproto.Setup(c.x)
	c.screen = setup.DefaultScreen(c.x)
	c.root = c.screen.Root
	c.maxPart = min(int(setup.MaximumRequestLength)*4-256, maxPart)
	if err := c.intern(); err != nil {
		return err
	}
	const name = "SHAPE"
	if ext, err := xproto.QueryExtension(c.x, uint16(len(name)), name).Reply(); err == nil && ext.Present {
		c.shape = ext.MajorOpcode
	}
	first, count := setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)
	if m, err := xproto.GetKeyboardMapping(c.x, first, count).Reply(); err == nil && m.KeysymsPerKeycode > 0 {
		for i, sym := range m.Keysyms {
			if sym == keysymEscape {
				c.escape = append(c.escape, first+xproto.Keycode(i/int(m.KeysymsPerKeycode)))
			}
		}
	}
	var err error
	c.timeWindow, err = c.newMessageWindow(xproto.EventMaskPropertyChange)
	return err
}

func (c *connection) intern() error {
	v := reflect.ValueOf(&c.atom).Elem()
	cookies := make([]xproto.InternAtomCookie, v.NumField())
	for i := range cookies {
		name := v.Type().Field(i).Name
		if tag := v.Type().Field(i).Tag.Get("name"); tag != "" {
			name = tag
		}
		cookies[i] = xproto.InternAtom(c.x, false, uint16(len(name)), name)
	}
	for i := range cookies {
		r, err := cookies[i].Reply()
		if err != nil {
			return err
		}
		v.Field(i).SetUint(uint64(r.Atom))
	}
	return nil
}

// newMessageWindow creates an invisible window that receives messages and owns selections.
func (c *connection) newMessageWindow(events uint32) (xproto.Window, error) {
	w, err := xproto.NewWindowId(c.x)
	if err != nil {
		return 0, err
	}
	err = xproto.CreateWindowChecked(c.x, 0, w, c.root, -10, -10, 1, 1, 0, xproto.WindowClassInputOnly, 0,
		xproto.CwOverrideRedirect|xproto.CwEventMask, []uint32{1, events}).Check()
	return w, err
}

func (c *connection) watch(w xproto.Window, events uint32) {
	xproto.ChangeWindowAttributes(c.x, w, xproto.CwEventMask, []uint32{events})
}

// getWords returns a property of 32-bit values, or nil if the window has none of that type.
func (c *connection) getWords(w xproto.Window, property, typ xproto.Atom) []uint32 {
	r, err := xproto.GetProperty(c.x, false, w, property, typ, 0, propertyWords).Reply()
	if err != nil || r == nil || r.Format != 32 {
		return nil
	}
	out := make([]uint32, len(r.Value)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(r.Value[4*i:])
	}
	return out
}

// getText returns a property of bytes.
func (c *connection) getText(w xproto.Window, property xproto.Atom) string {
	r, err := xproto.GetProperty(c.x, false, w, property, xproto.GetPropertyTypeAny, 0, propertyWords).Reply()
	if err != nil || r == nil || r.Format != 8 {
		return ""
	}
	return string(r.Value)
}

func (c *connection) setWords(w xproto.Window, property, typ xproto.Atom, values ...uint32) {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	xproto.ChangeProperty(c.x, xproto.PropModeReplace, w, property, typ, 32, uint32(len(values)), data)
}

func (c *connection) setBytes(w xproto.Window, property, typ xproto.Atom, data []byte) {
	xproto.ChangeProperty(c.x, xproto.PropModeReplace, w, property, typ, 8, uint32(len(data)), data)
}

// send sends a message about a target to the target itself or to its proxy.
func (c *connection) send(t target, message xproto.Atom, data ...uint32) error {
	words := make([]uint32, 5)
	copy(words, data)
	ev := xproto.ClientMessageEvent{Format: 32, Window: t.window, Type: message,
		Data: xproto.ClientMessageDataUnionData32New(words)}
	return xproto.SendEventChecked(c.x, false, t.recipient, xproto.EventMaskNoEvent, string(ev.Bytes())).Check()
}

// escapePressed reports whether Escape is down, regardless of the focus.
func (c *connection) escapePressed() bool {
	r, err := xproto.QueryKeymap(c.x).Reply()
	if err != nil || r == nil {
		return false
	}
	for _, k := range c.escape {
		if i := int(k) / 8; i < len(r.Keys) && r.Keys[i]&(1<<(k%8)) != 0 {
			return true
		}
	}
	return false
}

// ignorePointer makes a window transparent for the pointer.
func (c *connection) ignorePointer(w xproto.Window) {
	if c.shape == 0 {
		return
	}
	// Encoded here, because the library's package for SHAPE is not safe with two connections. The input region of the
	// window becomes empty.
	buf := make([]byte, 16)
	buf[0], buf[1] = c.shape, shapeRectangle
	binary.LittleEndian.PutUint16(buf[2:], 4)
	buf[5] = shapeInput
	binary.LittleEndian.PutUint32(buf[8:], uint32(w))
	c.x.NewRequest(buf, c.x.NewCookie(false, false))
}

// target is a window that accepts drops.
type target struct {
	window    xproto.Window // the window in messages; 0 without a target
	recipient xproto.Window // the recipient of messages
	version   uint32
}

// targetAt returns the drop target at a position of the screen: the outermost window that supports XDND, because the
// frames of window managers around it do not. It stops at a window of this program.
func (c *connection) targetAt(x, y int16, source xproto.Window) (t target, inside bool) {
	window := c.root
	for range maxWindowDepth {
		r, err := xproto.TranslateCoordinates(c.x, c.root, window, x, y).Reply()
		if err != nil || r == nil || r.Child == 0 {
			break
		}
		window = r.Child
		if window == source {
			return target{}, true
		}
		if t := c.targetOf(window); t.window != 0 {
			return t, false
		}
	}
	return c.targetOf(c.root), false
}

func (c *connection) targetOf(w xproto.Window) target {
	t := target{window: w, recipient: w}
	if p := c.getWords(w, c.atom.XdndProxy, xproto.AtomWindow); len(p) == 1 && p[0] != 0 {
		// A proxy without a reference to itself belongs to a program that has ended.
		proxy := xproto.Window(p[0])
		if q := c.getWords(proxy, c.atom.XdndProxy, xproto.AtomWindow); len(q) == 1 && q[0] == p[0] {
			t.recipient = proxy
		}
	}
	v := c.getWords(t.recipient, c.atom.XdndAware, xproto.AtomAtom)
	if len(v) == 0 || v[0] < oldestVersion {
		return target{}
	}
	t.version = min(v[0], xdndVersion)
	return t
}

// clip is the content of the clipboard.
type clip struct {
	*fileSet
	window     xproto.Window // owner of the selection
	ownedSince xproto.Timestamp
}

// claimClipboard puts the files on the clipboard.
func (s *session) claimClipboard(files *fileSet) {
	c := &clip{fileSet: files}
	var err error
	if c.window, err = s.con.newMessageWindow(xproto.EventMaskNoEvent); err != nil {
		s.workers.Go(c.batch.remove)
		s.opts.OnState(c.event(Failed, sentence(fmt.Errorf("the clipboard is not responding: %w", err))))
		return
	}
	s.atTime(func(now xproto.Timestamp) {
		c.ownedSince = now
		xproto.SetSelectionOwner(s.con.x, c.window, s.con.atom.CLIPBOARD, now)
		if s.clip != nil {
			xproto.DestroyWindow(s.con.x, s.clip.window)
		}
		s.clip = c
		s.opts.OnState(c.event(Copied, withFailures(c.batch, "The files are on the clipboard.")))
	})
}

// onClipboardLost handles the loss of the clipboard to other content. The files stay, because a program may still be
// reading them.
func (s *session) onClipboardLost(owner xproto.Window) {
	if s.clip != nil && s.clip.window == owner {
		xproto.DestroyWindow(s.con.x, owner)
		s.clip = nil
	}
}
