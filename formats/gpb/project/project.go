// Package project finds what is around a bundle: the text files and pictures that it and its materials name.
//
//	project.go     the root of a project, and the file that a path means
//	beside.go      files that belong to a bundle by their place or name
//	overlay.go     the files of the project and of the resource folder as one, and which of them were looked at
//	texture.go     pictures
//	link.go        where a value of a text leads
//	resources.go   what one scene reads, and what it lacks
//
// Paths are written from the root of the project, the folder that has "res". What is outside of it is never read: a
// path that leads out, absolute or not, is told and not followed. Where a path is looked for, in this order: as it is,
// in the file's folder and each above it up to the root; beside the text that names it; as an alias of game.config;
// without regard to case; in the resource folder that a person named; and, said aloud, a file of the same name
// elsewhere in the project.
package project

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

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

	mu      sync.Mutex
	folders map[string]*listing
	lookups map[string]Found
	texts   map[string]*properties.Namespace
	size    int64 // of the texts
	aliases map[string]string
	byName  map[string]map[string][]string // every file below the root, and below resourceFolder, by its lower name
	images  map[string]*scene.Texture
}

// listing is a folder's entries.
type listing struct {
	names []string            // sorted
	exact map[string]bool     // whether it is a folder
	lower map[string][]string // names by their lower case
	full  bool                // there are more
}

// Found is where a path leads.
type Found struct {
	Path    string // from the root; empty if it has no link
	Problem string // why it has no link, or that it was found under another name
}

// Around returns the project around a file; nil if the file has nothing around it. For one inside of a package it is
// the other assets of the package.
func Around(src *model.Source) *Project {
	p := around(src)
	if folder := src.Resources(); folder != "" {
		if p == nil {
			p = New(func() (fs.FS, func(), error) { return emptyFS{}, func() {}, nil }, ".", src.Name())
		}
		p.resources = folder
	}
	if p != nil {
		p.note = src.NoteBeside
	}
	return p
}

// around is Around without a resource folder.
func around(src *model.Source) *Project {
	if files, place := src.Siblings(); files != nil {
		p := New(func() (fs.FS, func(), error) { return files, func() {}, nil }, path.Dir(place), path.Base(place))
		p.root = src.Home()
		return p
	}
	if src.Path() == "" {
		return nil
	}
	root := rootOf(src.Path())
	folder, err := filepath.Rel(root, filepath.Dir(src.Path()))
	if err != nil {
		return nil
	}
	p := New(func() (fs.FS, func(), error) { return openFolder(root) }, filepath.ToSlash(folder),
		filepath.Base(src.Path()))
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
	files := &lazyFS{open: p.open}
	defer files.close()
	var root fs.FS = files
	if p.resources != "" {
		lazy := &lazyFS{open: func() (fs.FS, func(), error) { return openFolder(p.resources) }}
		defer lazy.close()
		root = overlayFS{project: root, resources: lazy}
	}
	if p.note != nil {
		root = notingFS{root, p}
	}
	if err := read(root); err != nil {
		return err
	}
	return files.err
}

// openFolder opens a folder on disk; no path or link leads out of it.
func openFolder(name string) (fs.FS, func(), error) {
	r, err := os.OpenRoot(name)
	if err != nil {
		return nil, nil, err
	}
	return r.FS(), func() { r.Close() }, nil
}

// Find finds the file that a path in a text means. from is the folder of the text.
func (p *Project) Find(name, from string) Found {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := from + "\x00" + name
	f, ok := p.lookups[key]
	if !ok {
		if err := p.withRoot(func(root fs.FS) error { f = p.find(root, name, from); return nil }); err != nil {
			f = Found{Problem: fmt.Sprintf("the folder of %s cannot be read", Printable(name))}
		}
		p.lookups[key] = f
	}
	return f
}

// Printable returns a name of a file as one line of a sentence.
func Printable(name string) string { return model.OneLine(strings.ToValidUTF8(name, "\uFFFD"), 200) }

func (p *Project) find(root fs.FS, name, from string) Found {
	if alias, ok := strings.CutPrefix(name, "@"); ok {
		to, ok := p.alias(root, alias)
		if !ok {
			return Found{Problem: fmt.Sprintf("there is no alias %s in %s", Printable(name), config)}
		}
		f := p.find(root, strings.TrimPrefix(to, "@"), from)
		if f.Path == "" && f.Problem != "" {
			f.Problem = Printable(name) + ": " + f.Problem
		}
		return f
	}
	clean := path.Clean(strings.ReplaceAll(strings.TrimPrefix(name, "./"), `\`, "/"))
	if inside, ok := p.inside(name); ok {
		clean = inside
	}
	absolute := path.IsAbs(clean) || len(clean) > 1 && clean[1] == ':'
	switch {
	case len(name) > pathMost || strings.ContainsRune(name, 0):
		return Found{Problem: fmt.Sprintf("%s is not a path", Printable(name))}
	case absolute && p.resources != "":
		if there := p.inResources(root, clean); there != "" {
			return Found{Path: there}
		}
	}
	if absolute {
		return Found{Problem: fmt.Sprintf("%s is an absolute path, which may lead out of the project and is not followed",
			Printable(name))}
	}
	var folders []string
	for at := p.folder; ; at = path.Dir(at) {
		folders = append(folders, at)
		if at == "." {
			break
		}
	}
	if from != p.folder {
		folders = append(folders, from)
	}
	inside := false
	for _, folder := range folders {
		full := path.Join(folder, clean)
		if full == ".." || strings.HasPrefix(full, "../") {
			continue
		}
		inside = true
		if there := p.actualPath(root, full); there != "" {
			return Found{Path: there}
		}
	}
	if there := p.inResources(root, clean); there != "" {
		return Found{Path: there}
	}
	if !inside {
		return Found{Problem: fmt.Sprintf("%s leads out of the project and is not followed", Printable(name))}
	}
	return p.sameNameElsewhere(root, name, clean)
}

// inside returns an absolute path as a path from the root, if it leads there.
func (p *Project) inside(name string) (string, bool) {
	if p.root == "" || !filepath.IsAbs(name) {
		return "", false
	}
	inside, err := filepath.Rel(p.root, name)
	return filepath.ToSlash(inside), err == nil && filepath.IsLocal(inside)
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
		there := p.actualPath(root, path.Join(p.folder, base))
		for _, top := range p.allRoots() {
			if there == "" {
				there = p.onlyNamed(root, top, base)
			}
		}
		if there != "" {
			return Found{Path: there,
				Problem: fmt.Sprintf("%s is not there; %s, of the same name, is shown in its place",
					Printable(name), Printable(there))}
		}
	}
	if p.resources != "" {
		return Found{Problem: fmt.Sprintf("%s is neither in the project nor in the %s %s", Printable(name), resourceFolder,
			Printable(filepath.Base(p.resources)))}
	}
	return Found{Problem: fmt.Sprintf("%s is not in the project", Printable(name))}
}

// allRoots returns the folders below which all files are: the root, and that of the resource folder if there is one.
func (p *Project) allRoots() []string {
	if p.resources == "" {
		return []string{"."}
	}
	return []string{".", resourceFolder}
}

// onlyNamed returns the path of the only file below a folder that has a name, in any case; empty if there are several.
func (p *Project) onlyNamed(root fs.FS, top, base string) string {
	if all := p.filesBelow(root, top)[strings.ToLower(base)]; len(all) == 1 {
		return all[0]
	}
	return ""
}

// actualPath returns the path of a file as it is written on disk; empty if there is none. Case may differ where only
// one file is meant.
func (p *Project) actualPath(root fs.FS, full string) string {
	at := "."
	parts := strings.Split(full, "/")
	for i, part := range parts {
		l := p.listFolder(root, at)
		folder, ok := l.exact[part]
		if !ok {
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
func (p *Project) listFolder(root fs.FS, folder string) *listing {
	if l := p.folders[folder]; l != nil {
		return l
	}
	l := &listing{exact: make(map[string]bool), lower: make(map[string][]string)}
	p.folders[folder] = l
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
			mode = info.Mode().Type()
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

// filesBelow returns the paths of all files below a folder, by their names in lower case.
func (p *Project) filesBelow(root fs.FS, top string) map[string][]string {
	if all, ok := p.byName[top]; ok {
		return all
	}
	all := make(map[string][]string)
	p.byName[top] = all
	type step struct {
		folder string
		depth  int
	}
	left := treeMost
	for todo := []step{{top, 0}}; len(todo) > 0; todo = todo[1:] {
		l := p.listFolder(root, todo[0].folder)
		for _, name := range l.names {
			full, folder := path.Join(todo[0].folder, name), l.exact[name]
			if left--; left < 0 {
				return all
			}
			if !folder {
				all[strings.ToLower(name)] = append(all[strings.ToLower(name)], full)
			} else if todo[0].depth < treeDepth {
				todo = append(todo, step{full, todo[0].depth + 1})
			}
		}
	}
	return all
}

// alias returns what game.config says an alias means.
func (p *Project) alias(root fs.FS, name string) (string, bool) {
	if p.aliases == nil {
		p.aliases = make(map[string]string)
		for _, top := range p.allRoots() {
			if there := p.actualPath(root, path.Join(top, config)); there != "" && len(p.aliases) == 0 {
				p.readAliases(root, there)
			}
		}
	}
	to, ok := p.aliases[name]
	return to, ok
}

func (p *Project) readAliases(root fs.FS, name string) {
	file, err := p.read(root, name)
	if err != nil {
		return
	}
	for _, n := range file.Spaces {
		if n.Name == "aliases" {
			for _, a := range n.Properties {
				p.aliases[a.Name] = a.Value
			}
		}
	}
}

// Text reads a text of the project by its path from the root.
func (p *Project) Text(full string) (*properties.Namespace, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var file *properties.Namespace
	err := p.withRoot(func(root fs.FS) (err error) {
		file, err = p.read(root, full)
		return err
	})
	return file, err
}

var errMany = errors.New("the project has more texts than are read")

func (p *Project) read(root fs.FS, full string) (*properties.Namespace, error) {
	if file, ok := p.texts[full]; ok {
		if file == nil {
			return nil, fmt.Errorf("%s cannot be read", Printable(full))
		}
		return file, nil
	}
	if len(p.texts) >= textMost {
		return nil, errMany
	}
	p.texts[full] = nil
	src, err := load(root, full, properties.MaxSize)
	if err != nil {
		return nil, err
	}
	if src.Size() > properties.MaxSize-p.size {
		return nil, errMany
	}
	p.size += src.Size()
	file, err := properties.Read(context.Background(), src)
	if err != nil {
		return nil, err
	}
	p.texts[full] = file
	return file, nil
}

// load reads a file of at most so many bytes into memory.
func load(root fs.FS, full string, most int64) (*model.Source, error) {
	f, err := root.Open(full)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened", Printable(full))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", Printable(full))
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read", Printable(full))
	}
	if int64(len(b)) > most {
		return nil, fmt.Errorf("%s has more than the %d bytes that are read of such a file", Printable(full), most)
	}
	return model.NewSource(path.Base(full), strings.NewReader(string(b)), int64(len(b))), nil
}

// ReadFile reads a file of the project into memory.
func (p *Project) ReadFile(full string) (src *model.Source, err error) {
	err = p.withRoot(func(root fs.FS) error {
		src, err = load(root, full, fileMost)
		return err
	})
	return src, err
}

// Reference splits a reference to a namespace in a file: file#id.
func Reference(value string) (file, id string) {
	file, id, _ = strings.Cut(value, "#")
	return strings.TrimSpace(file), strings.TrimSpace(id)
}
