package gallery

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
)

// Folders are where a user keeps descriptions: a folder of the program's, and those that the user added, such as a
// checkout of the published descriptions. A file in the first one lists them, one path a line.
type Folders struct {
	Own string // the folder of the program's
}

// listName is the file that lists the folders that were added.
const listName = "folders.txt"

// All returns the folders, the program's first.
func (f Folders) All() []string {
	added, _ := f.added() // what cannot be read lists none
	return append([]string{f.Own}, added...)
}

// watchedMost bounds the folders that Watched returns.
const watchedMost = 512

// Watched returns where a description that comes, goes or changes can count for files: the folders, those below them,
// and the folders of the projects around the files. The program's own folder, and those of projects beside the files,
// need not be there yet.
func (f Folders) Watched(files []string) (all []string) {
	for _, folder := range f.All() {
		all = appendFolders(all, folder)
	}
	for _, file := range files {
		in := filepath.Dir(file)
		if project := projectFolder(in); project != "" {
			all = appendFolders(all, project)
		} else {
			folder := filepath.Join(in, filepath.FromSlash(ProjectFolder))
			all = append(all, filepath.Dir(folder), folder)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// appendFolders appends a folder, and those below it in which descriptions are looked for.
func appendFolders(all []string, folder string) []string {
	all = append(all, folder)
	for path, d := range within(folder, true) {
		if len(all) >= watchedMost {
			break
		}
		if d.IsDir() {
			all = append(all, path)
		}
	}
	return all
}

// within returns the paths of what lies in a folder, or in one that a link stands for, and, if below, in the folders
// below it that are not hidden. What cannot be listed has nothing in it.
func within(folder string, below bool) iter.Seq2[string, fs.DirEntry] {
	return func(yield func(string, fs.DirEntry) bool) {
		root, _ := filepath.EvalSymlinks(folder)
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || path == root:
				return nil
			case d.IsDir() && (!below || strings.HasPrefix(d.Name(), ".")):
				return fs.SkipDir
			case !yield(filepath.Join(folder, strings.TrimPrefix(path, root)), d):
				return fs.SkipAll
			}
			return nil
		})
	}
}

// Add adds a folder, which must be there.
func (f Folders) Add(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil || !info.IsDir():
		return errors.New(model.OneLine(folder, 200) + " is not a folder that can be read")
	case strings.ContainsAny(folder, "\r\n"):
		return errors.New("a folder with a line end in its name cannot be added")
	}
	return f.change(func(added []string) []string {
		if slices.Contains(added, folder) || folder == f.Own {
			return added
		}
		return append(added, folder)
	})
}

// Remove removes a folder from the list; its descriptions stay where they are.
func (f Folders) Remove(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	return f.change(func(added []string) []string {
		return slices.DeleteFunc(added, func(a string) bool { return a == folder })
	})
}

func (f Folders) change(do func(added []string) []string) error {
	added, err := f.added()
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, folder := range do(added) {
		text.WriteString(folder + "\n")
	}
	if err := os.MkdirAll(f.Own, 0o755); err != nil {
		return err
	}
	return model.ReplaceFile(filepath.Join(f.Own, listName), []byte(text.String()), 0o644)
}

// added returns the folders that were added.
func (f Folders) added() ([]string, error) {
	b, err := model.ReadShared(filepath.Join(f.Own, listName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var added []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" {
			added = append(added, line)
		}
	}
	return added, nil
}
