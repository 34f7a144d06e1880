//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// outbox is the common part of the X11 and Wayland sessions: the queue of the goroutine, the folder for files, and the
// files being written for the clipboard.
type outbox struct {
	opts        Options
	timeouts    timeouts
	folder      *folder
	portal      portal
	displayName string      // "X11" or "Wayland"
	isLost      atomic.Bool // the connection has ended

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

func newOutbox(displayName string, opts Options, wait timeouts) *outbox {
	o := &outbox{displayName: displayName, opts: opts, timeouts: wait, ended: make(chan struct{}),
		folder: &folder{base: cmp.Or(opts.Folder, baseFolder())}}
	o.ctx, o.cancelAll = context.WithCancel(context.Background())
	return o
}

// setUp removes the files of earlier sessions and finds the portal, both in the background.
func (o *outbox) setUp() {
	o.workers.Go(func() { removeAbandoned(o.folder.base) })
	o.workers.Go(func() { o.portal.find(o.ctx) })
}

// Available reports whether the connection still exists.
func (o *outbox) Available() (bool, string) {
	if o.isLost.Load() {
		return false, "Lost the connection to the " + o.displayName +
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
		files := newFileSet(ctx, withSafeNames(items, maxName), true)
		unlink := context.AfterFunc(o.ctx, files.stop)
		o.copying = files
		o.write(files, func(b *batch, err error) {
			unlink()
			files.stop()
			o.copied(files, b, err)
		})
	})
}

// write starts writing files, and calls done on the session's goroutine when they are written.
func (o *outbox) write(files *fileSet, done func(*batch, error)) {
	files.writerEnded = make(chan struct{})
	files.lastReport = time.Now()
	o.workers.Go(func() {
		b, err := o.folder.write(files.ctx, files.items, &files.progress)
		if err == nil {
			b.key = o.portal.offer(files.ctx, b.paths)
		}
		close(files.writerEnded)
		o.enqueue(func() { done(b, err) })
	})
	o.opts.OnState(files.event(Preparing, preparingText))
}

func (o *outbox) copied(files *fileSet, b *batch, err error) {
	newest := o.copying == files
	if newest {
		o.copying = nil
	}
	files.batch = b
	switch {
	case !newest:
		if b != nil {
			o.workers.Go(b.remove)
		}
		o.opts.OnState(files.event(Canceled, "Other files were copied instead."))
	case err != nil:
		o.opts.OnState(files.failureEvent(err))
	default:
		o.putOnClipboard(files)
	}
}

// report sends the progress of writing files, at intervals.
func (o *outbox) report(files *fileSet, now time.Time) {
	if files != nil && files.isWriting() && files.takeDue(now, o.timeouts.report) {
		o.opts.OnState(files.event(Preparing, preparingText))
	}
}

// write writes the files. An item that cannot be written is a problem of the batch. It returns an error, and no file,
// if no item can be written or the context ends.
func (f *folder) write(ctx context.Context, items []Item, p *progress) (*batch, error) {
	dir, err := f.newBatchFolder()
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(items))
	var g errgroup.Group
	g.SetLimit(min(runtime.NumCPU(), 4))
	for i := range items {
		g.Go(func() error {
			path := filepath.Join(dir, items[i].Name)
			if errs[i] = os.MkdirAll(filepath.Dir(path), 0o777); errs[i] == nil {
				errs[i] = writeFile(ctx, path, &items[i], p)
			}
			return nil
		})
	}
	_ = g.Wait()
	b := &batch{dir: dir}
	for i, err := range errs {
		if err != nil {
			b.problems = append(b.problems, Problem{items[i].Name, err})
		} else {
			b.add(dir, items[i].Name)
		}
	}
	if err := ctx.Err(); err != nil {
		b.remove()
		return nil, err
	}
	if len(b.paths) == 0 {
		b.remove()
		return nil, fmt.Errorf("%s: %w", b.problems[0].Name, b.problems[0].Err)
	}
	return b, nil
}

func (b *batch) remove() { _ = os.RemoveAll(b.dir) } // the rest is removed with the run's folder

// uriList returns the files as text/uri-list (RFC 2483).
func (b *batch) uriList() []byte {
	return []byte(strings.Join(b.uris(), "\r\n") + "\r\n")
}

func (b *batch) uris() []string {
	uris := make([]string, len(b.paths))
	for i, path := range b.paths {
		uris[i] = (&url.URL{Scheme: "file", Path: path}).String()
	}
	return uris
}

func (b *batch) pathLines() []byte { return []byte(strings.Join(b.paths, "\n")) }

// gnomeCopied returns the files in the clipboard format of GNOME's file manager, which others also use.
func (b *batch) gnomeCopied() []byte {
	return []byte("copy\n" + strings.Join(b.uris(), "\n"))
}

// fileSet is a set of files for a drag or the clipboard. They may still be being written.
type fileSet struct {
	items     []Item
	clipboard bool // the files are for the clipboard, not for a drag

	ctx         context.Context
	stop        context.CancelFunc
	writerEnded chan struct{} // closed when the writer has ended; nil before it starts
	progress    progress
	lastReport  time.Time
	batch       *batch    // nil until the files are ready
	ready       time.Time // when the files were ready
}

func newFileSet(ctx context.Context, items []Item, clipboard bool) *fileSet {
	f := &fileSet{items: items, clipboard: clipboard}
	f.ctx, f.stop = context.WithCancel(ctx)
	f.progress.total = totalOf(items)
	return f
}

// isWriting reports whether the files are being written.
func (f *fileSet) isWriting() bool { return f.writerEnded != nil && f.batch == nil }

// takeDue reports whether a report of progress is due, and if so starts the next interval.
func (f *fileSet) takeDue(now time.Time, every time.Duration) bool {
	if now.Sub(f.lastReport) < every {
		return false
	}
	f.lastReport = now
	return true
}

// event returns an event with the state of the files.
func (f *fileSet) event(state State, text string) Event {
	e := Event{State: state, Clipboard: f.clipboard, Text: text, Files: len(f.items), Done: f.progress.done.Load(),
		Total: f.progress.total}
	if f.batch != nil {
		e.Files, e.Problems = f.batch.files, f.batch.problems
	}
	return e
}

// failureEvent returns the event for files that could not be written.
func (f *fileSet) failureEvent(err error) Event {
	if isCancel(err) {
		return f.event(Canceled, sentence(err))
	}
	return f.event(Failed, sentence(err))
}

// progressText returns the hint while the files are written.
func (f *fileSet) progressText() string {
	if f.progress.total > 0 {
		return fmt.Sprintf("Preparing, %d%%", min(100*f.progress.done.Load()/f.progress.total, 100))
	}
	return "Preparing"
}

const preparingText = "The files are being prepared."

const tooEarlyText = "The files were not ready when you dropped them. Hold them over the target a little longer, or use the export panel."
