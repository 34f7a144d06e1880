//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package display

// raiseX11 returns false: this system has no X11 windows.
func raiseX11(uint32, string) bool { return false }
