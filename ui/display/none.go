//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package display

// OnEnd does nothing: on this system the toolkit handles the end of the display.
func OnEnd(func(string)) {}

// OnNothingDropped does nothing: this system reports no drops without files.
func OnNothingDropped(func()) {}
