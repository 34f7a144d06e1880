//go:build !(linux || freebsd || netbsd || openbsd || dragonfly || windows)

package dragout

import "runtime"

func openPlatform(Options) platform {
	name := "this system"
	if runtime.GOOS == "darwin" {
		name = "macOS"
	}
	return unavailable("Dragging files out of the window is not supported on " + name + ". Use the export panel.")
}
