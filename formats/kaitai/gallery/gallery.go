// Package gallery finds descriptions (.ksy): those that a user keeps in folders, those of the project around a file,
// those beside it, and those that the program carries. Files are recognised by them, and may be opened as one of them.
//
//	gallery.go  the descriptions for a file, and which of them recognises it
//	folders.go  the folders of a user
package gallery

import (
	"bytes"
	"cmp"
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

// ProjectFolder is where the project around a file may have descriptions of its own.
const ProjectFolder = ".assay/formats"

// Bounds on the search for descriptions: of the files in a folder, and of the folders above a file.
const (
	maxFound = 2000
	maxUp    = 16
)

// Gallery is the descriptions that files are recognised by. It may be used from several goroutines.
type Gallery struct {
	// Bundled are those that the program carries: files at the top.
	Bundled fs.FS
	// Folders returns the folders of this user that hold descriptions; nil if there are none.
	Folders func() []string

	mu      sync.Mutex
	read    map[source]*Entry
	carried []*Entry         // those of Bundled
	shelves map[string]shelf // by folder
	now     func() time.Time // nil: time.Now
}

// source is a file of a description, and whether it is read as the user's own.
type source struct {
	file string
	own  bool
}

// shelf is what a folder had at a time.
type shelf struct {
	entries []*Entry
	at      time.Time
}

// lookAgain is how long a folder is taken to be as it was: of many files that nothing recognises, few look again.
const lookAgain = time.Second

// maxShelves is how many folders are remembered.
const maxShelves = 1000

// Entry is a description in a gallery.
type Entry struct {
	Name        string // the id, or the file's name if it cannot be read
	File        string // its path; only the name of a bundled one
	Bundled     bool
	Description *kaitai.Description  // nil if it cannot be read
	Err         error                // why not
	magic       []byte               // what files begin with; nil if that is not said
	changed     map[string]time.Time // when the file, and each that it imports, was written
}

// List returns the descriptions for a file: those of the user's folders, of the project around the file, and the
// bundled ones, each sorted by file. A path of "" is no file. It looks into the folders anew.
func (g *Gallery) List(file string) []*Entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shelves = nil
	return g.list(file)
}

// Beside returns the descriptions in the folder of a file, which recognise nothing: somebody may choose one of them.
func (g *Gallery) Beside(file string) []*Entry {
	if file == "" {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.find(filepath.Dir(file), &kaitai.Library{}, false)
}

func (g *Gallery) list(file string) []*Entry {
	var all []*Entry
	folders := g.folders()
	for _, folder := range folders {
		all = append(all, g.shelf(folder, &kaitai.Library{Own: true, Folders: folders})...)
	}
	if project := projectFolder(filepath.Dir(file)); file != "" && project != "" {
		all = append(all, g.shelf(project, &kaitai.Library{Folders: []string{project}})...)
	}
	return append(all, g.bundled()...)
}

func (g *Gallery) folders() []string {
	if g.Folders == nil {
		return nil
	}
	return g.Folders()
}

// Load returns the description in a file that somebody chose: one in a project's folder may import from that folder
// only, any other is the user's own.
func (g *Gallery) Load(file string) (*kaitai.Description, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	library := &kaitai.Library{Own: true, Folders: g.folders()}
	inProject := filepath.FromSlash("/" + ProjectFolder + "/")
	if i := strings.LastIndex(file, inProject); i >= 0 {
		library = &kaitai.Library{Folders: []string{file[:i+len(inProject)-1]}}
	}
	e := g.entry(file, library)
	return e.Description, e.Err
}

// Recognise returns the description of a file that begins so: the one whose first contents are there and are the
// longest, else one that has no contents but the file's extension; nil if there is none.
func (g *Gallery) Recognise(head []byte, file, name string) *kaitai.Description {
	extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	g.mu.Lock()
	defer g.mu.Unlock()
	var found *kaitai.Description
	longest := 0
	for _, e := range g.list(file) {
		switch {
		case e.Description == nil:
		case e.magic != nil:
			if len(e.magic) > longest && bytes.HasPrefix(head, e.magic) {
				found, longest = e.Description, len(e.magic)
			}
		case found == nil && extension != "" && slices.Contains(e.Description.Extensions, extension):
			found = e.Description
		}
	}
	return found
}

// projectFolder returns the folder of descriptions in a folder or in one around it; "" if there is none.
func projectFolder(folder string) string {
	for up := 0; up < maxUp; folder, up = filepath.Dir(folder), up+1 {
		here := filepath.Join(folder, filepath.FromSlash(ProjectFolder))
		if info, err := os.Stat(here); err == nil && info.IsDir() {
			return here
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	return ""
}

// shelf returns the descriptions in a folder and those below it, as they are or were a moment ago.
func (g *Gallery) shelf(folder string, library *kaitai.Library) []*Entry {
	now := time.Now
	if g.now != nil {
		now = g.now
	}
	if last, ok := g.shelves[folder]; ok && now().Sub(last.at).Abs() < lookAgain {
		return last.entries
	}
	if g.shelves == nil || len(g.shelves) >= maxShelves {
		g.shelves = make(map[string]shelf)
	}
	g.shelves[folder] = shelf{g.find(folder, library, true), now()}
	return g.shelves[folder].entries
}

// find returns the descriptions in a folder, and in those below it.
func (g *Gallery) find(folder string, library *kaitai.Library, below bool) (found []*Entry) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == folder:
			return nil // what cannot be listed has no descriptions
		case len(found) >= maxFound:
			return fs.SkipAll
		case d.IsDir() && (!below || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(path, ".ksy"):
			found = append(found, g.entry(path, library))
		}
		return nil
	})
	return found
}

// entry returns a description in a file, which is read again when it has changed.
func (g *Gallery) entry(file string, library *kaitai.Library) *Entry {
	key := source{file, library.Own}
	if e := g.read[key]; e != nil && !e.stale() {
		return e
	}
	changed := map[string]time.Time{file: lastChange(file)}
	d, err := library.Load(file)
	if err == nil {
		for _, file := range d.Files[1:] {
			changed[file] = lastChange(file)
		}
	}
	if g.read == nil {
		g.read = make(map[source]*Entry)
	}
	g.read[key] = newEntry(file, d, err, changed)
	return g.read[key]
}

// stale reports whether the description, or one that it imports, has changed; one that could not be read may find what
// it needs by now.
func (e *Entry) stale() bool {
	for file, then := range e.changed {
		if !lastChange(file).Equal(then) {
			return true
		}
	}
	return e.Err != nil
}

func lastChange(file string) time.Time {
	info, err := os.Stat(file)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// bundled returns the descriptions that the program carries.
func (g *Gallery) bundled() []*Entry {
	if g.carried != nil || g.Bundled == nil {
		return g.carried
	}
	names, _ := fs.Glob(g.Bundled, "*.ksy")
	for _, name := range names {
		text, err := fs.ReadFile(g.Bundled, name)
		var d *kaitai.Description
		if err == nil {
			d, err = (&kaitai.Library{}).Read(path.Base(name), text)
		}
		e := newEntry(name, d, err, nil)
		e.Bundled = true
		g.carried = append(g.carried, e)
	}
	return g.carried
}

func newEntry(file string, d *kaitai.Description, err error, changed map[string]time.Time) *Entry {
	name := strings.TrimSuffix(filepath.Base(file), ".ksy")
	e := &Entry{Name: name, File: file, Description: d, Err: err, changed: changed}
	if d != nil {
		e.Name, e.magic = d.ID, d.Magic()
		d.Title = cmp.Or(d.Title, d.ID)
	}
	return e
}
