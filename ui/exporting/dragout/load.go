//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// load is files on their way out of the window: in a drag, or to the clipboard.
type load struct {
	items     []Item
	clipboard bool

	ctx      context.Context
	stop     context.CancelFunc
	written  chan struct{} // closed when the writer has ended; nil before it begins
	progress progress
	reported time.Time
	batch    *batch // nil until the files are ready
	ready    time.Time
}

func newLoad(ctx context.Context, items []Item, clipboard bool) *load {
	l := &load{items: items, clipboard: clipboard}
	l.ctx, l.stop = context.WithCancel(ctx)
	l.progress.total = totalOf(items)
	return l
}

// write begins to write the files. done is called by the writer.
func (l *load) write(f *folder, p *portal, work *sync.WaitGroup, done func(*batch, error)) {
	l.written = make(chan struct{})
	l.reported = time.Now()
	work.Go(func() {
		b, err := f.write(l.ctx, l.items, &l.progress)
		if err == nil {
			b.key = p.offer(l.ctx, b.paths)
		}
		close(l.written)
		done(b, err)
	})
}

// writing reports whether the files are being written.
func (l *load) writing() bool { return l.written != nil && l.batch == nil }

// isDue reports whether it is time to report progress again.
func (l *load) isDue(now time.Time, every time.Duration) bool {
	if now.Sub(l.reported) < every {
		return false
	}
	l.reported = now
	return true
}

// news is an event about the files.
func (l *load) news(state State, text string) Event {
	e := Event{State: state, Clipboard: l.clipboard, Text: text, Files: len(l.items), Done: l.progress.done.Load(),
		Total: l.progress.total}
	if l.batch != nil {
		e.Files, e.Problems = len(l.batch.paths), l.batch.problems
	}
	return e
}

// failed is the event of files that could not be written.
func (l *load) failed(err error) Event {
	if isCancel(err) {
		return l.news(Cancelled, sentence(err))
	}
	return l.news(Failed, sentence(err))
}

// preparing is what the picture at the pointer says while the files are written.
func (l *load) preparing() string {
	if l.progress.total > 0 {
		return fmt.Sprintf("Preparing, %d%%", min(100*l.progress.done.Load()/l.progress.total, 100))
	}
	return "preparing"
}
