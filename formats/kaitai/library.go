package kaitai

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
)

// Library is where descriptions are found.
type Library struct {
	// Folders hold descriptions: absolute imports (/common/text) are searched in them, in their order.
	Folders []string
	// ImportsAnywhere means that the description is the user's own file, with imports from anywhere (../other). A
	// description from a project may only import from its own folder.
	ImportsAnywhere bool
	// OnLookup is called with each file that the library tries, existing or not. It may be nil.
	OnLookup func(file string)
}

// besidePath is a folder beside a description. Its absolute imports are searched there first.
const besidePath = "ks_path"

// maxImports is the maximum number of descriptions that a description imports, directly or indirectly.
const maxImports = 1000

// Load reads the description at a path and its imports. An error is an *Error, Errors, or of the file system.
func (l *Library) Load(file string) (*Description, error) {
	text, err := l.readFile(file)
	if err != nil {
		return nil, err
	}
	return l.Read(file, text)
}

// Read is Load for a text in memory; file is its path, for imports and in errors.
func (l *Library) Read(file string, text []byte) (*Description, error) {
	found := new(findings)
	d := l.read(file, text, found)
	if err := found.err(); err != nil {
		return nil, err
	}
	d.prepare()
	for _, top := range d.Imports {
		top.names.description.locations = nil // only errors need them
	}
	return d, nil
}

// read reads a description and its imports, and resolves their names. It reports errors, and returns nil if there is
// something that could not be read.
func (l *Library) read(file string, text []byte, to *findings) *Description {
	amounts := new(readAmounts)
	d := readDescription(amounts, file, text, to)
	if d == nil {
		return nil
	}
	load := &loading{findings: to, library: l, home: filepath.Dir(file), main: d, amounts: amounts,
		files: map[string]*Description{filepath.Clean(file): d}}
	d.Imports[d.ID] = d.Root
	if !load.imports(d) {
		return nil
	}
	load.resolveAll(d.Root)
	for i := 0; i < len(load.order); i++ { // resolving may load opaque types
		load.resolveAll(load.order[i].Root)
	}
	d.Files = []string{file}
	for _, part := range load.order {
		d.Files = append(d.Files, part.File)
		maps.Copy(d.texts, part.texts)
	}
	return d
}

func (l *loading) resolveAll(top *objectType) {
	for t := range top.withInner() {
		t.inherit()
		if !l.isFull() {
			l.resolve(t)
		}
	}
}

// readFile reads a description, but not more of it than one may have.
func (l *Library) readFile(file string) ([]byte, error) {
	if l.OnLookup != nil {
		l.OnLookup(file)
	}
	text, err := model.ReadText(file, maxFile)
	if refused, ok := errors.AsType[*model.OpenError](err); ok && !errors.Is(err, fs.ErrNotExist) {
		err = (location{file: file}).fail("the description %s", refused.Reason)
	}
	return text, err
}

// loading loads a description with its imports, which may be cyclic.
type loading struct {
	*findings
	library *Library
	home    string // the folder of the description
	main    *Description
	files   map[string]*Description
	order   []*Description // imported descriptions in the order of loading
	amounts *readAmounts
}

// imports reads the imports of a description, and their imports. It reports errors, and returns false if there are any.
func (l *loading) imports(from *Description) bool {
	before := len(l.errors)
	for _, i := range from.Root.Meta.Imports {
		_, err := l.load(from, i)
		l.report(err)
	}
	return len(l.errors) == before
}

// load reads one import, unless it was read before.
func (l *loading) load(from *Description, i imported) (*Description, error) {
	var tried []string
	for _, file := range l.candidates(from, i.path) {
		if loaded := l.files[file]; loaded != nil {
			return loaded, nil
		}
		if !l.isAllowed(file) {
			return nil, i.fail("the import %q is outside the folder of the description", i.path)
		}
		text, err := l.library.readFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			tried = append(tried, filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file))
			continue
		}
		if err != nil {
			return nil, i.fail("the import %q cannot be read: %v", i.path, err)
		}
		if len(l.order) >= maxImports {
			return nil, i.fail("more than %d descriptions are imported", maxImports)
		}
		return l.add(i.location, file, text)
	}
	return nil, i.fail("the import %q is not found; looked for: %s", i.path, strings.Join(tried, ", "))
}

// add adds the description in a file, and its imports, for the location that needs it. If it equals another with the
// same ID, add returns that one.
func (l *loading) add(from location, file string, text []byte) (*Description, error) {
	found := new(findings)
	d := readDescription(l.amounts, file, text, found)
	if d == nil || len(found.errors) > 0 {
		return nil, found.err()
	}
	if top := l.main.Imports[d.ID]; top != nil {
		other := top.names.description
		if l.files[file] = other; d.texts[file] != other.texts[other.File] {
			return nil, from.fail("%[2]s and %[3]s have the same id %[1]q", d.ID, file, other.File)
		}
		return other, nil
	}
	l.files[file], d.Imports = d, l.main.Imports
	l.order = append(l.order, d)
	l.main.Imports[d.ID] = d.Root
	l.imports(d)
	return d, nil
}

// maxEnclosing is the number of folders, from that of the main description upwards, below which imports are searched.
const maxEnclosing = 4

// candidates returns the files that an import may refer to. A relative import is beside the description; an absolute
// one in ks_path beside the main description, in a folder of the library, or, with ImportsAnywhere, below the folder of
// the main description or one of the maxEnclosing - 1 above it.
func (l *loading) candidates(from *Description, name string) []string {
	if !strings.HasPrefix(name, "/") {
		return []string{filepath.Join(filepath.Dir(from.File), filepath.FromSlash(name)+".ksy")}
	}
	relative := filepath.FromSlash(path.Clean(name)[1:]) + ".ksy"
	files := []string{filepath.Join(l.home, besidePath, relative)}
	for _, folder := range l.library.Folders {
		files = append(files, filepath.Join(folder, relative))
	}
	if l.library.ImportsAnywhere {
		for folder, up := l.home, 0; up < maxEnclosing; folder, up = filepath.Dir(folder), up+1 {
			files = append(files, filepath.Join(folder, relative))
		}
	}
	return files
}

// isAllowed reports whether a file may be read for an import: one in the folder of the main description or in a folder
// of the library, without a link out of it; with ImportsAnywhere any file.
func (l *loading) isAllowed(file string) bool {
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
	return l.library.ImportsAnywhere
}

// opaque looks for an undefined type in a file with its name beside the main description.
func (l *loading) opaque(from location, name string) (*objectType, error) {
	file := filepath.Join(l.home, name+".ksy")
	if !identifier.MatchString(name) || l.files[file] != nil || !l.isAllowed(file) {
		return nil, nil
	}
	text, err := l.library.readFile(file)
	if err != nil {
		return nil, nil // there is no such file: the type is unknown
	}
	d, err := l.add(from, file, text)
	if err != nil {
		return nil, err
	}
	return d.Root, nil
}

// location says where a node of a description is in its text.
type location struct {
	file    string
	line    int    // from 1
	column  int    // from 1
	isExact bool   // the text that begins here is on this line as it is, so that its columns can be counted
	path    string // from the top of the document: /types/header/seq/0
}

// Error is an error in a description, with its location.
type Error struct {
	File    string
	Line    int    // from 1; 0 if the file as a whole is meant
	Column  int    // from 1; 0 if the line as a whole is meant
	Path    string // from the top of the document: /types/header/seq/0/size; "" for the file as a whole
	Message string
}

// Error formats the error as the language's own compiler does: file, line, path, and the expectation.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	case e.Path == "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	path := e.Path
	if limit := 200; len(path) > limit { // of types in types in types
		path = "..." + path[len(path)-limit:]
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, path, e.Message)
}

// Location returns the file and the line of the error.
func (e *Error) Location() (file string, line int) { return e.File, e.Line }

func (l location) fail(format string, args ...any) error {
	return &Error{File: l.file, Line: l.line, Column: l.column, Path: l.path, Message: fmt.Sprintf(format, args...)}
}

// failAt is fail for an error at a byte of the text that begins at the location.
func (l location) failAt(offset int, format string, args ...any) error {
	if l.isExact {
		l.column += offset
	}
	return l.fail(format, args...)
}

// maxFindings limits the listed errors of a description: a broken one of 4 MB has more than a user reads.
const maxFindings = 500

// Errors are several errors of a description and its imports: those of one file together, by line.
type Errors []*Error

// Error returns the first one, and the number of the others.
func (e Errors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v (and %d more errors; assay formats --check lists them)", e[0], len(e)-1)
}

// Location returns the file and the line of the first error.
func (e Errors) Location() (file string, line int) { return e[0].Location() }

// findings collects the errors of a description.
type findings struct{ errors Errors }

// report adds an error, or the errors of an imported description. It returns false if err is nil.
func (f *findings) report(err error) bool {
	if err == nil {
		return false
	}
	if several, ok := errors.AsType[Errors](err); ok {
		f.errors = append(f.errors, several...)
	} else if located, ok := errors.AsType[*Error](err); ok {
		f.errors = append(f.errors, located)
	} else {
		f.errors = append(f.errors, &Error{Message: err.Error()})
	}
	f.errors = f.errors[:min(len(f.errors), maxFindings)]
	return true
}

// isFull reports whether no further errors are listed.
func (f *findings) isFull() bool { return len(f.errors) >= maxFindings }

// sort sorts the errors by file, in the order of the first error of each, then by line, and removes duplicates.
func (f *findings) sort() {
	order := make(map[string]int)
	for _, e := range f.errors {
		if _, ok := order[e.File]; !ok {
			order[e.File] = len(order)
		}
	}
	slices.SortStableFunc(f.errors, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column))
	})
	f.errors = slices.CompactFunc(f.errors, func(a, b *Error) bool { return *a == *b })
}

// err returns the sorted errors: nil, one *Error, or Errors.
func (f *findings) err() error {
	if len(f.errors) == 0 {
		return nil
	}
	f.sort()
	if len(f.errors) == 1 {
		return f.errors[0]
	}
	return f.errors
}
