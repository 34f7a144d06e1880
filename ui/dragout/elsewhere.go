//go:build !(linux || freebsd || netbsd || openbsd || dragonfly)

package dragout

import "runtime"

func openPlatform(Options) platform {
	name := "this system"
	switch runtime.GOOS {
	case "windows":
		name = "Windows"
	case "darwin":
		name = "macOS"
	}
	return unavailable("Files cannot be dragged out of the window on " + name + ". Use the export panel.")
}
