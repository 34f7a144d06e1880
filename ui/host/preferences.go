package host

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
)

const (
	keptMost   = 200 // maximum number of projects with a stored choice
	levelsMost = 40  // maximum number of parent folders of a file that are searched
)

// Setting is a value that the preferences keep as JSON under a key, the value of this type.
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

// Choices are the user's choices for the files of a project, by the folder of the project, or the package that contains
// them. All choices of one kind are stored under one key of the preferences, the value of this type.
type Choices[V any] string

// chosen is a choice for a folder and all files below it.
type chosen[V any] struct {
	Folder string
	Value  V
}

func (c Choices[V]) load() (all []chosen[V]) {
	Setting[[]chosen[V]](c).Load(&all)
	return all
}

// nearest returns the choice for the nearest project that contains a file; ok is false if there is no choice.
func (c Choices[V]) nearest(file string) (found chosen[V], ok bool) {
	all := c.load()
	folder := filepath.Clean(file)
	for range levelsMost {
		if i := slices.IndexFunc(all, func(entry chosen[V]) bool { return entry.Folder == folder }); i >= 0 &&
			file != "" {
			return all[i], true
		}
		folder = filepath.Dir(folder)
	}
	return found, false
}

// For returns the choice of the nearest project that contains a file; ok is false if there is none.
func (c Choices[V]) For(file string) (v V, ok bool) {
	found, ok := c.nearest(file)
	return found.Value, ok
}

// Keep stores the choice for a project, unless project is empty. If there are too many, the oldest choices are dropped.
func (c Choices[V]) Keep(project string, v V) {
	if project != "" {
		project = filepath.Clean(project)
		c.set(project, chosen[V]{project, v})
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
		c.set(found.Folder)
	}
}

// set replaces the choices for a project by all.
func (c Choices[V]) set(project string, all ...chosen[V]) {
	for _, entry := range c.load() {
		if entry.Folder != project && len(all) < keptMost {
			all = append(all, entry)
		}
	}
	Setting[[]chosen[V]](c).Save(all)
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
