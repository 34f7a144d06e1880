package export

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"assay/model"
)

// WriteNew writes a new file at path, whole or not at all. check reads what was written before the file gets its name.
// A file that has the name already stays as it is, unless it is to be replaced; a link is followed then, and what is no
// regular file is not replaced.
func WriteNew(path string, replace bool, write func(w io.Writer) error, check func(src *model.Source) error) error {
	if replace {
		path = linked(path)
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return errors.New("it is no regular file, which cannot be replaced; name a file")
		}
	}
	name, folder := filepath.Base(path), filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("the folder %s does not exist; create it, or choose another path", model.OneLine(folder, 4096))
	}
	taken := errors.New("a file with this name already exists; choose another name")
	if _, err := os.Lstat(path); err == nil && !replace {
		return taken
	}
	d := OpenDirectory(folder)
	defer d.Close()
	f, err := d.Create(".")
	if err != nil {
		return errors.New(reason(err))
	}
	defer f.Discard()
	counted := &counter{w: f}
	out := bufio.NewWriterSize(counted, 128<<10)
	if err := write(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := check(model.NewSource(name, f, counted.n)); err != nil {
		return err
	}
	if err := d.stays(); err != nil {
		return err
	}
	switch err := f.Publish(name, replace); {
	case errors.Is(err, fs.ErrExist):
		return taken
	case err != nil:
		return errors.New(reason(err))
	}
	return d.confirm(name)
}

// linksMost is how many links lead to each other: more are a circle.
const linksMost = 40

// linked returns where a path leads to by the links that it ends with, which need not be there.
func linked(path string) string {
	for range linksMost {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// publishedError is the error of a file that is whole and has its name.
type publishedError struct{ error }

// confirm waits until a file that has its name is on the disk, and looks whether the path still leads to it.
func (d *Directory) confirm(name string) error {
	switch err := d.Sync([]string{name}); {
	case errors.Is(err, errMoved):
		return publishedError{errors.New("the folder was moved during the export; the file is in its new location")}
	case err != nil:
		return publishedError{errors.New("may not be on the disk yet: " + reason(err))}
	}
	return nil
}

// Failure says of a file what an error of WriteNew means: that it was not written, or that it was, and what is wrong.
func Failure(name string, err error) error {
	if errors.As(err, new(publishedError)) {
		return fmt.Errorf("%s was written, but %w", name, err)
	}
	return fmt.Errorf("%s was not written: %w", name, err)
}

// counter counts what is written, and says in plain words why it cannot be.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.n += int64(n); err != nil {
		err = errors.New(reason(err))
	}
	return n, err
}
