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
	"assay/model/userdata"
)

// Folders are the user's folders of descriptions: the program's, and added ones, such as a checkout of the published
// descriptions. A file in the first one lists them, one path per line.
type Folders struct {
	Own string // the folder of the program's
}

// listName is the file that lists the folders that were added.
const listName = "folders.txt"

// All returns the folders, the program's first.
func (f Folders) All() []string {
	added, _ := f.readAdded() // an unreadable folder is empty
	return append([]string{f.Own}, added...)
}

// maxWatched bounds the folders that Watched returns.
const maxWatched = 512

// Watched returns the folders whose added, removed or changed descriptions can affect files: the folders, folders below
// them, and the folders of the projects around the files. The program's own folder, and folders of projects, may not
// exist yet.
func (f Folders) Watched(files []string) (paths []string) {
	for _, folder := range f.All() {
		paths = appendFolders(paths, folder)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		if project := projectAbove(folder); project != "" {
			paths = appendFolders(paths, project)
		} else {
			folder := filepath.Join(folder, filepath.FromSlash(ProjectFolder))
			paths = append(paths, filepath.Dir(folder), folder)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// appendFolders appends a folder, and the folders below it that are searched for descriptions.
func appendFolders(paths []string, folder string) []string {
	paths = append(paths, folder)
	for path, d := range pathsIn(folder, true) {
		if len(paths) >= maxWatched {
			break
		}
		if d.IsDir() {
			paths = append(paths, path)
		}
	}
	return paths
}

// pathsIn returns the paths in a folder, or in the target of a link, and, if below, in the folders below it that are
// not hidden. A folder that cannot be listed counts as empty.
func pathsIn(folder string, below bool) iter.Seq2[string, fs.DirEntry] {
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

// Remove removes a folder from the list, without deleting its descriptions.
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
	added, err := f.readAdded()
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, folder := range do(added) {
		text.WriteString(folder + "\n")
	}
	if err := userdata.MakeFolder(f.Own, 0o755); err != nil {
		return err
	}
	return model.ReplaceFile(filepath.Join(f.Own, listName), []byte(text.String()), 0o644)
}

func (f Folders) readAdded() ([]string, error) {
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
