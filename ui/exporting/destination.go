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

// maxDestinations is the maximum number of projects with a saved export folder.
const maxDestinations = 100

// suggestion is a suggested export folder. The zero suggestion belongs to no document.
type suggestion struct {
	project string // the folder for which the user's choice is saved; empty for a document without a file
	folder  string // the default export folder
}

// suggestionFor returns the suggestion for documents: for one, beside its file, and for several, in the folder that
// contains their files.
func suggestionFor(all ...*model.Document) suggestion {
	if len(all) == 0 {
		return suggestion{}
	}
	onDisk := slices.DeleteFunc(slices.Clone(all), func(d *model.Document) bool { return d.Source.Path() == "" })
	if len(onDisk) == 0 {
		return suggestion{"", exportFolder(downloads(), all[0].Source.Stem())}
	}
	first := onDisk[0].Source
	parent := filepath.Dir(first.Path())
	if len(onDisk) == 1 {
		return suggestion{cmp.Or(first.Resources(), parent), exportFolder(parent, first.Stem())}
	}
	for _, d := range onDisk {
		for !folder.Contains(parent, d.Source.Path()) && parent != filepath.Dir(parent) {
			parent = filepath.Dir(parent)
		}
	}
	return suggestionForFolder(parent)
}

// downloads returns the user's folder for downloads, or the home folder.
func downloads() string {
	if folder := userdata.Downloads(); model.IsFolder(folder) {
		return folder
	}
	return userdata.Home()
}

// suggestionForFolder returns the suggestion for the files below a folder.
func suggestionForFolder(path string) suggestion {
	return suggestion{path, exportFolder(path, strings.Trim(filepath.Base(path), string(filepath.Separator)))}
}

// exportFolder returns the export folder for a file or a folder with a name.
func exportFolder(parent, name string) string {
	return filepath.Join(parent, export.SafeName(name+folder.ExportSuffix))
}

// suggestFolder displays the export folder of a suggestion: the one that the user chose for its project, else the
// default. For the zero suggestion it clears a suggested folder. It does not change a folder that the user is typing.
func (s *settings) suggestFolder(next suggestion) {
	if s.folderFocused {
		return
	}
	if next == (suggestion{}) {
		if s.suggested != next {
			s.suggested, s.preset.Folder = next, ""
			s.apply(s.preset)
		}
		return
	}
	if next == s.suggested && s.preset.Folder != "" {
		return
	}
	chosenBefore := s.suggested == (suggestion{}) && s.preset.Folder != "" // chosen before the first document
	s.suggested = next
	if chosenBefore {
		s.saveDestination()
		return
	}
	preset := s.preset
	preset.Folder = next.folder
	for _, chosen := range s.destinations {
		if chosen.Project == next.project {
			preset.Folder = chosen.Folder
			break
		}
	}
	s.apply(preset)
}

// useDownloads replaces a default folder that cannot be written, such as one below an installed game, by a folder in
// the user's downloads.
func (s *settings) useDownloads() {
	preset := s.preset
	preset.Folder = filepath.Join(downloads(), filepath.Base(preset.Folder))
	s.apply(preset)
	s.p.replan()
}

// saveDestination saves the folder that the user chose for the project of the current suggestion, unless it is the
// default.
func (s *settings) saveDestination() {
	if s.suggested == (suggestion{}) {
		return
	}
	project := s.suggested.project
	s.destinations = slices.DeleteFunc(s.destinations, func(d destination) bool { return d.Project == project })
	if f := s.preset.Folder; f != "" && f != s.suggested.folder {
		s.destinations = slices.Insert(s.destinations, 0, destination{project, f})
	}
	s.destinations = s.destinations[:min(len(s.destinations), maxDestinations)]
	folders.Save(s.destinations)
}
