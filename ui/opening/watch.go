package opening

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"assay/model"
	"assay/ui/comparison/compared"
	"assay/ui/desktop"
	"assay/ui/work"
)

// Watcher watches the files of owners, such as tabs. If watching is impossible, files are only checked when a tab or
// the window is activated.
type Watcher struct {
	watcher *desktop.Watcher
	paths   map[any][]string // paths of an owner's files
}

// Start starts watching. changed is called on the UI thread.
func (w *Watcher) Start(changed func(path string)) {
	w.watcher, _ = desktop.NewWatcher(desktop.Settle, func(path string) { work.Do(func() { changed(path) }) })
}

// Set watches the files of an owner instead of its previous files.
func (w *Watcher) Set(group *work.Group, owner any, files ...*File) {
	if w.watcher == nil {
		return
	}
	if w.paths == nil {
		w.paths = make(map[any][]string)
	}
	previous := w.paths[owner]
	var paths []string
	for _, f := range files {
		paths = append(paths, f.WatchedPaths()...)
	}
	if w.paths[owner] = paths; len(paths) == 0 {
		delete(w.paths, owner)
	}
	w.unwatch(previous)
	group.Go(func(context.Context) func() {
		for _, path := range paths {
			_ = w.watcher.Add(path) // unwatched files are checked when their tab is activated
		}
		return func() { w.unwatch(paths) } // the owner may be closed by now
	})
}

// unwatch stops watching the paths without owners.
func (w *Watcher) unwatch(paths []string) {
	for _, path := range paths {
		isWatched := false
		for _, watched := range w.paths {
			isWatched = isWatched || slices.Contains(watched, path)
		}
		if !isWatched {
			w.watcher.Remove(path)
		}
	}
}

// Close stops watching. It does not wait: the watcher may be reporting a change, which waits for this thread.
func (w *Watcher) Close() {
	if w.watcher != nil {
		go w.watcher.Close()
	}
}

// File is the state of a file when it was opened.
type File struct {
	Path string      // empty for bytes that are not a file
	real string      // target of the path, with links resolved
	info os.FileInfo // nil if the file does not exist

	DescriptionPaths []string // files of the description that decoded the file

	Change        Change // last change that the user was notified of
	OpenedContent []byte // content of a small file when it was opened
}

// NewFile returns the state of the file at a path.
func NewFile(path string) *File {
	f := &File{Path: path}
	if resolved, err := filepath.EvalSymlinks(path); err == nil && path != "" {
		f.real = resolved
		f.info, _ = os.Stat(path)
	}
	return f
}

// Update copies the state of the file from a later NewFile.
func (f *File) Update(current *File) { f.real, f.info = current.real, current.info }

// HasPath reports whether path refers to the file.
func (f *File) HasPath(path string) bool { return f.Path == path || f.real == path }

// IsSame reports whether g is the opened file, possibly through links, unless f has changed on disk since.
func (f *File) IsSame(g *File) bool {
	return f.info != nil && g.info != nil && f.Change.Badge == "" && os.SameFile(f.info, g.info)
}

// WatchedPaths returns the paths of the file, of its link target and of its descriptions.
func (f *File) WatchedPaths() []string {
	switch {
	case f.Path == "":
		return f.DescriptionPaths
	case f.real == "" || f.real == f.Path:
		return append([]string{f.Path}, f.DescriptionPaths...)
	}
	return append([]string{f.Path, f.real}, f.DescriptionPaths...)
}

// Change is the difference between a file on disk and the opened one.
type Change struct {
	Badge     string // word on the tab; empty without a change
	Text      string // a sentence
	FileState string // state of the file on disk: each state is reported once
	readable  bool   // all opened bytes can still be read
}

// CheckFile compares the file of a source with the opened one.
func CheckFile(src *model.Source) Change {
	if src.Changed() == nil {
		return Change{}
	}
	name := src.Name()
	c := Change{Badge: "changed", Text: name + " changed on disk. Showing the version loaded earlier.",
		readable: src.IsIntact()}
	info, err := os.Stat(src.Path())
	switch {
	case err != nil:
		return Change{Badge: "gone", Text: name + " was deleted or moved. Showing the version loaded earlier.",
			readable: c.readable}
	case info.Size() < src.Size():
		c.Text = fmt.Sprintf("%s shrank on disk from %[3]d to %[2]d bytes. Showing the data loaded earlier.", name, info.Size(), src.Size())
	case !c.readable:
		c.Text = name + " was overwritten on disk. Only the parts loaded earlier are displayed."
	}
	c.FileState = fmt.Sprint(info.Size(), info.ModTime())
	return c
}

// MaxContent is the maximum size of a file that is copied to memory, in bytes: a program that overwrites the file would
// destroy the earlier version.
const MaxContent = 8 << 20

// ReadSmall returns the bytes of a small file, to compare a later version with, or nil.
func ReadSmall(src *model.Source) []byte {
	if src.Path() == "" || src.Size() > MaxContent {
		return nil
	}
	b, err := src.Bytes(model.Span{Size: src.Size()})
	if err != nil || src.Changed() != nil {
		return nil
	}
	return b
}

// BeforeChange returns the version of a file before its change, and whether all of it is still available.
func (f *File) BeforeChange(d *model.Document,
	openSource model.Opener) (compared.Side, bool) {
	name, b := model.FileName(f.Path), f.OpenedContent
	old := compared.Side{Title: model.FileName(f.Path) + " (before)", Hint: f.Path}
	switch {
	case b != nil:
		old.Open = func(ctx context.Context) (*model.Document, error) {
			return openSource(ctx, model.NewSource(name, bytes.NewReader(b), int64(len(b))))
		}
	case f.Change.readable:
		old.Open = func(context.Context) (*model.Document, error) {
			if !d.Source.IsIntact() {
				return nil, fmt.Errorf("the earlier version of %s is no longer available", d.Source.Name())
			}
			d.Source.Hold()
			return d, nil
		}
	}
	return old, old.Open != nil
}
