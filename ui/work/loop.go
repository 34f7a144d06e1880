package work

import (
	"sync"

	"fyne.io/fyne/v2"
)

// loop is an event loop. After the loop has ended, the toolkit runs the funcs of fyne.Do on the calling goroutine,
// where they would race with the end of the window.
type loop struct {
	mu         sync.RWMutex
	hasStarted bool
	running    sync.Mutex // locked while a func of do runs, and from the end of the event loop
}

// program is the program's event loop.
var program loop

// Run calls run, the program's event loop, and returns when it has ended. Funcs passed to Do after that are dropped.
func Run(run func()) { program.run(run) }

// Do calls a func on the UI thread. It is dropped if the event loop has ended.
func Do(f func()) { program.do(f) }

func (l *loop) run(run func()) {
	l.mu.Lock()
	l.hasStarted = true
	l.mu.Unlock()
	run()
	l.running.Lock()
}

func (l *loop) do(f func()) {
	fyne.Do(func() {
		l.mu.RLock()
		hasLoop := l.hasStarted
		l.mu.RUnlock()
		if !hasLoop { // without an event loop the toolkit calls f at once, and f may call Do
			f()
			return
		}
		if l.running.TryLock() {
			defer l.running.Unlock()
			f()
		}
	})
}
