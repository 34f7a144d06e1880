package project

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// OwnFile returns the path of the file that has the name of the project's file with another extension: beside it,
// else the only one in the resource folder; empty if there is none.
func (p *Project) OwnFile(extension string) (full string) {
	_ = p.look(func(root fs.FS) { // a root that cannot be opened has none
		full = p.actualPath(root, p.Stem()+extension, anyCase)
		if full == "" && p.resources != "" {
			full = p.inResources(root, p.Stem()+extension)
		}
	})
	return full
}

// Siblings returns the paths of the files with an extension in the file's folder, and then of those in the resource
// folder; of both that of the file's own name first.
func (p *Project) Siblings(extension string) (all []string) {
	_ = p.look(func(root fs.FS) { // a root that cannot be opened has none
		l := p.listFolder(root, p.folder)
		for _, name := range l.names {
			if !l.exact[name] && strings.EqualFold(path.Ext(name), extension) {
				all = append(all, path.Join(p.folder, name))
			}
		}
		p.ownFirst(all, extension)
		if p.resources != "" {
			all = append(all, p.below(root, resourceFolder, extension)...)
		}
	})
	return all
}

// OnlyFile returns the path of the only file of the project and of the resource folder that has an extension; empty if
// there are several, or may be.
func (p *Project) OnlyFile(extension string) (full string) {
	_ = p.look(func(root fs.FS) { // a root that cannot be opened has none
		var all []string
		cut := false
		for _, top := range p.allRoots() {
			all = append(all, p.below(root, top, extension)...)
			cut = cut || p.treeBelow(root, top).cut
		}
		if len(all) == 1 && !cut {
			full = all[0]
		}
	})
	return full
}

// below returns the paths of the files below a folder that have an extension, in order; first those that have the name
// of the project's file.
func (p *Project) below(root fs.FS, top, extension string) []string {
	all := p.pathsOf(root, top, func(name string) bool { return path.Ext(name) == extension })
	p.ownFirst(all, extension)
	return all
}

// pathsOf returns the paths of the files below a folder whose names, in lower case, are those looked for, in order.
func (p *Project) pathsOf(root fs.FS, top string, is func(name string) bool) (all []string) {
	for name, paths := range p.treeBelow(root, top).byName {
		if is(name) {
			all = append(all, paths...)
		}
	}
	slices.Sort(all)
	return all
}

// Files returns the paths of the files of the project and of the resource folder whose names, in lower case, are those
// looked for, in order. The error is that of opening the root.
func (p *Project) Files(is func(name string) bool) (all []string, err error) {
	err = p.look(func(root fs.FS) {
		for _, top := range p.allRoots() {
			all = append(all, p.pathsOf(root, top, is)...)
		}
	})
	slices.Sort(all)
	return all, err
}

// ownFirst moves the paths of files that have the name of the project's file to the beginning.
func (p *Project) ownFirst(all []string, extension string) {
	own := path.Base(p.Stem()) + extension
	rank := func(full string) int {
		if strings.EqualFold(path.Base(full), own) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
}

// MeansFile reports whether a path in a text of a folder means the project's file. A text in the resource folder
// means it by its name.
func (p *Project) MeansFile(name, from string) bool {
	if name == "" {
		return false
	}
	found := p.Find(name, from).Path
	return found == p.Path() || inResourceFolder(from) && strings.EqualFold(path.Base(name), p.name)
}
