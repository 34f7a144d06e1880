package kaitai

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

	mu       sync.Mutex
	read     map[string]*Entry          // by path
	carried  []*Entry                   // those of Bundled
	shelves  map[string]dated[[]*Entry] // by folder
	projects map[string]dated[string]   // the folder of descriptions around the folder of a file; "" if there is none
	now      func() time.Time           // nil: time.Now
}

// lookAgain is how long a folder is taken to be as it was: of many files that nothing recognises, few look again.
const lookAgain = time.Second

// dated is what was found at a time.
type dated[T any] struct {
	found T
	at    time.Time
}

// maxRemembered is how many folders are remembered.
const maxRemembered = 1000

// remember returns what was found under a key a short time ago, or finds it.
func remember[T any](g *Gallery, all *map[string]dated[T], key string, find func() T) T {
	now := time.Now()
	if g.now != nil {
		now = g.now()
	}
	if d, ok := (*all)[key]; ok {
		if age := now.Sub(d.at); age >= 0 && age < lookAgain {
			return d.found
		}
	}
	if *all == nil || len(*all) >= maxRemembered {
		*all = make(map[string]dated[T])
	}
	found := find()
	(*all)[key] = dated[T]{found, now}
	return found
}

// Entry is a description in a gallery.
type Entry struct {
	Name        string // the id, or the file's name if it cannot be read
	File        string // its path; only the name of a bundled one
	Bundled     bool
	Description *Description         // nil if it cannot be read
	Err         error                // why not
	magic       []byte               // what files begin with; nil if that is not said
	changed     map[string]time.Time // when the file, and each that it imports, was written
}

// List returns the descriptions for a file: those of the user's folders, of the project around the file, and the
// bundled ones, each sorted by file. A path of "" is no file. It looks into the folders anew.
func (g *Gallery) List(file string) []*Entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shelves, g.projects = nil, nil
	return g.list(file)
}

func (g *Gallery) list(file string) []*Entry {
	var all []*Entry
	var folders []string
	if g.Folders != nil {
		folders = g.Folders()
	}
	for _, folder := range folders {
		all = append(all, g.in(folder, &Library{Own: true, Folders: folders})...)
	}
	if file != "" {
		in := filepath.Dir(file)
		if project := remember(g, &g.projects, in, func() string { return projectFolder(in) }); project != "" {
			all = append(all, g.in(project, &Library{Folders: []string{project}})...)
		}
	}
	if g.Bundled != nil {
		all = append(all, g.bundled()...)
	}
	return all
}

// Load returns the description in a file, as List does: one in a project's folder may import from that folder only,
// any other is the user's own.
func (g *Gallery) Load(file string) (*Description, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	library := &Library{Own: true}
	if g.Folders != nil {
		library.Folders = g.Folders()
	}
	inProject := filepath.FromSlash("/" + ProjectFolder + "/")
	if i := strings.LastIndex(file, inProject); i >= 0 {
		library = &Library{Folders: []string{file[:i+len(inProject)-1]}}
	}
	e := g.entry(file, library)
	return e.Description, e.Err
}

// Recognise returns the description of a file that begins so: one whose first contents are there, else one that has no
// contents but the file's extension; nil if there is none.
func (g *Gallery) Recognise(head []byte, file, name string) *Description {
	extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	g.mu.Lock()
	defer g.mu.Unlock()
	var byName *Description
	for _, e := range g.list(file) {
		switch {
		case e.Description == nil:
		case e.magic != nil:
			if bytes.HasPrefix(head, e.magic) {
				return e.Description
			}
		case byName == nil && extension != "" && slices.Contains(e.Description.Extensions, extension):
			byName = e.Description
		}
	}
	return byName
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

// in returns the descriptions in a folder and those below it.
func (g *Gallery) in(folder string, library *Library) []*Entry {
	return remember(g, &g.shelves, folder, func() (found []*Entry) {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // what cannot be listed has no descriptions
			case len(found) >= maxFound:
				return fs.SkipAll
			case d.IsDir() && path != folder && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case d.Type().IsRegular() && strings.HasSuffix(path, ".ksy"):
				found = append(found, g.entry(path, library))
			}
			return nil
		})
		return found
	})
}

// entry returns a description in a file, which is read again when it has changed.
func (g *Gallery) entry(file string, library *Library) *Entry {
	if e := g.read[file]; e != nil && !e.stale() {
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
		g.read = make(map[string]*Entry)
	}
	g.read[file] = newEntry(file, d, err, changed)
	return g.read[file]
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
	if g.carried != nil {
		return g.carried
	}
	names, _ := fs.Glob(g.Bundled, "*.ksy")
	for _, name := range names {
		text, err := fs.ReadFile(g.Bundled, name)
		var d *Description
		if err == nil {
			d, err = (&Library{}).Read(path.Base(name), text)
		}
		e := newEntry(name, d, err, nil)
		e.Bundled = true
		g.carried = append(g.carried, e)
	}
	return g.carried
}

func newEntry(file string, d *Description, err error, changed map[string]time.Time) *Entry {
	e := &Entry{Name: strings.TrimSuffix(filepath.Base(file), ".ksy"), File: file, Description: d, Err: err, changed: changed}
	if d != nil {
		e.Name, e.magic = d.ID, d.Root.magic()
		d.Title = cmp.Or(d.Title, d.ID)
	}
	return e
}

// magic returns the bytes that files of the type begin with; nil if that is not said, or only one byte.
func (t *Type) magic() []byte {
	for depth := 0; depth < maxNesting && len(t.Seq) > 0; depth++ {
		a := t.Seq[0]
		switch {
		case a.If != nil || a.Repeat.Way != Once || a.Process != nil:
			return nil
		case len(a.Contents) > 1:
			return a.Contents
		case a.Type.Value.Kind != User || a.Type.On != nil:
			return nil
		}
		t = a.Type.Value.User
	}
	return nil
}
