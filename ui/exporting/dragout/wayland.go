//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"os"
	"slices"
	"time"

	"assay/ui/display/wayland"
)

// compositor is the part of wayland.Client that a Wayland session uses.
type compositor interface {
	Wait(limit time.Duration) error
	Wake()
	Close()
	Drag(types []string) int
	Copy(types []string) int
	Show(c *card)
	EndSource(source int)
	Arm() bool
	Disarm()
	Release()
	SendPosition()
}

// waylandSession is the platform for a native Wayland window. Inside the window the toolkit handles a drag. When the
// pointer leaves it with the button down, the compositor takes over, and the toolkit gets a synthetic release. One
// goroutine owns all state and makes all calls to the compositor.
type waylandSession struct {
	*outbox
	client compositor

	// Owned by the goroutine.
	drag    *waylandDrag
	dropped []*waylandDrag // dropped but not finished
	clip    *waylandClip   // current content of the clipboard
}

// waylandDrag is one drag, from Start until another program has received the files or the user has canceled.
type waylandDrag struct {
	*fileSet
	card   *card
	source int // source number; 0 while the drag is inside the window

	inside     bool // the pointer has returned to a window of this program
	accepts    bool // the target below the pointer accepts one of the types
	copies     bool // a drop would copy
	dropped    bool
	namesSent  bool      // the target has received the names of the files
	finished   bool      // the target reports that it has finished
	lastActive time.Time // last activity of the target
	isOver     bool
	requests   []request
}

// waylandClip is the content of the clipboard.
type waylandClip struct {
	*fileSet
	source int
}

// request is a request for the files in one of the offered types.
type request struct {
	mediaType string
	file      *os.File
}

const (
	uriListType = "text/uri-list"
	plainType   = "text/plain;charset=utf-8"
	copiedType  = "x-special/gnome-copied-files"
)

func openWayland(o Options) platform {
	s := newWaylandSession(o, defaultTimeouts)
	client, err := wayland.Open(o.Surface, func(e wayland.Event) { s.handle(e) })
	if err != nil {
		return unavailable("Files cannot be dragged out (" + err.Error() +
			"). Use the export panel, or start the program with " +
			"FYNE_PLATFORM=x11.")
	}
	s.begin(&waylandWindow{client, o.density})
	return s
}

func newWaylandSession(o Options, wait timeouts) *waylandSession {
	s := &waylandSession{outbox: newOutbox("Wayland", o, wait)}
	s.putOnClipboard = s.toClipboard
	return s
}

// begin starts the goroutine.
func (s *waylandSession) begin(client compositor) {
	s.client, s.wake = client, client.Wake
	s.setUp()
	go s.run()
}

func (s *waylandSession) run() {
	defer close(s.ended)
	defer s.client.Close()
	for {
		limit := time.Duration(-1)
		if s.drag != nil || len(s.dropped) > 0 || s.copying != nil {
			limit = s.timeouts.report
		}
		err := s.client.Wait(limit)
		switch {
		case s.ctx.Err() != nil:
			s.stop(Canceled, "The drag was canceled.")
			return
		case err != nil:
			s.isLost.Store(true)
			s.stop(Failed, "Lost the connection to the Wayland display.")
			return
		}
		s.drain()
		s.step(time.Now())
	}
}

func (s *waylandSession) stop(state State, text string) {
	for _, d := range append(slices.Clone(s.dropped), s.drag) {
		if d != nil {
			s.finish(d, d.event(state, text))
		}
	}
	s.cancelAll()
}

// step does the periodic work.
func (s *waylandSession) step(now time.Time) {
	if d := s.drag; d != nil {
		s.report(d.fileSet, now)
		s.paint(d)
	}
	for _, d := range slices.Clone(s.dropped) {
		s.finishIfDone(d, now)
		switch {
		case d.isWriting():
			d.lastActive = now
			s.report(d.fileSet, now)
		case now.Sub(d.lastActive) < s.timeouts.finish:
		case d.namesSent:
			s.finish(d, d.event(Dropped, withFailures(d.batch, copiedText)))
		default:
			s.finish(d, d.event(Failed, "The other app did not read the files."))
		}
	}
	s.report(s.copying, now)
}

func (s *waylandSession) start(items []Item) {
	s.enqueue(func() { s.startDrag(withSafeNames(items, maxName)) })
	if s.client.Arm() {
		s.enqueue(s.handOver)
	}
}

// Move does nothing: the compositor reports the motion of the pointer.
func (s *waylandSession) Move(bool) {}

func (s *waylandSession) End() { s.enqueue(s.onRelease) }

// Cancel cancels drags.
func (s *waylandSession) Cancel() { s.enqueue(s.cancelDrags) }

// types returns the offered types, best first.
func (s *waylandSession) types(more ...string) []string {
	types := []string{uriListType, plainType}
	if s.portal.available() {
		types = append(types, portalType)
	}
	return append(types, more...)
}
