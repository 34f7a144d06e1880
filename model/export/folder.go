package export

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"assay/model"
)

// Folder is the target of an export. Names are relative, with forward slashes. It is safe for concurrent use.
type Folder interface {
	// Stat describes the name itself, not the target of a link.
	Stat(name string) (fs.FileInfo, error)
	Open(name string) (io.ReadCloser, error)
	MkdirAll(name string) error
	// Create begins a file in a folder. It is not visible before it is published.
	Create(folder string) (File, error)
	// Sync returns when the named files are on the disk.
	Sync(names []string) error
}

// File is a file that is being written. It ends with Publish or Discard.
type File interface {
	io.Writer
	io.ReaderAt // the written bytes
	SetTime(modified time.Time) error
	// Publish gives the complete file its name, in the folder that it was made for. Without replace it fails with
	// fs.ErrExist where something has the name; then it may be called again with another one.
	Publish(name string, replace bool) error
	// Discard removes the file. After Publish it does nothing.
	Discard()
}

// Directory is a Folder on disk. Names never refer to files outside it, regardless of links in it, even ones created
// meanwhile. It is created when the first file is written.
type Directory struct {
	path string

	mu       sync.Mutex
	root     *os.Root
	notExist error // the error of opening it while it did not exist
	created  map[string]bool
	open     map[string]*os.File // folders that are kept open, at most maxOpenFolders
	swept    map[string]bool
}

const maxOpenFolders = 64

// FolderError is the error of a folder that no file can be exported to.
type FolderError struct{ text string }

// Error returns the message for the user.
func (e *FolderError) Error() string { return model.OneLine(e.text, maxFolderMessage) }

const maxFolderMessage = 4200 // a path and a few words

// CheckFolder returns a FolderError if a folder is not usable and cannot be created. It writes nothing.
func CheckFolder(folder string) error {
	for dir := filepath.Clean(folder); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return &FolderError{dir + " is a file; choose a folder"}
		case err == nil:
			if err = mayWrite(dir); err != nil {
				return &FolderError{"cannot write in " + dir + ": " + reason(err)}
			}
			return nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return &FolderError{"cannot use " + dir + ": " + reason(err)}
		case dir == filepath.Dir(dir):
			return &FolderError{dir + " does not exist; choose another folder"}
		}
	}
}

// Make creates the folder. Its error is a FolderError.
func (d *Directory) Make() error {
	if err := CheckFolder(d.path); err != nil {
		return err
	}
	if _, err := d.openRoot(true); err != nil {
		return &FolderError{"cannot create " + d.path + ": " + reason(err)}
	}
	return nil
}

// OpenDirectory returns the folder at path, which need not be there yet.
func OpenDirectory(path string) *Directory {
	return &Directory{path: path, created: make(map[string]bool), open: make(map[string]*os.File),
		swept: make(map[string]bool)}
}

// Close closes the folder.
func (d *Directory) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root == nil {
		return nil
	}
	err := d.root.Close()
	for _, f := range d.open {
		err = errors.Join(err, f.Close())
	}
	clear(d.open)
	d.root = nil
	return err
}

func (d *Directory) openRoot(create bool) (*os.Root, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root != nil {
		return d.root, nil
	}
	if create {
		if err := os.MkdirAll(d.path, 0o777); err != nil {
			return nil, err
		}
	} else if d.notExist != nil {
		return nil, d.notExist
	}
	root, err := os.OpenRoot(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		d.notExist = err
	}
	if err != nil {
		return nil, err
	}
	d.root = root
	return root, nil
}

// Stat implements Folder.
func (d *Directory) Stat(name string) (fs.FileInfo, error) {
	root, err := d.openRoot(false)
	if err != nil {
		return nil, err
	}
	return root.Lstat(filepath.FromSlash(name))
}

// Names lists the files in one of the folders.
func (d *Directory) Names(folder string) ([]string, error) {
	root, err := d.openRoot(false)
	if err != nil {
		return nil, err
	}
	f, err := root.Open(filepath.FromSlash(folder))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// Open implements Folder.
func (d *Directory) Open(name string) (io.ReadCloser, error) {
	root, err := d.openRoot(false)
	if err != nil {
		return nil, err
	}
	return root.Open(filepath.FromSlash(name))
}

// MkdirAll implements Folder. Each folder is created once: an export makes few folders and many files.
func (d *Directory) MkdirAll(name string) error {
	root, err := d.openRoot(true)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if name == "." || d.created[name] {
		return nil
	}
	if err := root.MkdirAll(filepath.FromSlash(name), 0o777); err != nil {
		return err
	}
	d.created[name] = true
	return nil
}

// Create implements Folder.
func (d *Directory) Create(folder string) (File, error) {
	root, err := d.openRoot(true)
	if err != nil {
		return nil, err
	}
	folder = filepath.FromSlash(folder)
	d.removeStaleParts(root, folder)
	dir, release, err := d.openFolder(root, folder)
	if err != nil {
		return nil, err
	}
	f, err := createNameless(dir, release)
	if f != nil {
		return f, err
	}
	release()
	if err != nil {
		return nil, err
	}
	return createNamed(root, folder)
}

// openFolder returns an open folder. The caller calls release when the folder is no longer needed.
func (d *Directory) openFolder(root *os.Root, folder string) (dir *os.File, release func(), err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f, ok := d.open[folder]; ok {
		return f, func() {}, nil
	}
	f, err := root.Open(folder)
	if err != nil {
		return nil, nil, err
	}
	if len(d.open) < maxOpenFolders {
		d.open[folder] = f
		return f, func() {}, nil
	}
	return f, func() { f.Close() }, nil
}

func createNamed(root *os.Root, folder string) (File, error) {
	temporary := filepath.Join(folder, temporaryName())
	f, err := root.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	lockPart(int(f.Fd()))
	return &namedFile{File: f, root: root, temporary: temporary}, nil
}

func temporaryName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return partPrefix + hex.EncodeToString(b[:]) + partSuffix
}

// Sync implements Folder.
func (d *Directory) Sync(names []string) error {
	root, err := d.openRoot(false)
	if err != nil {
		return err
	}
	if err := syncAll(root, names); err != nil {
		return err
	}
	return d.checkMoved()
}

var errMoved = errors.New("the folder was moved or removed while files were written into it")

// checkMoved checks that the path still refers to the folder that is written to.
func (d *Directory) checkMoved() error {
	root, err := d.openRoot(false)
	if err != nil {
		return err
	}
	here, err := root.Stat(".")
	if err != nil {
		return errMoved
	}
	if current, err := os.Stat(d.path); err != nil || !os.SameFile(here, current) {
		return errMoved
	}
	return nil
}

// syncEach is for systems that cannot sync a whole file system.
func syncEach(root *os.Root, names []string) error {
	var errs error
	for _, name := range names {
		f, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY, 0)
		if err != nil {
			continue // the file was removed meanwhile
		}
		errs = errors.Join(errs, f.Sync(), f.Close())
	}
	return errs
}

// namedFile has a temporary name until it is published.
type namedFile struct {
	*os.File
	root      *os.Root
	temporary string // empty once it is published
	closed    bool
}

// SetTime implements File. Some systems set the time again when a file is closed: it is set after that.
func (f *namedFile) SetTime(modified time.Time) error {
	if err := f.close(); err != nil {
		return err
	}
	return f.root.Chtimes(f.temporary, time.Time{}, modified)
}

func (f *namedFile) close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return f.File.Close()
}

func (f *namedFile) Publish(name string, replace bool) error {
	if err := f.close(); err != nil {
		return err
	}
	name = filepath.FromSlash(name)
	if !replace {
		// A link fails where the name is taken, a rename would replace: between the plan and now others may have
		// written.
		switch err := f.root.Link(f.temporary, name); {
		case err == nil:
			f.Discard()
			return nil
		case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist):
			return err
		}
		// This file system has no links.
		if _, err := f.root.Lstat(name); err == nil {
			return fs.ErrExist
		}
	}
	err := f.root.Rename(f.temporary, name)
	if err == nil {
		f.temporary = ""
	}
	return err
}

func (f *namedFile) Discard() {
	_ = f.close()
	if f.temporary != "" {
		_ = f.root.Remove(f.temporary)
		f.temporary = ""
	}
}

// The name of a file that is not complete, or has no other name yet.
const (
	partPrefix = ".assay-"
	partSuffix = ".part"
)

// partAge is the minimum age of a part that was certainly abandoned, if there are no locks: no write takes a day.
const partAge = 24 * time.Hour

// removeStaleParts removes the parts that killed programs left in a folder, once for each folder. It ignores errors, as
// the remaining parts do no harm.
func (d *Directory) removeStaleParts(root *os.Root, folder string) {
	d.mu.Lock()
	swept := d.swept[folder]
	d.swept[folder] = true
	d.mu.Unlock()
	if swept {
		return
	}
	dir, err := root.Open(folder)
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	_ = dir.Close()
	for _, name := range names {
		if !strings.HasPrefix(name, partPrefix) || !strings.HasSuffix(name, partSuffix) {
			continue
		}
		path := filepath.Join(folder, name)
		if info, err := root.Lstat(path); err == nil && info.Mode().IsRegular() && isAbandoned(root, path, info) {
			_ = root.Remove(path)
		}
	}
}

// DiscardFolder is a Folder that discards its content: an export into it reads and verifies. It reports the existing
// names of Like.
type DiscardFolder struct{ Like Folder }

// Stat implements Folder.
func (d DiscardFolder) Stat(name string) (fs.FileInfo, error) {
	if d.Like == nil {
		return nil, fs.ErrNotExist
	}
	return d.Like.Stat(name)
}

// Names lists the names in a folder of Like.
func (d DiscardFolder) Names(folder string) ([]string, error) {
	if d.Like == nil {
		return nil, fs.ErrNotExist
	}
	if l, ok := d.Like.(namer); ok {
		return l.Names(folder)
	}
	return nil, fs.ErrInvalid
}

// Open implements Folder.
func (d DiscardFolder) Open(name string) (io.ReadCloser, error) {
	if d.Like == nil {
		return nil, fs.ErrNotExist
	}
	return d.Like.Open(name)
}

// MkdirAll implements Folder.
func (DiscardFolder) MkdirAll(string) error { return nil }

// Create implements Folder.
func (DiscardFolder) Create(string) (File, error) { return discardedFile{io.Discard}, nil }

// Sync implements Folder.
func (DiscardFolder) Sync([]string) error { return nil }

type discardedFile struct{ io.Writer }

func (discardedFile) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (discardedFile) SetTime(time.Time) error           { return nil }
func (discardedFile) Publish(string, bool) error        { return nil }
func (discardedFile) Discard()                          {}
