//go:build unix && !darwin

package desktop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/model"
	"assay/model/userdata"
)

// HasSystem reports whether types can be registered for all users.
const HasSystem = true

// maxToolTime is the maximum run time of a tool of the system.
const maxToolTime = time.Minute

// Register writes files that are missing or from an older version, and notifies the desktop. Repeated calls are safe.
func (r *Registration) Register(ctx context.Context) error {
	if err := checkPath(r.Program); err != nil {
		return err
	}
	all, err := files(r.Program, r.Types, r.Icon)
	if err != nil {
		return err
	}
	var failed []error
	icons := 0
	for _, f := range all {
		wrote, err := r.write(f)
		switch {
		case err != nil:
			failed = append(failed, err)
		case f.text:
			fmt.Fprintf(r.Progress, "%s %s\n", map[bool]string{true: "written:", false: "unchanged:"}[wrote], f.path)
		default:
			icons++
		}
	}
	fmt.Fprintf(r.Progress, "icons: %d in icons/hicolor\n", icons)
	r.update(ctx)
	return errors.Join(failed...)
}

// write writes one file, and returns false if it is up to date.
func (r *Registration) write(f file) (bool, error) {
	path := filepath.Join(r.Data, f.path)
	old, err := os.ReadFile(path)
	if err == nil {
		if bytes.Equal(old, f.content) {
			return false, nil
		}
		if f.text && !bytes.Contains(old, []byte(mark)) {
			return false, fmt.Errorf("%s belongs to another program and was not changed", f.path)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := userdata.MakeFolder(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	return true, model.ReplaceFile(path, f.content, 0o644)
}

// Unregister removes the files that Register wrote, notifies the desktop, and removes empty folders.
func (r *Registration) Unregister(ctx context.Context) error {
	all, err := files(r.Program, r.Types, r.Icon)
	if err != nil {
		return err
	}
	var failed []error
	removed := 0
	for _, f := range all {
		path := filepath.Join(r.Data, f.path)
		if !isOwn(f, path) {
			failed = append(failed, fmt.Errorf("%s belongs to another program and was not changed", f.path))
			continue
		}
		switch err := os.Remove(path); {
		case err == nil:
			removed++
		case !errors.Is(err, fs.ErrNotExist):
			failed = append(failed, err)
		}
	}
	var updated []string
	if removed == 0 {
		fmt.Fprintln(r.Progress, "nothing was registered")
	} else {
		fmt.Fprintf(r.Progress, "removed: %d files\n", removed)
		updated = r.update(ctx)
	}
	if err := r.unsetDefault(ctx); err != nil {
		failed = append(failed, err)
	}
	r.removeStale(all, updated)
	return errors.Join(failed...)
}

// isOwn reports whether Unregister may remove the file at a path: Register wrote it, or it does not exist. Register
// writes no links.
func isOwn(f file, path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return true // the removal has the error
	}
	if !f.text || !info.Mode().IsRegular() {
		return info.Mode().IsRegular()
	}
	old, err := os.ReadFile(path)
	return err != nil || bytes.Contains(old, []byte(mark))
}

// update runs the desktop's installed tools that read the folders again. It returns the folders whose generated files
// are now new.
func (r *Registration) update(ctx context.Context) (updated []string) {
	if r.Staged {
		return nil
	}
	for _, t := range []struct {
		name, folder, without string
		args                  []string
	}{
		{"update-mime-database", "mime", "file types will be recognized after it has been run", nil},
		{"update-desktop-database", "applications", "default apps may take effect later",
			[]string{"-q"}},
		{"gtk-update-icon-cache", "icons/hicolor", "icons may appear later", []string{"-q", "-t", "-f"}},
	} {
		folder := filepath.Join(r.Data, t.folder)
		if _, err := os.Stat(folder); err != nil {
			continue
		}
		if t.folder == "icons/hicolor" && !exists(filepath.Join(folder, "icon-theme.cache")) {
			continue // a folder without a cache is read directly; a new cache would remain after Unregister
		}
		tool, err := exec.LookPath(t.name)
		if err != nil {
			fmt.Fprintf(r.Progress, "missing: %s (%s)\n", t.name, t.without)
			continue
		}
		tctx, cancel := context.WithTimeout(ctx, maxToolTime)
		out, err := exec.CommandContext(tctx, tool, append(t.args, folder)...).CombinedOutput()
		cancel()
		if err != nil {
			fmt.Fprintf(r.Progress, "%s: %v: %s\n", t.name, err, strings.TrimSpace(string(out)))
			continue
		}
		fmt.Fprintf(r.Progress, "updated: %s\n", t.folder)
		updated = append(updated, t.folder)
	}
	return updated
}

// generated lists the files that update-mime-database and update-desktop-database generate from their folders. If a
// folder contains no other files, these are the last ones of Assay.
var generated = map[string][]string{
	"mime/packages": {"../XMLnamespaces", "../aliases", "../generic-icons", "../globs", "../globs2", "../icons",
		"../magic",
		"../mime.cache", "../subclasses", "../treemagic", "../types", "../version"},
	"applications": {"mimeinfo.cache"},
}

// removeStale removes the files of interrupted writes, the files that the tools have just generated in the updated
// folders, and the folders that are empty without Assay's files.
func (r *Registration) removeStale(all []file, updated []string) {
	for _, f := range all {
		removeUnfinished(filepath.Join(r.Data, f.path))
	}
	for folder, names := range generated {
		if top, _, _ := strings.Cut(folder, "/"); !slices.Contains(updated, top) {
			continue // they are not of Assay
		}
		entries, err := os.ReadDir(filepath.Join(r.Data, folder))
		if err != nil || slices.ContainsFunc(entries,
			func(e fs.DirEntry) bool { return !slices.Contains(names, e.Name()) }) {
			continue
		}
		for _, name := range names {
			_ = os.Remove(filepath.Join(r.Data, folder, name))
		}
	}
	var folders []string
	// update-mime-database creates one for each media type with a description, and removes it again
	for _, t := range r.Types {
		media, _, _ := strings.Cut(t.MIME, "/")
		folders = append(folders, "mime/"+media)
	}
	for _, f := range all {
		for d := filepath.Dir(f.path); d != "."; d = filepath.Dir(d) {
			if !slices.Contains(folders, d) {
				folders = append(folders, d)
			}
		}
	}
	slices.SortFunc(folders, func(a, b string) int { return len(b) - len(a) })
	for _, d := range folders {
		_ = os.Remove(filepath.Join(r.Data, d)) // fails unless the folder is empty
	}
	r.removeEmpty(r.Data)
}

// removeEmpty removes an empty folder and its parents that become empty, below the user's home folder.
func (r *Registration) removeEmpty(folder string) {
	for {
		relative, err := filepath.Rel(r.Home, folder)
		if err != nil || r.Home == "" || relative == "." || !filepath.IsLocal(relative) || os.Remove(folder) != nil {
			return
		}
		folder = filepath.Dir(folder)
	}
}

// removeUnfinished removes the temporary files of interrupted writes: model.ReplaceFile writes .tmp-NAME and a number
// first.
func removeUnfinished(paths ...string) {
	for _, path := range paths {
		folder, prefix := filepath.Dir(path), ".tmp-"+filepath.Base(path)
		entries, _ := os.ReadDir(folder)
		for _, e := range entries {
			number, ours := strings.CutPrefix(e.Name(), prefix)
			if _, err := strconv.ParseUint(number, 10, 64); ours && err == nil {
				_ = os.Remove(filepath.Join(folder, e.Name()))
			}
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
