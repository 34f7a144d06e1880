//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"strconv"
	"strings"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// raiseX11 asks the window manager to activate a window at the time of the user's action, which the token contains, and
// reports that the start with that token is complete (the startup notification protocol of freedesktop.org). It returns
// false without such a token.
func raiseX11(window uint32, token string) bool {
	time, ok := actionTime(token)
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
		Data: xproto.ClientMessageDataUnionData32New([]uint32{fromApplication, time, 0, 0, 0})}
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
