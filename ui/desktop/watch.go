package desktop

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Settle is the time that a file must stay unchanged before its change is reported, so that a build has finished
// writing it.
const Settle = 400 * time.Millisecond

// Watcher reports changes of files on disk. It watches their folders, because programs replace files more often than
// they write into them.
type Watcher struct {
	afterFunc func(f func()) (stop func()) // calls f after the settle time
	changed   func(path string)
	events    *fsnotify.Watcher
	done      chan struct{}

	mu      sync.Mutex
	files   map[string]*watched
	folders map[string]int // number of watched files in a folder
}

type watched struct {
	folder string      // watched folder: the parent, or the path itself
	last   fingerprint // state when the wait began
	stop   func()      // cancels the wait; nil before the first
}

// fingerprint is the state of a file on disk. A missing file has the zero value.
type fingerprint struct {
	size int64
	time time.Time
}

// NewWatcher starts a watcher. It calls changed from its own goroutines once a file was written, replaced or removed
// and has been unchanged for settle.
func NewWatcher(settle time.Duration, changed func(path string)) (*Watcher, error) {
	return newWatcher(func(f func()) func() {
		t := time.AfterFunc(settle, f)
		return func() { t.Stop() }
	}, changed)
}

func newWatcher(afterFunc func(f func()) (stop func()), changed func(path string)) (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{afterFunc: afterFunc, changed: changed, events: events, done: make(chan struct{}),
		files: make(map[string]*watched), folders: make(map[string]int)}
	go w.run()
	return w, nil
}

// Add watches the file at an absolute path, or the files directly in a folder. Adding a path again has no effect.
func (w *Watcher) Add(path string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.files[path]; ok {
		return nil
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder = path
	}
	if w.folders[folder] == 0 {
		if err := w.events.Add(folder); err != nil {
			return err
		}
	}
	w.folders[folder]++
	w.files[path] = &watched{folder: folder}
	return nil
}

// unwatches reports whether folders can be removed from the watcher. On Windows the library may then close the folder's
// handle twice, which may be another handle by then (github.com/fsnotify/fsnotify/issues/768): there the folders stay
// watched, and their events are ignored.
const unwatches = runtime.GOOS != "windows"

// Remove stops watching a file.
func (w *Watcher) Remove(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f, ok := w.files[path]
	if !ok {
		return
	}
	if f.stop != nil {
		f.stop()
	}
	delete(w.files, path)
	if w.folders[f.folder]--; w.folders[f.folder] == 0 {
		delete(w.folders, f.folder)
		if unwatches {
			_ = w.events.Remove(f.folder) // a removed folder is not watched anymore
		}
	}
}

// Close stops watching.
func (w *Watcher) Close() error {
	err := w.events.Close()
	<-w.done
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.files {
		if f.stop != nil {
			f.stop()
		}
	}
	w.files = nil
	return err
}

func (w *Watcher) run() {
	defer close(w.done)
	for {
		select {
		case e, ok := <-w.events.Events:
			if !ok {
				return
			}
			if e.Op != fsnotify.Chmod {
				w.mu.Lock()
				for _, path := range []string{e.Name, filepath.Dir(e.Name)} {
					if f, ok := w.files[path]; ok && (path == e.Name || path == f.folder) {
						w.wait(path, f)
					}
				}
				w.mu.Unlock()
			}
		case _, ok := <-w.events.Errors: // an overflow: the next event or check finds all changes
			if !ok {
				return
			}
		}
	}
}

// wait starts or restarts the settle time of a file. mu is held.
func (w *Watcher) wait(path string, f *watched) {
	f.last = fingerprintOf(path)
	if f.stop != nil {
		f.stop()
	}
	f.stop = w.afterFunc(func() { w.settled(path, f) })
}

// settled reports the change if the file is unchanged since the wait began.
func (w *Watcher) settled(path string, f *watched) {
	w.mu.Lock()
	if w.files[path] != f {
		w.mu.Unlock()
		return
	}
	if fingerprintOf(path) != f.last {
		w.wait(path, f)
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	w.changed(path)
}

func fingerprintOf(path string) fingerprint {
	info, err := os.Stat(path)
	if err != nil {
		return fingerprint{}
	}
	return fingerprint{info.Size(), info.ModTime()}
}
