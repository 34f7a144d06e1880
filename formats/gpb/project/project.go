// Package project finds what is around a bundle: the text files and pictures that it and its materials name.
//
//	project.go          the root of a project
//	find.go             the file that a path means
//	resourcefolder.go   the files of the folder that a person named
//	byhand.go           what a person assigned to parts of models, and what can be
//	siblings.go           files that belong to a bundle by their place or name
//	text.go             the texts of a project, among them game.config with its aliases
//	texture.go          pictures
//	link.go             where a value of a text leads
//	resources.go        what one scene reads, and what it lacks
//
// Package files has the file systems that all of them are read through.
//
// Paths are written from the root of the project, the folder that has "res". What is outside of it is never read: a
// path that leads out, absolute or not, is told and not followed. Where a path is looked for, in this order: as it is,
// in the file's folder and each above it up to the root; beside the text that names it; as an alias of game.config;
// without regard to case; in the resource folder that a person named; and, said aloud, a file of the same name
// elsewhere in the project.
package project

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"assay/formats/gpb/project/files"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// The bounds of a project.
const (
	rootDepth   = 12     // folders above a file that may be the root
	markedDepth = 3      // of them, those that may be it because a res or a game.config is in them
	folderMost  = 20_000 // entries of a folder
	treeMost    = 20_000 // entries of the project that are looked through for a name
	treeDepth   = 12     // how deep
	textMost    = 4096   // texts that are read, which have properties.MaxSize bytes together
	fileMost    = 64 << 20
	pathMost    = 1024 // bytes of a path
)

// The folder and the file that mark the root of a project.
const resFolder, config = "res", "game.config"

// Project is what is around a file. It is safe for use by several goroutines.
type Project struct {
	open      func() (fs.FS, func(), error)
	root      string            // where it is on disk: a folder, or the package that the file is in
	disk      bool              // it is a folder
	folder    string            // of the file, from the root
	name      string            // of the file
	resources string            // the resource folder that a person named; empty if no one did
	note      func(path string) // of what is looked at on disk; nil if no one wants to know
	assigned  model.Assignments // of this user; nil if there are none

	mu      sync.Mutex
	folders map[string]*listing
	lookups map[string]Found
	texts   map[string]*properties.Namespace
	size    int64 // of the texts
	aliases map[string]string
	byName  map[string]map[string][]string // every file below the root, and below resourceFolder, by its lower name
	images  map[string]*scene.Texture
}

// Around returns the project around a file; nil if the file has nothing around it. For one inside of a package it is
// the other assets of the package.
func Around(src *model.Source) *Project {
	p := around(src)
	if folder := src.Resources(); folder != "" {
		if p == nil {
			p = New(func() (fs.FS, func(), error) { return files.Empty{}, func() {}, nil }, ".", src.Name())
		}
		p.resources = folder
	}
	if p != nil {
		p.note, p.assigned = src.NoteDependency, src.Assignments()
	}
	return p
}

// around is Around without a resource folder.
func around(src *model.Source) *Project {
	if siblings, place := src.Siblings(); siblings != nil {
		p := New(func() (fs.FS, func(), error) { return siblings, func() {}, nil }, path.Dir(place), path.Base(place))
		p.root = src.Home()
		return p
	}
	if src.Path() == "" {
		return nil
	}
	return aroundPath(src.Path())
}

// aroundPath returns the project around a file on disk; nil if it is not below a folder.
func aroundPath(file string) *Project {
	root := rootOf(file)
	folder, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		return nil
	}
	p := New(func() (fs.FS, func(), error) { return openFolder(root) }, filepath.ToSlash(folder), filepath.Base(file))
	p.root, p.disk = root, true
	return p
}

// New returns the project whose root open opens, around a file of that name in a folder of it.
func New(open func() (root fs.FS, done func(), err error), folder, name string) *Project {
	return &Project{open: open, folder: path.Clean(folder), name: name, folders: make(map[string]*listing),
		lookups: make(map[string]Found), byName: make(map[string]map[string][]string),
		texts: make(map[string]*properties.Namespace), images: make(map[string]*scene.Texture)}
}

// rootOf returns the root of the project that a file is in: the folder above the nearest res; else the nearest folder
// with a res or a game.config in it; else the file's own.
func rootOf(file string) string {
	own := filepath.Dir(file)
	at := own
	for range rootDepth {
		if strings.EqualFold(filepath.Base(at), resFolder) {
			return filepath.Dir(at)
		}
		at = filepath.Dir(at)
	}
	at = own
	for range markedDepth {
		for _, name := range []string{resFolder, config} {
			if _, err := os.Stat(filepath.Join(at, name)); err == nil {
				return at
			}
		}
		at = filepath.Dir(at)
	}
	return own
}

// For returns the same project around another of its files.
func (p *Project) For(full string) *Project {
	other := New(p.open, path.Dir(full), path.Base(full))
	other.root, other.disk, other.resources, other.note = p.root, p.disk, p.resources, p.note
	other.assigned = p.assigned
	return other
}

// Root returns where the project is on disk: its folder, or the package that it is in.
func (p *Project) Root() string { return p.root }

// Path returns where the file is, from the root.
func (p *Project) Path() string { return path.Join(p.folder, p.name) }

// Stem returns the path of the file without its extension.
func (p *Project) Stem() string { return strings.TrimSuffix(p.Path(), path.Ext(p.name)) }

// withRoot runs what reads the project. Its root is opened when a file is looked at: most paths lead into folders
// that were listed before.
func (p *Project) withRoot(read func(root fs.FS) error) error {
	own := files.NewLazy(p.open)
	defer own.Close()
	var root fs.FS = own
	if p.resources != "" {
		named := files.NewLazy(func() (fs.FS, func(), error) { return openFolder(p.resources) })
		defer named.Close()
		root = files.Overlay{Below: own, Folder: resourceFolder, Above: named}
	}
	if p.note != nil {
		root = files.Observed{FS: root, Note: p.noteFile}
	}
	if err := read(root); err != nil {
		return err
	}
	return own.Err()
}

// openFolder opens a folder on disk; no path or link leads out of it.
func openFolder(name string) (fs.FS, func(), error) {
	r, err := os.OpenRoot(name)
	if err != nil {
		return nil, nil, err
	}
	return r.FS(), func() { r.Close() }, nil
}
