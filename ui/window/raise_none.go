//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package window

// raiseX11: this system has no X11 windows.
func raiseX11(uint32, string) bool { return false }
