//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"fmt"

	"github.com/jezek/xgb/xproto"
)

// clip is files on the clipboard.
type clip struct {
	*load
	window xproto.Window // owns the selection
	since  xproto.Timestamp
}

// own puts the files on the clipboard.
func (s *session) own(l *load) {
	c := &clip{load: l}
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
