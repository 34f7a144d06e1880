//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package display

import "context"

// AskScheme asks nothing: the toolkit knows whether the desktop is light or dark before it shows a window.
func AskScheme(context.Context) func() string { return func() string { return "" } }
