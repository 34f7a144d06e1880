package project

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/formats/gpb/properties"
	"assay/model"
)

// materialKind is the name of the namespaces that are materials.
const materialKind = "material"

// materialText is the extension of the texts that have materials.
const materialText = ".material"

// choicesMost is how many materials and pictures are listed.
const choicesMost = 20_000

// Assigned returns what a person assigned to parts of the models of the project. The error is a sentence.
func (p *Project) Assigned() ([]model.Assignment, error) {
	if p == nil || p.assigned == nil || p.root == "" {
		return nil, nil
	}
	all, file, err := p.assigned.Of(p.root)
	if p.note != nil {
		p.note(file)
	}
	return all, err
}

// Elsewhere returns the project around a file on disk that a person named, wherever it is, and the path of the file in
// it; nil if it is not below a folder.
func (p *Project) Elsewhere(file string) (*Project, string) {
	other := aroundPath(filepath.Clean(file))
	if other == nil {
		return nil, ""
	}
	other.note = p.note
	return other, other.Path()
}

// choices lists what can be assigned to parts of the models of a project.
type choices struct{ *Project }

var _ model.Materials = choices{}

// Materials returns what a person can assign to parts of the models of the project; nil if there is no place to keep
// that.
func (p *Project) Materials() model.Materials {
	if p == nil || p.assigned == nil || p.root == "" {
		return nil
	}
	return choices{p}
}

// List implements model.Materials: the materials of all texts, and then the pictures, as far as the project is looked
// through for names.
func (c choices) List(ctx context.Context) (all []model.Material, err error) {
	p := c.Project
	p.mu.Lock()
	var texts, pictures []string
	err = p.withRoot(func(root fs.FS) error {
		for _, top := range p.allRoots() {
			for _, paths := range p.filesBelow(root, top) {
				for _, full := range paths {
					switch {
					case strings.EqualFold(path.Ext(full), materialText):
						texts = append(texts, full)
					case PictureType(full) != "":
						pictures = append(pictures, full)
					}
				}
			}
		}
		return nil
	})
	p.mu.Unlock()
	slices.Sort(texts)
	slices.Sort(pictures)
	for _, full := range texts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if file, err := p.Text(full); err == nil {
			all = append(all, materialsOf(file, full)...)
		}
	}
	for _, full := range pictures {
		all = append(all, model.Material{File: full})
	}
	return all[:min(len(all), choicesMost)], err
}

// In implements model.Materials.
func (c choices) In(_ context.Context, file string) ([]model.Material, error) {
	if inside, ok := c.inside(file); ok && c.disk {
		file = inside
	}
	if PictureType(file) != "" {
		return []model.Material{{File: file}}, nil
	}
	if !strings.EqualFold(path.Ext(file), materialText) {
		return nil, fmt.Errorf("%s is neither a text of materials (%s) nor a picture that can be drawn on models",
			Printable(filepath.Base(file)), materialText)
	}
	p, full := c.Project, file
	if filepath.IsAbs(file) {
		if p, full = c.Elsewhere(file); p == nil {
			return nil, fmt.Errorf("%s cannot be read", Printable(filepath.Base(file)))
		}
	}
	text, err := p.Text(full)
	if err != nil {
		return nil, err
	}
	all := materialsOf(text, file)
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no material", Printable(filepath.Base(file)))
	}
	return all[:min(len(all), choicesMost)], nil
}

// Extensions implements model.Materials.
func (c choices) Extensions() []string {
	return append([]string{materialText}, slices.Sorted(maps.Keys(pictureTypes))...)
}

// materialsOf returns the materials of a text.
func materialsOf(text *properties.Namespace, file string) (all []model.Material) {
	for _, n := range text.Spaces {
		if n.Name == materialKind && n.ID != "" {
			all = append(all, model.Material{File: file, ID: n.ID})
		}
	}
	return all
}
