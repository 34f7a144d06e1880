package dragout

import (
	"os"

	"golang.org/x/sys/windows"
)

// private makes the base: what is below a user's own cache folder is for this user alone.
func private(base string) error { return os.MkdirAll(base, 0o700) }

// lockFolder locks a folder that is there; it fails at once if another process has it, or removed it meanwhile. The
// lock is a file beside the folder, as an open one inside would keep the folder from being removed; it goes with the
// process.
func lockFolder(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path + ".lock")
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_WRITE, 0, nil, windows.OPEN_ALWAYS,
		windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	if err != nil {
		return nil, err
	}
	lock := os.NewFile(uintptr(h), path+".lock")
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		lock.Close()
		return nil, os.ErrNotExist
	}
	return lock, nil
}
