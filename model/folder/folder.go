// Package folder lists the files below a folder that the program knows, by their content.
package folder

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/model"
)

// File is a file below a folder.
type File struct {
	Name    string // below the folder, with forward slashes
	Path    string
	System  string // what its content says it is
	Size    int64  // -1: unknown
	ModTime time.Time
	Problem string // why it cannot be read; such a file is listed although its kind is unknown
}

// Most bounds what is looked at.
const (
	filesMost = 500_000
	depthMost = 64
)

// ErrMany says that there are more files below a folder than are looked at.
var ErrMany = errors.New("there are more than 500,000 files: what is listed are those that were looked at; open a folder below")

// walk is what is known on the way.
type walk struct {
	ctx       context.Context
	root      string // its real path
	recognise func(src *model.Source) string
	tell      func(found []File, looked int)
	found     []File
	looked    int
	seen      map[string]bool // real paths of folders that links lead to or come from
}

// List lists the files below a folder that recognise knows, and those that cannot be read. Links are followed, each
// folder once, but not to what is around the folder. tell is called with what has been found, after every file that was
// looked at. With an error, what was found until then is returned besides.
func List(ctx context.Context, root string, recognise func(src *model.Source) string,
	tell func(found []File, looked int)) ([]File, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	w := &walk{ctx: ctx, root: real, recognise: recognise, tell: tell, seen: map[string]bool{}}
	entries, err := os.ReadDir(real)
	if err != nil {
		return nil, err
	}
	err = w.folder(entries, real, "", 0)
	slices.SortFunc(w.found, func(a, b File) int {
		return cmp.Or(model.CompareNames(a.Name, b.Name), cmp.Compare(a.Name, b.Name))
	})
	return w.found, err
}

// folder looks at what is in a folder whose real path is given, and below it.
func (w *walk) folder(entries []fs.DirEntry, real, name string, depth int) error {
	if w.seen[real] {
		return nil
	}
	w.seen[real] = true
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if w.looked == filesMost {
			return ErrMany
		}
		if err := w.entry(e, filepath.Join(real, e.Name()), filepath.ToSlash(filepath.Join(name, e.Name())),
			depth); err != nil {
			return err
		}
	}
	return nil
}

// entry looks at what is in a folder.
func (w *walk) entry(e fs.DirEntry, path, name string, depth int) error {
	mode := e.Type()
	if mode&fs.ModeSymlink != 0 {
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode()
		}
	}
	if !mode.IsDir() {
		w.file(path, name)
		return nil
	}
	if e.Name() == ".git" {
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if rel, no := filepath.Rel(real, w.root); err == nil && no == nil && filepath.IsLocal(rel) {
		return nil // a link to a folder around this one
	}
	var entries []fs.DirEntry
	if err == nil && depth < depthMost {
		entries, err = os.ReadDir(real)
	}
	switch {
	case err != nil:
		w.add(File{Name: name, Path: path, Size: -1, Problem: "the folder cannot be read: " + reason(err)})
	case depth == depthMost:
		w.add(File{Name: name, Path: path, Size: -1, Problem: "the folder is too deep to look into: open it by itself"})
	default:
		return w.folder(entries, real, name, depth+1)
	}
	return nil
}

func (w *walk) add(f File) {
	w.found = append(w.found, f)
	w.looked++
	w.tell(w.found, w.looked)
}

// file lists a file if it is known, or cannot be read.
func (w *walk) file(path, name string) {
	src, err := model.OpenFile(path)
	if err != nil {
		w.add(File{Name: name, Path: path, Size: -1, Problem: reason(err)})
		return
	}
	defer src.Close()
	system := w.recognise(src)
	if system == "" {
		w.looked++
		w.tell(w.found, w.looked)
		return
	}
	f := File{Name: name, Path: path, System: system, Size: src.Size()}
	if info, err := os.Stat(path); err == nil {
		f.ModTime = info.ModTime()
	}
	w.add(f)
}

// reason is why something cannot be opened, without its path.
func reason(err error) string {
	var open *model.OpenError
	var path *fs.PathError
	switch {
	case errors.As(err, &open):
		return open.Reason
	case errors.As(err, &path):
		return path.Err.Error()
	}
	return err.Error()
}
