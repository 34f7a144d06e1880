package exporting

import (
	"cmp"
	"path/filepath"
	"slices"

	"assay/model"
	"assay/model/export"
	"assay/model/userdata"
)

// destination is the folder that the user chose for the exports of a project.
type destination struct {
	Project string `json:"project"` // path of a folder
	Folder  string `json:"folder"`
}

// destinationsMost is the maximum number of saved projects.
const destinationsMost = 100

// project returns the folder for which the export folder of a document is saved: the resource folder of its project,
// else the folder of the file. It returns "" for a document without a file.
func project(d *model.Document) string {
	if d == nil || d.Source.Path() == "" {
		return ""
	}
	return cmp.Or(d.Source.Resources(), filepath.Dir(d.Source.Path()))
}

// suggest displays the export folder of a document: the one that the user chose for its project, else a folder beside
// the file. For no document it clears a folder that was suggested. It does not change a folder that the user is typing.
func (s *settings) suggest(d *model.Document) {
	if d == nil && s.suggestedFor != nil && !s.typing {
		s.suggestedFor, s.preset.Folder = nil, ""
		s.use(s.preset)
	}
	if d == nil || s.typing || d == s.suggestedFor && s.preset.Folder != "" {
		return
	}
	early := s.suggestedFor == nil && s.preset.Folder != "" // chosen before the first document
	s.suggestedFor = d
	if early {
		s.remember()
		return
	}
	preset := s.preset
	preset.Folder = defaultFolder(d)
	of := project(d)
	for _, known := range s.destinations {
		if known.Project == of {
			preset.Folder = known.Folder
			break
		}
	}
	s.use(preset)
}

// defaultFolder returns the default export folder of a document: beside its file, else in the downloads folder.
func defaultFolder(d *model.Document) string {
	beside := userdata.Downloads()
	if path := d.Source.Path(); path != "" {
		beside = filepath.Dir(path)
	} else if !model.IsFolder(beside) {
		beside = userdata.Home()
	}
	return filepath.Join(beside, export.SafeName(d.Source.Stem()+" export"))
}

// remember saves the folder that the user chose for the project of the current document. It does not save the default.
func (s *settings) remember() {
	if s.suggestedFor == nil {
		return
	}
	of := project(s.suggestedFor)
	s.destinations = slices.DeleteFunc(s.destinations, func(o destination) bool { return o.Project == of })
	if f := s.preset.Folder; f != "" && f != defaultFolder(s.suggestedFor) {
		s.destinations = slices.Insert(s.destinations, 0, destination{of, f})
	}
	s.destinations = s.destinations[:min(len(s.destinations), destinationsMost)]
	folders.Save(s.destinations)
}
