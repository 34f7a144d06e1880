package compose

import (
	"context"
	"iter"
	"path"

	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// textsMost is how many .scene and .animation files beside a bundle are looked at: each is read whole.
const textsMost = 64

// namedModel is a model with the names of its materials.
type namedModel struct {
	node  *scene.Node
	names []string
}

// assign gives a scene of the bundle the materials and clips that are around it, and returns the assignment. named are
// the models for whose parts the bundle names materials.
func (b *Bundle) assign(out *scene.Scene, named []namedModel) *material.Assignment {
	r := project.NewResources(b.project, out)
	a := material.NewAssignment(out, r)
	if b.project == nil {
		return a
	}
	s, full := description(r, out)
	for _, n := range named {
		a.ByModel(b.project, n.node, n.names)
	}
	if s != nil {
		c := composer{ctx: context.Background(), resources: r, out: out, assignment: a, file: full}
		c.assign(s, nil, 0)
	}
	a.ApplyWithGuesses()
	clips(r, out)
	r.Close()
	return a
}

// description returns the scene of the .scene beside the bundle that is about it, and where it is; nil if there is
// none.
func description(r *project.Resources, out *scene.Scene) (*properties.Space, string) {
	for _, full := range firstTexts(r, ".scene") {
		file := r.Load(full)
		if file == nil {
			continue
		}
		for _, n := range file.Spaces {
			if n.Name != "scene" {
				continue
			}
			s := file.Space(n)
			if !r.MeansFile(s.Get("path"), path.Dir(full)) {
				break
			}
			ambientAndUp(out, s)
			return s, full
		}
	}
	return nil, ""
}

// firstTexts returns the files with an extension beside the bundle that are looked at, and says if there are more.
func firstTexts(r *project.Resources, extension string) []string {
	files := r.Siblings(extension)
	if len(files) > textsMost {
		r.Notef("of the %d %s files beside it only the first %d are looked at", len(files), extension, textsMost)
		files = files[:textsMost]
	}
	return files
}

// Around returns what is composed around a .material, which is the project's file: the scenes that are described beside
// it, and the bundle of its name.
func Around(ctx context.Context, p *project.Project) iter.Seq[*material.Assignment] {
	return func(yield func(*material.Assignment) bool) {
		scenes := p.Siblings(".scene")
		for _, full := range scenes[:min(len(scenes), textsMost)] {
			file, err := p.Text(full)
			if err != nil || ctx.Err() != nil {
				continue
			}
			if a := composed(ctx, p.For(full), file, path.Base(full)); a != nil && !yield(a) {
				return
			}
		}
		bundle := p.Find(path.Base(p.Stem())+".gpb", path.Dir(p.Path()))
		if full := bundle.Path; full != "" && ctx.Err() == nil {
			if b, err := read(ctx, p, full); err == nil {
				bare, named := b.bareFirst()
				yield(b.assign(bare, named))
			}
		}
	}
}
