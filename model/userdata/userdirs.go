package userdata

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// noHome is the path of the folders of a user without a home folder. It does not exist, and cannot be created.
const noHome = "/proc/HOME-is-not-an-absolute-path"

var errNoHome = errors.New("HOME is not an absolute path. Set it to your home folder")

// Require returns an error if this user has no folders for data because HOME is unset or relative.
func Require() error {
	return cmp.Or(checkHome(Config()), checkHome(State()), checkHome(Cache()), checkHome(Data()))
}

// MakeFolder is os.MkdirAll for a folder of the user's data. The error names HOME if the user's folders are unknown.
func MakeFolder(path string, mode os.FileMode) error {
	if err := checkHome(path); err != nil {
		return err
	}
	return os.MkdirAll(path, mode)
}

// checkHome returns an error for a path below noHome.
func checkHome(path string) error {
	if below, found := strings.CutPrefix(filepath.ToSlash(path), noHome); found && (below == "" || below[0] == '/') {
		return errNoHome
	}
	return nil
}
