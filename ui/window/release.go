package window

import (
	"context"
	"runtime/debug"
	"time"
)

const (
	// forgetAfter is the time after which the toolkit forgets the objects of a closed tab, with a margin: it keeps
	// painted objects for a minute.
	forgetAfter = 65 * time.Second
	// collectAfter is the time from the next paint to the garbage collection.
	collectAfter = time.Second
)

// release frees the memory of closed tabs. The toolkit forgets their objects, and with them the documents, only while
// it paints: an idle window would keep them. So the window is painted once more, forgetAfter after the last tab was
// closed.
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
