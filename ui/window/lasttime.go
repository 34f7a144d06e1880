package window

import (
	"context"
	"fmt"
	"sync"

	"assay/model"
	"assay/ui/desktop"
	"assay/ui/work"
)

// lastTime remembers the tabs for the next start.
type lastTime struct {
	tabs    *tabSet
	lane    *work.Lane
	memory  *desktop.Memory // nil: this window does not remember its tabs
	fail    func(err error)
	begun   bool       // the tabs of last time have been asked for
	writing sync.Mutex // of the memory
}

// files lists the files in the tabs, and the one in view. Those that are still being opened count only with all:
// should one of them end the program, the next start must not open it again.
func (l *lastTime) files(all bool) (files []string, shown string) {
	for i, t := range l.tabs.all {
		path := ""
		switch t := t.(type) {
		case *docTab:
			path = t.path
		case *opening:
			if all {
				path = t.path
			}
		}
		if path != "" {
			files = append(files, path)
			if i == l.tabs.at {
				shown = path
			}
		}
	}
	return files, shown
}

// keep remembers the tabs as they are now.
func (l *lastTime) keep() {
	if l.memory == nil || !l.begun {
		return
	}
	files, shown := l.files(false)
	l.lane.Go(func(ctx context.Context) func() {
		l.writing.Lock()
		defer l.writing.Unlock()
		if ctx.Err() != nil { // a later one was quicker
			return nil
		}
		err := l.memory.SetTabs(files, shown)
		return func() { l.fail(err) }
	})
}

// end remembers the tabs of a window that closes.
func (l *lastTime) end() {
	if l.memory == nil || !l.begun {
		return
	}
	l.lane.Stop()
	l.writing.Lock()
	defer l.writing.Unlock()
	_ = l.memory.SetTabs(l.files(true)) // there is no one left to tell
}

// reopen brings back the tabs of last time.
func (l *lastTime) reopen(o *opener) {
	if l.memory == nil {
		return
	}
	files, shown := l.memory.Tabs()
	l.fail(l.memory.SetTabs(nil, ""))
	for _, f := range files {
		opens := o.opens(f)
		o.open(request{title: fileTitle(f), path: f, again: true, open: func(ctx context.Context) (*model.Document, error) {
			d, err := opens(ctx)
			if err != nil {
				err = fmt.Errorf("a tab of last time: %w", err)
			}
			return d, err
		}})
	}
	if t := o.tabOf(shown); t != nil {
		l.tabs.reveal(t)
	}
}
