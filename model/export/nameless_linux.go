package export

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// descriptors is where a file without a name can be reached.
const descriptors = "/proc/self/fd/"

var descriptorsThere = sync.OnceValue(func() bool {
	_, err := os.Stat(descriptors)
	return err == nil
})

// createNameless begins a file that has no name at all until it is published: a killed program leaves nothing behind.
// It gives nil where the file system or the machine cannot do it.
func createNameless(root *os.Root, folder string) (File, error) {
	if !descriptorsThere() {
		return nil, nil
	}
	dir, err := root.Open(folder)
	if err != nil {
		return nil, err
	}
	fd, err := retry(func() (int, error) {
		return unix.Openat(int(dir.Fd()), ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o666)
	})
	switch {
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EISDIR), errors.Is(err, unix.EINVAL):
		return nil, dir.Close()
	case err != nil:
		dir.Close()
		return nil, &fs.PathError{Op: "create", Path: folder, Err: err}
	}
	return &namelessFile{fd: fd, dir: dir}, nil
}

// retry calls again what a signal has interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}

// namelessFile is a file in a folder that has no entry for it.
type namelessFile struct {
	fd  int // -1 once it is closed
	dir *os.File
}

// Write implements File.
func (f *namelessFile) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		n, err := retry(func() (int, error) { return unix.Write(f.fd, p[done:]) })
		if err != nil {
			return done, &fs.PathError{Op: "write", Err: err}
		}
		done += n
	}
	return done, nil
}

// SetTime implements File.
func (f *namelessFile) SetTime(modified time.Time) error {
	when, err := unix.TimeToTimespec(modified)
	if err != nil {
		return err
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, f.path(), []unix.Timespec{{Nsec: unix.UTIME_OMIT}, when}, 0)
}

func (f *namelessFile) path() string { return descriptors + strconv.Itoa(f.fd) }

// Publish implements File.
func (f *namelessFile) Publish(name string, replace bool) error {
	name = filepath.Base(name)
	dir := int(f.dir.Fd())
	err := unix.Linkat(unix.AT_FDCWD, f.path(), dir, name, unix.AT_SYMLINK_FOLLOW)
	if replace && errors.Is(err, unix.EEXIST) {
		temporary := temporaryName()
		if err = unix.Linkat(unix.AT_FDCWD, f.path(), dir, temporary, unix.AT_SYMLINK_FOLLOW); err == nil {
			if err = unix.Renameat(dir, temporary, dir, name); err != nil {
				_ = unix.Unlinkat(dir, temporary, 0)
			}
		}
	}
	if err != nil {
		return &fs.PathError{Op: "publish", Path: name, Err: err}
	}
	return f.close()
}

// Discard implements File.
func (f *namelessFile) Discard() { _ = f.close() }

func (f *namelessFile) close() error {
	if f.fd < 0 {
		return nil
	}
	fd := f.fd
	f.fd = -1
	return errors.Join(unix.Close(fd), f.dir.Close())
}
