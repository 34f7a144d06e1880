package export

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Folder is what an export needs of the place that it writes to. Names are relative, with forward slashes. It is safe
// for concurrent use.
type Folder interface {
	// Stat looks at the name itself, not at where a link leads.
	Stat(name string) (fs.FileInfo, error)
	MkdirAll(name string) error
	// Create makes a file that is not there yet.
	Create(name string) (io.WriteCloser, error)
	// Publish gives a file its final name. Without replace it fails with fs.ErrExist where something has that name.
	Publish(temporary, name string, replace bool) error
	SetTime(name string, modified time.Time) error
	Remove(name string) error
	// Sync returns when what was written is on the disk.
	Sync(names []string) error
}

// Directory is a Folder on disk. Names never lead out of it, by whatever links are in it or appear in it meanwhile. It
// is made when the first file is written.
type Directory struct {
	path string

	mu   sync.Mutex
	root *os.Root
	made map[string]bool
}

// OpenDirectory gives the folder at path, which need not be there yet.
func OpenDirectory(path string) *Directory {
	return &Directory{path: path, made: make(map[string]bool)}
}

// Path is the folder's path as it was given.
func (d *Directory) Path() string { return d.path }

// Close lets go of the folder.
func (d *Directory) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root == nil {
		return nil
	}
	err := d.root.Close()
	d.root = nil
	return err
}

func (d *Directory) open(create bool) (*os.Root, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root != nil {
		return d.root, nil
	}
	if create {
		if err := os.MkdirAll(d.path, 0o777); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return nil, err
	}
	d.root = root
	return root, nil
}

// Stat implements Folder.
func (d *Directory) Stat(name string) (fs.FileInfo, error) {
	root, err := d.open(false)
	if err != nil {
		return nil, err
	}
	return root.Lstat(filepath.FromSlash(name))
}

// MkdirAll implements Folder. Each folder is asked for once: an export makes few folders and many files.
func (d *Directory) MkdirAll(name string) error {
	root, err := d.open(true)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if name == "." || d.made[name] {
		return nil
	}
	if err := root.MkdirAll(filepath.FromSlash(name), 0o777); err != nil {
		return err
	}
	d.made[name] = true
	return nil
}

// Create implements Folder.
func (d *Directory) Create(name string) (io.WriteCloser, error) {
	root, err := d.open(true)
	if err != nil {
		return nil, err
	}
	return root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// Publish implements Folder.
func (d *Directory) Publish(temporary, name string, replace bool) error {
	root, err := d.open(false)
	if err != nil {
		return err
	}
	temporary, name = filepath.FromSlash(temporary), filepath.FromSlash(name)
	if replace {
		return root.Rename(temporary, name)
	}
	// A link fails where the name is taken, a rename would replace: between the plan and now others may have written.
	switch err := root.Link(temporary, name); {
	case err == nil:
		return root.Remove(temporary)
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
		return err
	}
	// This file system has no links.
	if _, err := root.Lstat(name); err == nil {
		return fs.ErrExist
	}
	return root.Rename(temporary, name)
}

// SetTime implements Folder.
func (d *Directory) SetTime(name string, modified time.Time) error {
	root, err := d.open(false)
	if err != nil {
		return err
	}
	return root.Chtimes(filepath.FromSlash(name), time.Time{}, modified)
}

// Remove implements Folder.
func (d *Directory) Remove(name string) error {
	root, err := d.open(false)
	if err != nil {
		return err
	}
	return root.Remove(filepath.FromSlash(name))
}

// Sync implements Folder.
func (d *Directory) Sync(names []string) error {
	root, err := d.open(false)
	if err != nil {
		return err
	}
	return syncAll(root, names)
}

// syncEach is the way of systems that cannot be asked for a whole file system.
func syncEach(root *os.Root, names []string) error {
	var all error
	for _, name := range names {
		f, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY, 0)
		if err != nil {
			continue // whoever removed it does not miss it
		}
		all = errors.Join(all, f.Sync(), f.Close())
	}
	return all
}

// Nowhere is a Folder that keeps nothing: an export into it reads and verifies. With Like it says that the names are
// taken that are taken there.
type Nowhere struct{ Like Folder }

type noFile struct{ io.Writer }

func (noFile) Close() error { return nil }

// Stat implements Folder.
func (n Nowhere) Stat(name string) (fs.FileInfo, error) {
	if n.Like == nil {
		return nil, fs.ErrNotExist
	}
	return n.Like.Stat(name)
}

// MkdirAll implements Folder.
func (Nowhere) MkdirAll(string) error { return nil }

// Create implements Folder.
func (Nowhere) Create(string) (io.WriteCloser, error) { return noFile{io.Discard}, nil }

// Publish implements Folder.
func (Nowhere) Publish(string, string, bool) error { return nil }

// SetTime implements Folder.
func (Nowhere) SetTime(string, time.Time) error { return nil }

// Remove implements Folder.
func (Nowhere) Remove(string) error { return nil }

// Sync implements Folder.
func (Nowhere) Sync([]string) error { return nil }
