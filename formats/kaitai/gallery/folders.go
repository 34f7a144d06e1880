package gallery

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/formats/kaitai"
	"assay/model"
	"assay/model/userdata"
)

// Folders are the user's folders of descriptions: the program's, and added ones, such as a checkout of the published
// descriptions. A file in the first one lists them, one path per line.
type Folders struct {
	Own string // the program's folder
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

// maxFound bounds the descriptions of a folder.
const maxFound = 2000

// listingLifetime is how long a folder counts as unchanged, so that few of many unrecognized files read it again.
const listingLifetime = time.Second

// folderKey is a folder with the options of the search.
type folderKey struct {
	folder    string
	isOwn     bool // the folder is the user's own
	recursive bool // and the folders below it
}

// folderCache caches the descriptions of a folder. It is safe for concurrent use.
type folderCache struct {
	folderKey
	now     func() time.Time
	reading sync.Mutex // held while the folder is read
	current atomic.Pointer[listing]
}

// listing is the content of a folder at a time. It is immutable.
type listing struct {
	entries []*Entry
	files   map[string]*cachedEntry // by path
	checked time.Time
}

// cachedEntry is the entry of a file, and the files it depends on.
type cachedEntry struct {
	*Entry
	libraryFolders []string         // the folders that were searched for imports
	tried          map[string]stamp // the files that were tried, including the description itself
}

// stamp identifies the state of a file; a missing file has the zero stamp.
type stamp struct {
	modTime int64 // nanoseconds since 1970
	mode    fs.FileMode
}

func stampOf(file string) stamp {
	info, err := os.Stat(file)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime().UnixNano(), info.Mode()}
}

// entries returns the descriptions. If maxAge is 0, they are read again; otherwise they may have been read within that
// time, and only the first call waits for another goroutine that reads them.
func (c *folderCache) entries(library kaitai.Library, maxAge time.Duration) []*Entry {
	last := c.current.Load()
	if maxAge == 0 || last == nil {
		c.reading.Lock()
	} else if age := c.now().Sub(last.checked).Abs(); age < maxAge || !c.reading.TryLock() {
		return last.entries
	}
	defer c.reading.Unlock()
	return c.update(library)
}

// update returns the descriptions, and reads new and changed ones.
func (c *folderCache) update(library kaitai.Library) []*Entry {
	previous, current := c.current.Load(), &listing{files: make(map[string]*cachedEntry)}
	for path, d := range pathsIn(c.folder, c.recursive) {
		if !strings.HasSuffix(path, ".ksy") || !isFile(path, d) {
			continue
		}
		if len(current.entries) >= maxFound {
			err := fmt.Errorf("%s has more than %d descriptions; this and the next ones are ignored", c.folder, maxFound)
			current.entries = append(current.entries, newEntry(path, nil, err))
			break
		}
		var e *cachedEntry
		if previous != nil {
			e = previous.files[path]
		}
		if e == nil || e.isStale(library) {
			e = read(path, library)
		}
		current.files[path], current.entries = e, append(current.entries, e.Entry)
	}
	current.checked = c.now()
	c.current.Store(current)
	return current.entries
}

// isFile reports whether path is a file, or a link to one.
func isFile(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func read(file string, library kaitai.Library) *cachedEntry {
	e := &cachedEntry{libraryFolders: library.Folders, tried: make(map[string]stamp)}
	library.OnLookup = func(file string) { e.tried[file] = stampOf(file) }
	d, err := library.Load(file)
	e.Entry = newEntry(file, d, err)
	return e
}

// isStale reports whether a file that the description needs was changed, added or removed.
func (e *cachedEntry) isStale(library kaitai.Library) bool {
	for file, then := range e.tried {
		if stampOf(file) != then {
			return true
		}
	}
	return !slices.Equal(e.libraryFolders, library.Folders)
}
