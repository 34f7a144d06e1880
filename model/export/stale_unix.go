//go:build unix

package export

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// mayWrite returns an error if the user is not allowed to create files in a folder.
func mayWrite(folder string) error { return unix.Access(folder, unix.W_OK|unix.X_OK) }

// lockPart locks a part while it is being written: the lock ends with the process, however it ends. A file system
// without locks ignores it, and parts there are judged by their age.
func lockPart(fd int) { _ = syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB) }

// isAbandoned reports whether a part was abandoned. An empty one may have been made this moment, before its lock.
func isAbandoned(root *os.Root, path string, info os.FileInfo) bool {
	old := time.Since(info.ModTime()) > partAge
	if info.Size() == 0 && !old {
		return false
	}
	f, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
