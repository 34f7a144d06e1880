package userdata

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// WriteAll writes the files with some names, in a Change. Thousands of files are on the disk after one request, not
// after one for each. On error none is written, unless a file cannot be renamed.
func (f *Records[T]) WriteAll(values map[string]T) (err error) {
	if len(values) < 2 {
		return f.writeEach(values)
	}
	temporary := make(map[string]string, len(values)) // by the paths that the files get
	defer func() {
		for _, path := range temporary {
			_ = os.Remove(path)
		}
	}()
	for name, value := range values {
		path := f.Path(name)
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", filepath.Base(path))
		}
		b, err := f.encode(value)
		if err != nil {
			return err
		}
		file, err := os.CreateTemp(f.path, ".tmp-"+filepath.Base(path))
		if err != nil {
			return err
		}
		temporary[path] = file.Name()
		_, err = file.Write(b)
		if closed := file.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return err
		}
	}
	if err := syncFileSystem(f.path); err != nil {
		return err
	}
	for path, from := range temporary {
		if err := os.Rename(from, path); err != nil {
			return err
		}
		delete(temporary, path)
	}
	return nil
}

// syncFileSystem waits until everything that was written to the file system of a folder is on the disk.
func syncFileSystem(folder string) error {
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := unix.Syncfs(int(dir.Fd())); err != nil {
		return &fs.PathError{Op: "sync", Path: folder, Err: err}
	}
	return nil
}
