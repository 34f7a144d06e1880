//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"os"
	"slices"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// timeouts holds the intervals and timeouts of a session.
type timeouts struct {
	query     time.Duration // interval between two queries of the pointer
	resend    time.Duration // interval of messages to a refusing target, and of window queries below a still pointer
	readyWait time.Duration // maximum wait for files that are not ready when the button is released
	answer    time.Duration // maximum wait for the answer of a target to a position
	refusal   time.Duration // maximum wait for a target that refuses while it reads the names, and then accepts
	finish    time.Duration // maximum wait for a target that does not react to the drop
	report    time.Duration // interval between two reports of progress
	release   time.Duration // maximum wait for End after the button is up
}

var defaultTimeouts = timeouts{
	query:     16 * time.Millisecond,
	resend:    100 * time.Millisecond,
	readyWait: 5 * time.Second,
	answer:    3 * time.Second,
	refusal:   500 * time.Millisecond,
	finish:    15 * time.Second,
	report:    100 * time.Millisecond,
	release:   500 * time.Millisecond,
}

// session is the platform for an X11 window. One goroutine owns all state. Others queue functions for it.
type session struct {
	*outbox
	con       *connection
	inWayland bool // the X11 display belongs to a Wayland session
	wakeups   chan struct{}

	// Owned by the goroutine.
	drag        *drag   // between Start and the release of the button or the drop
	dropped     []*drag // dropped but not finished
	clip        *clip   // current content of the clipboard
	transfers   map[partKey]*transfer
	timeWaiters []func(xproto.Timestamp) // funcs that wait for the server's time
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
	return newSession(o, con, defaultTimeouts)
}

func newSession(o Options, con *connection, wait timeouts) *session {
	s := &session{outbox: newOutbox("X11", o, wait), con: con, wakeups: make(chan struct{}, 1),
		transfers: make(map[partKey]*transfer), inWayland: os.Getenv("WAYLAND_DISPLAY") != ""}
	s.putOnClipboard = s.claimClipboard
	s.wake = func() {
		select {
		case s.wakeups <- struct{}{}:
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
			// a request for a closed window failed: the next query of the pointer detects that
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
				s.isLost.Store(true)
				s.stop("Lost the connection to the X11 display.")
				return
			}
			s.onEvent(ev)
		case <-s.wakeups:
			s.drain()
			s.step(time.Now())
		case now := <-ticker.C:
			s.step(now)
		}
		// An idle session uses no CPU time.
		if b := s.drag != nil || len(s.dropped) > 0 || len(s.transfers) > 0 || s.copying != nil; b != busy {
			busy = b
			if busy {
				ticker.Reset(s.timeouts.query)
			} else {
				ticker.Reset(time.Hour)
			}
		}
	}
}

// stop ends all drags for a reason.
func (s *session) stop(reason string) {
	for _, d := range append(slices.Clone(s.dropped), s.drag) {
		if d == nil {
			continue
		}
		if reason == "" {
			s.leaveTarget(d)
			s.finish(d, Event{State: Canceled, Text: "The drag was canceled."})
		} else {
			s.finish(d, Event{State: Failed, Text: reason})
		}
	}
	s.cancelAll()
}

func (s *session) step(now time.Time) {
	if s.drag != nil {
		s.updateDrag(s.drag, now)
	}
	for _, d := range slices.Clone(s.dropped) {
		s.finishIfSilent(d, now)
	}
	s.report(s.copying, now)
	for k, p := range s.transfers {
		if now.Sub(p.sent) > s.timeouts.finish {
			delete(s.transfers, k)
		}
	}
}

func (s *session) onEvent(ev xgb.Event) {
	switch e := ev.(type) {
	case xproto.PropertyNotifyEvent:
		if e.Window == s.con.timeWindow && e.Atom == s.con.atom.Stamp {
			if len(s.timeWaiters) > 0 {
				f := s.timeWaiters[0]
				s.timeWaiters = s.timeWaiters[1:]
				f(e.Time)
			}
			return
		}
		if e.State == xproto.PropertyDelete {
			s.nextPart(partKey{e.Window, e.Atom})
		}
	case xproto.SelectionRequestEvent:
		s.onRequest(e)
	case xproto.SelectionClearEvent:
		if e.Selection == s.con.atom.CLIPBOARD {
			s.onClipboardLost(e.Owner)
		}
	case xproto.ClientMessageEvent:
		s.onMessage(e)
	case xproto.DestroyNotifyEvent:
		s.onWindowClosed(e.Window)
	case xproto.KeyPressEvent:
		if slices.Contains(s.con.escape, e.Detail) {
			s.cancelDrag()
		}
	}
}

// atTime calls f with the server's time, which a property event contains.
func (s *session) atTime(f func(xproto.Timestamp)) {
	s.timeWaiters = append(s.timeWaiters, f)
	xproto.ChangeProperty(s.con.x, xproto.PropModeAppend, s.con.timeWindow, s.con.atom.Stamp, xproto.AtomString, 8, 0,
		nil)
}

func (s *session) start(items []Item) { s.enqueue(func() { s.begin(withSafeNames(items, maxName)) }) }

// Move reports a motion of the pointer.
func (s *session) Move(accepted bool) {
	s.enqueue(func() {
		if s.drag != nil {
			s.drag.ownWindowAccepts = accepted
		}
	})
}

// End reports the release of the button.
func (s *session) End() { s.enqueue(s.onRelease) }

// Cancel cancels drags.
func (s *session) Cancel() { s.enqueue(s.cancelDrags) }
