// Package project finds the files around a bundle: the texts and pictures that it and its materials name. find.go
// resolves a path, index.go finds the files of the project, and files.go reads them once for several goroutines.
//
// Files of the project have paths from its root, the folder that contains "res", with slashes; a variable with such a
// path is named inRoot. Files outside of the root are never read: a path in a text that points outside, absolute or
// not, is reported and ignored. A path that begins with @ is an alias of game.config, or an ordinary path if that file
// does not define it.
//
// A path is searched as in the engine: relative to the root, then to the folder of the text that names it; then both
// without regard to case, as on some systems. Next is the resource folder, which the user chose. Any other result is a
// guess that the game would not make, and has a Substitution that reports it: relative to the folder of the project's
// file or to a folder above that, else a file of the same name anywhere in the project.
//
// If nothing marks the root (a res, a game.config or a package does), it may be any folder above the file. A path is
// then relative to any of these, the nearest first, and then to the folder of the text.
package project

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
	"assay/model/picture"
)

// The maximum number of levels from a file up to the root of its project.
const (
	rootDepth   = 12
	markedDepth = 3 // to a folder that contains a res or a game.config
)

// The folder and the file that mark the root of a project.
const resFolder, config = "res", "game.config"

// Project is the environment of a file. It is safe for use by several goroutines.
type Project struct {
	*store
	folder string // of the file, from the root
	name   string // of the file
}

// ForSource returns the project around a file, or nil if it cannot have other files. For a file in a package it is the
// other assets of the package; for a version of a file, the files of that version, and otherwise on disk.
func ForSource(src *model.Source) *Project {
	loc := location{resources: src.Resources(), note: src.NoteDependency, assignments: src.Assignments()}
	switch siblings, inRoot := src.Siblings(); {
	case siblings != nil:
		loc.root, loc.isCertain = src.Home(), true
		return newStore(loc, layer{siblings, ".", ""}).project(inRoot)
	case src.Version() != nil:
		return onDisk(src.Version().Path, loc, src.Version().Files)
	case src.Path() != "" && src.SharedValues() != nil:
		return withSharedStore(src, loc)
	case src.Path() != "":
		return onDisk(src.Path(), loc, nil)
	case loc.resources == "":
		return nil
	}
	return newStore(loc).project(src.Name())
}

// withSharedStore is onDisk with the store that the files of an operation share. They have the same assignments.
func withSharedStore(src *model.Source, loc location) *Project {
	type key struct{ root, resources string }
	p := onDisk(src.Path(), loc, nil)
	first, _ := src.SharedValues().LoadOrStore(key{p.root, p.resources}, p.store)
	p.store = first.(*store)
	return p
}

// onDisk returns the project around a file on disk. The location lacks only the folder. version returns the files below
// the root that come before the files on disk; it may be nil.
func onDisk(file string, loc location, version func(root string) fs.FS) *Project {
	loc.root, loc.isCertain = rootOf(file)
	layers := []layer{{diskFolder(loc.root), ".", loc.root}}
	if version != nil {
		layers = slices.Insert(layers, 0, layer{version(loc.root), ".", ""})
	}
	inRoot, err := filepath.Rel(loc.root, file)
	if err != nil { // never: the root is a folder above it
		inRoot = filepath.Base(file)
	}
	return newStore(loc, layers...).project(filepath.ToSlash(inRoot))
}

// New returns the project of a file system that is not on disk, around one of its files.
func New(all fs.FS, inRoot string) *Project {
	return newStore(location{isCertain: true}, layer{all, ".", ""}).project(inRoot)
}

// rootOf returns the root of the project of a file, and whether something marks it: the folder above the nearest res;
// else the nearest folder with a res or a game.config in it; else the file's own.
func rootOf(file string) (root string, marked bool) {
	folder := filepath.Dir(file)
	dir := folder
	for range rootDepth {
		if strings.EqualFold(filepath.Base(dir), resFolder) {
			return filepath.Dir(dir), true
		}
		dir = filepath.Dir(dir)
	}
	dir = folder
	for range markedDepth {
		for _, name := range []string{resFolder, config} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return dir, true
			}
		}
		dir = filepath.Dir(dir)
	}
	return folder, false
}

// ForFile returns the same project around another of its files.
func (p *Project) ForFile(inRoot string) *Project { return p.project(inRoot) }

// ForOutside returns the project around any file on disk that the user named.
func (p *Project) ForOutside(file string) *Project {
	other := p.Uncached(file)
	p.mu.Lock()
	defer p.mu.Unlock()
	if cached := p.otherRoots[other.root]; cached != nil {
		return cached.project(other.Path())
	}
	p.otherRoots[other.root] = other.store
	return other
}

// Uncached is ForOutside with an empty cache, which reads the current files on disk.
func (p *Project) Uncached(file string) *Project {
	return onDisk(filepath.Clean(file), location{note: p.note}, nil)
}

// KeepsAssignments reports whether the user's assignments to parts of the models of the project can be stored. p may be
// nil.
func (p *Project) KeepsAssignments() bool { return p != nil && p.assignments != nil && p.root != "" }

// Assignments returns the user's assignments to parts of the models of the project. The error is a sentence.
func (p *Project) Assignments() ([]model.Assignment, error) {
	if !p.KeepsAssignments() {
		return nil, nil
	}
	assignments, file, err := p.assignments.ForProject(p.root)
	if p.note != nil {
		p.note(file)
	}
	return assignments, err
}

// Path returns the path of the file, from the root.
func (p *Project) Path() string { return path.Join(p.folder, p.name) }

// Stem returns the path of the file without its extension.
func (p *Project) Stem() string { return strings.TrimSuffix(p.Path(), path.Ext(p.name)) }

// extensions are the extensions of files that texts name, besides those of images.
var extensions = strings.Fields(`.gpb .material .scene .animation .physics .terrain .particle .config .form .theme
	.raw .vert .frag .vsh .fsh .glsl .lua .wav .ogg .ttf`)

// namesFile reports whether a value with this name has the extension of a file.
func namesFile(name string) bool {
	return picture.HasExtension(name) || slices.Contains(extensions, strings.ToLower(path.Ext(name)))
}

// shaders are the extensions of shaders. Most are the engine's own, which are in no project, and the display does not
// need them.
var shaders = map[string]bool{".vert": true, ".frag": true, ".vsh": true, ".fsh": true, ".glsl": true}

// Link returns the link of a value that names a file of the project, as file, file#id or @alias, and a message if the
// file was not found or another is used. The link is nil if the value names no file. Without a project (p is nil) links
// have the name only.
func (p *Project) Link(value string) (*model.Link, string) {
	name, id := Reference(value)
	if !strings.HasPrefix(name, "@") && !namesFile(name) || strings.Contains(name, ",") {
		return nil, ""
	}
	link := &model.Link{File: name, Key: id, Optional: shaders[strings.ToLower(path.Ext(name))]}
	if p == nil {
		return link, ""
	}
	found := p.Find(name, path.Dir(p.Path()))
	if found.Path != "" {
		link.Resolve = func(folder string) (string, bool) { return p.OnDisk(found.Path, folder), true }
	} else if found.Missing != "" { // the file is missing, not the alias
		link.File = found.Missing
	}
	return link, found.Message()
}

// OnDisk returns the path on disk of a file that was found, from the folder on disk of the project's file.
func (p *Project) OnDisk(inRoot, folder string) string {
	if inside, ok := inResources(inRoot); ok && p.resources != "" {
		return filepath.Join(p.resources, filepath.FromSlash(inside))
	}
	for range strings.Count(p.Path(), "/") {
		folder = filepath.Dir(folder)
	}
	return filepath.Join(folder, filepath.FromSlash(inRoot))
}
