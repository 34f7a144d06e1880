//go:build linux || freebsd || netbsd || openbsd || dragonfly || windows

package dragout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

const (
	runPrefix   = "run-"
	createTries = 20
)

// folder is the private folder of one run, below a base folder shared by all runs. It is created when first needed. The
// run holds a lock on it, which is released when the process ends for any reason.
type folder struct {
	base string

	mu     sync.Mutex
	path   string
	lock   *os.File
	closed bool
}

// baseFolder returns the default folder for the folders of all runs.
func baseFolder() string {
	if cache, err := os.UserCacheDir(); err == nil && filepath.IsAbs(cache) {
		return filepath.Join(cache, "assay", "drag-out")
	}
	return filepath.Join(os.TempDir(), "assay-drag-out-"+strconv.Itoa(os.Getuid()))
}

// newBatchFolder creates an empty folder in this run's folder.
func (f *folder) newBatchFolder() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return "", os.ErrClosed
	}
	if f.lock == nil {
		if err := f.create(); err != nil {
			return "", fmt.Errorf("cannot create the folder for dragged files: %w", err)
		}
	}
	return os.MkdirTemp(f.path, "")
}

func (f *folder) create() error {
	if err := makePrivate(f.base); err != nil {
		return err
	}
	for range createTries {
		path, err := os.MkdirTemp(f.base, runPrefix)
		if err != nil {
			return err
		}
		lock, err := lockFolder(path)
		if err != nil {
			// another starting run removed the folder as abandoned
			continue
		}
		f.path, f.lock = path, lock
		return nil
	}
	return errors.New("another program keeps deleting it")
}

// removeAbandoned removes the folders of ended runs. It removes nothing if locks do not work.
func removeAbandoned(base string) {
	entries, err := os.ReadDir(base)
	if err != nil || makePrivate(base) != nil {
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
		_ = os.RemoveAll(path) // the next start removes the rest
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
