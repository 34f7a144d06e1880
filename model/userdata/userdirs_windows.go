package userdata

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// The library that other systems use requests twenty-two folders from the shell during initialization, which takes
// longer than the rest of the start. Here each is requested when it is needed.

// knownFolder is one of the known folders of Windows, and its usual path below the home folder if Windows does not
// return it.
type knownFolder struct {
	id       *windows.KNOWNFOLDERID
	fallback string
}

var (
	localAppData = knownFolder{windows.FOLDERID_LocalAppData, `AppData\Local`}
	downloads    = knownFolder{windows.FOLDERID_Downloads, "Downloads"}
)

// Config returns the folder for settings of the user.
func Config() string { return localAppData.path("XDG_CONFIG_HOME", "") }

// State returns the folder for the state of a program between sessions.
func State() string { return localAppData.path("XDG_STATE_HOME", "") }

// Cache returns the folder for data that can be recreated.
func Cache() string { return localAppData.path("XDG_CACHE_HOME", "cache") }

// Data returns the folder for the user's own data of a program, and for data that other programs find.
func Data() string { return localAppData.path("XDG_DATA_HOME", "") }

// Runtime returns the folder for data that ends with the user's session; it may not exist.
func Runtime() string { return localAppData.path("XDG_RUNTIME_DIR", "") }

// Downloads returns the user's download folder, which may not exist.
func Downloads() string { return downloads.path("XDG_DOWNLOAD_DIR", "") }

// Home returns the home folder, or "".
func Home() string {
	home, _ := os.UserHomeDir() // a service may not have one
	return home
}

// path returns the folder that an environment variable names, or if it names none, a folder below k.
func (k knownFolder) path(variable, below string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	dir, err := windows.KnownFolderPath(k.id, windows.KF_FLAG_DONT_VERIFY)
	if err != nil {
		dir = filepath.Join(Home(), k.fallback)
	}
	return filepath.Join(dir, below)
}
