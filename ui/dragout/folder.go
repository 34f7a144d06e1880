//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const (
	runPrefix   = "run-"
	createTries = 20
)

// folder is the private folder of one run, below a base that all runs share. It is made when it is first needed. While
// the run lives it holds a lock on the folder, which ends with the process however that ends.
type folder struct {
	base string

	mu     sync.Mutex
	path   string
	lock   *os.File
	closed bool
}

// baseFolder is where the folders of all runs are, if nobody names another place.
func baseFolder() string {
	if cache, err := os.UserCacheDir(); err == nil && filepath.IsAbs(cache) {
		return filepath.Join(cache, "assay", "drag-out")
	}
	return filepath.Join(os.TempDir(), "assay-drag-out-"+strconv.Itoa(os.Getuid()))
}

// make gives a new empty folder in this run's folder.
func (f *folder) make() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return "", os.ErrClosed
	}
	if f.lock == nil {
		if err := f.create(); err != nil {
			return "", fmt.Errorf("the folder for dragged files cannot be made: %w", err)
		}
	}
	return os.MkdirTemp(f.path, "")
}

func (f *folder) create() error {
	if err := private(f.base); err != nil {
		return err
	}
	for range createTries {
		path, err := os.MkdirTemp(f.base, runPrefix)
		if err != nil {
			return err
		}
		lock, err := lockFolder(path)
		if err != nil {
			// Another run that is starting took it for an abandoned one.
			continue
		}
		f.path, f.lock = path, lock
		return nil
	}
	return errors.New("it is removed as soon as it is made")
}

// private makes the base, and insists that nobody else can look into it: it may be below a folder that all users share.
func private(base string) error {
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

// lockFolder locks a folder that is there; it fails at once if another process has it, or removed it meanwhile.
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
		var there os.FileInfo
		if there, err = os.Lstat(path); err == nil && !os.SameFile(mine, there) {
			err = os.ErrNotExist
		}
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// sweep removes the folders of runs that are no more. Where locks do not work it removes nothing.
func sweep(base string) {
	entries, err := os.ReadDir(base)
	if err != nil || private(base) != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), runPrefix) {
			continue
		}
		path := filepath.Join(base, e.Name())
		lock, err := lockFolder(path)
		if err != nil {
			continue
		}
		_ = os.RemoveAll(path) // what is left is tried again at the next start
		lock.Close()
	}
}

// close removes everything.
func (f *folder) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.lock == nil {
		return nil
	}
	err := os.RemoveAll(f.path)
	err = errors.Join(err, f.lock.Close())
	f.lock = nil
	return err
}
