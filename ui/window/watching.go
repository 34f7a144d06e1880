package window

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"assay/ui/desktop"
	"assay/ui/work"
)

// watching watches the files in the tabs. Where that cannot be done, changes are still seen when a tab or the window
// comes into view.
type watching struct {
	watcher *desktop.Watcher
	paths   map[Tab][]string // at which files of a tab can change
}

// start begins to watch. changed is called on the UI thread.
func (w *watching) start(changed func(path string)) {
	w.watcher, _ = desktop.NewWatcher(desktop.Settle, func(path string) { fyne.Do(func() { changed(path) }) })
}

// set has the files of a tab watched, and those no more that were its files before.
func (w *watching) set(group *work.Group, t Tab, files ...*file) {
	if w.watcher == nil {
		return
	}
	if w.paths == nil {
		w.paths = make(map[Tab][]string)
	}
	before := w.paths[t]
	var paths []string
	for _, f := range files {
		paths = append(paths, f.watched()...)
	}
	if w.paths[t] = paths; len(paths) == 0 {
		delete(w.paths, t)
	}
	w.leave(before)
	group.Go(func(context.Context) func() {
		for _, path := range paths {
			_ = w.watcher.Add(path) // what cannot be watched is looked at when it comes into view
		}
		return func() { w.leave(paths) } // the tab may be closed by now
	})
}

// leave stops watching the paths that no tab has.
func (w *watching) leave(paths []string) {
	for _, path := range paths {
		wanted := false
		for _, of := range w.paths {
			wanted = wanted || slices.Contains(of, path)
		}
		if !wanted {
			w.watcher.Remove(path)
		}
	}
}

// close ends it. It does not wait: the watcher may be telling of a change, and that waits for this thread.
func (w *watching) close() {
	if w.watcher != nil {
		go w.watcher.Close()
	}
}
