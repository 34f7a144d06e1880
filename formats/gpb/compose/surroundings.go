package compose

import (
	"context"
	"iter"
	"path"

	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
)

// textsMost is how many .scene and .animation files beside a bundle are looked at: each is read whole.
const textsMost = 64

// withSurroundings gives a bare scene of the bundle the materials and clips that are around it, until the context ends,
// and returns the assignment.
func (b *Bundle) withSurroundings(ctx context.Context, of bareScene) *material.Assignment {
	out := of.scene
	r := material.NewResources(ctx, b.project, out)
	a := material.NewAssignment(out, r)
	if b.project == nil {
		return a
	}
	s, full := sceneAbout(r)
	if s != nil {
		ambientAndUp(out, s)
	}
	of.names.assign(a, out, b.project)
	if ctx.Err() != nil {
		return a
	}
	if s != nil {
		e := newEntries(ctx, r, a, full)
		e.applyMaterials(s, nil)
		e.nodes.restoreNames()
		e.noteExhausted(s)
	}
	a.ApplyWithGuesses()
	addClips(r, out)
	r.Close()
	return a
}

// sceneAbout returns the scene of the .scene beside the bundle that is about it, and where it is; nil if there is
// none.
func sceneAbout(r *material.Resources) (*properties.Space, string) {
	for _, full := range firstTexts(r, ".scene") {
		file := r.Load(full)
		if file == nil {
			continue
		}
		if s := sceneOf(file); s != nil && r.MeansFile(s.Get("path"), path.Dir(full)) {
			return s, full
		}
	}
	return nil, ""
}

// firstTexts returns the files with an extension beside the bundle that are looked at, and says if there are more.
func firstTexts(r *material.Resources, extension string) []string {
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
			if a := describedScene(ctx, p.For(full), file, path.Base(full)); a != nil && !yield(a) {
				return
			}
		}
		bundle := p.Find(path.Base(p.Stem())+".gpb", "")
		if full := bundle.Path; full != "" && ctx.Err() == nil {
			if b, err := read(ctx, p, full); err == nil {
				yield(b.withSurroundings(ctx, b.firstScene().attached()))
			}
		}
	}
}
