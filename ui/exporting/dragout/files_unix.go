//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"fmt"
	"os"
	"syscall"
)

// makePrivate creates the base folder, or takes the permissions of other users away from an existing one: it may be
// below a shared folder. It fails if base is not a folder or belongs to another user.
func makePrivate(base string) error {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(base)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", base)
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Getuid() {
		return fmt.Errorf("%s belongs to another user", base)
	}
	if info.Mode().Perm() != 0o700 {
		return os.Chmod(base, 0o700)
	}
	return nil
}

// lockFolder locks an existing folder. It fails at once if another process has locked or removed it.
func lockFolder(path string) (*os.File, error) {
	d, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		d.Close()
		return nil, err
	}
	mine, err := d.Stat()
	if err == nil {
		var existing os.FileInfo
		if existing, err = os.Lstat(path); err == nil && !os.SameFile(mine, existing) {
			err = os.ErrNotExist
		}
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}
