package host

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
)

const (
	maxChoices = 200 // maximum number of projects with a stored choice
	maxParents = 40  // maximum number of parent folders of a file that are searched
)

// Setting is a setting that is stored as JSON in the preferences. Its value is the key.
type Setting[V any] string

// Load sets v to the stored value. It leaves v as it is if there is no valid value.
func (s Setting[V]) Load(v *V) {
	app := fyne.CurrentApp()
	if app == nil {
		return
	}
	if value := *v; json.Unmarshal([]byte(app.Preferences().String(string(s))), &value) == nil {
		*v = value
	}
}

// Save stores a value.
func (s Setting[V]) Save(v V) {
	prefs := fyne.CurrentApp().Preferences()
	if b, err := json.Marshal(v); err == nil && prefs.String(string(s)) != string(b) {
		prefs.SetString(string(s), string(b))
	}
}

// Choices are the user's choices for the files of projects, by the folder of the project or the package that contains
// the files. All choices of one kind are stored under one key of the preferences; its value is the key.
type Choices[V any] string

// choice is a choice for a folder and all files below it.
type choice[V any] struct {
	Folder string
	Value  V
}

func (c Choices[V]) load() (all []choice[V]) {
	Setting[[]choice[V]](c).Load(&all)
	return all
}

// nearest returns the choice for the nearest project that contains a file; ok is false if there is no choice.
func (c Choices[V]) nearest(file string) (found choice[V], ok bool) {
	all := c.load()
	folder := filepath.Clean(file)
	for range maxParents {
		if i := slices.IndexFunc(all, func(entry choice[V]) bool { return entry.Folder == folder }); i >= 0 &&
			file != "" {
			return all[i], true
		}
		folder = filepath.Dir(folder)
	}
	return found, false
}

// Of returns the choice of the nearest project that contains a file; ok is false if there is none.
func (c Choices[V]) Of(file string) (v V, ok bool) {
	found, ok := c.nearest(file)
	return found.Value, ok
}

// Set stores the choice for a project, unless project is empty. If there are too many, the oldest choices are dropped.
func (c Choices[V]) Set(project string, v V) {
	if project != "" {
		project = filepath.Clean(project)
		c.put(project, choice[V]{project, v})
	}
}

// Each calls do for each project with a choice, the latest first.
func (c Choices[V]) Each(do func(project string, v V)) {
	for _, entry := range c.load() {
		do(entry.Folder, entry.Value)
	}
}

// Forget removes the choice for the nearest project that contains a file.
func (c Choices[V]) Forget(file string) {
	if found, ok := c.nearest(file); ok {
		c.put(found.Folder)
	}
}

// put puts entries in front of the others, and removes the entries of the project.
func (c Choices[V]) put(project string, entries ...choice[V]) {
	for _, entry := range c.load() {
		if entry.Folder != project && len(entries) < maxChoices {
			entries = append(entries, entry)
		}
	}
	Setting[[]choice[V]](c).Save(entries)
}

// ProjectOf returns the key of choices for a document: its project, else the folder of its file. It is empty if the
// document is not on disk.
func ProjectOf(d *model.Document) string {
	if d == nil || d.Source == nil {
		return ""
	}
	if d.Project != "" {
		return d.Project
	}
	if home := d.Source.Home(); home != "" {
		return filepath.Dir(home)
	}
	return ""
}
