package dragout

import (
	"os"

	"golang.org/x/sys/windows"
)

// makePrivate creates the base folder. Folders below a user's cache folder are private already.
func makePrivate(base string) error { return os.MkdirAll(base, 0o700) }

// lockFolder locks an existing folder. It fails at once if another process has locked or removed it. The lock is a file
// beside the folder, because an open file inside would keep the folder from being removed. It is released when the
// process ends.
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
