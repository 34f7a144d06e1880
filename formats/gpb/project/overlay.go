package project

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// chosenFolder is where the resource folder lies in a project.
const chosenFolder = "resource folder"

// isChosen reports whether a path is one in the resource folder.
func isChosen(full string) bool {
	return full == chosenFolder || strings.HasPrefix(full, chosenFolder+"/")
}

// overlay is the files of a project and, in chosenFolder, those of the resource folder.
type overlay struct{ project, chosen fs.FS }

var _ fs.StatFS = overlay{}

// at returns which of both has a file, and its name there.
func (o overlay) at(name string) (fs.FS, string) {
	switch {
	case !isChosen(name):
		return o.project, name
	case name == chosenFolder:
		return o.chosen, "."
	}
	return o.chosen, strings.TrimPrefix(name, chosenFolder+"/")
}

// Open implements fs.FS.
func (o overlay) Open(name string) (fs.File, error) {
	in, name := o.at(name)
	return in.Open(name)
}

// Stat implements fs.StatFS: to open a pipe would wait.
func (o overlay) Stat(name string) (fs.FileInfo, error) {
	in, name := o.at(name)
	return fs.Stat(in, name)
}

// noting is the files of a project that notes which of them are looked at.
type noting struct {
	fs.FS
	p *Project
}

var _ fs.StatFS = noting{}

// Open implements fs.FS.
func (n noting) Open(name string) (fs.File, error) {
	n.looked(name)
	return n.FS.Open(name)
}

// Stat implements fs.StatFS.
func (n noting) Stat(name string) (fs.FileInfo, error) {
	n.looked(name)
	return fs.Stat(n.FS, name)
}

// looked notes a file, unless it is in a package, which is a file itself.
func (n noting) looked(name string) {
	root := n.p.root
	switch {
	case n.p.chosen != "" && isChosen(name):
		root, name = n.p.chosen, strings.TrimPrefix(name, chosenFolder)
	case !n.p.disk:
		return
	}
	n.p.note(filepath.Join(root, filepath.FromSlash(name)))
}

// delayed is files whose root is opened when one of them is looked at.
type delayed struct {
	open func() (fs.FS, func(), error)
	root fs.FS
	done func()
	err  error // of open
}

var _ fs.StatFS = &delayed{}

// files returns the files; the error is that of opening their root.
func (d *delayed) files() (fs.FS, error) {
	if d.root == nil && d.err == nil {
		d.root, d.done, d.err = d.open()
	}
	return d.root, d.err
}

// Open implements fs.FS.
func (d *delayed) Open(name string) (fs.File, error) {
	root, err := d.files()
	if err != nil {
		return nil, err
	}
	return root.Open(name)
}

// Stat implements fs.StatFS.
func (d *delayed) Stat(name string) (fs.FileInfo, error) {
	root, err := d.files()
	if err != nil {
		return nil, err
	}
	return fs.Stat(root, name)
}

// close closes the root if it was opened.
func (d *delayed) close() {
	if d.done != nil {
		d.done()
	}
}

// nothing has no files.
type nothing struct{}

// Open implements fs.FS.
func (nothing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// amongChosen returns the path of a file in the resource folder that a path means: as much of the path's end as leads
// to one there, else the only file of its name. Where the path begins does not matter: a person named the folder.
func (p *Project) amongChosen(root fs.FS, clean string) string {
	if p.chosen == "" {
		return ""
	}
	parts := slices.DeleteFunc(strings.Split(clean, "/"), func(part string) bool {
		return part == "" || part == ".." || strings.HasSuffix(part, ":")
	})
	for i := range parts {
		if there := p.exists(root, path.Join(chosenFolder, path.Join(parts[i:]...))); there != "" {
			return there
		}
	}
	return p.only(root, chosenFolder, path.Base(clean))
}

// OnDisk returns the path on disk of a file that was found; from is where the project's file lies on disk.
func (p *Project) OnDisk(full, from string) string {
	if rest, ok := strings.CutPrefix(full, chosenFolder+"/"); ok && p.chosen != "" {
		return filepath.Join(p.chosen, filepath.FromSlash(rest))
	}
	for range strings.Count(p.Path(), "/") {
		from = filepath.Dir(from)
	}
	return filepath.Join(from, filepath.FromSlash(full))
}
