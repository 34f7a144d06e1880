//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package window

import "context"

// askScheme asks nothing: the toolkit knows whether the desktop is light or dark before it shows a window.
func askScheme(context.Context) func() string { return func() string { return "" } }
