package desktop

import (
	"net"
	"time"
)

// MaxConnections is the maximum number of simultaneous connections.
const MaxConnections = maxConnections

// Listening returns an instance with a listener.
func Listening(l net.Listener) *Instance { return newInstance(l, func() error { return nil }) }

// ServeWith is Serve with another clock.
func (i *Instance) ServeWith(handle func(Request), sleep func(d time.Duration)) {
	i.serve(handle, sleep)
}

// NewWatcherAfter returns a watcher with another clock: after calls f once files have settled.
func NewWatcherAfter(after func(f func()) (stop func()), changed func(path string)) (*Watcher, error) {
	return newWatcher(after, changed)
}
