package material

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
)

// textExtension is the extension of the texts that have materials.
const textExtension = ".material"

// choicesMost is how many materials and pictures are listed.
const choicesMost = 20_000

// choices lists what can be assigned to parts of the models of a project.
type choices struct{ *project.Project }

// Choices returns what a person can assign to parts of the models of a project; nil if there is no place to keep that.
func Choices(p *project.Project) model.Materials {
	if !p.KeepsAssignments() {
		return nil
	}
	return choices{p}
}

// List implements model.Materials: the materials of all texts, and then the pictures, as far as the project is looked
// through for names.
func (c choices) List(ctx context.Context) (all []model.Material, err error) {
	texts, err := c.Files(func(name string) bool { return path.Ext(name) == textExtension })
	if err != nil {
		return nil, err
	}
	for _, full := range texts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if file, err := c.Text(full); err == nil {
			all = append(all, materialsOf(file, full)...)
		}
	}
	pictures, err := c.Files(func(name string) bool { return project.PictureType(name) != "" })
	for _, full := range pictures {
		all = append(all, model.Material{File: full})
	}
	return all[:min(len(all), choicesMost)], err
}

// In implements model.Materials.
func (c choices) In(_ context.Context, file string) ([]model.Material, error) {
	if full, ok := c.FromDisk(file); ok {
		file = full
	}
	if project.PictureType(file) != "" {
		return []model.Material{{File: file}}, nil
	}
	if !strings.EqualFold(path.Ext(file), textExtension) {
		return nil, fmt.Errorf("%s is not a material file (%s) or a supported image",
			project.Printable(filepath.Base(file)), textExtension)
	}
	p, full := c.Project, file
	if filepath.IsAbs(file) {
		p = c.Unread(file)
		full = p.Path()
	}
	text, err := p.Text(full)
	if err != nil {
		return nil, err
	}
	all := materialsOf(text, file)
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no material", project.Printable(filepath.Base(file)))
	}
	return all[:min(len(all), choicesMost)], nil
}

// Extensions implements model.Materials.
func (c choices) Extensions() []string {
	return append([]string{textExtension}, project.PictureExtensions()...)
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
