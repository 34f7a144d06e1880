//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// outbox is the common part of the X11 and Wayland sessions: the queue of the goroutine, the folder for files, and the
// files being written for the clipboard.
type outbox struct {
	opts     Options
	timeouts timeouts
	folder   *folder
	portal   portal
	window   string      // "X11" or "Wayland"
	isLost   atomic.Bool // the connection has ended

	ctx       context.Context
	cancelAll context.CancelFunc
	ended     chan struct{}
	workers   sync.WaitGroup // writers of files and readers of pipes

	mu    sync.Mutex
	queue []func() // functions for the goroutine that owns the state of the session
	wake  func()   // makes the goroutine call drain

	copying        *fileSet       // files being written for the clipboard; owned by the goroutine
	putOnClipboard func(*fileSet) // puts files on the clipboard; called on the goroutine
}

func newOutbox(window string, o Options, wait timeouts) *outbox {
	b := &outbox{window: window, opts: o, timeouts: wait, ended: make(chan struct{}),
		folder: &folder{base: cmp.Or(o.Folder, baseFolder())}}
	b.ctx, b.cancelAll = context.WithCancel(context.Background())
	return b
}

// setUp removes the files of earlier sessions and finds the portal, both in the background.
func (o *outbox) setUp() {
	o.workers.Go(func() { removeAbandoned(o.folder.base) })
	o.workers.Go(func() { o.portal.find(o.ctx) })
}

// Available reports whether the connection still exists.
func (o *outbox) Available() (bool, string) {
	if o.isLost.Load() {
		return false, "Lost the connection to the " + o.window +
			" display, so files cannot be dragged out. Use the export panel."
	}
	return true, ""
}

// Close ends the session and removes the files.
func (o *outbox) Close() error {
	o.isLost.Store(true)
	o.cancelAll()
	o.wake()
	<-o.ended
	o.workers.Wait()
	return o.folder.close()
}

// enqueue queues f for the session's goroutine. f is not called if the session has ended.
func (o *outbox) enqueue(f func()) {
	o.mu.Lock()
	o.queue = append(o.queue, f)
	o.mu.Unlock()
	o.wake()
}

// drain runs the queued functions.
func (o *outbox) drain() {
	o.mu.Lock()
	queue := o.queue
	o.queue = nil
	o.mu.Unlock()
	for _, f := range queue {
		f()
	}
}

// copyFiles writes the files and puts them on the clipboard. It cancels an unfinished earlier call.
func (o *outbox) copyFiles(ctx context.Context, items []Item) {
	o.enqueue(func() {
		if o.copying != nil {
			o.copying.stop()
		}
		l := newFileSet(ctx, withSafeNames(items, maxName), true)
		unlink := context.AfterFunc(o.ctx, l.stop)
		o.copying = l
		l.write(o.folder, &o.portal, &o.workers, func(b *batch, err error) {
			unlink()
			l.stop()
			o.enqueue(func() { o.copied(l, b, err) })
		})
		o.opts.OnState(l.event(Preparing, preparingText))
	})
}

func (o *outbox) copied(l *fileSet, b *batch, err error) {
	newest := o.copying == l
	if newest {
		o.copying = nil
	}
	l.batch = b
	switch {
	case !newest:
		if b != nil {
			o.workers.Go(b.remove)
		}
		o.opts.OnState(l.event(Cancelled, "Other files were copied instead."))
	case err != nil:
		o.opts.OnState(l.failureEvent(err))
	default:
		o.putOnClipboard(l)
	}
}

// report sends the progress of writing files, at intervals.
func (o *outbox) report(l *fileSet, now time.Time) {
	if l != nil && l.isWriting() && l.isDue(now, o.timeouts.report) {
		o.opts.OnState(l.event(Preparing, preparingText))
	}
}
