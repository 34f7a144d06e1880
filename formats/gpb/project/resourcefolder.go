package project

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// resourceFolder is where the resource folder lies in a project, as people see it in paths. A folder of this name that
// the project has itself is not seen while a person has named a resource folder.
const resourceFolder = "resource folder"

// inResourceFolder reports whether a path is one in the resource folder.
func inResourceFolder(full string) bool {
	_, ok := Under(resourceFolder, full)
	return ok
}

// inResources returns the path of a file in the resource folder that a path means: as much of the path's end as leads
// to one there, in any case, else the only file of its name. Where the path begins does not matter: a person named the
// folder.
func (s *store) inResources(root fs.FS, clean string) string {
	if s.resources == "" {
		return ""
	}
	parts := slices.DeleteFunc(strings.Split(clean, "/"), func(part string) bool {
		return part == "" || part == ".." || strings.HasSuffix(part, ":")
	})
	for i := range parts {
		if there := s.actualPath(root, path.Join(resourceFolder, path.Join(parts[i:]...)), anyCase); there != "" {
			return there
		}
	}
	t := s.treeBelow(root, resourceFolder)
	if all := t.named(path.Base(clean)); len(all) == 1 && !t.cut {
		return all[0]
	}
	return ""
}

// noteFile notes that a file was looked at on disk. One in a package is not noted: the package is the file.
func (s *store) noteFile(name string) {
	if inside, ok := Under(resourceFolder, name); ok && s.resources != "" {
		s.note(filepath.Join(s.resources, filepath.FromSlash(inside)))
	} else if s.disk {
		s.note(filepath.Join(s.root, filepath.FromSlash(name)))
	}
}

// OnDisk returns the path on disk of a file that was found; from is the folder on disk that has the project's file.
func (p *Project) OnDisk(full, from string) string {
	if inside, ok := Under(resourceFolder, full); ok && p.resources != "" {
		return filepath.Join(p.resources, filepath.FromSlash(inside))
	}
	for range strings.Count(p.Path(), "/") {
		from = filepath.Dir(from)
	}
	return filepath.Join(from, filepath.FromSlash(full))
}
