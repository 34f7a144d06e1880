package opening

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"assay/ui/desktop"
	"assay/ui/work"
)

// Watched watches the files of owners, such as tabs. Where that cannot be done, changes are still seen when a tab or
// the window comes into view.
type Watched struct {
	watcher *desktop.Watcher
	paths   map[any][]string // at which files of an owner can change
}

// Start begins to watch. changed is called on the UI thread.
func (w *Watched) Start(changed func(path string)) {
	w.watcher, _ = desktop.NewWatcher(desktop.Settle, func(path string) { fyne.Do(func() { changed(path) }) })
}

// Set has the files of an owner watched, and those no more that were its files before.
func (w *Watched) Set(group *work.Group, owner any, files ...*File) {
	if w.watcher == nil {
		return
	}
	if w.paths == nil {
		w.paths = make(map[any][]string)
	}
	before := w.paths[owner]
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Watched()...)
	}
	if w.paths[owner] = paths; len(paths) == 0 {
		delete(w.paths, owner)
	}
	w.leave(before)
	group.Go(func(context.Context) func() {
		for _, path := range paths {
			_ = w.watcher.Add(path) // what cannot be watched is looked at when it comes into view
		}
		return func() { w.leave(paths) } // the owner may be closed by now
	})
}

// leave stops watching the paths that no owner has.
func (w *Watched) leave(paths []string) {
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

// Close ends it. It does not wait: the watcher may be telling of a change, and that waits for this thread.
func (w *Watched) Close() {
	if w.watcher != nil {
		go w.watcher.Close()
	}
}
