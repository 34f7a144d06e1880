package project

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// pathMost is the maximum length of a path in bytes.
const pathMost = 1024

// Found is the result for a path: the Path of the file, or a Problem.
type Found struct {
	Path         string // from the root
	Problem      string // a sentence
	Substitution string // a sentence if another file is used than the named one, or ""
}

// Message returns the message for the user, or "" if the file was found under its name.
func (f Found) Message() string { return cmp.Or(f.Problem, f.Substitution) }

// Find finds the file of a path in a text. from is the folder of the text; empty for the name of a file that is in no
// text, for which the nearest file is found.
func (p *Project) Find(name, from string) (f Found) {
	err := p.look(func(root fs.FS) {
		key := lookup{p.folder, from, name}
		known, ok := p.lookups[key]
		if !ok {
			known = p.find(root, name, from)
			p.lookups[key] = known
		}
		f = known
	})
	if err != nil {
		return Found{Problem: fmt.Sprintf("the folder of %s cannot be read", Printable(name))}
	}
	return f
}

// find is Find without the cache.
func (p *Project) find(root fs.FS, name, from string) Found {
	alias, ok := strings.CutPrefix(name, "@")
	if !ok {
		return p.findPath(root, name, from)
	}
	to, ok := p.alias(root, alias)
	if !ok {
		to = name
	}
	f := p.findPath(root, to, from) // as in the engine, an unknown alias is a path, and so is an alias of an alias
	switch {
	case f.Problem == "":
	case ok:
		f.Problem = Printable(name) + ": " + f.Problem
	case p.noAliases != nil:
		f.Problem = fmt.Sprintf("there is no alias %s: %v", Printable(name), p.noAliases)
	default:
		f.Problem = fmt.Sprintf("there is no %s with the alias %s", config, Printable(name))
	}
	return f
}

// findPath finds the file of a path: at the path itself; in the resource folder; and, as a substitution, relative to
// other folders, and at last by its name anywhere in the project.
func (p *Project) findPath(root fs.FS, name, from string) Found {
	switch {
	case name == "":
		return Found{Problem: "a path is empty"}
	case len(name) > pathMost || strings.ContainsRune(name, 0):
		return Found{Problem: fmt.Sprintf("%s is not a path", Printable(name))}
	}
	clean, ok := p.fromRoot(name)
	if !ok {
		clean = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	}
	absolute := path.IsAbs(clean) || len(clean) > 1 && clean[1] == ':'
	var meant, others []string
	if !absolute {
		meant, others = p.places(clean, from)
	}
	if there := p.firstOf(root, meant); there != "" {
		return Found{Path: there}
	}
	if there := p.inResources(root, clean); there != "" {
		return Found{Path: there}
	}
	switch {
	case absolute:
		return Found{Problem: fmt.Sprintf("%s is an absolute path and was ignored",
			Printable(name))}
	case len(meant)+len(others) == 0:
		return Found{Problem: fmt.Sprintf("%s points outside the project; ignored", Printable(name))}
	}
	if there := p.firstOf(root, others); there != "" {
		return substitute(name, there)
	}
	return p.sameNameElsewhere(root, name, clean)
}

// places returns the paths from the root at which the engine looks for a path in a text of the folder from, in order,
// and the paths relative to the file's folder and the folders above it. No path is outside the project.
func (p *Project) places(clean, from string) (meant, others []string) {
	above := []string{p.folder}
	for at := p.folder; at != "."; {
		at = path.Dir(at)
		above = append(above, at)
	}
	if p.marked && from != "" {
		return inside(clean, ".", from), inside(clean, above...)
	}
	return inside(clean, append(above, from)...), nil
}

// inside returns a path joined to each folder, without results outside the project.
func inside(clean string, folders ...string) (all []string) {
	for _, folder := range folders {
		if full := path.Join(folder, clean); full != ".." && !strings.HasPrefix(full, "../") {
			all = append(all, full)
		}
	}
	return all
}

// firstOf returns the path of the first existing file, as it is written on disk: with the exact case if any exists so,
// else in any case. It returns "" if no file exists.
func (p *Project) firstOf(root fs.FS, all []string) string {
	for _, match := range []match{exactCase, anyCase} {
		for _, full := range all {
			if there := p.actualPath(root, full, match); there != "" {
				return there
			}
		}
	}
	return ""
}

// substitute returns the result for a file that is used instead of the named one.
func substitute(name, there string) Found {
	return Found{Path: there, Substitution: fmt.Sprintf("%s not found; using %s, which has the same name",
		Printable(name), Printable(there))}
}

// fromRoot returns an absolute path relative to the root, if it is inside.
func (p *Project) fromRoot(name string) (string, bool) {
	if p.root == "" || !filepath.IsAbs(name) {
		return "", false
	}
	full, err := filepath.Rel(p.root, name)
	return filepath.ToSlash(full), err == nil && filepath.IsLocal(full)
}

// FromDisk returns the path of a file on disk from the root; ok is false if it is not a file of the project, or if the
// project is in a package.
func (p *Project) FromDisk(file string) (full string, ok bool) {
	full, ok = p.fromRoot(file)
	return full, ok && p.disk
}

// sameNameElsewhere searches a file of the same name, or of a picture in another format: in the file's folder, else the
// only one below the root or in the resource folder.
func (p *Project) sameNameElsewhere(root fs.FS, name, clean string) Found {
	base := path.Base(clean)
	names := []string{base}
	if extension := strings.ToLower(path.Ext(base)); extension == ".dds" || extension == ".pvr" {
		names = append(names, strings.TrimSuffix(base, path.Ext(base))+".png")
	}
	for _, base := range names {
		there, several := p.actualPath(root, path.Join(p.folder, base), anyCase), 0
		for _, top := range p.allRoots() {
			all := p.treeBelow(root, top).named(base)
			if several += len(all); there == "" && len(all) == 1 {
				there = all[0]
			}
		}
		if there == "" && several > 0 {
			return Found{Problem: fmt.Sprintf("%s not found; %d files have this name, so none was chosen",
				Printable(name),
				several)}
		}
		if there != "" {
			return substitute(name, there)
		}
	}
	problem := fmt.Sprintf("%s is not in the project", Printable(name))
	if p.resources != "" {
		problem = fmt.Sprintf("%s is neither in the project nor in the %s %s", Printable(name), resourceFolder,
			Printable(filepath.Base(p.resources)))
	}
	if slices.ContainsFunc(p.allRoots(), func(top string) bool { return p.treeBelow(root, top).cut }) {
		problem += fmt.Sprintf("; only the first %d files were searched", treeMost)
	}
	return Found{Problem: problem}
}

// OwnFile returns the path of the file that has the name of the project's file with another extension: beside it, else
// the only one in the resource folder. It returns "" if there is no such file, and an error if the root cannot be opened.
func (p *Project) OwnFile(extension string) (full string, err error) {
	err = p.look(func(root fs.FS) {
		full = p.actualPath(root, p.Stem()+extension, anyCase)
		if full == "" && p.resources != "" {
			full = p.inResources(root, p.Stem()+extension)
		}
	})
	return full, err
}

// Siblings returns the paths of the files with an extension in the file's folder, and then of those in the resource
// folder; each list begins with that of the file's own name.
func (p *Project) Siblings(extension string) (all []string, err error) {
	err = p.look(func(root fs.FS) {
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
	return all, err
}

// OnlyFile returns the path of the only file of the project and of the resource folder with an extension, or "" if
// there are, or may be, several.
func (p *Project) OnlyFile(extension string) (full string, err error) {
	err = p.look(func(root fs.FS) {
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
	return full, err
}

// below returns the paths of the files below a folder with an extension, in order; first those with the name of the
// project's file.
func (p *Project) below(root fs.FS, top, extension string) []string {
	all := p.pathsOf(root, top, func(name string) bool { return path.Ext(name) == extension })
	p.ownFirst(all, extension)
	return all
}

// pathsOf returns the paths of the files below a folder with names, in lower case, that is accepts, in order.
func (p *Project) pathsOf(root fs.FS, top string, is func(name string) bool) (all []string) {
	for name, paths := range p.treeBelow(root, top).byName {
		if is(name) {
			all = append(all, paths...)
		}
	}
	slices.Sort(all)
	return all
}

// Files returns the paths of the files of the project and of the resource folder with names, in lower case, that is
// accepts, in order. The error is that of opening the root.
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

// MeansFile reports whether a path in a text of a folder refers to the project's file. A text in the resource folder
// refers to it by its name.
func (p *Project) MeansFile(name, from string) bool {
	if name == "" {
		return false
	}
	found := p.Find(name, from).Path
	return found == p.Path() || inResourceFolder(from) && strings.EqualFold(path.Base(name), p.name)
}
