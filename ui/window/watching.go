package window

import (
	"context"

	"fyne.io/fyne/v2"

	"assay/ui/desktop"
	"assay/ui/work"
)

// watching watches the files in the tabs. Where that cannot be done, changes are still seen when a tab or the window
// comes into view.
type watching struct{ watcher *desktop.Watcher }

// start begins to watch. changed is called on the UI thread.
func (w *watching) start(changed func(path string)) {
	w.watcher, _ = desktop.NewWatcher(desktop.Settle, func(path string) { fyne.Do(func() { changed(path) }) })
}

func (w *watching) add(group *work.Group, f *file) {
	if w.watcher == nil {
		return
	}
	paths := f.watched()
	group.Go(func(context.Context) func() {
		for _, path := range paths {
			_ = w.watcher.Add(path) // what cannot be watched is looked at when it comes into view
		}
		return nil
	})
}

func (w *watching) remove(f *file) {
	if w.watcher == nil {
		return
	}
	for _, path := range f.watched() {
		w.watcher.Remove(path)
	}
}

// close ends it. It does not wait: the watcher may be telling of a change, and that waits for this thread.
func (w *watching) close() {
	if w.watcher != nil {
		go w.watcher.Close()
	}
}
