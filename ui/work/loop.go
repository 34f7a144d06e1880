package work

import (
	"sync"

	"fyne.io/fyne/v2"
)

// loop is an event loop. After it, the toolkit calls the funcs of fyne.Do on the goroutine that passes them, where they
// would race with the end of the window.
type loop struct {
	mu   sync.RWMutex
	used bool
	runs sync.Mutex // locked while a func of do runs, and from the end of the event loop
}

// program is the program's event loop.
var program loop

// Run runs the program's event loop with the func, and returns after it. Later funcs of Do are dropped.
func Run(run func()) { program.run(run) }

// Do calls a func on the UI thread. It is dropped if the event loop has ended.
func Do(f func()) { program.do(f) }

func (l *loop) run(run func()) {
	l.mu.Lock()
	l.used = true
	l.mu.Unlock()
	run()
	l.runs.Lock()
}

func (l *loop) do(f func()) {
	fyne.Do(func() {
		l.mu.RLock()
		used := l.used
		l.mu.RUnlock()
		if !used { // before the event loop, funcs call each other
			f()
			return
		}
		if l.runs.TryLock() {
			defer l.runs.Unlock()
			f()
		}
	})
}
