package desktop

import (
	"net"
	"time"
)

// MaxConnections is how many connections there are at once.
const MaxConnections = maxConnections

// Listening makes an instance of a listener.
func Listening(l net.Listener) *Instance { return newInstance(l, func() error { return nil }) }

// ServeWith is Serve with a clock of the test's own.
func (i *Instance) ServeWith(handle func(Request), sleep func(d time.Duration)) {
	i.serve(handle, sleep)
}

// NewWatcherAfter makes a watcher with a clock of the test's own: after calls f when files have had time to settle.
func NewWatcherAfter(after func(f func()) (stop func()), changed func(path string)) (*Watcher, error) {
	return newWatcher(after, changed)
}
