package project

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The bounds of the index.
const (
	maxFolder      = 20_000  // entries of a folder
	maxIndex       = 500_000 // entries of all folders: some 100 MB
	maxSearch      = 20_000  // entries below a folder that are searched for a name
	maxSearchDepth = 12      // levels
)

// index finds the files of a project by their paths without regard to case. It lists a folder when needed, once unless
// it fails. The first layer that has a file provides it.
type index struct {
	layers    []layer
	note      func(path string)   // is called with each accessed path on disk; may be nil
	entries   map[string][]entry  // by their paths in lower case
	folders   map[string][]entry  // the contents of the listed folders, in order
	names     map[string]*nameMap // by the folder that was searched
	size      int                 // number of entries
	truncated bool                // some entries are left out
}

// layer is a file system with files of a project: its folder, a version of it, a package, or the resource folder.
type layer struct {
	fs.FS
	top  string // the folder of the project that is the root of the file system: "." or resourceFolder
	disk string // the root on disk, or ""
}

type entry struct {
	path             string // as it is written on disk
	isFolder, isLink bool
}

// resourceFolder is the path of the resource folder in a project, which users see in paths. It hides a folder of this
// name in the project while the user has chosen a resource folder.
const resourceFolder = "resource folder"

func newIndex(note func(string), layers ...layer) index {
	return index{layers: layers, note: note, entries: make(map[string][]entry), folders: make(map[string][]entry),
		names: make(map[string]*nameMap)}
}

// diskFolder is a folder on disk as a file system; no path or link can point out of it.
type diskFolder string

var _ fs.StatFS = diskFolder("")

// Open implements fs.FS.
func (d diskFolder) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.FS().Open(name)
}

// Stat implements fs.StatFS. It does not open the file, because opening a pipe blocks.
func (d diskFolder) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return fs.Stat(root.FS(), name)
}

// tops returns the folders that contain all files: the root, and the resource folder if there is one.
func (x *index) tops() (tops []string) {
	for _, l := range x.layers {
		if !slices.Contains(tops, l.top) {
			tops = append(tops, l.top)
		}
	}
	return tops
}

// inResources returns the path of a file relative to the resource folder, "." for the folder itself; false if it is
// outside.
func inResources(name string) (string, bool) {
	if name == resourceFolder {
		return ".", true
	}
	return strings.CutPrefix(name, resourceFolder+"/")
}

// locate returns the layers that may have a file, and its name in them.
func (x *index) locate(inRoot string) (layers []layer, name string) {
	top, name := ".", inRoot
	if inside, ok := inResources(inRoot); ok && slices.Contains(x.tops(), resourceFolder) {
		top, name = resourceFolder, inside
	}
	for _, l := range x.layers {
		if l.top == top {
			layers = append(layers, l)
		}
	}
	return layers, name
}

// access is locate, and notes the file.
func (x *index) access(inRoot string) (layers []layer, name string) {
	layers, name = x.locate(inRoot)
	for _, l := range layers {
		if l.disk != "" && x.note != nil {
			x.note(filepath.Join(l.disk, filepath.FromSlash(name)))
		}
	}
	return layers, name
}

// Open opens a file of the project.
func (x *index) Open(inRoot string) (f fs.File, err error) {
	layers, name := x.access(inRoot)
	for _, l := range layers {
		if f, err = l.Open(name); err == nil {
			break
		}
	}
	return f, err
}

// stat describes a file of the project without opening it.
func (x *index) stat(inRoot string) (info fs.FileInfo, err error) {
	layers, name := x.access(inRoot)
	for _, l := range layers {
		if info, err = fs.Stat(l.FS, name); err == nil {
			break
		}
	}
	return info, err
}

// list returns the files and folders in a folder, in order, and adds them to the index. A folder that does not exist is
// empty, unless it is the root.
func (x *index) list(folder string) ([]entry, error) {
	if entries, isListed := x.folders[folder]; isListed {
		return entries, nil
	}
	byName, err := x.readLayers(folder)
	if err != nil {
		return nil, err
	}
	entries := make([]entry, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		e, ok := x.entryOf(path.Join(folder, name), byName[name].Type())
		if !ok {
			continue
		}
		if x.size++; x.size > maxIndex {
			x.truncated = true
			break
		}
		entries = append(entries, e)
		lower := strings.ToLower(e.path)
		x.entries[lower] = append(x.entries[lower], e)
	}
	x.folders[folder] = entries
	return entries, nil
}

// readLayers returns the files and folders in a folder by their names. Those of a layer hide those of later layers.
func (x *index) readLayers(folder string) (map[string]fs.DirEntry, error) {
	var missing error
	byName := make(map[string]fs.DirEntry)
	layers, name := x.access(folder)
	for _, l := range slices.Backward(layers) {
		entries, err := readFolder(l, name)
		switch {
		case err == nil:
			x.truncated = x.truncated || len(entries) == maxFolder
		case errors.Is(err, fs.ErrNotExist):
			missing = err
		default:
			return nil, err
		}
		for _, e := range entries {
			byName[e.Name()] = e
		}
	}
	if len(byName) == 0 && folder == "." && missing != nil {
		return nil, missing
	}
	return byName, nil
}

// entryOf returns the entry of a path on disk; ok is false if that is not a file or a folder, as opening a pipe or a
// device could block or have side effects, or if it is a link out of the project.
func (x *index) entryOf(inRoot string, mode fs.FileMode) (e entry, ok bool) {
	link := mode&fs.ModeSymlink != 0
	if link {
		info, err := x.stat(inRoot)
		if err != nil {
			return e, false
		}
		mode = info.Mode().Type()
	}
	return entry{inRoot, mode.IsDir(), link}, mode&^fs.ModeDir == 0
}

// readFolder returns the first entries of a folder.
func readFolder(folders fs.FS, name string) ([]fs.DirEntry, error) {
	f, err := folders.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	entries, err := d.ReadDir(maxFolder)
	if err == io.EOF { // an empty folder
		err = nil
	}
	return entries, err
}

// variants returns the files and folders whose paths equal a path without regard to case.
func (x *index) variants(inRoot string) ([]entry, error) {
	parents := []entry{{path: ".", isFolder: true}}
	if above := path.Dir(inRoot); above != "." {
		var err error
		if parents, err = x.variants(above); err != nil {
			return nil, err
		}
	}
	for _, e := range parents {
		if e.isFolder {
			if _, err := x.list(e.path); err != nil {
				return nil, err
			}
		}
	}
	return x.entries[strings.ToLower(inRoot)], nil
}

// caseRule selects how the names of a path are compared with names on disk.
type caseRule bool

const (
	exactCase caseRule = false
	anyCase   caseRule = true // where only one file is meant
)

// pathOnDisk returns the path of a file as it is written on disk, or "" if it does not exist.
func (x *index) pathOnDisk(inRoot string, rule caseRule) (string, error) {
	entries, err := x.variants(inRoot)
	if err != nil {
		return "", err
	}
	var other []string
	for _, e := range entries {
		switch {
		case e.isFolder:
		case e.path == inRoot:
			return inRoot, nil
		default:
			other = append(other, e.path)
		}
	}
	if rule == anyCase && len(other) == 1 {
		return other[0], nil
	}
	if x.truncated && len(entries) == 0 {
		if info, err := x.stat(inRoot); err == nil && info.Mode().IsRegular() {
			return inRoot, nil
		}
	}
	return "", nil
}

// nameMap is the files below a folder.
type nameMap struct {
	paths     map[string][]string // by their names in lower case
	truncated bool                // there may be more
	err       error               // of a folder that cannot be read
}

// pathsOf returns the paths of the files that have a name, in any case.
func (m *nameMap) pathsOf(name string) []string { return m.paths[strings.ToLower(name)] }

// find returns the paths of the files for whose names, in lower case, accepts returns true, sorted.
func (m *nameMap) find(accepts func(name string) bool) (found []string) {
	for name, paths := range m.paths {
		if accepts(name) {
			found = append(found, paths...)
		}
	}
	slices.Sort(found)
	return found
}

// filesBelow returns the files below one of tops. It does not follow links to folders, which exist under their own
// names, too, and may be above the link. The error is of the top.
func (x *index) filesBelow(top string) (*nameMap, error) {
	if m := x.names[top]; m != nil {
		return m, nil
	}
	if _, err := x.list(top); err != nil {
		return nil, err
	}
	m := &nameMap{paths: make(map[string][]string)}
	x.names[top] = m
	type step struct {
		folder string
		depth  int
	}
	left := maxSearch
	for todo := []step{{top, 0}}; len(todo) > 0; todo = todo[1:] {
		entries, err := x.list(todo[0].folder)
		m.err = cmp.Or(m.err, err)
		m.truncated = m.truncated || x.truncated
		for _, e := range entries {
			if left--; left < 0 {
				m.truncated = true
				return m, nil
			}
			switch lower := strings.ToLower(path.Base(e.path)); {
			case !e.isFolder:
				m.paths[lower] = append(m.paths[lower], e.path)
			case e.isLink:
			case todo[0].depth == maxSearchDepth:
				m.truncated = true
			default:
				todo = append(todo, step{e.path, todo[0].depth + 1})
			}
		}
	}
	return m, nil
}
