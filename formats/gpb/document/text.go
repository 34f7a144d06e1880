package document

import (
	"context"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/formats/gpb/compose"
	"assay/formats/gpb/export"
	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// OpenText opens one of the texts around bundles. A .scene is looked at as the scene that it describes, and leaves as
// one; materials are looked at on meshes that have them, else on spheres, and the pictures that they name can leave.
func OpenText(ctx context.Context, src *model.Source) (*model.Document, error) {
	p := project.Around(src)
	d, file, err := properties.Open(ctx, src, p.Link)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return d, nil
	}
	d.Project = p.Root()
	if !slices.ContainsFunc(file.Spaces, func(n *properties.Namespace) bool { return n.Name == "scene" }) {
		preview := material.NewPreview(p, file,
			func(ctx context.Context) iter.Seq[*material.Assignment] { return compose.Around(ctx, p) })
		shapes := sceneView(func(ctx context.Context) *scene.Scene { return compose.Shapes(ctx, file, src.Name()) })
		d.View = withPictures(p, file, func(ctx context.Context, n *model.Node) (model.View, error) {
			if v, err := preview.View(ctx, n); v != nil || err != nil {
				return v, err
			}
			return shapes(ctx, n)
		})
		d.Payloads = export.Textures(d, p, file)
		return d, nil
	}
	make := func(ctx context.Context) *scene.Scene { return compose.Scene(ctx, p, file, src.Name()) }
	d.View = withPictures(p, file, sceneView(make))
	d.Payloads = export.Scene(d, strings.TrimSuffix(src.Name(), path.Ext(src.Name())),
		func() *scene.Scene { return make(context.Background()) })
	return d, nil
}

// sceneView returns the scene that a text describes, for all of its nodes the same one.
func sceneView(make func(context.Context) *scene.Scene) func(context.Context, *model.Node) (model.View, error) {
	var mu sync.Mutex
	var made *scene.Scene
	return func(ctx context.Context, _ *model.Node) (model.View, error) {
		mu.Lock()
		defer mu.Unlock()
		s := made
		if s == nil {
			s = make(ctx)
		}
		if s == nil || !compose.Visible(s) {
			return nil, ctx.Err()
		}
		if ctx.Err() == nil {
			made = s
		}
		return s, ctx.Err()
	}
}
