package project

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The bounds of listings.
const (
	folderMost = 20_000 // entries of a folder
	treeMost   = 20_000 // searched entries below a folder
	treeDepth  = 12     // levels
)

// listing holds a folder's entries.
type listing struct {
	names []string            // sorted
	exact map[string]bool     // whether it is a folder
	links map[string]bool     // those that are links
	lower map[string][]string // names by their lower case
	full  bool                // there are more
}

// allRoots returns the folders that contain all files: the root, and the resource folder if there is one.
func (s *store) allRoots() []string {
	if s.resources == "" {
		return []string{"."}
	}
	return []string{".", resourceFolder}
}

// match selects how the names of a path are compared with those on disk.
type match bool

const (
	exactCase match = false
	anyCase   match = true // where only one file is meant
)

// actualPath returns the path of a file as it is written on disk, or "" if it does not exist.
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

// listFolder returns the entries of a folder, which are empty if it cannot be read.
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
			info, err := fs.Stat(root, path.Join(folder, e.Name())) // a link out of the root is an error
			if err != nil {
				continue
			}
			mode, l.links[e.Name()] = info.Mode().Type(), true
		}
		if mode&^fs.ModeDir != 0 {
			continue // a pipe or a device: opening it could block or have side effects
		}
		l.names = append(l.names, e.Name())
		l.exact[e.Name()] = mode.IsDir()
		lower := strings.ToLower(e.Name())
		l.lower[lower] = append(l.lower[lower], e.Name())
	}
	return l
}

// tree holds the files below a folder.
type tree struct {
	byName map[string][]string // their paths, by their names in lower case
	cut    bool                // there may be more
}

// named returns the paths of the files that have a name, in any case.
func (t *tree) named(name string) []string { return t.byName[strings.ToLower(name)] }

// treeBelow returns the files below a folder. It does not follow links to folders, which exist under their own names,
// too, and may be above the link.
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

// Overlay is a file system with another one mounted in a folder.
type Overlay struct {
	Below  fs.FS
	Folder string // of Above
	Above  fs.FS
}

var _ fs.StatFS = Overlay{}

// Under returns the path of a file relative to a folder, "." for the folder itself; false if it is outside.
func Under(folder, name string) (string, bool) {
	if name == folder {
		return ".", true
	}
	return strings.CutPrefix(name, folder+"/")
}

// at returns the file system that has a file, and the name of the file in it.
func (o Overlay) at(name string) (fs.FS, string) {
	if inside, ok := Under(o.Folder, name); ok {
		return o.Above, inside
	}
	return o.Below, name
}

// Open implements fs.FS.
func (o Overlay) Open(name string) (fs.File, error) {
	in, name := o.at(name)
	return in.Open(name)
}

// Stat implements fs.StatFS. It does not open the file, because opening a pipe blocks.
func (o Overlay) Stat(name string) (fs.FileInfo, error) {
	in, name := o.at(name)
	return fs.Stat(in, name)
}

// Observed calls Note with the name of each accessed file.
type Observed struct {
	fs.FS
	Note func(name string)
}

var _ fs.StatFS = Observed{}

// Open implements fs.FS.
func (o Observed) Open(name string) (fs.File, error) {
	o.Note(name)
	return o.FS.Open(name)
}

// Stat implements fs.StatFS.
func (o Observed) Stat(name string) (fs.FileInfo, error) {
	o.Note(name)
	return fs.Stat(o.FS, name)
}

// Lazy is a file system that is opened at the first access.
type Lazy struct {
	open func() (fs.FS, func(), error)
	root fs.FS
	done func()
	err  error // of open
}

var _ fs.StatFS = &Lazy{}

// NewLazy returns the file system that open returns. Close calls done.
func NewLazy(open func() (root fs.FS, done func(), err error)) *Lazy { return &Lazy{open: open} }

func (l *Lazy) files() (fs.FS, error) {
	if l.root == nil && l.err == nil {
		l.root, l.done, l.err = l.open()
	}
	return l.root, l.err
}

// Open implements fs.FS.
func (l *Lazy) Open(name string) (fs.File, error) {
	root, err := l.files()
	if err != nil {
		return nil, err
	}
	return root.Open(name)
}

// Stat implements fs.StatFS.
func (l *Lazy) Stat(name string) (fs.FileInfo, error) {
	root, err := l.files()
	if err != nil {
		return nil, err
	}
	return fs.Stat(root, name)
}

// Err returns the error of opening the file system, or nil if it was not opened.
func (l *Lazy) Err() error { return l.err }

// Close closes the file system if it was opened.
func (l *Lazy) Close() {
	if l.done != nil {
		l.done()
	}
}

// Empty is a file system without files.
type Empty struct{}

// Open implements fs.FS.
func (Empty) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Value returns a function that makes a value once and caches it. If the context of a caller ends, the caller gets its
// error at once, even while another call makes the value. A value that was not completed because its context ended is
// made again by the next call.
func Value[T any](build func(context.Context) (T, error)) func(context.Context) (T, error) {
	lock := make(chan struct{}, 1) // one call at a time can send to it
	var value T
	var err error
	made := false
	return func(ctx context.Context) (none T, _ error) {
		select {
		case lock <- struct{}{}:
		case <-ctx.Done():
			return none, ctx.Err()
		}
		defer func() { <-lock }()
		if !made {
			value, err = build(ctx)
			if ctx.Err() != nil {
				return none, ctx.Err()
			}
			made = true
		}
		return value, err
	}
}
