//go:build !windows

package model

import (
	"os"
	"syscall"

	"github.com/moby/sys/atomicwriter"
)

// openShared is os.Open without the system calls for polling, which only pipes and the like need: three calls that
// regular files refuse.
func openShared(path string) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case syscall.EINTR:
			continue
		}
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
}

func replaceFile(path string, content []byte, perm os.FileMode) error {
	return atomicwriter.WriteFile(path, content, perm)
}
