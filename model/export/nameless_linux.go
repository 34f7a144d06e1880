package export

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// descriptorFolder is where a file without a name can be reached.
const descriptorFolder = "/proc/self/fd/"

var hasDescriptorFolder = sync.OnceValue(func() bool {
	_, err := os.Stat(descriptorFolder)
	return err == nil
})

// acceptsEmptyPath reports whether the kernel accepts a file itself instead of a path to it (since 6.10 for all users).
// The kernel checks the file first, and then the folder, which is invalid here.
var acceptsEmptyPath = sync.OnceValue(func() bool {
	root, err := os.Open("/")
	if err != nil {
		return false
	}
	defer root.Close()
	return errors.Is(unix.Linkat(int(root.Fd()), "", -1, "nothing", unix.AT_EMPTY_PATH), unix.EBADF)
})

// createNameless begins a file that has no name at all until it is published: a killed program leaves no file.
// release is called when dir is no longer needed. It returns nil where the file system or the machine cannot do it.
func createNameless(dir *os.File, release func()) (File, error) {
	if !hasDescriptorFolder() {
		return nil, nil
	}
	fd, err := retry(func() (int, error) {
		return unix.Openat(int(dir.Fd()), ".", unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o666)
	})
	switch {
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EISDIR), errors.Is(err, unix.EINVAL):
		return nil, nil
	case err != nil:
		return nil, &fs.PathError{Op: "create", Path: dir.Name(), Err: err}
	}
	return &namelessFile{fd: fd, dir: int(dir.Fd()), release: release}, nil
}

// retry repeats a call that a signal has interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}

// namelessFile is a file in a folder that has no entry for it.
type namelessFile struct {
	fd      int // -1 once it is closed
	dir     int
	release func() // releases the open folder
}

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

func (f *namelessFile) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		n, err := retry(func() (int, error) { return unix.Pread(f.fd, p[done:], off+int64(done)) })
		switch {
		case err != nil:
			return done, &fs.PathError{Op: "read", Err: err}
		case n == 0:
			return done, io.EOF
		}
		done += n
	}
	return done, nil
}

func (f *namelessFile) SetTime(modified time.Time) error {
	timespec, err := unix.TimeToTimespec(modified)
	if err != nil {
		return err
	}
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, timespec}
	if err := unix.UtimesNanoAt(f.fd, "", times, unix.AT_EMPTY_PATH); err == nil {
		return nil
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, f.path(), times, 0)
}

func (f *namelessFile) path() string { return descriptorFolder + strconv.Itoa(f.fd) }

func (f *namelessFile) Publish(name string, replace bool) error {
	name = filepath.Base(name)
	err := f.link(name)
	if replace && errors.Is(err, unix.EEXIST) {
		temporary := temporaryName()
		lockPart(f.fd)
		if err = f.link(temporary); err == nil {
			if err = unix.Renameat(f.dir, temporary, f.dir, name); err != nil {
				_ = unix.Unlinkat(f.dir, temporary, 0)
			}
		}
	}
	if err != nil {
		return &fs.PathError{Op: "publish", Path: name, Err: err}
	}
	return f.close()
}

func (f *namelessFile) link(name string) error {
	if acceptsEmptyPath() {
		err := unix.Linkat(f.fd, "", f.dir, name, unix.AT_EMPTY_PATH)
		if !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) {
			return err
		}
	}
	return unix.Linkat(unix.AT_FDCWD, f.path(), f.dir, name, unix.AT_SYMLINK_FOLLOW)
}

func (f *namelessFile) Discard() { _ = f.close() }

func (f *namelessFile) close() error {
	if f.fd < 0 {
		return nil
	}
	fd := f.fd
	f.fd = -1
	f.release()
	return unix.Close(fd)
}

// syncAll syncs the whole file system at once if there are many files: one wait, not thousands.
func syncAll(root *os.Root, names []string) error {
	const few = 8
	if len(names) <= few {
		return syncEach(root, names)
	}
	f, err := root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}
