//go:build !windows

package userdata

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// Config returns the folder for settings of the user.
func Config() string { return homeFolder(xdg.ConfigHome, "XDG_CONFIG_HOME") }

// State returns the folder for the state of a program between sessions.
func State() string { return homeFolder(xdg.StateHome, "XDG_STATE_HOME") }

// Cache returns the folder for data that can be recreated.
func Cache() string { return homeFolder(xdg.CacheHome, "XDG_CACHE_HOME") }

// Data returns the folder for the user's own data of a program, and for data that other programs find.
func Data() string { return homeFolder(xdg.DataHome, "XDG_DATA_HOME") }

// Runtime returns the folder for data that ends with the user's session; it may not exist.
func Runtime() string { return xdg.RuntimeDir }

// Downloads returns the user's download folder, which may not exist.
func Downloads() string { return homeFolder(xdg.UserDirs.Download, "XDG_DOWNLOAD_DIR") }

// Home returns the home folder, or "".
func Home() string {
	if home := os.Getenv("HOME"); filepath.IsAbs(home) {
		return home
	}
	return ""
}

// homeFolder returns a folder, or noHome if neither the variable nor HOME gives it: the library then returns one below
// / or below the current folder.
func homeFolder(folder, variable string) string {
	if Home() == "" && !filepath.IsAbs(os.Getenv(variable)) {
		return noHome
	}
	return folder
}
