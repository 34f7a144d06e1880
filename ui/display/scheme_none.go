//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package display

import "context"

// AskScheme returns a func that returns "": the toolkit detects the color scheme before it displays a window.
func AskScheme(context.Context) func() string { return func() string { return "" } }
