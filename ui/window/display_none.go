//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package window

// chooseDisplay: this system has one display, which is always there.
func chooseDisplay() error { return nil }

func hearOfDisplay(func(string)) {}

// hearOfNothing: here a drop that names no file does not come.
func hearOfNothing(func()) {}
