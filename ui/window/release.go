package window

import (
	"context"
	"runtime/debug"
	"time"
)

const (
	// forgetAfter is how long after a paint the toolkit forgets the objects of a closed tab, and a margin: it keeps
	// painted objects for a minute.
	forgetAfter = 65 * time.Second
	// collectAfter is the time from that paint to the collection.
	collectAfter = time.Second
)

// release gives back the memory of closed tabs. The toolkit forgets their objects, and with them the documents, only
// while it paints: a window at rest would keep them. So the window is painted once more when the objects of the tab
// that was closed last are due.
func (w *Window) release() {
	w.releasing.Go(func(ctx context.Context) func() {
		if !w.group.Tick(ctx, forgetAfter) {
			return nil
		}
		return func() {
			w.register() // displayed objects must stay registered
			w.win.Content().Refresh()
			w.releasing.Go(func(ctx context.Context) func() {
				if w.group.Tick(ctx, collectAfter) {
					debug.FreeOSMemory()
				}
				return nil
			})
		}
	})
}
