package project

import (
	"io/fs"
	"strings"
)

// Overlay is a file system with another one in a folder of it, which it does not have itself.
type Overlay struct {
	Below  fs.FS
	Folder string // of Above
	Above  fs.FS
}

var _ fs.StatFS = Overlay{}

// Under returns the path of a file from a folder that it is in, "." for the folder itself; false if it is elsewhere.
func Under(folder, name string) (string, bool) {
	if name == folder {
		return ".", true
	}
	return strings.CutPrefix(name, folder+"/")
}

// at returns which of the two has a file, and the name of the file there.
func (o Overlay) at(name string) (fs.FS, string) {
	if inside, ok := Under(o.Folder, name); ok {
		return o.Above, inside
	}
	return o.Below, name
}

// Open implements fs.FS.
func (o Overlay) Open(name string) (fs.File, error) {
	in, name := o.at(name)
	return in.Open(name)
}

// Stat implements fs.StatFS: to open a pipe would wait.
func (o Overlay) Stat(name string) (fs.FileInfo, error) {
	in, name := o.at(name)
	return fs.Stat(in, name)
}

// Observed is a file system of which Note is called with the name of each file that is looked at.
type Observed struct {
	fs.FS
	Note func(name string)
}

var _ fs.StatFS = Observed{}

// Open implements fs.FS.
func (o Observed) Open(name string) (fs.File, error) {
	o.Note(name)
	return o.FS.Open(name)
}

// Stat implements fs.StatFS.
func (o Observed) Stat(name string) (fs.FileInfo, error) {
	o.Note(name)
	return fs.Stat(o.FS, name)
}

// Lazy is a file system that is opened when one of its files is looked at.
type Lazy struct {
	open func() (fs.FS, func(), error)
	root fs.FS
	done func()
	err  error // of open
}

var _ fs.StatFS = &Lazy{}

// NewLazy returns the file system that open opens. Close calls done.
func NewLazy(open func() (root fs.FS, done func(), err error)) *Lazy { return &Lazy{open: open} }

func (l *Lazy) files() (fs.FS, error) {
	if l.root == nil && l.err == nil {
		l.root, l.done, l.err = l.open()
	}
	return l.root, l.err
}

// Open implements fs.FS.
func (l *Lazy) Open(name string) (fs.File, error) {
	root, err := l.files()
	if err != nil {
		return nil, err
	}
	return root.Open(name)
}

// Stat implements fs.StatFS.
func (l *Lazy) Stat(name string) (fs.FileInfo, error) {
	root, err := l.files()
	if err != nil {
		return nil, err
	}
	return fs.Stat(root, name)
}

// Err returns the error of opening the file system; nil if it was not opened.
func (l *Lazy) Err() error { return l.err }

// Close closes the file system if it was opened.
func (l *Lazy) Close() {
	if l.done != nil {
		l.done()
	}
}

// Empty is a file system without files.
type Empty struct{}

// Open implements fs.FS.
func (Empty) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
