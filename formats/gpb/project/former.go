package project

import (
	"io"
	"io/fs"
	"slices"
)

// Former is the files of a version of a project, and otherwise those that exist now.
type Former struct{ Then, Now fs.FS }

var _ fs.StatFS = Former{}

// Stat implements fs.StatFS.
func (f Former) Stat(name string) (fs.FileInfo, error) {
	if info, err := fs.Stat(f.Then, name); err == nil {
		return info, nil
	}
	return fs.Stat(f.Now, name)
}

// Open implements fs.FS.
func (f Former) Open(name string) (fs.File, error) {
	then, err := f.Then.Open(name)
	if err != nil {
		return f.Now.Open(name)
	}
	info, err := then.Stat()
	if err != nil || !info.IsDir() {
		return then, err
	}
	then.Close()
	return &formerFolder{Former: f, name: name, info: info}, nil
}

// formerFolder is a folder of both.
type formerFolder struct {
	Former
	name string
	info fs.FileInfo
	left []fs.DirEntry
	read bool
}

var _ fs.ReadDirFile = (*formerFolder)(nil)

func (d *formerFolder) Stat() (fs.FileInfo, error) { return d.info, nil }

func (d *formerFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

func (d *formerFolder) Close() error { return nil }

// ReadDir implements fs.ReadDirFile.
func (d *formerFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if !d.read {
		d.read = true
		d.left, _ = fs.ReadDir(d.Then, d.name)
		now, _ := fs.ReadDir(d.Now, d.name) // the folder may be missing now
		for _, e := range now {
			if !slices.ContainsFunc(d.left, func(o fs.DirEntry) bool { return o.Name() == e.Name() }) {
				d.left = append(d.left, e)
			}
		}
	}
	if n <= 0 {
		n = len(d.left)
	} else if len(d.left) == 0 {
		return nil, io.EOF
	}
	out := d.left[:min(n, len(d.left))]
	d.left = d.left[len(out):]
	return out, nil
}
