package exporting

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"assay/model"
	"assay/model/export"
	"assay/model/folder"
	"assay/model/userdata"
)

// destination is the folder that the user chose for the exports of a project.
type destination struct {
	Project string `json:"project"` // path of a folder
	Folder  string `json:"folder"`
}

// destinationsMost is the maximum number of saved projects.
const destinationsMost = 100

// site determines the suggested export folder. The zero site belongs to no document.
type site struct {
	project string // the folder for which the user's choice is saved; empty for a document without a file
	folder  string // the default export folder
}

// siteOf returns the site of documents: for one, its file, in the resource folder of its project if there is one; for
// several, the folder that contains their files.
func siteOf(all ...*model.Document) site {
	if len(all) == 0 {
		return site{}
	}
	onDisk := slices.DeleteFunc(slices.Clone(all), func(d *model.Document) bool { return d.Source.Path() == "" })
	if len(onDisk) == 0 {
		return site{"", exportFolder(downloads(), all[0].Source.Stem())}
	}
	first := onDisk[0].Source
	parent := filepath.Dir(first.Path())
	if len(onDisk) == 1 {
		return site{cmp.Or(first.Resources(), parent), exportFolder(parent, first.Stem())}
	}
	for _, d := range onDisk {
		for !folder.Contains(parent, d.Source.Path()) && parent != filepath.Dir(parent) {
			parent = filepath.Dir(parent)
		}
	}
	return siteOfFolder(parent)
}

// downloads returns the user's folder for downloads, or the home folder.
func downloads() string {
	if folder := userdata.Downloads(); model.IsFolder(folder) {
		return folder
	}
	return userdata.Home()
}

// siteOfFolder returns the site of the files below a folder.
func siteOfFolder(path string) site {
	return site{path, exportFolder(path, strings.Trim(filepath.Base(path), string(filepath.Separator)))}
}

// exportFolder returns the export folder for a file or a folder with a name.
func exportFolder(parent, name string) string {
	return filepath.Join(parent, export.SafeName(name+folder.ExportSuffix))
}

// suggest displays the export folder of a site: the user's choice for its project, else the default. For the zero site
// it clears a suggested folder. It does not change a folder that the user is typing.
func (s *settings) suggest(place site) {
	if s.typing {
		return
	}
	if place == (site{}) {
		if s.suggestedFor != place {
			s.suggestedFor, s.preset.Folder = place, ""
			s.use(s.preset)
		}
		return
	}
	if place == s.suggestedFor && s.preset.Folder != "" {
		return
	}
	unsited := s.suggestedFor == (site{}) && s.preset.Folder != "" // chosen before the first document
	s.suggestedFor = place
	if unsited {
		s.remember()
		return
	}
	preset := s.preset
	preset.Folder = place.folder
	for _, known := range s.destinations {
		if known.Project == place.project {
			preset.Folder = known.Folder
			break
		}
	}
	s.use(preset)
}

// leaveDefault displays a folder among the downloads instead of a default folder that is not usable, such as below an
// installed game.
func (s *settings) leaveDefault() {
	preset := s.preset
	preset.Folder = filepath.Join(downloads(), filepath.Base(preset.Folder))
	s.use(preset)
	s.p.replan()
}

// remember saves the folder that the user chose for the project of the current site. It does not save the default.
func (s *settings) remember() {
	if s.suggestedFor == (site{}) {
		return
	}
	project := s.suggestedFor.project
	s.destinations = slices.DeleteFunc(s.destinations, func(o destination) bool { return o.Project == project })
	if f := s.preset.Folder; f != "" && f != s.suggestedFor.folder {
		s.destinations = slices.Insert(s.destinations, 0, destination{project, f})
	}
	s.destinations = s.destinations[:min(len(s.destinations), destinationsMost)]
	folders.Save(s.destinations)
}
