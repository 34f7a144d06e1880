//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/require"
)

// manners is the behavior of a target.
type manners struct {
	refuse   bool          // refuses every position
	mute     bool          // never answers a position
	hold     chan struct{} // answers positions only when this is closed
	late     bool          // refuses until it has read the names, as PCManFM does
	move     bool          // wants to move the files
	save     string        // accepts only direct saves: the URI, with %s for the name
	hurry    bool          // reports the end before it has an answer
	leaveOff bool          // does not report the end
	dieAt    xproto.Atom   // ends its connection when it gets this message
	ignore   chan struct{} // requests the names after a drop only when this is closed
	decline  bool          // reports that it did not accept the drop
	managed  bool          // has a frame of the window manager around it
	proxy    bool          // receives its messages at another window
	version  uint32        // announced version of the protocol; 0 means 5
}

// taker is a target in this process, with its own connection.
type taker struct {
	t      *testing.T
	con    *connection
	window xproto.Window
	proxy  xproto.Window
	manner manners
	hover  xproto.Atom // the property for the names while hovering
	drop   xproto.Atom // and after the drop
	gone   chan struct{}

	mu      sync.Mutex
	source  xproto.Window
	types   []xproto.Atom
	enters  int
	leaves  int
	drops   int
	asked   int // received positions
	pending int // unanswered positions
	worst   int // maximum of pending
	read    bool
	reply   []byte // the data of the drop
	failed  bool   // the drop had no data
	name    string // name of an offered direct save
	parts   int
	coming  []byte
}

const takerX, takerY = 600, 300

func newTaker(t *testing.T, m manners) *taker {
	con, err := connect("")
	require.NoError(t, err)
	k := &taker{t: t, con: con, manner: m, gone: make(chan struct{})}
	k.hover, k.drop = k.atom("TAKER_HOVER"), k.atom("TAKER_DROP")
	k.window = newWindow(t, con, takerX, takerY, m.managed)
	aware := k.window
	if m.proxy {
		k.proxy, err = con.newMessageWindow(xproto.EventMaskNoEvent)
		require.NoError(t, err)
		con.setWords(k.window, con.atom.XdndProxy, xproto.AtomWindow, uint32(k.proxy))
		con.setWords(k.proxy, con.atom.XdndProxy, xproto.AtomWindow, uint32(k.proxy))
		aware = k.proxy
	}
	version := m.version
	if version == 0 {
		version = 5
	}
	con.setWords(aware, con.atom.XdndAware, xproto.AtomAtom, version)
	if m.managed {
		eventually(t, "the window manager has put a frame around it", func() bool {
			return len(con.getWords(k.window, k.atom("WM_STATE"), xproto.GetPropertyTypeAny)) > 0
		})
	}
	con.x.Sync()
	go k.run()
	t.Cleanup(func() {
		con.x.Close()
		<-k.gone
		if t.Failed() {
			t.Logf("target: %d entered, %d positions, %d unanswered, %d left, %d drops, types %v", k.enters, k.asked,
				k.pending, k.leaves, k.drops, k.types)
		}
	})
	return k
}

// atom interns a name that the program itself does not use.
func (k *taker) atom(name string) xproto.Atom {
	r, err := xproto.InternAtom(k.con.x, false, uint16(len(name)), name).Reply()
	require.NoError(k.t, err)
	return r.Atom
}

// at returns a position in the middle of the window, wherever the window manager has placed it.
func (k *taker) at() (x, y int16) {
	r, err := xproto.TranslateCoordinates(k.con.x, k.window, k.con.root, 100, 75).Reply()
	require.NoError(k.t, err)
	return r.DstX, r.DstY
}

func (k *taker) run() {
	defer close(k.gone)
	for {
		ev, xerr := k.con.x.WaitForEvent()
		if ev == nil && xerr == nil {
			return
		}
		switch e := ev.(type) {
		case xproto.ClientMessageEvent:
			if e.Type == k.manner.dieAt {
				k.count(func() { k.drops++ })
				k.con.x.Close()
				return
			}
			k.message(e.Type, e.Data.Data32)
		case xproto.SelectionNotifyEvent:
			k.notified(e)
		case xproto.PropertyNotifyEvent:
			if e.Atom == k.drop && e.State == xproto.PropertyNewValue {
				k.part()
			}
		}
	}
}

func (k *taker) count(f func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f()
}

func (k *taker) message(typ xproto.Atom, data []uint32) {
	a := &k.con.atom
	switch typ {
	case a.XdndEnter:
		types := []xproto.Atom{xproto.Atom(data[2]), xproto.Atom(data[3]), xproto.Atom(data[4])}
		if data[1]&1 != 0 {
			types = types[:0]
			for _, v := range k.con.getWords(xproto.Window(data[0]), a.XdndTypeList, xproto.AtomAtom) {
				types = append(types, xproto.Atom(v))
			}
		}
		types = slices.DeleteFunc(types, func(t xproto.Atom) bool { return t == 0 })
		k.count(func() { k.enters++; k.source, k.types, k.read = xproto.Window(data[0]), types, false })
	case a.XdndLeave:
		k.count(func() { k.leaves++ })
	case a.XdndPosition:
		k.count(func() { k.asked++; k.pending++; k.worst = max(k.worst, k.pending) })
		if k.manner.late && k.can(a.URIList) && !k.read {
			xproto.ConvertSelection(k.con.x, k.window, a.XdndSelection, a.URIList, k.hover, xproto.Timestamp(data[3]))
		}
		switch {
		case k.manner.mute:
		case k.manner.hold != nil:
			go func() { <-k.manner.hold; k.status() }()
		default:
			k.status()
		}
	case a.XdndDrop:
		k.count(func() { k.drops++ })
		when := xproto.Timestamp(data[2])
		switch {
		case k.manner.ignore != nil:
			go func() { <-k.manner.ignore; k.fetch(a.URIList, when) }()
		case k.manner.save != "":
			name := k.con.getText(k.source, a.XdndDirectSave0)
			k.count(func() { k.name = name })
			uri := strings.ReplaceAll(k.manner.save, "%s", url.PathEscape(name))
			k.con.setBytes(k.source, a.XdndDirectSave0, a.Plain, []byte(uri))
			k.fetch(a.XdndDirectSave0, when)
			if k.manner.hurry {
				k.finish(false)
			}
		default:
			k.fetch(a.URIList, when)
		}
	}
}

func (k *taker) can(t xproto.Atom) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Contains(k.types, t)
}

func (k *taker) wants() xproto.Atom {
	if k.manner.save != "" {
		return k.con.atom.XdndDirectSave0
	}
	return k.con.atom.URIList
}

func (k *taker) status() {
	k.mu.Lock()
	read := k.read
	k.mu.Unlock()
	yes := !k.manner.refuse && k.can(k.wants()) && (!k.manner.late || read)
	flags, action := uint32(0), uint32(0)
	if yes {
		flags, action = 1, uint32(k.con.atom.XdndActionCopy)
		if k.manner.move {
			action = uint32(k.atom("XdndActionMove"))
		}
	}
	k.count(func() { k.pending-- })
	k.send(k.con.atom.XdndStatus, flags, 0, 0, action)
}

func (k *taker) send(typ xproto.Atom, data ...uint32) {
	k.mu.Lock()
	to := target{window: k.source, recipient: k.source}
	k.mu.Unlock()
	_ = k.con.send(to, typ, append([]uint32{uint32(k.window)}, data...)...)
}

func (k *taker) fetch(typ xproto.Atom, when xproto.Timestamp) {
	xproto.ConvertSelection(k.con.x, k.window, k.con.atom.XdndSelection, typ, k.drop, when)
}

func (k *taker) notified(e xproto.SelectionNotifyEvent) {
	if e.Property == 0 {
		k.count(func() { k.failed = true })
		k.finish(false)
		return
	}
	r, err := xproto.GetProperty(k.con.x, true, k.window, e.Property, xproto.GetPropertyTypeAny, 0, 1<<24).Reply()
	if err != nil || e.Property == k.hover {
		k.count(func() { k.read = true })
		return
	}
	if r.Type == k.con.atom.INCR {
		k.count(func() { k.parts, k.coming = 1, nil })
		return
	}
	k.got(r.Value)
}

// part reads one part of a property that is sent in parts.
func (k *taker) part() {
	k.mu.Lock()
	parts := k.parts
	k.mu.Unlock()
	if parts == 0 {
		return
	}
	r, err := xproto.GetProperty(k.con.x, true, k.window, k.drop, xproto.GetPropertyTypeAny, 0, 1<<24).Reply()
	if err != nil || r.Type == k.con.atom.INCR {
		return
	}
	k.count(func() { k.parts++; k.coming = append(k.coming, r.Value...) })
	if len(r.Value) == 0 {
		k.got(k.coming)
	}
}

func (k *taker) got(data []byte) {
	k.count(func() { k.reply = data })
	k.finish(!k.manner.decline)
}

func (k *taker) finish(took bool) {
	if k.manner.leaveOff {
		return
	}
	if took {
		k.send(k.con.atom.XdndFinished, 1, uint32(k.con.atom.XdndActionCopy))
	} else {
		k.send(k.con.atom.XdndFinished, 0, 0)
	}
}

// sees waits until a condition of the target is true.
func (k *taker) sees(what string, ok func() bool) {
	k.t.Helper()
	eventually(k.t, what, func() bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		return ok()
	})
}

// files returns the contents of the dropped files by path.
func (k *taker) files() map[string]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return readURIs(k.t, string(k.reply))
}

func readURIs(t *testing.T, list string) map[string]string {
	out := make(map[string]string)
	for line := range strings.SplitSeq(strings.TrimSpace(list), "\r\n") {
		u, err := url.Parse(line)
		require.NoError(t, err)
		require.Equal(t, "file", u.Scheme)
		require.NoError(t, filepath.WalkDir(u.Path, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			out[path] = string(data)
			return err
		}))
	}
	return out
}
