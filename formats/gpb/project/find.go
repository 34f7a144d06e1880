package project

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
)

// maxPath is the maximum length of a path in bytes.
const maxPath = 1024

// Found is what Find found for a path: the Path of the file, or a Problem.
type Found struct {
	Path         string // from the root
	Problem      string // a sentence
	Substitution string // a sentence if another file is used than the named one, or ""
	Missing      string // the path that was not found, if an alias names it
}

// Message returns the message for the user, or "" if the file was found under its name.
func (f Found) Message() string { return cmp.Or(f.Problem, f.Substitution) }

// Find finds the file of a path in a text in textFolder. If that is empty, name is the name of a file outside of
// texts, and the nearest file is found.
func (p *Project) Find(name, textFolder string) Found {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := foundKey{p.folder, textFolder, name}
	if f, ok := p.found[key]; ok {
		return f
	}
	f, err := p.find(name, textFolder)
	if err != nil { // which may be temporary
		return Found{Problem: fmt.Sprintf("the folder of %s cannot be read", Printable(name))}
	}
	p.found[key] = f
	return f
}

// find is Find without the cache. The error is of a folder.
func (p *Project) find(name, textFolder string) (Found, error) {
	alias, ok := strings.CutPrefix(name, "@")
	if !ok {
		return p.findPath(name, textFolder)
	}
	aliases, err := p.aliases()
	if err != nil {
		return Found{}, err
	}
	to, ok := aliases.paths[alias]
	if !ok {
		to = name
	}
	f, err := p.findPath(to, textFolder) // as in the engine, an unknown alias is a path, and so is an alias of an alias
	if ok && f.Path == "" {
		f.Missing = to
	}
	switch {
	case f.Problem == "":
	case ok:
		f.Problem = Printable(name) + ": " + f.Problem
	case aliases.err != nil:
		f.Problem = fmt.Sprintf("there is no alias %s: %v", Printable(name), aliases.err)
	default:
		f.Problem = fmt.Sprintf("there is no %s with the alias %s", config, Printable(name))
	}
	return f, err
}

// findPath finds the file of a path: at the path itself; in the resource folder; and, as a substitution, relative to
// other folders, and at last by its name anywhere in the project.
func (p *Project) findPath(name, textFolder string) (Found, error) {
	switch {
	case name == "":
		return Found{Problem: "a path is empty"}, nil
	case len(name) > maxPath || strings.ContainsRune(name, 0):
		return Found{Problem: fmt.Sprintf("%s is not a path", Printable(name))}, nil
	}
	clean, ok := p.relativeToRoot(name)
	if !ok {
		clean = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	}
	absolute := path.IsAbs(clean) || len(clean) > 1 && clean[1] == ':'
	var exact, others []string
	if !absolute {
		exact, others = p.candidates(clean, textFolder)
	}
	file, err := p.firstOf(exact)
	if file == "" && err == nil {
		file, err = p.findInResources(clean)
	}
	switch {
	case file != "" || err != nil:
		return Found{Path: file}, err
	case absolute:
		return Found{Problem: fmt.Sprintf("%s is an absolute path and was ignored", Printable(name))}, nil
	case len(exact)+len(others) == 0:
		return Found{Problem: fmt.Sprintf("%s points outside the project; ignored", Printable(name))}, nil
	}
	if file, err = p.firstOf(others); file != "" || err != nil {
		return substitute(name, file), err
	}
	return p.sameNameElsewhere(name, clean)
}

// candidates returns the paths from the root at which the engine looks for a path in a text in textFolder, in
// order, and the paths relative to the file's folder and the folders above it. No path is outside the project.
func (p *Project) candidates(clean, textFolder string) (exact, others []string) {
	above := []string{p.folder}
	for folder := p.folder; folder != "."; {
		folder = path.Dir(folder)
		above = append(above, folder)
	}
	if p.isCertain && textFolder != "" {
		return joinInside(clean, ".", textFolder), joinInside(clean, above...)
	}
	return joinInside(clean, append(above, textFolder)...), nil
}

// joinInside returns a path joined to each folder, without results outside the project.
func joinInside(clean string, folders ...string) (paths []string) {
	for _, folder := range folders {
		if inRoot := path.Join(folder, clean); inRoot != ".." && !strings.HasPrefix(inRoot, "../") {
			paths = append(paths, inRoot)
		}
	}
	return paths
}

// firstOf returns the path of the first existing file, as it is written on disk: with the exact case if any exists so,
// else in any case. It returns "" if no file exists.
func (p *Project) firstOf(paths []string) (string, error) {
	for _, rule := range []caseRule{exactCase, anyCase} {
		for _, inRoot := range paths {
			if file, err := p.index.pathOnDisk(inRoot, rule); file != "" || err != nil {
				return file, err
			}
		}
	}
	return "", nil
}

// findInResources returns the path of a file in the resource folder for a path: the longest end of the path that exists
// there, in any case, else the only file of its name. The start of the path is ignored, because the user chose the
// folder.
func (p *Project) findInResources(clean string) (string, error) {
	if p.resources == "" {
		return "", nil
	}
	parts := slices.DeleteFunc(strings.Split(clean, "/"), func(part string) bool {
		return part == "" || part == ".." || strings.HasSuffix(part, ":")
	})
	for i := range parts {
		file, err := p.index.pathOnDisk(path.Join(resourceFolder, path.Join(parts[i:]...)), anyCase)
		if file != "" || err != nil {
			return file, err
		}
	}
	files, err := p.index.filesBelow(resourceFolder)
	if err != nil {
		return "", err
	}
	if paths := files.pathsOf(path.Base(clean)); len(paths) == 1 && !files.truncated {
		return paths[0], nil
	}
	return "", nil
}

// substitute returns the result for a file that is used instead of the named one.
func substitute(name, file string) Found {
	return Found{Path: file, Substitution: fmt.Sprintf("%s%s by its name (%s was not found)", model.Guessed,
		Printable(file), Printable(name))}
}

// relativeToRoot returns an absolute path relative to the root, if it is inside.
func (p *Project) relativeToRoot(name string) (string, bool) {
	if p.root == "" || !filepath.IsAbs(name) {
		return "", false
	}
	inRoot, err := filepath.Rel(p.root, name)
	return filepath.ToSlash(inRoot), err == nil && filepath.IsLocal(inRoot)
}

// FromDisk returns the path of a file on disk from the root; ok is false if it is not a file of the project, or if the
// project is in a package.
func (p *Project) FromDisk(file string) (inRoot string, ok bool) {
	inRoot, ok = p.relativeToRoot(file)
	return inRoot, ok && slices.ContainsFunc(p.index.layers, func(l layer) bool { return l.disk == p.root })
}

// sameNameElsewhere searches a file of the same name, or of a picture in another format: in the file's folder, else the
// only one below the root or in the resource folder.
func (p *Project) sameNameElsewhere(name, clean string) (Found, error) {
	base := path.Base(clean)
	names := []string{base}
	if isCompressed(base) {
		names = append(names, strings.TrimSuffix(base, path.Ext(base))+".png")
	}
	searched, err := p.allFiles()
	if err != nil {
		return Found{}, err
	}
	for _, base := range names {
		file, err := p.index.pathOnDisk(path.Join(p.folder, base), anyCase)
		if err != nil {
			return Found{}, err
		}
		count := 0
		for _, files := range searched {
			paths := files.pathsOf(base)
			if count += len(paths); file == "" && len(paths) == 1 {
				file = paths[0]
			}
		}
		switch {
		case file != "":
			return substitute(name, file), nil
		case count > 0:
			return Found{Problem: fmt.Sprintf("%s not found; %d files have this name, so none was chosen",
				Printable(name), count)}, nil
		}
	}
	return Found{Problem: p.notFound(name, searched)}, nil
}

// notFound returns the message about a file that is in none of the searched folders.
func (p *Project) notFound(name string, searched []*nameMap) string {
	problem := fmt.Sprintf("%s is not in the project", Printable(name))
	if p.resources != "" {
		problem = fmt.Sprintf("%s is neither in the project nor in the %s %s", Printable(name), resourceFolder,
			Printable(filepath.Base(p.resources)))
	}
	if slices.ContainsFunc(searched, func(files *nameMap) bool { return files.truncated }) {
		problem += fmt.Sprintf("; only the first %d files were searched", maxSearch)
	}
	for _, files := range searched {
		if files.err != nil {
			problem += fmt.Sprintf("; not all folders can be read (%v)", files.err)
		}
	}
	return problem
}

// allFiles returns the files of the project, and then of the resource folder if there is one. They have the errors of
// unreadable folders in them.
func (p *Project) allFiles() (folders []*nameMap, err error) {
	for _, top := range p.index.tops() {
		files, err := p.index.filesBelow(top)
		if err != nil {
			return nil, err
		}
		folders = append(folders, files)
	}
	return folders, nil
}

// OwnFile returns the path of the file that has the name of the project's file with another extension: beside it, else
// the only one in the resource folder. It returns "" if there is no such file.
func (p *Project) OwnFile(extension string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	inRoot, err := p.index.pathOnDisk(p.Stem()+extension, anyCase)
	if inRoot != "" || err != nil {
		return inRoot, err
	}
	return p.findInResources(p.Stem() + extension)
}

// Siblings returns the paths of the files with an extension in the file's folder, and then in the resource folder; a
// file with the file's own name is first in each.
func (p *Project) Siblings(extension string) (paths []string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	entries, err := p.index.list(p.folder)
	for _, e := range entries {
		if !e.isFolder && strings.EqualFold(path.Ext(e.path), extension) {
			paths = append(paths, e.path)
		}
	}
	p.sortOwnFirst(paths, extension)
	if p.resources == "" || err != nil {
		return paths, err
	}
	resourceFiles, err := p.index.filesBelow(resourceFolder)
	if err != nil {
		return paths, err
	}
	others := resourceFiles.find(func(name string) bool { return path.Ext(name) == extension })
	p.sortOwnFirst(others, extension)
	return append(paths, others...), resourceFiles.err
}

// OnlyFile returns the path of the only file of the project and of the resource folder with an extension, or "" if
// there are, or may be, several.
func (p *Project) OnlyFile(extension string) (string, error) {
	paths, cut, err := p.files(func(name string) bool { return path.Ext(name) == extension })
	if len(paths) != 1 || cut || err != nil {
		return "", err
	}
	return paths[0], nil
}

// Files returns the sorted paths of the files of the project and of the resource folder for whose names, in lower case,
// accepts returns true. With an error some may be missing.
func (p *Project) Files(accepts func(name string) bool) ([]string, error) {
	paths, _, err := p.files(accepts)
	return paths, err
}

// files is Files, and reports whether there may be more than were searched.
func (p *Project) files(accepts func(name string) bool) (paths []string, cut bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	searched, err := p.allFiles()
	for _, folder := range searched {
		paths = append(paths, folder.find(accepts)...)
		cut, err = cut || folder.truncated, cmp.Or(err, folder.err)
	}
	slices.Sort(paths)
	return paths, cut, err
}

// sortOwnFirst moves the paths of files that have the name of the project's file to the beginning.
func (p *Project) sortOwnFirst(paths []string, extension string) {
	ownName := path.Base(p.Stem()) + extension
	rank := func(inRoot string) int {
		if strings.EqualFold(path.Base(inRoot), ownName) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
}

// RefersTo reports whether a path in a text of a folder refers to the project's file. A text in the resource folder
// refers to it by its name.
func (p *Project) RefersTo(name, textFolder string) bool {
	if name == "" {
		return false
	}
	found := p.Find(name, textFolder).Path
	_, isResource := inResources(textFolder)
	return found == p.Path() || isResource && strings.EqualFold(path.Base(name), p.name)
}
