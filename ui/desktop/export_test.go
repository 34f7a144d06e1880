package desktop

// NewWatcherAfter makes a watcher with a clock of the test's own: after calls f when files have had time to settle.
func NewWatcherAfter(after func(f func()) (stop func()), changed func(path string)) (*Watcher, error) {
	return newWatcher(after, changed)
}
