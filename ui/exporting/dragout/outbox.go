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
	opts   Options
	wait   patience
	folder *folder
	portal portal
	window string      // "X11" or "Wayland"
	lost   atomic.Bool // the connection has ended

	ctx       context.Context
	cancelAll context.CancelFunc
	ended     chan struct{}
	work      sync.WaitGroup // writers of files and readers of pipes

	mu    sync.Mutex
	queue []func() // functions for the goroutine that owns the state of the session
	wake  func()   // makes the goroutine call take

	next  *load       // files being written for the clipboard; owned by the goroutine
	ready func(*load) // puts files on the clipboard; called on the goroutine
}

func newOutbox(window string, o Options, wait patience) *outbox {
	b := &outbox{window: window, opts: o, wait: wait, ended: make(chan struct{}),
		folder: &folder{base: cmp.Or(o.Folder, baseFolder())}}
	b.ctx, b.cancelAll = context.WithCancel(context.Background())
	return b
}

// setUp removes the files of earlier sessions and finds the portal, both in the background.
func (o *outbox) setUp() {
	o.work.Go(func() { sweep(o.folder.base) })
	o.work.Go(func() { o.portal.find(o.ctx) })
}

// Available reports whether the connection still exists.
func (o *outbox) Available() (bool, string) {
	if o.lost.Load() {
		return false, "Lost the connection to the " + o.window +
			" display, so files cannot be dragged out. Use the export panel."
	}
	return true, ""
}

// Close ends the session and removes the files.
func (o *outbox) Close() error {
	o.lost.Store(true)
	o.cancelAll()
	o.wake()
	<-o.ended
	o.work.Wait()
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
		if o.next != nil {
			o.next.stop()
		}
		l := newLoad(ctx, named(items, nameMax), true)
		unlink := context.AfterFunc(o.ctx, l.stop)
		o.next = l
		l.write(o.folder, &o.portal, &o.work, func(b *batch, err error) {
			unlink()
			l.stop()
			o.enqueue(func() { o.copied(l, b, err) })
		})
		o.opts.OnState(l.news(Preparing, preparingText))
	})
}

func (o *outbox) copied(l *load, b *batch, err error) {
	newest := o.next == l
	if newest {
		o.next = nil
	}
	l.batch = b
	switch {
	case !newest:
		if b != nil {
			o.work.Go(b.remove)
		}
		o.opts.OnState(l.news(Cancelled, "Other files were copied instead."))
	case err != nil:
		o.opts.OnState(l.failed(err))
	default:
		o.ready(l)
	}
}

// report sends the progress of writing files, at intervals.
func (o *outbox) report(l *load, now time.Time) {
	if l != nil && l.writing() && l.isDue(now, o.wait.report) {
		o.opts.OnState(l.news(Preparing, preparingText))
	}
}
