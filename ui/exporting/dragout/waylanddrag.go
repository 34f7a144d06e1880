//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"image"
	"image/draw"
	"math"
	"slices"
	"time"

	"assay/ui/display/wayland"
	"assay/ui/work"
)

const copiedText = "Files copied to the other app."

// readTimeout is the maximum time for a program to read the names of files.
const readTimeout = time.Minute

// startDrag starts a drag inside the window. It ends a drag that was not dropped.
func (s *waylandSession) startDrag(items []Item) {
	s.cancelDrag()
	s.drag = &waylandDrag{fileSet: newFileSet(s.ctx, items, false)}
}

// handOver passes the drag to the compositor after the pointer has left the window, and starts writing the files.
func (s *waylandSession) handOver() {
	d := s.drag
	if d == nil || d.source != 0 {
		return
	}
	d.source = s.client.Drag(s.types())
	if d.source == 0 {
		return // the button was released: End handles that
	}
	s.client.Release()
	d.card = newCard(s.opts.Scale, d.items)
	s.paint(d)
	s.write(d.fileSet, func(b *batch, err error) { s.onWritten(d, b, err) })
}

func (s *waylandSession) onWritten(d *waylandDrag, b *batch, err error) {
	switch {
	case d.isOver:
		if b != nil {
			s.workers.Go(b.remove)
		}
	case err != nil:
		s.finish(d, d.failureEvent(err))
	default:
		d.batch, d.ready = b, time.Now()
		s.answerAll(d)
		s.opts.OnState(d.event(Ready, withFailures(b, "The files can be dropped.")))
	}
}

// onRelease handles a release of the button from the toolkit. It does nothing once the compositor has the drag.
func (s *waylandSession) onRelease() {
	if d := s.drag; d != nil && d.source == 0 {
		s.finish(d, d.event(Inside, insideText))
	}
}

// handle handles an event of the compositor.
func (s *waylandSession) handle(e wayland.Event) {
	switch e.Kind {
	case wayland.Send:
		s.onRequest(e)
		return
	case wayland.Escaped:
		s.cancelDrag()
		return
	case wayland.Crossed:
		s.drain() // the drag may just have started
		s.handOver()
		return
	}
	if c := s.clip; c != nil && e.Source == c.source {
		if e.Kind == wayland.Canceled { // replaced; the files stay, because a program may still be reading them
			s.client.EndSource(c.source)
			s.clip = nil
		}
		return
	}
	if d := s.dragOf(e.Source); d != nil {
		d.lastActive = time.Now()
		s.dragEvent(d, e)
	}
}

func (s *waylandSession) dragOf(source int) *waylandDrag {
	for _, d := range append(slices.Clone(s.dropped), s.drag) {
		if d != nil && source != 0 && d.source == source {
			return d
		}
	}
	return nil
}

func (s *waylandSession) dragEvent(d *waylandDrag, e wayland.Event) {
	switch e.Kind {
	case wayland.Target:
		d.accepts = e.Value != 0
	case wayland.Action:
		d.copies = e.Value != 0
	case wayland.Entered:
		d.inside = true
	case wayland.Left:
		// Some compositors send a leave event after a drop.
		d.inside = d.inside && d.dropped
	case wayland.Landed:
		d.inside = true
		s.finish(d, d.event(Inside, insideText))
	case wayland.Dropped:
		d.dropped = true
		s.drag = nil
		s.dropped = append(s.dropped, d)
		if d.inside {
			s.finish(d, d.event(Inside, insideText))
		}
	case wayland.Finished:
		s.onFinished(d)
	case wayland.Canceled:
		if !d.finished { // sway sends this after Finished too
			s.onCancel(d)
		}
	case wayland.Released:
		// The window received the release, so the compositor never had the drag.
		if !d.dropped {
			s.onCancel(d)
		}
	}
}

const insideText = "The drag ended in the program's own window."

func (s *waylandSession) onFinished(d *waylandDrag) {
	switch {
	case d.inside:
		s.finish(d, d.event(Inside, insideText))
	case d.isWriting():
		// The target has accepted the drop before it received the data: wait for the files.
	case !d.namesSent:
		s.finish(d, d.event(Refused, "The other app did not accept the files."))
	default:
		d.finished = true
	}
}

// finishIfDone ends a drop whose files were handed over. It waits a moment first: KWin reports a drop on the own window
// as finished before the toolkit requests the data, which identifies such a drop.
func (s *waylandSession) finishIfDone(d *waylandDrag, now time.Time) {
	if d.finished && now.Sub(d.lastActive) >= s.timeouts.report {
		s.finish(d, d.event(Dropped, withFailures(d.batch, copiedText)))
	}
}

// onCancel handles a cancel event. The compositor sends the same event for a refused drop, for Escape, and in other
// cases.
func (s *waylandSession) onCancel(d *waylandDrag) {
	switch {
	case d.inside:
		s.finish(d, d.event(Inside, insideText))
	case d.dropped:
		s.finish(d, d.event(Refused, "The other app did not accept the files."))
	case d.isWriting():
		s.finish(d, d.event(Refused, tooEarlyText))
	default:
		s.finish(d, d.event(Refused, "Files cannot be dropped there."))
	}
}

// onRequest answers a request, or queues it until the files are ready.
func (s *waylandSession) onRequest(e wayland.Event) {
	q := request{e.Type, e.File}
	if c := s.clip; c != nil && e.Source == c.source {
		s.answer(c.batch, q)
		return
	}
	d := s.dragOf(e.Source)
	switch {
	case d == nil, len(d.requests) >= maxDeferred:
		q.file.Close()
	case e.Own || d.inside:
		// The toolkit requests the data because the drag is above its own window. It waits for the answer but does not
		// need it.
		d.inside = true
		q.file.Close()
		if d.dropped {
			s.finish(d, d.event(Inside, insideText))
		}
	default:
		d.lastActive = time.Now()
		d.requests = append(d.requests, q)
		s.answerAll(d)
	}
}

// answerAll answers all requests if the files are ready.
func (s *waylandSession) answerAll(d *waylandDrag) {
	if d.batch == nil {
		return
	}
	for _, q := range d.requests {
		d.namesSent = s.answer(d.batch, q) || d.namesSent
	}
	d.requests = nil
}

// answer writes the files in one type, and reports whether it contains their names. A slow reader does not delay
// others.
func (s *waylandSession) answer(b *batch, q request) bool {
	content := b.dataFor(q.mediaType)
	if content == nil {
		q.file.Close()
		return false
	}
	s.workers.Go(func() {
		defer q.file.Close()
		_ = q.file.SetWriteDeadline(time.Now().Add(readTimeout)) // some kinds of files do not support deadlines
		defer context.AfterFunc(s.ctx, func() { _ = q.file.SetWriteDeadline(time.Now()) })()
		_, _ = q.file.Write(content) // a reader that stops early has all that it needs
	})
	return true
}

// dataFor returns the files in one of the offered types, or nil for any other type.
func (b *batch) dataFor(form string) []byte {
	switch form {
	case uriListType:
		return b.uriList()
	case plainType:
		return b.pathLines()
	case copiedType:
		return b.gnomeCopied()
	case portalType:
		if b.key != "" {
			return []byte(b.key)
		}
	}
	return nil
}

// paint displays the effect of a drop at the pointer.
func (s *waylandSession) paint(d *waylandDrag) {
	if d.card == nil || d.source == 0 {
		return
	}
	changed := false
	switch {
	case d.inside:
		changed = d.card.setHint("", toneNone)
	case d.accepts && d.copies:
		changed = d.card.setHint("Drop to copy", toneYes)
	case d.isWriting():
		changed = d.card.setHint(d.progressText(), toneWait)
	default:
		changed = d.card.setHint("Drop in a folder or another app", toneWait)
	}
	if changed {
		s.client.Show(d.card)
	}
}

// cancelDrag cancels the current drag unless it was dropped.
func (s *waylandSession) cancelDrag() {
	if d := s.drag; d != nil {
		s.finish(d, d.event(Canceled, "The drag was canceled."))
	}
}

// cancelDrags cancels the current drag and the drops with files still being written.
func (s *waylandSession) cancelDrags() {
	s.cancelDrag()
	for _, d := range s.dropped {
		if d.batch == nil {
			d.stop()
		}
	}
}

// finish ends a drag. Its files stay if the target has received their names.
func (s *waylandSession) finish(d *waylandDrag, e Event) {
	if d.isOver {
		return
	}
	d.isOver = true
	d.stop()
	if e.State == Inside && d.source != 0 {
		s.client.SendPosition()
	}
	s.client.EndSource(d.source)
	s.client.Disarm()
	for _, q := range d.requests {
		q.file.Close()
	}
	d.requests = nil
	if s.drag == d {
		s.drag = nil
	}
	s.dropped = slices.DeleteFunc(s.dropped, func(o *waylandDrag) bool { return o == d })
	if d.batch != nil && !(d.dropped && d.namesSent && e.State != Inside) {
		s.workers.Go(d.batch.remove)
	}
	s.opts.OnState(e)
}

// toClipboard offers ready files on the clipboard.
func (s *waylandSession) toClipboard(files *fileSet) {
	s.clip = &waylandClip{fileSet: files, source: s.client.Copy(s.types(copiedType))}
	s.opts.OnState(files.event(Copied, withFailures(files.batch, "The files are on the clipboard.")))
}

// waylandWindow adapts wayland.Client to a session.
type waylandWindow struct {
	*wayland.Client
	density float32
}

// Release sends the toolkit a release of the button, on its thread.
func (w *waylandWindow) Release() { work.Do(w.Client.Release) }

// SendPosition sends the toolkit the position of the pointer, on its thread.
func (w *waylandWindow) SendPosition() { work.Do(w.Client.SendPosition) }

// Show displays the card at the pointer.
func (w *waylandWindow) Show(c *card) {
	scale := max(int(math.Ceil(float64(w.density))), 1)
	w.Client.ShowPicture(besidePointer(c.draw(), c.px(pointerGapX), c.px(pointerGapY), scale), scale)
}

// besidePointer places an image at x, y in an empty one, because some compositors do not move the picture. The size is
// a multiple of the scale, as the protocol requires.
func besidePointer(img *image.RGBA, x, y, scale int) *image.RGBA {
	roundUp := func(n int) int { return (n + scale - 1) / scale * scale }
	out := image.NewRGBA(image.Rect(0, 0, roundUp(x+img.Rect.Dx()), roundUp(y+img.Rect.Dy())))
	draw.Draw(out, img.Rect.Add(image.Pt(x, y)), img, image.Point{}, draw.Src)
	return out
}
