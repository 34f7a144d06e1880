// Package gallery finds descriptions (.ksy): in the user's folders, in the project around a file, beside the file, and
// the bundled ones. They recognize files, and a user can choose one to open a file with.
package gallery

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/formats/kaitai"
	"assay/model"
	"assay/model/userdata"
)

// ProjectFolder is the folder of a project's own descriptions.
const ProjectFolder = ".assay/formats"

// maxUp is the number of folders above a file that are searched for a project.
const maxUp = 16

// Gallery is the descriptions that files are recognized by. It may be used from several goroutines.
type Gallery struct {
	// Bundled has the bundled descriptions as files at the top.
	Bundled fs.FS
	// UserFolders returns the folders of this user that hold descriptions. It may be nil.
	UserFolders func() []string

	carried struct { // entries of Bundled
		read    sync.Once
		entries []*Entry
	}
	mu      sync.Mutex // for shelves and drafts; not held while a folder is read
	shelves map[shelfKey]*shelf
	drafts  map[string][]byte // texts that are being edited, by the paths of their files
	now     func() time.Time  // nil for time.Now
}

// maxShelves is the maximum number of cached folders.
const maxShelves = 1000

// Entry is a description in a gallery.
type Entry struct {
	Name        string // the ID, or the file's name if it cannot be read
	File        string // its path; only the name of a bundled one
	Bundled     bool
	Description *kaitai.Description // nil if it cannot be read
	Err         error               // why not
	magic       [][]byte            // any of these begins a file; nil if undefined
}

func newEntry(file string, d *kaitai.Description, err error) *Entry {
	if err != nil {
		return &Entry{Name: strings.TrimSuffix(filepath.Base(file), ".ksy"), File: file, Err: err}
	}
	return &Entry{Name: d.ID, File: file, Description: d, magic: d.Magic()}
}

// List returns the descriptions for a file: in the user's folders, in the project around the file, and the bundled
// ones, each sorted by file. The path may be empty. It reads the folders again.
func (g *Gallery) List(file string) []*Entry { return g.list(file, true) }

// list is List; unless fresh, folders may be as they were a moment ago.
func (g *Gallery) list(file string, fresh bool) []*Entry {
	var entries []*Entry
	library := g.library()
	for _, folder := range library.Folders {
		own := shelfKey{folder: folder, isUsers: true, recursive: true}
		entries = append(entries, g.shelf(own).entries(library, fresh)...)
	}
	if project := projectFolder(filepath.Dir(file)); file != "" && project != "" {
		shelf := g.shelf(shelfKey{folder: project, recursive: true})
		entries = append(entries, shelf.entries(projectLibrary(project), fresh)...)
	}
	return append(entries, g.bundledEntries()...)
}

// EntriesBeside returns the descriptions in the folder of a file. They recognize no files, but the user can choose one.
func (g *Gallery) EntriesBeside(file string) []*Entry {
	if file == "" {
		return nil
	}
	return g.shelf(shelfKey{folder: filepath.Dir(file)}).entries(kaitai.Library{}, true)
}

// library returns the library of the user's own descriptions.
func (g *Gallery) library() kaitai.Library {
	library := kaitai.Library{Own: true}
	if g.UserFolders != nil {
		library.Folders = g.UserFolders()
	}
	return library
}

// projectLibrary returns the library of the descriptions of a project, which import from their folder only.
func projectLibrary(folder string) kaitai.Library { return kaitai.Library{Folders: []string{folder}} }

// Load returns the description in a file that the user chose. One in a project's folder, also through a link, may
// import from that folder only; any other belongs to the user.
func (g *Gallery) Load(file string) (*kaitai.Description, error) {
	library, file, err := g.libraryOf(file)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	draft, isDraft := g.drafts[filepath.Clean(file)]
	g.mu.Unlock()
	if isDraft {
		return library.Read(file, draft)
	}
	return library.Load(file)
}

// SetDraft makes Load read a text that is being edited instead of the file at a path; nil ends that.
func (g *Gallery) SetDraft(file string, text []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if text == nil {
		delete(g.drafts, filepath.Clean(file))
		return
	}
	if g.drafts == nil {
		g.drafts = make(map[string][]byte)
	}
	g.drafts[filepath.Clean(file)] = text
}

// Check returns the errors of a description that Load would read.
func (g *Gallery) Check(file string) (kaitai.Errors, error) {
	library, file, err := g.libraryOf(file)
	if err != nil {
		return nil, err
	}
	return library.Check(file)
}

// libraryOf returns the library that the description in a file belongs to, and its path there.
func (g *Gallery) libraryOf(file string) (kaitai.Library, string, error) {
	library := g.library()
	absolute, err := filepath.Abs(file)
	if err != nil {
		return library, file, err
	}
	resolved, _ := filepath.EvalSymlinks(absolute) // a missing file is not loaded
	for _, spelled := range []string{absolute, resolved} {
		if folder := projectAround(spelled); folder != "" {
			library, file = projectLibrary(folder), spelled
			break
		}
	}
	return library, file, nil
}

// projectAround returns the folder of a project's descriptions that contains a file, or "". The path is absolute.
func projectAround(file string) string {
	for folder := filepath.Dir(file); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		name := filepath.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder))
		if strings.EqualFold(filepath.ToSlash(name), ProjectFolder) { // some systems ignore case
			return folder
		}
	}
	return ""
}

// Recognize returns the description of a file that begins with head: the one with the longest matching first contents,
// else one without contents but with the file's extension, or nil.
func (g *Gallery) Recognize(head []byte, file, name string) *kaitai.Description {
	extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	var found *kaitai.Description
	longest := 0
	for _, e := range g.list(file, false) {
		switch {
		case e.Description == nil:
		case e.magic != nil:
			for _, magic := range e.magic {
				if len(magic) > longest && bytes.HasPrefix(head, magic) {
					found, longest = e.Description, len(magic)
				}
			}
		case found == nil && extension != "" && slices.Contains(e.Description.Extensions, extension):
			found = e.Description
		}
	}
	return found
}

// projectFolder returns the folder of descriptions in a folder or in an enclosing one, or "".
func projectFolder(folder string) string {
	for up := 0; up < maxUp; folder, up = filepath.Dir(folder), up+1 {
		project := filepath.Join(folder, filepath.FromSlash(ProjectFolder))
		if info, err := os.Stat(project); err == nil && info.IsDir() {
			return project
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	return ""
}

// shelf returns the cached descriptions of a folder.
func (g *Gallery) shelf(key shelfKey) *shelf {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.shelves[key]
	if s == nil {
		if g.shelves == nil || len(g.shelves) >= maxShelves {
			g.shelves = make(map[shelfKey]*shelf)
		}
		s = &shelf{shelfKey: key, now: time.Now}
		if g.now != nil {
			s.now = g.now
		}
		g.shelves[key] = s
	}
	return s
}

// bundledEntries returns the descriptions that the program carries.
func (g *Gallery) bundledEntries() []*Entry {
	if g.Bundled == nil {
		return nil
	}
	g.carried.read.Do(func() {
		names, _ := fs.Glob(g.Bundled, "*.ksy")
		for _, name := range names {
			text, err := fs.ReadFile(g.Bundled, name)
			var d *kaitai.Description
			if err == nil {
				d, err = (&kaitai.Library{}).Read(path.Base(name), text)
			}
			e := newEntry(name, d, err)
			e.Bundled = true
			g.carried.entries = append(g.carried.entries, e)
		}
	})
	return g.carried.entries
}

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
		if project := projectFolder(folder); project != "" {
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
