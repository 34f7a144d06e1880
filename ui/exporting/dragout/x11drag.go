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
	*fileSet
	window     xproto.Window    // source of the XDND messages, and owner of the XDND selection
	ownedSince xproto.Timestamp // time since the window owns the selection; 0 until the server has answered
	picture    *picture

	namesSent  bool                           // the target has received the names of the files
	deferred   []xproto.SelectionRequestEvent // requests that wait for the files
	isSaving   bool                           // a direct save is running
	targetGone bool                           // the target no longer waits for the direct save
	savedFile  string                         // the file written by a direct save
	failure    error                          // error of a direct save

	// The pointer.
	x, y             int16
	lastQuery        time.Time // time of the last query of the window under the pointer
	overOwnWindow    bool      // the pointer is over a window of this program
	ownWindowAccepts bool      // a drop in that window would be accepted
	wasPressed       bool      // a button has been down
	upSince          time.Time // time when all buttons were found to be up; zero while one is down

	// The target.
	target          target
	announcedTypes  []uint32  // types announced to the target, or nil
	announcedAt     time.Time // time when the types were announced
	positionPending bool      // the latest position has not been sent to the target
	answerPending   bool      // the target has not answered the last position
	positionSentAt  time.Time // time of the last sent position
	accepts         bool

	releaseTime time.Time // time of the release of the button; zero before it
	dropped     bool
	lastActive  time.Time // last activity of the target
	isOver      bool
}

// begin starts a drag. It ends a drag that was not released.
func (s *session) begin(items []Item) {
	s.cancelDrag()
	d := &drag{fileSet: newFileSet(s.ctx, items, false)}
	var err error
	if d.window, err = s.con.newMessageWindow(xproto.EventMaskPropertyChange); err != nil {
		d.stop()
		s.opts.OnState(Event{State: Failed, Text: sentence(fmt.Errorf("cannot start dragging: %w", err)),
			Files: len(items)})
		return
	}
	if s.savesDirectly(d) {
		// The target reads the name of the file from this property, and replaces it by the destination.
		s.con.setBytes(d.window, s.con.atom.XdndDirectSave0, s.con.atom.Plain, []byte(items[0].Name))
	}
	d.picture = newPicture(s.con, s.opts, items)
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

// updateDrag continues a drag: it updates the pointer and the target, and sends the pending messages.
func (s *session) updateDrag(d *drag, now time.Time) {
	if d.releaseTime.IsZero() {
		s.queryPointer(d, now)
	}
	if d.isOver {
		return
	}
	s.report(d.fileSet, now)
	s.announceTypes(d, now)
	s.sendPosition(d, now)
	if !d.releaseTime.IsZero() {
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
		s.cancelDrag()
		return
	}
	if p.RootX != d.x || p.RootY != d.y || d.lastQuery.IsZero() {
		d.x, d.y, d.positionPending = p.RootX, p.RootY, true
		d.lastQuery = time.Time{}
		d.picture.move(p.RootX, p.RootY)
	}
	if now.Sub(d.lastQuery) >= s.timeouts.resend {
		d.lastQuery = now
		s.updateTarget(d)
	}
	// A widget that is hidden or replaced during its drag may never receive the release.
	switch {
	case p.Mask&anyButton != 0:
		d.wasPressed, d.upSince = true, time.Time{}
	case d.wasPressed && d.upSince.IsZero():
		d.upSince = now
	case d.wasPressed && now.Sub(d.upSince) >= s.timeouts.release:
		d.releaseTime = now
	}
}

// updateTarget finds the target below the pointer.
func (s *session) updateTarget(d *drag) {
	t, inside := s.con.targetAt(d.x, d.y, xproto.Window(s.opts.Window))
	d.overOwnWindow = inside
	if t != d.target {
		s.leaveTarget(d)
		old := d.target.window
		d.target = t
		s.unwatch(old)
		if t.window != 0 {
			s.con.watch(t.window, watchedEvents)
		}
	}
	if !inside && d.writerEnded == nil {
		s.startWriting(d)
	}
}

// startWriting starts writing the files.
func (s *session) startWriting(d *drag) {
	s.write(d.fileSet, func(b *batch, err error) { s.onWritten(d, b, err) })
}

func (s *session) onWritten(d *drag, b *batch, err error) {
	switch {
	case d.isOver || d.isSaving || d.savedFile != "":
		if b != nil {
			s.workers.Go(b.remove)
		}
	case err != nil:
		if !d.dropped {
			s.leaveTarget(d)
		}
		s.finish(d, d.failureEvent(err))
	default:
		d.batch, d.ready = b, time.Now()
		s.answerDeferred(d)
		s.opts.OnState(d.event(Ready, withFailures(b, "The files can be dropped.")))
	}
}

// types returns the types that a drag currently offers to X11 windows.
func (s *session) types(d *drag) []uint32 {
	if d.ownedSince == 0 {
		return nil
	}
	var out []uint32
	if d.batch != nil || s.inWayland {
		out = s.namingTypes()
	}
	if s.savesDirectly(d) {
		out = slices.Insert(out, min(len(out), 1), uint32(s.con.atom.XdndDirectSave0))
	}
	return out
}

// isSingleFile reports whether a single file is dragged, without a folder.
func (d *drag) isSingleFile() bool {
	return len(d.items) == 1 && !strings.Contains(d.items[0].Name, "/")
}

// savesDirectly reports whether a drag is offered by direct save. A compositor would offer that to native windows too,
// where it cannot work.
func (s *session) savesDirectly(d *drag) bool { return d.isSingleFile() && !s.inWayland }

// namingTypes returns the types for lists of file names, best first.
func (s *session) namingTypes() []uint32 {
	a := &s.con.atom
	types := []uint32{uint32(a.URIList), uint32(a.PlainUTF8), uint32(a.Plain)}
	if s.portal.available() {
		types = append(types, uint32(a.Portal))
	}
	return types
}

// announceTypes sends the types to the target, and again when more are available.
func (s *session) announceTypes(d *drag, now time.Time) {
	types := s.types(d)
	if d.target.window == 0 || slices.Equal(types, d.announcedTypes) {
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
	d.announcedTypes, d.announcedAt, d.positionPending = types, now, true
}

// sendPosition sends the position of the pointer to the target, and waits for its answer before the next one.
func (s *session) sendPosition(d *drag, now time.Time) {
	if d.announcedTypes == nil || d.answerPending {
		return
	}
	// A target that refuses may accept after it has read the names.
	if !d.positionPending && (d.accepts || now.Sub(d.positionSentAt) < s.timeouts.resend) {
		return
	}
	position := uint32(uint16(d.x))<<16 | uint32(uint16(d.y))
	if s.con.send(d.target, s.con.atom.XdndPosition, uint32(d.window), 0, position, uint32(d.ownedSince),
		uint32(s.con.atom.XdndActionCopy)) != nil {
		return
	}
	d.positionPending, d.answerPending, d.positionSentAt = false, true, now
}

// leaveTarget notifies the target that the drag has left it.
func (s *session) leaveTarget(d *drag) {
	if d.announcedTypes != nil {
		_ = s.con.send(d.target, s.con.atom.XdndLeave, uint32(d.window)) // it may have closed
	}
	d.announcedTypes, d.answerPending, d.accepts = nil, false, false
}

// onMessage handles the messages of targets.
func (s *session) onMessage(e xproto.ClientMessageEvent) {
	if e.Format != 32 || len(e.Data.Data32) < 5 {
		return
	}
	data := e.Data.Data32
	switch e.Type {
	case s.con.atom.XdndStatus:
		d := s.drag
		if d == nil || d.window != e.Window || data[0] != uint32(d.target.window) || d.announcedTypes == nil {
			return
		}
		action := xproto.Atom(data[4])
		d.answerPending = false
		d.accepts = data[1]&1 != 0 && (action == s.con.atom.XdndActionCopy || action == s.con.atom.XdndActionPrivate)
		s.updateDrag(d, time.Now())
	case s.con.atom.XdndFinished:
		for _, d := range s.dropped {
			if d.window == e.Window && data[0] == uint32(d.target.window) {
				s.onFinished(d, d.target.version < 5 || data[1]&1 != 0)
				return // onFinished changed s.dropped
			}
		}
	}
}

// onRelease handles End: the current position of the pointer is the position of the drop.
func (s *session) onRelease() {
	d := s.drag
	if d == nil || !d.releaseTime.IsZero() {
		return
	}
	now := time.Now()
	d.lastQuery = time.Time{}
	s.queryPointer(d, now)
	if d.isOver {
		return
	}
	d.releaseTime = now
	s.updateDrag(d, now)
}

// resolveDrop determines the effect of a release as soon as possible.
func (s *session) resolveDrop(d *drag, now time.Time) {
	preparing := d.isWriting() && now.Sub(d.releaseTime) < s.timeouts.readyWait
	switch {
	case d.overOwnWindow:
		s.finish(d, d.event(Inside, insideText))
	case d.target.window == 0 && s.inWayland && d.batch == nil:
		s.finish(d, d.event(Refused, tooEarlyText)) // the compositor has already refused the drop
	case d.target.window == 0:
		s.finish(d, d.event(Refused, "Files cannot be dropped there."))
	case d.announcedTypes == nil && (preparing || d.ownedSince == 0):
	case d.announcedTypes == nil:
		s.finish(d, d.event(Refused, tooEarlyText))
	case d.answerPending && now.Sub(d.positionSentAt) >= s.timeouts.answer:
		s.leaveTarget(d)
		s.finish(d, d.event(Refused, "The other app is not responding."))
	case d.answerPending || d.positionPending:
	case d.accepts:
		s.drop(d, now)
	case preparing:
	case now.Sub(slices.MaxFunc([]time.Time{d.releaseTime, d.announcedAt, d.ready},
		time.Time.Compare)) >= s.timeouts.refusal:
		s.leaveTarget(d)
		s.finish(d, d.event(Refused, "The other app does not accept these files."))
	}
}

// drop sends the drop to the target, which controls the transfer from then on.
func (s *session) drop(d *drag, now time.Time) {
	if err := s.con.send(d.target, s.con.atom.XdndDrop, uint32(d.window), 0, uint32(d.ownedSince)); err != nil {
		s.finish(d, d.event(Failed, "The other app has closed."))
		return
	}
	d.picture.close()
	d.dropped, d.lastActive = true, now
	s.drag = nil
	s.dropped = append(s.dropped, d)
	s.con.watch(xproto.Window(s.opts.Window), xproto.EventMaskNoEvent)
}

// onFinished handles the final answer of a target. A direct save continues: programs limit their wait for an answer,
// and a large file takes longer.
func (s *session) onFinished(d *drag, accepted bool) {
	switch {
	case d.isSaving:
		d.targetGone = true
	case isCancel(d.failure), d.failure != nil && !d.namesSent:
		s.finish(d, d.failureEvent(d.failure))
	case d.savedFile != "":
		s.finish(d, d.event(Dropped, "Saved as "+d.savedFile+"."))
	case accepted:
		s.finish(d, d.event(Dropped, withFailures(d.batch, copiedText)))
	default:
		s.finish(d, d.event(Refused, "The other app did not accept the files."))
	}
}

// finishIfSilent ends a drop if the target no longer answers.
func (s *session) finishIfSilent(d *drag, now time.Time) {
	if d.isSaving || len(d.deferred) > 0 {
		d.lastActive = now
		if d.takeDue(now, s.timeouts.report) {
			s.opts.OnState(d.event(Preparing,
				map[bool]string{true: "The file is being saved.", false: preparingText}[d.isSaving]))
		}
		return
	}
	if now.Sub(d.lastActive) < s.timeouts.finish {
		return
	}
	switch {
	case d.failure != nil || d.savedFile != "" || d.namesSent:
		s.onFinished(d, true)
	default:
		s.finish(d, d.event(Failed, "The other app did not read the files."))
	}
}

// onWindowClosed handles the closing of a window that may have been a target.
func (s *session) onWindowClosed(w xproto.Window) {
	if d := s.drag; d != nil && d.target.window == w {
		d.announcedTypes, d.answerPending, d.accepts = nil, false, false
		d.target = target{}
		d.lastQuery = time.Time{}
	}
	for k := range s.transfers {
		if k.window == w {
			delete(s.transfers, k)
		}
	}
	for _, d := range slices.Clone(s.dropped) {
		switch {
		case d.target.window != w:
		case d.isSaving || d.savedFile != "" || d.failure != nil:
			s.onFinished(d, true)
		default:
			s.finish(d, d.event(Failed, "The other app closed before it had copied the files."))
		}
	}
}

// unwatch stops listening to a window that no drag or transfer needs any more.
func (s *session) unwatch(w xproto.Window) {
	if w == 0 || s.drag != nil && s.drag.target.window == w {
		return
	}
	for _, d := range s.dropped {
		if d.target.window == w {
			return
		}
	}
	for k := range s.transfers {
		if k.window == w {
			return
		}
	}
	s.con.watch(w, xproto.EventMaskNoEvent)
}

// cancelDrag cancels the current drag unless it was dropped.
func (s *session) cancelDrag() {
	if d := s.drag; d != nil {
		s.leaveTarget(d)
		s.finish(d, d.event(Canceled, "The drag was canceled."))
	}
}

// cancelDrags cancels the current drag and the drops with files still being written.
func (s *session) cancelDrags() {
	s.cancelDrag()
	for _, d := range s.dropped {
		if d.isSaving || d.batch == nil {
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
	d.picture.close()
	xproto.DestroyWindow(s.con.x, d.window)
	if s.drag == d {
		s.drag = nil
		s.con.watch(xproto.Window(s.opts.Window), xproto.EventMaskNoEvent)
	}
	s.dropped = slices.DeleteFunc(s.dropped, func(o *drag) bool { return o == d })
	s.unwatch(d.target.window)
	if d.batch != nil && !(d.dropped && d.namesSent) {
		s.workers.Go(d.batch.remove)
	}
	s.opts.OnState(e)
}
