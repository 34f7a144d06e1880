package export

import (
	"io"
	"io/fs"
	"time"
)

// Folder is what an export needs of the place that it writes to. Names are relative, with forward slashes. It is safe
// for concurrent use.
type Folder interface {
	// Stat looks at the name itself, not at where a link leads.
	Stat(name string) (fs.FileInfo, error)
	Open(name string) (io.ReadCloser, error)
	MkdirAll(name string) error
	// Create begins a file in a folder. It is not visible before it is published.
	Create(folder string) (File, error)
	// Sync returns when the files of those names are on the disk.
	Sync(names []string) error
}

// File is a file that is being written. It ends with Publish or Discard.
type File interface {
	io.Writer
	io.ReaderAt // what was written
	SetTime(modified time.Time) error
	// Publish returns the complete file its name, in the folder that it was made for. Without replace it fails with
	// fs.ErrExist where something has the name; then it may be called again with another one.
	Publish(name string, replace bool) error
	// Discard removes the file. After Publish it does nothing.
	Discard()
}

// Nowhere is a Folder that keeps nothing: an export into it reads and verifies. With Like it says that the names are
// taken that are taken there.
type Nowhere struct{ Like Folder }

// Stat implements Folder.
func (n Nowhere) Stat(name string) (fs.FileInfo, error) {
	if n.Like == nil {
		return nil, fs.ErrNotExist
	}
	return n.Like.Stat(name)
}

// Names lists the names in a folder of Like.
func (n Nowhere) Names(folder string) ([]string, error) {
	if n.Like == nil {
		return nil, fs.ErrNotExist
	}
	if l, ok := n.Like.(namer); ok {
		return l.Names(folder)
	}
	return nil, fs.ErrInvalid
}

// Open implements Folder.
func (n Nowhere) Open(name string) (io.ReadCloser, error) {
	if n.Like == nil {
		return nil, fs.ErrNotExist
	}
	return n.Like.Open(name)
}

// MkdirAll implements Folder.
func (Nowhere) MkdirAll(string) error { return nil }

// Create implements Folder.
func (Nowhere) Create(string) (File, error) { return noFile{io.Discard}, nil }

// Sync implements Folder.
func (Nowhere) Sync([]string) error { return nil }

type noFile struct{ io.Writer }

func (noFile) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (noFile) SetTime(time.Time) error           { return nil }
func (noFile) Publish(string, bool) error        { return nil }
func (noFile) Discard()                          {}
