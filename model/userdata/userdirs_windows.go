package userdata

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// The library that other systems use asks the shell for twenty-two folders before the program's first line, which takes
// longer than all the rest until then. Here each is asked for when it is needed.

// known is one of the folders that Windows knows, and where it is below the home folder if Windows does not say.
type known struct {
	id    *windows.KNOWNFOLDERID
	usual string
}

var (
	localAppData = known{windows.FOLDERID_LocalAppData, `AppData\Local`}
	downloads    = known{windows.FOLDERID_Downloads, "Downloads"}
)

// Config is for what the user has set.
func Config() string { return localAppData.unless("XDG_CONFIG_HOME", "") }

// State is for what a program remembers from one start to the next.
func State() string { return localAppData.unless("XDG_STATE_HOME", "") }

// Cache is for what can be made again.
func Cache() string { return localAppData.unless("XDG_CACHE_HOME", "cache") }

// Data is for what other programs find.
func Data() string { return localAppData.unless("XDG_DATA_HOME", "") }

// Runtime is for what goes with the session of the user; it may not be there.
func Runtime() string { return localAppData.unless("XDG_RUNTIME_DIR", "") }

// Downloads is the user's own; it may not be there.
func Downloads() string { return downloads.unless("XDG_DOWNLOAD_DIR", "") }

// Home is the home folder; empty if there is none.
func Home() string {
	home, _ := os.UserHomeDir() // of a service, say
	return home
}

// unless is the folder that a variable names or, where it names none, the one below this.
func (k known) unless(variable, below string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	dir, err := windows.KnownFolderPath(k.id, windows.KF_FLAG_DONT_VERIFY)
	if err != nil {
		dir = filepath.Join(Home(), k.usual)
	}
	return filepath.Join(dir, below)
}
