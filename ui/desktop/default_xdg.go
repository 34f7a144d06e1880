//go:build unix && !darwin

package desktop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/model"
	"assay/model/userdata"
)

const (
	desktopFile  = AppID + ".desktop"
	defaultGroup = "[Default Applications]"
)

// replacedList is a list of default programs before and after SetDefault.
type replacedList struct {
	Path   string `json:"path"`
	Before []byte `json:"before_bytes"` // nil if it did not exist
	After  []byte `json:"after_bytes"`
}

// replacedFile returns the path of the file with the data that SetDefault replaced.
func (r *Registration) replacedFile() string { return filepath.Join(r.State, "default-programs.json") }

// defaultList returns the file with the default programs of this user, according to the MIME Applications Specification
// of freedesktop.org.
func (r *Registration) defaultList() string { return filepath.Join(r.Config, "mimeapps.list") }

// SetDefault makes Assay the default program for its file types. Before any change it saves the previous state as a
// whole for Unregister, so that neither a kill nor a full disk loses it.
func (r *Registration) SetDefault(ctx context.Context) error {
	unlock, err := r.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	saved, err := r.readReplaced()
	if err != nil {
		return err
	}
	path := r.defaultList()
	current, err := readList(path)
	if err != nil {
		return err
	}
	change := replacedList{Path: path, Before: current, After: r.addDefaults(current)}
	if i := slices.IndexFunc(saved, func(o replacedList) bool { return o.Path == path }); i >= 0 {
		change.Before = r.removeDefaults(current, saved[i])
	}
	if !sameText(current, change.After) {
		remaining := slices.DeleteFunc(slices.Clone(saved), func(o replacedList) bool { return o.Path == path })
		if err := r.writeReplaced(append(remaining, change)); err != nil {
			return fmt.Errorf("default apps unchanged, because the previous ones could not be saved: %w", err)
		}
		if err := writeList(path, change.After); err != nil {
			return errors.Join(fmt.Errorf("default apps unchanged: %w", err), r.writeReplaced(saved))
		}
	}
	if err := r.checkDefault(); err != nil {
		return err
	}
	fmt.Fprintln(r.Progress, "Assay is now the default app for these types")
	return nil
}

// checkDefault returns an error if a list of default programs has another program for one of the types.
func (r *Registration) checkDefault() error {
	paths := []string{r.defaultList()}
	for desktop := range strings.SplitSeq(os.Getenv("XDG_CURRENT_DESKTOP"), ":") {
		if desktop = filepath.Base(strings.ToLower(desktop)); desktop != "." {
			paths = append(paths, filepath.Join(r.Config, desktop+"-mimeapps.list"))
		}
	}
	for i, path := range paths {
		list, err := readList(path)
		if err != nil {
			return err
		}
		for _, t := range r.Types {
			line := lineOf(string(list), t.MIME)
			if _, program, _ := strings.Cut(strings.TrimSpace(line), "="); program != desktopFile && (i == 0 || line != "") {
				return fmt.Errorf("%s sets another app for %s. Choose Assay in the system settings", path, t.MIME)
			}
		}
	}
	return nil
}

// unsetDefault restores the data that SetDefault replaced.
func (r *Registration) unsetDefault(ctx context.Context) error {
	if r.State == "" || r.Staged || !exists(r.State) {
		return nil
	}
	unlock, err := r.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	removeUnfinished(r.replacedFile(), r.defaultList())
	saved, err := r.readReplaced()
	if err != nil || len(saved) == 0 {
		return err
	}
	for i := range saved {
		path := saved[i].Path
		current, err := readList(path)
		if err != nil {
			return err
		}
		switch restored := r.removeDefaults(current, saved[i]); {
		case sameText(restored, current):
		case restored == nil:
			err = os.Remove(path)
		default:
			err = writeList(path, restored)
		}
		if err != nil {
			return err
		}
		r.removeEmpty(filepath.Dir(path))
	}
	if err := r.writeReplaced(nil); err != nil {
		return err
	}
	fmt.Fprintln(r.Progress, "restored the previous default apps")
	return nil
}

// addDefaults returns list with Assay as the default program for its types.
func (r *Registration) addDefaults(list []byte) []byte {
	var lines []string
	group, insertAt := "", -1 // insertAt is the index for the lines of new types; -1: no such group yet
	missing := make(map[string]bool)
	for _, t := range r.Types {
		missing[t.MIME] = true
	}
	for line := range strings.Lines(string(list)) {
		mime, _, _ := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "["):
			group = strings.TrimSpace(line)
		case group == defaultGroup && r.hasType(mime):
			line = mime + "=" + desktopFile + "\n"
			delete(missing, mime)
		}
		if lines = append(lines, line); strings.HasPrefix(line, "[") && group == defaultGroup && insertAt < 0 {
			insertAt = len(lines)
		}
	}
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += "\n"
	}
	if insertAt < 0 {
		lines = append(lines, defaultGroup+"\n")
		insertAt = len(lines)
	}
	for _, t := range slices.Backward(r.Types) {
		if missing[t.MIME] {
			lines = slices.Insert(lines, insertAt, t.MIME+"="+desktopFile+"\n")
		}
	}
	return []byte(strings.Join(lines, ""))
}

// removeDefaults returns the current list without the changes of SetDefault: the previous list if nothing else has
// changed, else without Assay's lines.
func (r *Registration) removeDefaults(current []byte, c replacedList) []byte {
	switch {
	case current == nil:
		return current
	case sameText(current, c.After):
		return c.Before
	}
	before, lines := string(c.Before), []string{}
	for line := range strings.Lines(string(current)) {
		mime, program, _ := strings.Cut(strings.TrimSpace(line), "=")
		if program == desktopFile && r.hasType(mime) {
			if line = lineOf(before, mime); line == "" {
				continue
			}
		}
		lines = append(lines, line)
	}
	return []byte(strings.Join(lines, ""))
}

// hasType reports whether the program registers a media type.
func (r *Registration) hasType(mime string) bool {
	return slices.ContainsFunc(r.Types, func(t model.FileType) bool { return t.MIME == mime })
}

// lineOf returns the line of the default programs for a media type, or "".
func lineOf(list, mime string) string {
	inSection := false
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "[") {
			inSection = strings.TrimSpace(line) == defaultGroup
		}
		if inSection && strings.HasPrefix(line, mime+"=") {
			return line
		}
	}
	return ""
}

// readList returns the bytes of a file, or nil if it does not exist.
func readList(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

func sameText(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// writeList writes a list of default programs. It follows a symbolic link and keeps the mode.
func writeList(path string, list []byte) error {
	mode := fs.FileMode(0o644)
	if file, err := filepath.EvalSymlinks(path); err == nil {
		path = file
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := userdata.MakeFolder(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return model.ReplaceFile(path, list, mode)
}

func (r *Registration) readReplaced() ([]replacedList, error) {
	if r.State == "" || r.Staged {
		return nil, nil
	}
	b, err := readList(r.replacedFile())
	var lists []replacedList
	if err == nil && b != nil {
		err = json.Unmarshal(b, &lists)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the previous default apps from %s: %w. Remove that file to continue",
			r.replacedFile(), err)
	}
	return lists, nil
}

func (r *Registration) writeReplaced(all []replacedList) error {
	if r.State == "" || r.Staged {
		return nil
	}
	path := r.replacedFile()
	if len(all) == 0 {
		err := os.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	b, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return model.ReplaceFile(path, b, 0o600)
}

// maxLockWait is the maximum time that a registration waits for another one.
const maxLockWait = 10 * time.Second

// lock prevents other registrations of this user from changing the default programs until unlock, which removes all
// traces of the lock.
func (r *Registration) lock(ctx context.Context) (unlock func(), err error) {
	if r.State == "" || r.Staged {
		return func() {}, nil
	}
	path := filepath.Join(r.State, "register.lock")
	ctx, cancel := context.WithTimeout(ctx, maxLockWait)
	defer cancel()
	for {
		if err := userdata.MakeFolder(r.State, 0o700); err != nil {
			return nil, err
		}
		f, err := userdata.TryLock(path)
		if f != nil && isAt(f, path) {
			return func() {
				_ = os.Remove(path) // before unlocking: waiting processes check the path again
				f.Close()
				_ = os.Remove(r.State) // if it is empty
				r.removeEmpty(filepath.Dir(r.State))
			}, nil
		}
		if f != nil {
			f.Close()
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // the folder has just been removed
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("another Assay process is changing the default apps (%s is locked). Try again later", path)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func isAt(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	existing, err := os.Lstat(path)
	return err == nil && os.SameFile(open, existing)
}
