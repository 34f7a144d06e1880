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

// WriteFile writes a new file at path, whole or not at all. check reads the written file before it gets its name. An
// existing file is an error, unless replace is set; then a link is followed, and only a regular file is replaced.
func WriteFile(path string, replace bool, write func(w io.Writer) error, check func(src *model.Source) error) error {
	if replace {
		path = linkTarget(path)
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return errors.New("it is not a regular file and cannot be replaced; name a file")
		}
	}
	name, folder := filepath.Base(path), filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("the folder %s does not exist; create it, or choose another path", model.OneLine(folder, 4096))
	}
	errExists := errors.New("a file with this name already exists; choose another name")
	if _, err := os.Lstat(path); err == nil && !replace {
		return errExists
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
	if err := d.checkMoved(); err != nil {
		return err
	}
	switch err := f.Publish(name, replace); {
	case errors.Is(err, fs.ErrExist):
		return errExists
	case err != nil:
		return errors.New(reason(err))
	}
	return d.confirm(name)
}

// maxLinks is the maximum length of a chain of links: a longer one is a circle.
const maxLinks = 40

// linkTarget returns the target of the links that a path ends with; it need not exist.
func linkTarget(path string) string {
	for range maxLinks {
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

// confirm waits until a file that has its name is on the disk, and checks that the path still refers to it.
func (d *Directory) confirm(name string) error {
	switch err := d.Sync([]string{name}); {
	case errors.Is(err, errMoved):
		return publishedError{errors.New("the folder was moved during the export; the file is in its new location")}
	case err != nil:
		return publishedError{errors.New("may not be on the disk yet: " + reason(err))}
	}
	return nil
}

// Failure returns the message for an error of WriteFile: that the file was not written, or that it was, and its
// problem.
func Failure(name string, err error) error {
	if errors.As(err, new(publishedError)) {
		return fmt.Errorf("%s was written, but %w", name, err)
	}
	return fmt.Errorf("%s was not written: %w", name, err)
}
