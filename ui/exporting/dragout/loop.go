//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import "sync"

// loop holds functions for the goroutine that has all of a session's state.
type loop struct {
	mu    sync.Mutex
	queue []func()
	wake  func() // makes the goroutine call take soon
}

// do has f called on the session's goroutine, or never if that has ended.
func (l *loop) do(f func()) {
	l.mu.Lock()
	l.queue = append(l.queue, f)
	l.mu.Unlock()
	l.wake()
}

// take calls what is in the queue.
func (l *loop) take() {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	l.mu.Unlock()
	for _, f := range queue {
		f()
	}
}
