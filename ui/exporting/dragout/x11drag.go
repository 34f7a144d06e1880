//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"
)

// drag is one drag, from Start until another program has received the files or the user has canceled.
type drag struct {
	*load
	window     xproto.Window    // the source in XDND's messages, and the owner of its selection
	ownedSince xproto.Timestamp // time of ownership; 0 until the server has answered
	show       *picture

	served   bool                           // the target has received the names of the files
	deferred []xproto.SelectionRequestEvent // requests that wait for the files
	saving   bool                           // a direct save is running
	alone    bool                           // and its target does not wait for it anymore
	saved    string                         // the file written by a direct save
	failure  error                          // error of a direct save

	// The pointer.
	x, y       int16
	looked     time.Time // time of the last query of the window under it
	inside     bool      // the pointer is over a window of this program
	taken      bool      // and a drop there is accepted
	pressed    bool      // a button has been down
	releasedAt time.Time // time since no button is down

	// The target.
	target  target
	offered []uint32  // the types announced to the target; nil if none were
	entered time.Time // time of the announcement
	moved   bool      // the latest position has not been sent yet
	waiting bool      // the answer is outstanding
	asked   time.Time // time of the last sent position
	accepts bool

	released time.Time // time of the release; zero before
	dropped  bool
	active   time.Time // last activity of the target
	isOver   bool
}

// begin starts a drag. It ends a drag that was not released.
func (s *session) begin(items []Item) {
	s.escape()
	d := &drag{load: newLoad(s.ctx, items, false)}
	var err error
	if d.window, err = s.con.messenger(xproto.EventMaskPropertyChange); err != nil {
		d.stop()
		s.opts.OnState(Event{State: Failed, Text: sentence(fmt.Errorf("cannot start dragging: %w", err)),
			Files: len(items)})
		return
	}
	if s.savesDirectly(d) {
		// The target reads the name of the file from this property, and replaces it by the destination.
		s.con.setBytes(d.window, s.con.atom.XdndDirectSave0, s.con.atom.Plain, []byte(items[0].Name))
	}
	d.show = newPicture(s.con, s.opts, items)
	s.con.watch(xproto.Window(s.opts.Window), xproto.EventMaskKeyPress)
	s.drag = d
	s.atTime(func(now xproto.Timestamp) {
		if d.isOver {
			return
		}
		xproto.SetSelectionOwner(s.con.x, d.window, s.con.atom.XdndSelection, now)
		d.ownedSince = now
	})
}

// advance continues a drag: it updates the pointer and the target, and sends the pending messages.
func (s *session) advance(d *drag, now time.Time) {
	if d.released.IsZero() {
		s.queryPointer(d, now)
	}
	if d.isOver {
		return
	}
	s.report(d.load, now)
	s.announce(d, now)
	s.position(d, now)
	if !d.released.IsZero() {
		s.resolveDrop(d, now)
	}
	if !d.isOver && s.drag == d {
		s.paint(d)
	}
}

// queryPointer queries the pointer and the window below it.
func (s *session) queryPointer(d *drag, now time.Time) {
	p, err := xproto.QueryPointer(s.con.x, s.con.root).Reply()
	if err != nil || p == nil {
		return
	}
	if s.con.escapePressed() {
		s.escape()
		return
	}
	if p.RootX != d.x || p.RootY != d.y || d.looked.IsZero() {
		d.x, d.y, d.moved = p.RootX, p.RootY, true
		d.looked = time.Time{}
		d.show.move(p.RootX, p.RootY)
	}
	if now.Sub(d.looked) >= s.wait.ask {
		d.looked = now
		s.updateTarget(d)
	}
	// A widget that is hidden or replaced during its drag may never receive the release.
	switch {
	case p.Mask&anyButton != 0:
		d.pressed, d.releasedAt = true, time.Time{}
	case d.pressed && d.releasedAt.IsZero():
		d.releasedAt = now
	case d.pressed && now.Sub(d.releasedAt) >= s.wait.release:
		d.released = now
	}
}

// updateTarget finds the target below the pointer.
func (s *session) updateTarget(d *drag) {
	t, inside := s.con.targetAt(d.x, d.y, xproto.Window(s.opts.Window))
	d.inside = inside
	if t != d.target {
		s.leaveTarget(d)
		old := d.target.window
		d.target = t
		s.unwatch(old)
		if t.window != 0 {
			s.con.watch(t.window, watched)
		}
	}
	if !inside && d.written == nil {
		s.prepare(d)
	}
}

// prepare starts writing the files.
func (s *session) prepare(d *drag) {
	d.write(s.folder, &s.portal, &s.work, func(b *batch, err error) { s.enqueue(func() { s.prepared(d, b, err) }) })
	s.opts.OnState(d.news(Preparing, preparingText))
}

func (s *session) prepared(d *drag, b *batch, err error) {
	switch {
	case d.isOver || d.saving || d.saved != "":
		if b != nil {
			s.work.Go(b.remove)
		}
	case err != nil:
		if !d.dropped {
			s.leaveTarget(d)
		}
		s.finish(d, d.failed(err))
	default:
		d.batch, d.ready = b, time.Now()
		s.answerDeferred(d)
		s.opts.OnState(d.news(Ready, leftOut(b, "The files can be dropped.")))
	}
}

// types returns the types that a drag currently offers to X11 windows.
func (s *session) types(d *drag) []uint32 {
	if d.ownedSince == 0 {
		return nil
	}
	var out []uint32
	if d.batch != nil || s.bridged {
		out = s.namingTypes()
	}
	if s.savesDirectly(d) {
		out = slices.Insert(out, min(len(out), 1), uint32(s.con.atom.XdndDirectSave0))
	}
	return out
}

// isAlone reports whether a single file is dragged, without a folder.
func (d *drag) isAlone() bool { return len(d.items) == 1 && !strings.Contains(d.items[0].Name, "/") }

// savesDirectly reports whether a drag is offered by direct save. A compositor would offer that to native windows too,
// where it cannot work.
func (s *session) savesDirectly(d *drag) bool { return d.isAlone() && !s.bridged }

// namingTypes returns the types for lists of file names, best first.
func (s *session) namingTypes() []uint32 {
	a := &s.con.atom
	types := []uint32{uint32(a.URIList), uint32(a.PlainUTF8), uint32(a.Plain)}
	if s.portal.available() {
		types = append(types, uint32(a.Portal))
	}
	return types
}

// announce sends the types to the target, and again when more are available.
func (s *session) announce(d *drag, now time.Time) {
	types := s.types(d)
	if d.target.window == 0 || slices.Equal(types, d.offered) {
		return
	}
	s.leaveTarget(d)
	if len(types) == 0 {
		return
	}
	flags := d.target.version << 24
	if len(types) > 3 {
		flags |= 1
		s.con.setWords(d.window, s.con.atom.XdndTypeList, xproto.AtomAtom, types...)
	}
	first := append(slices.Clone(types), 0, 0, 0)[:3]
	if s.con.send(d.target, s.con.atom.XdndEnter, uint32(d.window), flags, first[0], first[1], first[2]) != nil {
		return // the target has closed; the next query finds another
	}
	d.offered, d.entered, d.moved = types, now, true
}

// position sends the position of the pointer to the target, and waits for its answer before the next one.
func (s *session) position(d *drag, now time.Time) {
	if d.offered == nil || d.waiting {
		return
	}
	// A target that refuses may accept after it has read the names.
	if !d.moved && (d.accepts || now.Sub(d.asked) < s.wait.ask) {
		return
	}
	place := uint32(uint16(d.x))<<16 | uint32(uint16(d.y))
	if s.con.send(d.target, s.con.atom.XdndPosition, uint32(d.window), 0, place, uint32(d.ownedSince),
		uint32(s.con.atom.XdndActionCopy)) != nil {
		return
	}
	d.moved, d.waiting, d.asked = false, true, now
}

// leaveTarget notifies the target that the drag has left it.
func (s *session) leaveTarget(d *drag) {
	if d.offered != nil {
		_ = s.con.send(d.target, s.con.atom.XdndLeave, uint32(d.window)) // it may have closed
	}
	d.offered, d.waiting, d.accepts = nil, false, false
}

// message handles the messages of targets.
func (s *session) message(e xproto.ClientMessageEvent) {
	if e.Format != 32 || len(e.Data.Data32) < 5 {
		return
	}
	data := e.Data.Data32
	switch e.Type {
	case s.con.atom.XdndStatus:
		d := s.drag
		if d == nil || d.window != e.Window || data[0] != uint32(d.target.window) || d.offered == nil {
			return
		}
		action := xproto.Atom(data[4])
		d.waiting = false
		d.accepts = data[1]&1 != 0 && (action == s.con.atom.XdndActionCopy || action == s.con.atom.XdndActionPrivate)
		s.advance(d, time.Now())
	case s.con.atom.XdndFinished:
		for _, d := range s.ending {
			if d.window == e.Window && data[0] == uint32(d.target.window) {
				s.finished(d, d.target.version < 5 || data[1]&1 != 0)
				return // the list has changed
			}
		}
	}
}

// release handles End: the current position of the pointer is the position of the drop.
func (s *session) release() {
	d := s.drag
	if d == nil || !d.released.IsZero() {
		return
	}
	now := time.Now()
	d.looked = time.Time{}
	s.queryPointer(d, now)
	if d.isOver {
		return
	}
	d.released = now
	s.advance(d, now)
}

// resolveDrop determines the effect of a release as soon as possible.
func (s *session) resolveDrop(d *drag, now time.Time) {
	preparing := d.writing() && now.Sub(d.released) < s.wait.readyWait
	switch {
	case d.inside:
		s.finish(d, d.news(Inside, insideText))
	case d.target.window == 0 && s.bridged && d.batch == nil:
		s.finish(d, d.news(Refused, tooEarly)) // the compositor has already refused the drop
	case d.target.window == 0:
		s.finish(d, d.news(Refused, "Files cannot be dropped there."))
	case d.offered == nil && (preparing || d.ownedSince == 0):
	case d.offered == nil:
		s.finish(d, d.news(Refused, tooEarly))
	case d.waiting && now.Sub(d.asked) >= s.wait.answer:
		s.leaveTarget(d)
		s.finish(d, d.news(Refused, "The other app is not responding."))
	case d.waiting || d.moved:
	case d.accepts:
		s.drop(d, now)
	case preparing:
	case now.Sub(slices.MaxFunc([]time.Time{d.released, d.entered, d.ready}, time.Time.Compare)) >= s.wait.second:
		s.leaveTarget(d)
		s.finish(d, d.news(Refused, "The other app does not accept these files."))
	}
}

// drop sends the drop to the target, which controls the transfer from then on.
func (s *session) drop(d *drag, now time.Time) {
	if err := s.con.send(d.target, s.con.atom.XdndDrop, uint32(d.window), 0, uint32(d.ownedSince)); err != nil {
		s.finish(d, d.news(Failed, "The other app has closed."))
		return
	}
	d.show.close()
	d.dropped, d.active = true, now
	s.drag = nil
	s.ending = append(s.ending, d)
	s.con.watch(xproto.Window(s.opts.Window), xproto.EventMaskNoEvent)
}

// finished handles the final answer of a target. A direct save continues: programs limit their wait for an answer, and
// a large file takes longer.
func (s *session) finished(d *drag, took bool) {
	switch {
	case d.saving:
		d.alone = true
	case isCancel(d.failure), d.failure != nil && !d.served:
		s.finish(d, d.failed(d.failure))
	case d.saved != "":
		s.finish(d, d.news(Dropped, "Saved as "+d.saved+"."))
	case took:
		s.finish(d, d.news(Dropped, leftOut(d.batch, handedOver)))
	default:
		s.finish(d, d.news(Refused, "The other app did not accept the files."))
	}
}

// expect ends a drop if the target does not answer anymore.
func (s *session) expect(d *drag, now time.Time) {
	if d.saving || len(d.deferred) > 0 {
		d.active = now
		if d.isDue(now, s.wait.report) {
			s.opts.OnState(d.news(Preparing,
				map[bool]string{true: "The file is being saved.", false: preparingText}[d.saving]))
		}
		return
	}
	if now.Sub(d.active) < s.wait.finish {
		return
	}
	switch {
	case d.failure != nil || d.saved != "" || d.served:
		s.finished(d, true)
	default:
		s.finish(d, d.news(Failed, "The other app did not read the files."))
	}
}

// destroyed handles the closing of a window that may have been a target.
func (s *session) destroyed(w xproto.Window) {
	if d := s.drag; d != nil && d.target.window == w {
		d.offered, d.waiting, d.accepts = nil, false, false
		d.target = target{}
		d.looked = time.Time{}
	}
	for k := range s.parts {
		if k.window == w {
			delete(s.parts, k)
		}
	}
	for _, d := range slices.Clone(s.ending) {
		switch {
		case d.target.window != w:
		case d.saving || d.saved != "" || d.failure != nil:
			s.finished(d, true)
		default:
			s.finish(d, d.news(Failed, "The other app closed before it had copied the files."))
		}
	}
}

// unwatch stops listening to a window that no drag needs anymore.
func (s *session) unwatch(w xproto.Window) {
	if w == 0 || s.drag != nil && s.drag.target.window == w {
		return
	}
	for _, d := range s.ending {
		if d.target.window == w {
			return
		}
	}
	for k := range s.parts {
		if k.window == w {
			return
		}
	}
	s.con.watch(w, xproto.EventMaskNoEvent)
}

// escape cancels the current drag unless it was dropped.
func (s *session) escape() {
	if d := s.drag; d != nil {
		s.leaveTarget(d)
		s.finish(d, d.news(Cancelled, "The drag was canceled."))
	}
}

// escapeAll cancels the current drag and the drops with files still being written.
func (s *session) escapeAll() {
	s.escape()
	for _, d := range s.ending {
		if d.saving || d.batch == nil {
			d.stop()
		}
	}
}

// finish ends a drag. Its files stay if the target has received their names.
func (s *session) finish(d *drag, e Event) {
	if d.isOver {
		return
	}
	d.isOver = true
	d.stop()
	s.answerDeferred(d)
	d.show.close()
	xproto.DestroyWindow(s.con.x, d.window)
	if s.drag == d {
		s.drag = nil
		s.con.watch(xproto.Window(s.opts.Window), xproto.EventMaskNoEvent)
	}
	s.ending = slices.DeleteFunc(s.ending, func(o *drag) bool { return o == d })
	s.unwatch(d.target.window)
	if d.batch != nil && !(d.dropped && d.served) {
		s.work.Go(d.batch.remove)
	}
	s.opts.OnState(e)
}
