//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"fmt"
	"time"

	"github.com/jezek/xgb/xproto"
)

// clip is files on the clipboard, or on their way there.
type clip struct {
	*load
	window xproto.Window // owns the selection
	since  xproto.Timestamp
}

func (s *session) copyFiles(ctx context.Context, items []Item) {
	s.do(func() { s.toClipboard(ctx, named(items)) })
}

// toClipboard begins to write the files. What was on its way is not wanted any more.
func (s *session) toClipboard(ctx context.Context, items []Item) {
	if s.next != nil {
		s.next.stop()
	}
	c := &clip{load: newLoad(ctx, items, true)}
	unlink := context.AfterFunc(s.ctx, c.stop)
	s.next = c
	c.write(s.folder, &s.portal, &s.work, func(b *batch, err error) {
		unlink()
		c.stop()
		s.do(func() { s.clipReady(c, b, err) })
	})
	s.opts.OnState(c.news(Preparing, preparingText))
}

func (s *session) clipReady(c *clip, b *batch, err error) {
	newest := s.next == c
	if newest {
		s.next = nil
	}
	c.batch = b
	switch {
	case !newest:
		if b != nil {
			s.work.Go(b.remove)
		}
		s.opts.OnState(c.news(Cancelled, "Other files were copied instead."))
	case err != nil:
		s.opts.OnState(c.failed(err))
	default:
		s.own(c)
	}
}

// own puts the files on the clipboard.
func (s *session) own(c *clip) {
	var err error
	if c.window, err = s.con.messenger(xproto.EventMaskNoEvent); err != nil {
		s.work.Go(c.batch.remove)
		s.opts.OnState(c.news(Failed, sentence(fmt.Errorf("the clipboard does not answer: %w", err))))
		return
	}
	s.atTime(func(now xproto.Timestamp) {
		c.since = now
		xproto.SetSelectionOwner(s.con.x, c.window, s.con.atom.CLIPBOARD, now)
		if s.clip != nil {
			xproto.DestroyWindow(s.con.x, s.clip.window)
		}
		s.clip = c
		s.opts.OnState(c.news(Copied, leftOut(c.batch, "The files are on the clipboard.")))
	})
}

// clipLost hears that something else was copied. The files stay: they may have been pasted and be read just now.
func (s *session) clipLost(owner xproto.Window) {
	if s.clip != nil && s.clip.window == owner {
		xproto.DestroyWindow(s.con.x, owner)
		s.clip = nil
	}
}

func (s *session) reportClip(now time.Time) {
	if c := s.next; c != nil && c.isDue(now, s.wait.report) {
		s.opts.OnState(c.news(Preparing, preparingText))
	}
}
