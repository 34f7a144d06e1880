//go:build unix && !darwin

package desktop

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
)

// replaced is what a file of default programs was before SetDefault, and after it.
type replaced struct {
	Path   string `json:"path"`
	Before []byte `json:"before_bytes"` // nil: it was not there
	After  []byte `json:"after_bytes"`
}

// replacedFile keeps what SetDefault replaced, for Unregister.
func (r *Registration) replacedFile() string { return filepath.Join(r.State, "default-programs.json") }

// defaultLists are the files in which desktops keep the default programs of this user.
func (r *Registration) defaultLists() []string {
	return []string{
		filepath.Join(r.Config, "mimeapps.list"),
		filepath.Join(r.Data, "applications", "mimeapps.list"),
		filepath.Join(r.Data, "applications", "defaults.list"),
	}
}

// SetDefault makes the program the one that opens its file types. Unregister puts back what was there before.
func (r *Registration) SetDefault(ctx context.Context) error {
	tool, err := exec.LookPath("xdg-mime")
	if err != nil {
		return errors.New("xdg-mime is missing: set the default in the system's settings")
	}
	earlier, err := r.readReplaced()
	if err != nil {
		return err
	}
	now := make([]replaced, 0, len(r.defaultLists()))
	var places []place
	for _, path := range r.defaultLists() {
		present, err := readList(path)
		if err != nil {
			return err
		}
		now = append(now, replaced{Path: path, Before: r.withoutUs(present, find(earlier, path))})
		places = append(places, placeOf(path))
	}
	args := []string{"default", AppID + ".desktop"}
	for _, t := range r.Types {
		args = append(args, t.MIME)
	}
	ctx, cancel := context.WithTimeout(ctx, toolMax)
	defer cancel()
	out, failed := exec.CommandContext(ctx, tool, args...).CombinedOutput()
	for i := range now {
		if err := places[i].restore(); err != nil {
			return err
		}
		if now[i].After, err = readList(now[i].Path); err != nil {
			return err
		}
	}
	now = slices.DeleteFunc(now, func(c replaced) bool { return sameText(c.Before, c.After) })
	if err := r.writeReplaced(now); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("xdg-mime: %w: %s", failed, strings.TrimSpace(string(out)))
	}
	fmt.Fprintln(r.Talk, "Assay opens these types by default now")
	return nil
}

// unsetDefault puts back what SetDefault replaced.
func (r *Registration) unsetDefault() error {
	all, err := r.readReplaced()
	if err != nil || len(all) == 0 {
		return err
	}
	for i := range all {
		path := all[i].Path
		present, err := readList(path)
		if err != nil {
			return err
		}
		switch back := r.withoutUs(present, &all[i]); {
		case sameText(back, present):
		case back == nil:
			err = os.Remove(path)
		default:
			err = placeOf(path).write(back)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(r.Talk, "the default programs are as they were before")
	return r.writeReplaced(nil)
}

// withoutUs is a file of default programs as it would be without SetDefault: as it was before, if nothing else was
// changed since, else without the lines of ours.
func (r *Registration) withoutUs(present []byte, c *replaced) []byte {
	switch {
	case c == nil || present == nil:
		return present
	case sameText(present, c.After):
		return c.Before
	}
	before, lines := string(c.Before), []string{}
	for line := range strings.Lines(string(present)) {
		mime, program, _ := strings.Cut(strings.TrimSpace(line), "=")
		if program == AppID+".desktop" && r.has(mime) {
			if line = lineOf(before, mime); line == "" {
				continue
			}
		}
		lines = append(lines, line)
	}
	return []byte(strings.Join(lines, ""))
}

// has reports whether a media type is one of the program's.
func (r *Registration) has(mime string) bool {
	for _, t := range r.Types {
		if t.MIME == mime {
			return true
		}
	}
	return false
}

// lineOf returns the line of the default programs that is about a media type; empty if there is none.
func lineOf(list, mime string) string {
	in := false
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "[") {
			in = strings.HasPrefix(line, "[Default Applications]")
		}
		if in && strings.HasPrefix(line, mime+"=") {
			return line
		}
	}
	return ""
}

func find(all []replaced, path string) *replaced {
	for i := range all {
		if all[i].Path == path {
			return &all[i]
		}
	}
	return nil
}

// readList returns the bytes of a file; nil if there is none.
func readList(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

func sameText(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// place is where a list of default programs is: xdg-mime puts a new file there, also in the place of a link.
type place struct {
	path string
	link string      // what the path leads to, if it is a link
	file string      // the file itself
	mode fs.FileMode // 0: there is no file
}

func placeOf(path string) place {
	p := place{path: path, file: path}
	if file, err := filepath.EvalSymlinks(path); err == nil {
		p.file = file
	}
	if info, err := os.Stat(p.file); err == nil {
		p.mode = info.Mode().Perm()
	}
	p.link, _ = os.Readlink(path) // an error: it is not a link
	return p
}

// write writes the file, through the link if there is one.
func (p place) write(list []byte) error {
	return model.ReplaceFile(p.file, list, cmp.Or(p.mode, 0o644))
}

// restore makes of a new file at the path what was there before, a link or a file of a mode, with the new content.
func (p place) restore() error {
	info, err := os.Lstat(p.path)
	if p.mode == 0 || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || info.Mode().Type() != 0 {
		return err
	}
	if p.file == p.path {
		return os.Chmod(p.path, p.mode)
	}
	list, err := readList(p.path)
	if err != nil {
		return err
	}
	if err := p.write(list); err != nil {
		return err
	}
	if p.link == "" { // only a folder above it is a link
		return nil
	}
	if err := os.Remove(p.path); err != nil {
		return err
	}
	return os.Symlink(p.link, p.path)
}

func (r *Registration) readReplaced() ([]replaced, error) {
	if r.State == "" || r.Staged {
		return nil, nil
	}
	b, err := os.ReadFile(r.replacedFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []replaced
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(b)).Decode(&all)
	}
	if err != nil {
		return nil, fmt.Errorf("what the default programs were before cannot be read: %w", err)
	}
	return all, nil
}

func (r *Registration) writeReplaced(all []replaced) error {
	if r.State == "" || r.Staged {
		return nil
	}
	path := r.replacedFile()
	if len(all) == 0 {
		err := os.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		_ = os.Remove(r.State) // if it is empty then
		return err
	}
	b, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.State, 0o700); err != nil {
		return err
	}
	return model.ReplaceFile(path, b, 0o600)
}
