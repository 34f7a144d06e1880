package userdirs

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// The library that other systems use asks the shell for twenty-two folders before the program's first line, which takes
// longer than all the rest until then.

// Config is for what the user has set.
func Config() string { return local("XDG_CONFIG_HOME", "") }

// State is for what a program remembers from one start to the next.
func State() string { return local("XDG_STATE_HOME", "") }

// Cache is for what can be made again.
func Cache() string { return local("XDG_CACHE_HOME", "cache") }

// Data is for what other programs find.
func Data() string { return local("XDG_DATA_HOME", "") }

// Runtime is for what goes with the session of the user; it may not be there.
func Runtime() string { return local("XDG_RUNTIME_DIR", "") }

// Downloads is the user's own; it may not be there.
func Downloads() string {
	if dir := os.Getenv("XDG_DOWNLOAD_DIR"); filepath.IsAbs(dir) {
		return dir
	}
	dir, err := windows.KnownFolderPath(windows.FOLDERID_Downloads, windows.KF_FLAG_DONT_VERIFY)
	if err != nil {
		return filepath.Join(Home(), "Downloads")
	}
	return dir
}

// Home is the home folder; empty if there is none.
func Home() string {
	home, _ := os.UserHomeDir() // of a service, say
	return home
}

// local is the folder that a variable names, or one of the user's programs on this computer.
func local(variable, name string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	programs := os.Getenv("LOCALAPPDATA")
	if programs == "" {
		programs = filepath.Join(Home(), "AppData", "Local")
	}
	return filepath.Join(programs, name)
}
