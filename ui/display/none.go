//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package display

import "context"

// OnEnd does nothing: on this system the toolkit handles the end of the display.
func OnEnd(func(string)) {}

// OnNothingDropped does nothing: this system reports no drops without files.
func OnNothingDropped(func()) {}

// raiseX11 returns false: this system has no X11 windows.
func raiseX11(uint32, string) bool { return false }

// AskScheme returns a func that returns "": the toolkit detects the color scheme before it displays a window.
func AskScheme(context.Context) func() string { return func() string { return "" } }
