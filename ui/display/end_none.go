//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package display

// OnEnd does nothing: here the toolkit itself hears that the display has ended.
func OnEnd(func(string)) {}

// OnNothingDropped: here a drop that names no file does not come.
func OnNothingDropped(func()) {}
