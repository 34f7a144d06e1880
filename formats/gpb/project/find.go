package project

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// pathMost is the most bytes of a path.
const pathMost = 1024

// Found is the file that a path means: its Path, or the Problem that there is none.
type Found struct {
	Path         string // from the root
	Problem      string // a sentence
	Substitution string // a sentence that another file is taken than the path names; empty if it is that one
}

// Message returns what a person should be told; empty if the file is there under its name.
func (f Found) Message() string { return cmp.Or(f.Problem, f.Substitution) }

// Find finds the file that a path in a text means. from is the folder of the text.
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

// find is Find for a path, or an alias of game.config, that was not looked up before.
func (p *Project) find(root fs.FS, name, from string) Found {
	alias, ok := strings.CutPrefix(name, "@")
	if !ok {
		return p.findPath(root, name, from)
	}
	to, ok := p.alias(root, alias)
	switch {
	case !ok && p.noAliases != nil:
		return Found{Problem: fmt.Sprintf("there is no alias %s: %v", Printable(name), p.noAliases)}
	case !ok:
		return Found{Problem: fmt.Sprintf("there is no alias %s in %s", Printable(name), config)}
	}
	f := p.findPath(root, to, from) // as in the engine, an alias of an alias is a path
	if f.Problem != "" {
		f.Problem = Printable(name) + ": " + f.Problem
	}
	return f
}

// findPath finds the file that a path means: where it leads to from folders of the project; in the resource folder; and
// at last under its name elsewhere.
func (p *Project) findPath(root fs.FS, name, from string) Found {
	if len(name) > pathMost || strings.ContainsRune(name, 0) {
		return Found{Problem: fmt.Sprintf("%s is not a path", Printable(name))}
	}
	clean, ok := p.fromRoot(name)
	if !ok {
		clean = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	}
	absolute := path.IsAbs(clean) || len(clean) > 1 && clean[1] == ':'
	var places []string
	if !absolute {
		places = p.places(clean, from)
	}
	for _, match := range []match{exactCase, anyCase} {
		for _, full := range places {
			if there := p.actualPath(root, full, match); there != "" {
				return Found{Path: there}
			}
		}
	}
	if there := p.inResources(root, clean); there != "" {
		return Found{Path: there}
	}
	switch {
	case absolute:
		return Found{Problem: fmt.Sprintf("%s is an absolute path, which may lead out of the project and is not followed",
			Printable(name))}
	case len(places) == 0:
		return Found{Problem: fmt.Sprintf("%s leads out of the project and is not followed", Printable(name))}
	}
	return p.sameNameElsewhere(root, name, clean)
}

// places returns the paths from the root that a path may mean, in order: from the file's folder, from each above it,
// and from the folder of the text that has it; none of them leads out of the project.
func (p *Project) places(clean, from string) (all []string) {
	folders := []string{p.folder}
	for at := p.folder; at != "."; {
		at = path.Dir(at)
		folders = append(folders, at)
	}
	for _, folder := range append(folders, from) {
		if full := path.Join(folder, clean); full != ".." && !strings.HasPrefix(full, "../") {
			all = append(all, full)
		}
	}
	return all
}

// fromRoot returns an absolute path as a path from the root, if it leads there.
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

// sameNameElsewhere looks for a file of the same name, or of a picture in another form: in the file's folder, else
// the only one below the root or in the resource folder.
func (p *Project) sameNameElsewhere(root fs.FS, name, clean string) Found {
	base := path.Base(clean)
	names := []string{base}
	if extension := strings.ToLower(path.Ext(base)); extension == ".dds" || extension == ".pvr" {
		names = append(names, strings.TrimSuffix(base, path.Ext(base))+".png")
	}
	for _, base := range names {
		there, several := p.actualPath(root, path.Join(p.folder, base), anyCase), 0
		for _, top := range p.allRoots() {
			all := p.filesNamed(root, top, base)
			if several += len(all); there == "" && len(all) == 1 {
				there = all[0]
			}
		}
		if there == "" && several > 0 {
			return Found{Problem: fmt.Sprintf("%s is not there, and there are %d files of its name", Printable(name),
				several)}
		}
		if there != "" {
			return Found{Path: there,
				Substitution: fmt.Sprintf("%s is not there; %s, of the same name, is shown in its place",
					Printable(name), Printable(there))}
		}
	}
	if p.resources != "" {
		return Found{Problem: fmt.Sprintf("%s is neither in the project nor in the %s %s", Printable(name), resourceFolder,
			Printable(filepath.Base(p.resources)))}
	}
	return Found{Problem: fmt.Sprintf("%s is not in the project", Printable(name))}
}
