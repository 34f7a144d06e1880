package project

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The bounds of what is listed.
const (
	folderMost = 20_000 // entries of a folder
	treeMost   = 20_000 // entries below a folder that are looked through for a name
	treeDepth  = 12     // how deep
)

// listing is a folder's entries.
type listing struct {
	names []string            // sorted
	exact map[string]bool     // whether it is a folder
	links map[string]bool     // those that are links
	lower map[string][]string // names by their lower case
	full  bool                // there are more
}

// allRoots returns the folders below which all files are: the root, and that of the resource folder if there is one.
func (s *store) allRoots() []string {
	if s.resources == "" {
		return []string{"."}
	}
	return []string{".", resourceFolder}
}

// match is how the names of a path are compared with those on disk.
type match bool

const (
	exactCase match = false
	anyCase   match = true // where only one file is meant
)

// actualPath returns the path of a file as it is written on disk; empty if there is none.
func (s *store) actualPath(root fs.FS, full string, by match) string {
	at := "."
	parts := strings.Split(full, "/")
	for i, part := range parts {
		l := s.listFolder(root, at)
		folder, ok := l.exact[part]
		if !ok && by == anyCase {
			if same := l.lower[strings.ToLower(part)]; len(same) == 1 {
				part = same[0]
				folder, ok = l.exact[part]
			}
		}
		if !ok && l.full {
			info, err := fs.Stat(root, path.Join(at, part))
			ok = err == nil && info.Mode().Type()&^fs.ModeDir == 0
			folder = ok && info.IsDir()
		}
		if !ok || folder != (i < len(parts)-1) {
			return ""
		}
		at = path.Join(at, part)
	}
	return at
}

// listFolder returns the entries of a folder, none if it cannot be read.
func (s *store) listFolder(root fs.FS, folder string) *listing {
	if l := s.folders[folder]; l != nil {
		return l
	}
	l := &listing{exact: make(map[string]bool), links: make(map[string]bool), lower: make(map[string][]string)}
	s.folders[folder] = l
	f, err := root.Open(folder)
	if err != nil {
		return l
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return l
	}
	entries, _ := d.ReadDir(folderMost) // as many as could be read
	l.full = len(entries) == folderMost
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		mode := e.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := fs.Stat(root, path.Join(folder, e.Name())) // one that leads out is an error
			if err != nil {
				continue
			}
			mode, l.links[e.Name()] = info.Mode().Type(), true
		}
		if mode&^fs.ModeDir != 0 {
			continue // a pipe or a device: opening it would wait, or do things
		}
		l.names = append(l.names, e.Name())
		l.exact[e.Name()] = mode.IsDir()
		lower := strings.ToLower(e.Name())
		l.lower[lower] = append(l.lower[lower], e.Name())
	}
	return l
}

// tree is the files below a folder.
type tree struct {
	byName map[string][]string // their paths, by their names in lower case
	cut    bool                // there may be more
}

// named returns the paths of the files that have a name, in any case.
func (t *tree) named(name string) []string { return t.byName[strings.ToLower(name)] }

// treeBelow returns the files below a folder. A link leads to a folder that is there under its own name, and may be
// above the link: it is not followed.
func (s *store) treeBelow(root fs.FS, top string) *tree {
	if t := s.trees[top]; t != nil {
		return t
	}
	t := &tree{byName: make(map[string][]string)}
	s.trees[top] = t
	type step struct {
		folder string
		depth  int
	}
	left := treeMost
	for todo := []step{{top, 0}}; len(todo) > 0; todo = todo[1:] {
		l := s.listFolder(root, todo[0].folder)
		t.cut = t.cut || l.full
		for _, name := range l.names {
			full, folder := path.Join(todo[0].folder, name), l.exact[name]
			if left--; left < 0 {
				t.cut = true
				return t
			}
			switch lower := strings.ToLower(name); {
			case !folder:
				t.byName[lower] = append(t.byName[lower], full)
			case l.links[name]:
			case todo[0].depth == treeDepth:
				t.cut = true
			default:
				todo = append(todo, step{full, todo[0].depth + 1})
			}
		}
	}
	return t
}
