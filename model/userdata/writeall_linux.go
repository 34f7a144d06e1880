package userdata

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// WriteAll writes the files with some names, in a Change. Thousands of files are on the disk after one request, not
// after one for each. On error none is written, unless a file cannot be renamed.
func (r *Records[T]) WriteAll(values map[string]T) (err error) {
	if len(values) < 2 {
		return r.writeEach(values)
	}
	entries, err := os.ReadDir(r.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name, ok := cutExtension(e.Name()); ok && !e.Type().IsRegular() {
			if _, ok := values[name]; ok {
				return fmt.Errorf("%s is not a regular file", e.Name())
			}
		}
	}
	// Four calls of the system for each file: os.File takes three times as many.
	dir, err := unix.Open(r.path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "open", Path: r.path, Err: err}
	}
	defer unix.Close(dir)
	var written []string
	defer func() {
		for _, name := range written {
			_ = unix.Unlinkat(dir, temporaryName(name), 0)
		}
	}()
	for name, value := range values {
		b, err := r.encode(value)
		if err != nil {
			return err
		}
		written = append(written, name)
		if err := writeAt(dir, temporaryName(name), b); err != nil {
			return &fs.PathError{Op: "write", Path: r.Path(name), Err: err}
		}
	}
	if err := unix.Syncfs(dir); err != nil {
		return &fs.PathError{Op: "sync", Path: r.path, Err: err}
	}
	for len(written) > 0 {
		name := written[len(written)-1]
		if err := unix.Renameat(dir, temporaryName(name), dir, name+extension); err != nil {
			return &fs.PathError{Op: "rename", Path: r.Path(name), Err: err}
		}
		written = written[:len(written)-1]
	}
	return nil
}

// temporaryName returns the name under which a file is written before it is renamed. It is used in a Change, so no
// other program writes it.
func temporaryName(name string) string { return ".tmp-" + name }

// writeAt writes a new file in a folder. It first removes a file of that name, which a program left behind.
func writeAt(dir int, name string, b []byte) (err error) {
	_ = unix.Unlinkat(dir, name, 0)
	fd, err := unix.Openat(dir, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unix.Close(fd)) }()
	for len(b) > 0 {
		n, err := unix.Write(fd, b)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return err
		}
		b = b[max(n, 0):]
	}
	return nil
}
