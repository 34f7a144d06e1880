package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/model"
)

// Entry is a file that a walk visits, or an unreadable path.
type Entry struct {
	Name    string // below the folder, with forward slashes
	Path    string // the folder's, as it was given, and the name
	Size    int64  // -1: unknown
	ModTime time.Time
	Link    string // the target of a link; empty for other files
	Problem string // why it cannot be read: "is a device, not a file"
	Export  bool   // it is in a default export folder
}

// ExportSuffix is the end of the names of default export folders, after the name of a file beside the folder, without
// its extension, or of the parent folder.
const ExportSuffix = " export"

// isExport reports whether an entry of a folder is a default export folder.
func isExport(e fs.DirEntry, entries []fs.DirEntry, around string) bool {
	name, ok := strings.CutSuffix(e.Name(), ExportSuffix)
	return ok && e.IsDir() && (name == around || slices.ContainsFunc(entries, func(file fs.DirEntry) bool {
		return !file.IsDir() && strings.TrimSuffix(file.Name(), filepath.Ext(file.Name())) == name
	}))
}

// Limits of a walk.
const (
	maxFiles = 500_000
	maxDepth = 64
)

// errTooMany returns the error for a folder with more files than the limit.
func errTooMany(limit int) error {
	return fmt.Errorf("more than %s files; only the first are listed. Open a subfolder instead",
		model.FormatCount(limit))
}

// Walk visits the files below a folder, by name, and unreadable paths: a pipe, a broken link, an unreadable folder, a
// folder of a system's virtual files (/proc, /sys). Links are followed, except to folders below the folder or around
// it, which are visited at their own path, and to each other folder once. Folders called .git are left out. The walk
// ends early with the error of visit or ctx, or after too many files.
func Walk(ctx context.Context, root string, visit func(e Entry) error) error {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		return err
	}
	w := &walk{ctx: ctx, root: real, asGiven: root, visit: visit, realPaths: map[string]bool{},
		isSystem: showsSystem(real)}
	return w.folder(entries, real, "", 0, false)
}

// WalkAny visits the files below a folder as Walk does, or the file at a path, also one that cannot be read.
func WalkAny(ctx context.Context, path string, visit func(e Entry) error) error {
	if model.IsFolder(path) {
		return Walk(ctx, path, visit)
	}
	e := Entry{Name: filepath.Base(path), Path: path, Size: -1}
	if info, err := model.StatFile(path); err == nil {
		e.Size, e.ModTime = info.Size(), info.ModTime()
	}
	return visit(e)
}

type walk struct {
	ctx           context.Context
	root, asGiven string // the folder: its real path, and as it was given
	visit         func(e Entry) error
	visited       int
	realPaths     map[string]bool // of the visited folders
	isSystem      bool            // the system shows itself in the folder, which is to be visited all the same
}

// folder visits the entries below a folder with a real path. export reports whether it is an export folder, or in one.
func (w *walk) folder(entries []fs.DirEntry, real, name string, depth int, export bool) error {
	if w.realPaths[real] {
		return nil
	}
	w.realPaths[real] = true
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if w.visited == maxFiles {
			return errTooMany(maxFiles)
		}
		below := filepath.Join(name, e.Name())
		inExport := export || isExport(e, entries, filepath.Base(real))
		if err := w.entry(e, filepath.Join(real, e.Name()), below, depth, inExport); err != nil {
			return err
		}
	}
	return nil
}

// entry visits an entry of a folder.
func (w *walk) entry(e fs.DirEntry, path, name string, depth int, export bool) error {
	found := Entry{Name: filepath.ToSlash(name), Path: filepath.Join(w.asGiven, name), Size: -1, Export: export}
	folder := e.IsDir()
	if e.Type()&fs.ModeSymlink != 0 {
		found.Link, _ = os.Readlink(path)
		info, err := os.Stat(path)
		folder = err == nil && info.IsDir()
	}
	if !folder {
		info, err := model.StatFile(path)
		if err != nil {
			found.Problem = reason(err)
		} else {
			found.Size, found.ModTime = info.Size(), info.ModTime()
		}
		return w.visitEntry(found)
	}
	if e.Name() == ".git" {
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err == nil && found.Link != "" && (Contains(real, w.root) || Contains(w.root, real)) {
		return nil
	}
	system := err == nil && !w.isSystem && showsSystem(real)
	var entries []fs.DirEntry
	if err == nil && depth < maxDepth && !system {
		entries, err = os.ReadDir(real)
	}
	switch {
	case system:
		found.Problem = "is a system folder and was skipped; open it directly to list it"
	case err != nil:
		found.Problem = "is a folder that cannot be read: " + reason(err)
	case depth == maxDepth:
		found.Problem = "is nested too deep and was skipped; open it directly to list it"
	default:
		return w.folder(entries, real, name, depth+1, export)
	}
	return w.visitEntry(found)
}

func (w *walk) visitEntry(e Entry) error {
	w.visited++
	return w.visit(e)
}

// Contains reports whether a path is a folder, or below it.
func Contains(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
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
