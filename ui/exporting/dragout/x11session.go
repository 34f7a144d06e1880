//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"os"
	"slices"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// patience holds the intervals and timeouts of a session.
type patience struct {
	look      time.Duration // between two queries of the pointer
	ask       time.Duration // between two messages to a target that refused, or for a still pointer
	readyWait time.Duration // maximum wait for files that are not ready when the button is released
	answer    time.Duration // maximum wait for the answer of a target to a position
	second    time.Duration // maximum wait for a target that refuses while it reads the names, and then accepts
	finish    time.Duration // maximum wait for a target that does not react to the drop
	report    time.Duration // between two reports of progress
	release   time.Duration // maximum wait for End after the button is up
}

var usual = patience{
	look:      16 * time.Millisecond,
	ask:       100 * time.Millisecond,
	readyWait: 5 * time.Second,
	answer:    3 * time.Second,
	second:    500 * time.Millisecond,
	finish:    15 * time.Second,
	report:    100 * time.Millisecond,
	release:   500 * time.Millisecond,
}

// session is the platform for an X11 window. One goroutine owns all state. Others queue functions for it.
type session struct {
	*outbox
	con     *connection
	bridged bool // the X11 display belongs to a Wayland session
	woken   chan struct{}

	// Owned by the goroutine.
	drag   *drag   // between Start and the release of the button or the drop
	ending []*drag // dropped but not finished
	clip   *clip   // current content of the clipboard
	parts  map[partKey]*parts
	times  []func(xproto.Timestamp) // funcs that wait for the server's time
}

func openPlatform(o Options) platform {
	switch {
	case o.Surface != 0:
		return openWayland(o)
	case o.Window == 0:
		return unavailable("Dragging files out needs an X11 or Wayland window. Use the export panel instead.")
	}
	con, err := connect(o.Display)
	if err != nil {
		return unavailable("Files cannot be dragged out because the X11 display is not responding (" + err.Error() +
			"). Use the export panel.")
	}
	return newSession(o, con, usual)
}

func newSession(o Options, con *connection, wait patience) *session {
	s := &session{outbox: newOutbox("X11", o, wait), con: con, woken: make(chan struct{}, 1),
		parts: make(map[partKey]*parts), bridged: os.Getenv("WAYLAND_DISPLAY") != ""}
	s.ready = s.claimClipboard
	s.wake = func() {
		select {
		case s.woken <- struct{}{}:
		default:
		}
	}
	s.setUp()
	events := make(chan xgb.Event)
	go s.listen(events)
	go s.run(events)
	return s
}

func (s *session) listen(events chan<- xgb.Event) {
	defer close(events)
	for {
		ev, err := s.con.x.WaitForEvent()
		if ev == nil && err == nil {
			return
		}
		if ev == nil {
			// an error about a closed window: the target's, which the next query of the pointer detects
			continue
		}
		select {
		case events <- ev:
		case <-s.ended:
			// A reader that stops reading would block the closing of the connection.
		}
	}
}

func (s *session) run(events <-chan xgb.Event) {
	defer close(s.ended)
	defer s.con.x.Close()
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	busy := false
	for {
		select {
		case <-s.ctx.Done():
			s.stop("")
			return
		case ev, ok := <-events:
			if !ok {
				s.lost.Store(true)
				s.stop("Lost the connection to the X11 display.")
				return
			}
			s.handle(ev)
		case <-s.woken:
			s.drain()
			s.step(time.Now())
		case now := <-ticker.C:
			s.step(now)
		}
		// An idle session uses no CPU time.
		if b := s.drag != nil || len(s.ending) > 0 || len(s.parts) > 0 || s.next != nil; b != busy {
			busy = b
			if busy {
				ticker.Reset(s.wait.look)
			} else {
				ticker.Reset(time.Hour)
			}
		}
	}
}

// stop ends all drags for a reason.
func (s *session) stop(reason string) {
	for _, d := range append(slices.Clone(s.ending), s.drag) {
		if d == nil {
			continue
		}
		if reason == "" {
			s.leaveTarget(d)
			s.finish(d, Event{State: Cancelled, Text: "The drag was canceled."})
		} else {
			s.finish(d, Event{State: Failed, Text: reason})
		}
	}
	s.cancelAll()
}

func (s *session) step(now time.Time) {
	if s.drag != nil {
		s.advance(s.drag, now)
	}
	for _, d := range slices.Clone(s.ending) {
		s.expect(d, now)
	}
	s.report(s.next, now)
	for k, p := range s.parts {
		if now.Sub(p.sent) > s.wait.finish {
			delete(s.parts, k)
		}
	}
}

func (s *session) handle(ev xgb.Event) {
	switch e := ev.(type) {
	case xproto.PropertyNotifyEvent:
		if e.Window == s.con.stamp && e.Atom == s.con.atom.Stamp {
			if len(s.times) > 0 {
				f := s.times[0]
				s.times = s.times[1:]
				f(e.Time)
			}
			return
		}
		if e.State == xproto.PropertyDelete {
			s.nextPart(partKey{e.Window, e.Atom})
		}
	case xproto.SelectionRequestEvent:
		s.request(e)
	case xproto.SelectionClearEvent:
		if e.Selection == s.con.atom.CLIPBOARD {
			s.clipLost(e.Owner)
		}
	case xproto.ClientMessageEvent:
		s.message(e)
	case xproto.DestroyNotifyEvent:
		s.destroyed(e.Window)
	case xproto.KeyPressEvent:
		if slices.Contains(s.con.escape, e.Detail) {
			s.escape()
		}
	}
}

// atTime calls f with the server's time, which a property event contains.
func (s *session) atTime(f func(xproto.Timestamp)) {
	s.times = append(s.times, f)
	xproto.ChangeProperty(s.con.x, xproto.PropModeAppend, s.con.stamp, s.con.atom.Stamp, xproto.AtomString, 8, 0, nil)
}

func (s *session) start(items []Item) { s.enqueue(func() { s.begin(named(items, nameMax)) }) }

// Move reports a motion of the pointer.
func (s *session) Move(taken bool) {
	s.enqueue(func() {
		if s.drag != nil {
			s.drag.taken = taken
		}
	})
}

// End reports the release of the button.
func (s *session) End() { s.enqueue(s.release) }

// Cancel cancels drags.
func (s *session) Cancel() { s.enqueue(s.escapeAll) }
