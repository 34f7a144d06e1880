package model

import (
	"errors"
	"os"
	"time"

	"github.com/moby/sys/atomicwriter"
	"golang.org/x/sys/windows"
)

func openShared(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS, 0) // which folders need
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// How long replaceFile waits for others to be done with the file, and how often it looks.
const (
	inUseTimeout = 2 * time.Second
	inUseStep    = 10 * time.Millisecond
)

func replaceFile(path string, content []byte, perm os.FileMode) error {
	for end := time.Now().Add(inUseTimeout); ; time.Sleep(inUseStep) {
		err := atomicwriter.WriteFile(path, content, perm)
		var rename *os.LinkError
		if inUse := errors.As(err, &rename) && (errors.Is(err, windows.ERROR_SHARING_VIOLATION) ||
			errors.Is(err, windows.ERROR_ACCESS_DENIED)); !inUse || time.Now().After(end) {
			return err
		}
	}
}
