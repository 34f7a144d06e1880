package project

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// resourceFolder is where the resource folder lies in a project.
const resourceFolder = "resource folder"

// inResourceFolder reports whether a path is one in the resource folder.
func inResourceFolder(full string) bool {
	return full == resourceFolder || strings.HasPrefix(full, resourceFolder+"/")
}

// overlayFS is the files of a project and, in resourceFolder, those of the resource folder.
type overlayFS struct{ project, resources fs.FS }

var _ fs.StatFS = overlayFS{}

// at returns which of the two has a file, and the name of the file there.
func (o overlayFS) at(name string) (fs.FS, string) {
	switch {
	case !inResourceFolder(name):
		return o.project, name
	case name == resourceFolder:
		return o.resources, "."
	}
	return o.resources, strings.TrimPrefix(name, resourceFolder+"/")
}

// Open implements fs.FS.
func (o overlayFS) Open(name string) (fs.File, error) {
	in, name := o.at(name)
	return in.Open(name)
}

// Stat implements fs.StatFS: to open a pipe would wait.
func (o overlayFS) Stat(name string) (fs.FileInfo, error) {
	in, name := o.at(name)
	return fs.Stat(in, name)
}

// notingFS is the files of a project that notes which of them are looked at.
type notingFS struct {
	fs.FS
	p *Project
}

var _ fs.StatFS = notingFS{}

// Open implements fs.FS.
func (n notingFS) Open(name string) (fs.File, error) {
	n.noteFile(name)
	return n.FS.Open(name)
}

// Stat implements fs.StatFS.
func (n notingFS) Stat(name string) (fs.FileInfo, error) {
	n.noteFile(name)
	return fs.Stat(n.FS, name)
}

// noteFile notes a file, unless it is in a package, which is a file itself.
func (n notingFS) noteFile(name string) {
	root := n.p.root
	switch {
	case n.p.resources != "" && inResourceFolder(name):
		root, name = n.p.resources, strings.TrimPrefix(name, resourceFolder)
	case !n.p.disk:
		return
	}
	n.p.note(filepath.Join(root, filepath.FromSlash(name)))
}

// lazyFS is files whose root is opened when one of them is looked at.
type lazyFS struct {
	open func() (fs.FS, func(), error)
	root fs.FS
	done func()
	err  error // of open
}

var _ fs.StatFS = &lazyFS{}

// files returns the files; the error is that of opening their root.
func (d *lazyFS) files() (fs.FS, error) {
	if d.root == nil && d.err == nil {
		d.root, d.done, d.err = d.open()
	}
	return d.root, d.err
}

// Open implements fs.FS.
func (d *lazyFS) Open(name string) (fs.File, error) {
	root, err := d.files()
	if err != nil {
		return nil, err
	}
	return root.Open(name)
}

// Stat implements fs.StatFS.
func (d *lazyFS) Stat(name string) (fs.FileInfo, error) {
	root, err := d.files()
	if err != nil {
		return nil, err
	}
	return fs.Stat(root, name)
}

// close closes the root if it was opened.
func (d *lazyFS) close() {
	if d.done != nil {
		d.done()
	}
}

// emptyFS has no files.
type emptyFS struct{}

// Open implements fs.FS.
func (emptyFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// inResources returns the path of a file in the resource folder that a path means: as much of the path's end as leads
// to one there, else the only file of its name. Where the path begins does not matter: a person named the folder.
func (p *Project) inResources(root fs.FS, clean string) string {
	if p.resources == "" {
		return ""
	}
	parts := slices.DeleteFunc(strings.Split(clean, "/"), func(part string) bool {
		return part == "" || part == ".." || strings.HasSuffix(part, ":")
	})
	for i := range parts {
		if there := p.actualPath(root, path.Join(resourceFolder, path.Join(parts[i:]...))); there != "" {
			return there
		}
	}
	return p.onlyNamed(root, resourceFolder, path.Base(clean))
}

// OnDisk returns the path on disk of a file that was found; from is where the project's file lies on disk.
func (p *Project) OnDisk(full, from string) string {
	if rest, ok := strings.CutPrefix(full, resourceFolder+"/"); ok && p.resources != "" {
		return filepath.Join(p.resources, filepath.FromSlash(rest))
	}
	for range strings.Count(p.Path(), "/") {
		from = filepath.Dir(from)
	}
	return filepath.Join(from, filepath.FromSlash(full))
}
