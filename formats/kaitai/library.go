package kaitai

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"

	"assay/model"
)

// Library is where descriptions are found.
type Library struct {
	// Folders hold descriptions: absolute imports (/common/text) are looked for in them, in their order.
	Folders []string
	// Own says that the description is the user's own file, whose imports may lead out of its folder (../other).
	// Those of a description that came with somebody's project may not.
	Own bool
	// Looked is called with each file that is looked for, whether or not it is there; nil if nobody asks.
	Looked func(file string)
}

// besidePath is the folder beside a description in which its absolute imports are looked for first.
const besidePath = "ks_path"

// maxImports is how many descriptions one may bring along.
const maxImports = 1000

// Load reads the description at a path and all that it imports. Errors are an *Error, or those of the file system.
func (l *Library) Load(file string) (*Description, error) {
	text, err := l.readFile(file)
	if err != nil {
		return nil, err
	}
	return l.Read(file, text)
}

// Read is Load for a text that is in memory; file is where it stands, for its imports and in errors.
func (l *Library) Read(file string, text []byte) (*Description, error) {
	d, err := read(file, text)
	if err != nil {
		return nil, err
	}
	load := &loading{library: l, home: filepath.Dir(file), main: d,
		files: map[string]*Description{filepath.Clean(file): d}}
	d.Imports[d.ID] = d.Root
	if err := load.imports(d); err != nil {
		return nil, err
	}
	if err := load.resolveAll(d.Root); err != nil {
		return nil, err
	}
	for i := 0; i < len(load.order); i++ { // resolving may load opaque types
		if err := load.resolveAll(load.order[i].Root); err != nil {
			return nil, err
		}
	}
	d.Files = []string{file}
	for _, part := range load.order {
		d.Files = append(d.Files, part.File)
		maps.Copy(d.texts, part.texts)
	}
	d.prepare()
	return d, nil
}

// resolveAll resolves a type and those nested in it.
func (l *loading) resolveAll(top *Type) error {
	for t := range top.all() {
		t.inherit()
		if err := l.resolve(t); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads a description, but not more of it than one may have.
func (l *Library) readFile(file string) ([]byte, error) {
	if l.Looked != nil {
		l.Looked(file)
	}
	text, err := model.ReadText(file, maxFile)
	var refused *model.OpenError
	if errors.As(err, &refused) && !errors.Is(err, fs.ErrNotExist) {
		err = (place{file: file}).fail("the description %s", refused.Reason)
	}
	return text, err
}

// loading is the reading of a description with those that it imports. Imports may be cyclic.
type loading struct {
	library *Library
	home    string // the folder of the description
	main    *Description
	files   map[string]*Description
	order   []*Description // those that were imported, in the order in which they were met
}

// imports reads what a description imports, and what that imports.
func (l *loading) imports(from *Description) error {
	for _, i := range from.Root.Meta.Imports {
		if err := l.load(from, i); err != nil {
			return err
		}
	}
	return nil
}

// load reads one import, unless it was read before.
func (l *loading) load(from *Description, i imported) error {
	var tried []string
	for _, file := range l.candidates(from, i.path) {
		if l.files[file] != nil {
			return nil
		}
		if !l.allowed(file) {
			return i.fail("the import %q is outside the folder of the description", i.path)
		}
		text, err := l.library.readFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			tried = append(tried, filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file))
			continue
		}
		if err != nil {
			return i.fail("the import %q cannot be read: %v", i.path, err)
		}
		if len(l.order) >= maxImports {
			return i.fail("more than %d descriptions are imported", maxImports)
		}
		_, err = l.add(i.place, file, text)
		return err
	}
	return i.fail("the import %q is not found; looked for: %s", i.path, strings.Join(tried, ", "))
}

// add adds the description in a file, and what it imports, for a place that needs it. One that is the same as another
// of its id is that one.
func (l *loading) add(from place, file string, text []byte) (*Description, error) {
	d, err := read(file, text)
	if err != nil {
		return nil, err
	}
	if top := l.main.Imports[d.ID]; top != nil {
		same := top.names.description
		if l.files[file] = same; d.texts[file] != same.texts[same.File] {
			return nil, from.fail("%[2]s and %[3]s have the same id %[1]q", d.ID, file, same.File)
		}
		return same, nil
	}
	l.files[file], d.Imports = d, l.main.Imports
	l.order = append(l.order, d)
	l.main.Imports[d.ID] = d.Root
	return d, l.imports(d)
}

// candidates returns the files that an import may mean. A relative one stands beside the description that has it; an
// absolute one in ks_path beside the main description, in a folder of the library, or, for a file in a tree of
// descriptions, below one of the folders that it is in.
func (l *loading) candidates(from *Description, name string) []string {
	if !strings.HasPrefix(name, "/") {
		return []string{filepath.Join(filepath.Dir(from.File), filepath.FromSlash(name)+".ksy")}
	}
	relative := filepath.FromSlash(path.Clean(name)[1:]) + ".ksy"
	files := []string{filepath.Join(l.home, besidePath, relative)}
	for _, folder := range l.library.Folders {
		files = append(files, filepath.Join(folder, relative))
	}
	if l.library.Own {
		for folder, up := l.home, 0; up < 4; folder, up = filepath.Dir(folder), up+1 {
			files = append(files, filepath.Join(folder, relative))
		}
	}
	return files
}

// allowed reports whether a file may be read for an import: one in the folder of the description or in a folder of the
// library, where no link leads out of it.
func (l *loading) allowed(file string) bool {
	for _, folder := range append([]string{l.home}, l.library.Folders...) {
		inside, err := filepath.Rel(folder, file)
		if err != nil || !filepath.IsLocal(inside) {
			continue
		}
		root, err := os.OpenRoot(folder)
		if err != nil {
			continue
		}
		_, err = root.Stat(inside)
		_ = root.Close()
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return l.library.Own
}

// opaque looks for a type that no description defines in a file of its name beside the main description.
func (l *loading) opaque(from place, name string) (*Type, error) {
	file := filepath.Join(l.home, name+".ksy")
	if !identifier.MatchString(name) || l.files[file] != nil || !l.allowed(file) {
		return nil, nil
	}
	text, err := l.library.readFile(file)
	if err != nil {
		return nil, nil // there is none: the type is unknown
	}
	d, err := l.add(from, file, text)
	if err != nil {
		return nil, err
	}
	return d.Root, nil
}
