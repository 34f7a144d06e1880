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
// A file that has the name already stays as it is, unless it is to be replaced.
func WriteNew(path string, replace bool, write func(w io.Writer) error, check func(src *model.Source) error) error {
	name, folder := filepath.Base(path), filepath.Dir(path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s; make it, or name a file elsewhere", model.OneLine(folder, 4096))
	}
	taken := errors.New("there is a file of that name already, which stays as it is; name a new one")
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
	switch err := f.Publish(name, replace); {
	case errors.Is(err, fs.ErrExist):
		return taken
	case err != nil:
		return errors.New(reason(err))
	}
	return d.Sync([]string{name})
}

// counter counts what is written, and says in plain words why it cannot be.
type counter struct {
	w io.Writer
	n int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.n += int64(n); err != nil {
		err = errors.New(reason(err))
	}
	return n, err
}
