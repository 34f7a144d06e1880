//go:build !(linux || freebsd || netbsd || openbsd || dragonfly || windows)

package dragout

import "runtime"

func openPlatform(Options) platform {
	name := "this system"
	if runtime.GOOS == "darwin" {
		name = "macOS"
	}
	return unavailable("Files cannot be dragged out of the window on " + name + ". Use the export panel.")
}
