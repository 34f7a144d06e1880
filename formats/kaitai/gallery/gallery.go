// Package gallery finds descriptions (.ksy): in the user's folders, in the project around a file, beside the file, and
// the bundled ones. They recognize files, and a user can choose one to open a file with.
package gallery

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/formats/kaitai"
)

// ProjectFolder is the folder of a project's own descriptions.
const ProjectFolder = ".assay/formats"

// maxParents is the number of folders above a file that are searched for a project.
const maxParents = 16

// Gallery is the descriptions that files are recognized by. It may be used from several goroutines.
type Gallery struct {
	// Bundled has the bundled descriptions as files at the top.
	Bundled fs.FS
	// UserFolders returns the folders of this user that hold descriptions. It may be nil.
	UserFolders func() []string

	bundled struct { // entries of Bundled
		read    sync.Once
		entries []*Entry
	}
	mu     sync.Mutex // for caches and drafts; not held while a folder is read
	caches map[folderKey]*folderCache
	drafts map[string][]byte // texts that are being edited, by the paths of their files
	now    func() time.Time  // nil for time.Now
}

// maxCachedFolders is the maximum number of cached folders.
const maxCachedFolders = 1000

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
func (g *Gallery) List(file string) []*Entry { return g.list(file, 0) }

// list is List with folders that may have been read within maxAge.
func (g *Gallery) list(file string, maxAge time.Duration) []*Entry {
	var entries []*Entry
	library := g.library()
	for _, folder := range library.Folders {
		own := folderKey{folder: folder, isOwn: true, recursive: true}
		entries = append(entries, g.folderCache(own).entries(library, maxAge)...)
	}
	if project := projectAbove(filepath.Dir(file)); file != "" && project != "" {
		cache := g.folderCache(folderKey{folder: project, recursive: true})
		entries = append(entries, cache.entries(projectLibrary(project), maxAge)...)
	}
	return append(entries, g.bundledEntries()...)
}

// EntriesBeside returns the descriptions in the folder of a file. They recognize no files, but the user can choose one.
func (g *Gallery) EntriesBeside(file string) []*Entry {
	if file == "" {
		return nil
	}
	return g.folderCache(folderKey{folder: filepath.Dir(file)}).entries(kaitai.Library{}, 0)
}

// library returns the library of the user's own descriptions.
func (g *Gallery) library() kaitai.Library {
	library := kaitai.Library{ImportsAnywhere: true}
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

// Check returns the errors of the description in a file. It ignores drafts.
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
		if folder := projectContaining(spelled); folder != "" {
			library, file = projectLibrary(folder), spelled
			break
		}
	}
	return library, file, nil
}

// projectContaining returns the folder of a project's descriptions that contains a file, or "". The path is absolute.
func projectContaining(file string) string {
	for folder := filepath.Dir(file); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		name := filepath.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder))
		if strings.EqualFold(filepath.ToSlash(name), ProjectFolder) { // some systems ignore case
			return folder
		}
	}
	return ""
}

// Recognize returns the description of a file that begins with head: the one with the longest matching first contents,
// else one without contents but with the extension of name, or nil. The project is looked for around file, which may be
// empty.
func (g *Gallery) Recognize(head []byte, file, name string) *kaitai.Description {
	extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	var found *kaitai.Description
	longest := 0
	for _, e := range g.list(file, listingLifetime) {
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

// projectAbove returns the folder of a project's descriptions in a folder or in an enclosing one, or "".
func projectAbove(folder string) string {
	for up := 0; up < maxParents; folder, up = filepath.Dir(folder), up+1 {
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

// folderCache returns the cached descriptions of a folder.
func (g *Gallery) folderCache(key folderKey) *folderCache {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.caches[key]
	if s == nil {
		if g.caches == nil || len(g.caches) >= maxCachedFolders {
			g.caches = make(map[folderKey]*folderCache)
		}
		s = &folderCache{folderKey: key, now: time.Now}
		if g.now != nil {
			s.now = g.now
		}
		g.caches[key] = s
	}
	return s
}

// bundledEntries returns the descriptions that the program carries.
func (g *Gallery) bundledEntries() []*Entry {
	if g.Bundled == nil {
		return nil
	}
	g.bundled.read.Do(func() {
		names, _ := fs.Glob(g.Bundled, "*.ksy")
		for _, name := range names {
			text, err := fs.ReadFile(g.Bundled, name)
			var d *kaitai.Description
			if err == nil {
				d, err = (&kaitai.Library{}).Read(path.Base(name), text)
			}
			e := newEntry(name, d, err)
			e.Bundled = true
			g.bundled.entries = append(g.bundled.entries, e)
		}
	})
	return g.bundled.entries
}
