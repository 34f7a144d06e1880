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

// MaterialKind is the name of the namespaces that are materials.
const MaterialKind = "material"

// materialText is the extension of the texts that have materials.
const materialText = ".material"

// choicesMost is how many materials and pictures are listed.
const choicesMost = 20_000

// Assigned returns what a person assigned to parts of the models of the project. The error is a sentence.
func (p *Project) Assigned() ([]model.Assignment, error) {
	if p.Materials() == nil {
		return nil, nil
	}
	all, file, err := p.assigned.Of(p.root)
	if p.note != nil {
		p.note(file)
	}
	return all, err
}

// Elsewhere returns the project around a file on disk that a person named, wherever it is.
func (p *Project) Elsewhere(file string) *Project {
	other := p.fresh(file)
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.elsewhere[other.root]; known != nil {
		return known.project(other.Path())
	}
	p.elsewhere[other.root] = other.store
	return other
}

// fresh is Elsewhere with nothing read before.
func (p *Project) fresh(file string) *Project {
	return onDisk(filepath.Clean(file), location{note: p.note})
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
	texts, pictures, err := c.files()
	for _, full := range texts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if file, err := c.Text(full); err == nil {
			all = append(all, materialsOf(file, full)...)
		}
	}
	for _, full := range pictures {
		all = append(all, model.Material{File: full})
	}
	return all[:min(len(all), choicesMost)], err
}

// files returns the paths of the texts of materials and of the pictures of the project, in order.
func (c choices) files() (texts, pictures []string, err error) {
	err = c.look(func(root fs.FS) {
		for _, top := range c.allRoots() {
			for name, paths := range c.filesBelow(root, top) {
				switch {
				case path.Ext(name) == materialText:
					texts = append(texts, paths...)
				case PictureType(name) != "":
					pictures = append(pictures, paths...)
				}
			}
		}
	})
	slices.Sort(texts)
	slices.Sort(pictures)
	return texts, pictures, err
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
		p = c.fresh(file)
		full = p.Path()
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
		if n.Name == MaterialKind && n.ID != "" {
			all = append(all, model.Material{File: file, ID: n.ID})
		}
	}
	return all
}
