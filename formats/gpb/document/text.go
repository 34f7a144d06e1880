package document

import (
	"context"
	"iter"
	"path"
	"strings"
	"sync"

	"assay/formats/gpb/compose"
	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/picture"
	"assay/model/scene"
)

// OpenText opens one of the texts around bundles. The view and the asset of a .scene is the scene that it describes.
// Materials are displayed on meshes that have them, else on spheres, and the pictures that they name are assets.
func OpenText(ctx context.Context, src *model.Source) (*model.Document, error) {
	p := project.ForSource(src)
	d, file, err := properties.Open(ctx, src, p.Link)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return d, nil
	}
	d.Project = p.Root()
	if compose.IsScene(file) {
		openScene(d, p, file)
	} else {
		openParts(d, p, file)
	}
	return d, nil
}

// openScene adds the scene that a .scene describes.
func openScene(d *model.Document, p *project.Project, file *properties.Namespace) {
	name := d.Source.Name()
	build := func(ctx context.Context) *scene.Scene { return compose.Scene(ctx, p, file, name) }
	d.View = withPictures(p, file, sceneView(build))
	d.Payloads = sceneAsset(d, strings.TrimSuffix(name, path.Ext(name)), build)
}

// openParts adds the materials or the collision shapes that another text describes, and its pictures.
func openParts(d *model.Document, p *project.Project, file *properties.Namespace) {
	materials := materialsView(material.NewPreview(p, file,
		func(ctx context.Context) iter.Seq[*material.Assigner] { return compose.ScenesAround(ctx, p) }))
	shapes := sceneView(func(ctx context.Context) *scene.Scene { return compose.Shapes(ctx, file, d.Source.Name()) })
	d.View = withPictures(p, file, func(ctx context.Context, n *model.Node) (model.View, error) {
		if v, err := materials(ctx, n); v != nil || err != nil {
			return v, err
		}
		return shapes(ctx, n)
	})
	d.Payloads = Textures(d, p, file)
}

// sceneView returns the scene that is composed of a text, the same for all of its nodes.
func sceneView(build func(context.Context) *scene.Scene) nodeView {
	view := project.Cached(func(ctx context.Context) (model.View, error) {
		if s := build(ctx); s != nil && compose.Visible(s) {
			return s, nil
		}
		return nil, nil
	})
	return func(ctx context.Context, _ *model.Node) (model.View, error) { return view(ctx) }
}

// materialsView returns the preview of the materials of a text: one at a time, as the user selects them. That of the
// last one is cached for the other nodes of its member.
func materialsView(preview *material.Preview) nodeView {
	var mu sync.Mutex
	var last makeView
	var lastMember int64 // its offset; -1 for the whole text
	viewOf := func(n *model.Node) makeView {
		mu.Lock()
		defer mu.Unlock()
		member, offset := properties.TopMember(n), int64(-1)
		if member != nil {
			offset = member.Offset
		}
		if last == nil || offset != lastMember {
			lastMember, last = offset, project.Cached(func(ctx context.Context) (model.View, error) {
				s, err := preview.Scene(ctx, member)
				if s == nil || err != nil {
					return nil, err
				}
				return s, nil
			})
		}
		return last
	}
	return func(ctx context.Context, n *model.Node) (model.View, error) { return viewOf(n)(ctx) }
}

// withPictures returns a function that returns the picture of a property that names one, and for all other nodes the
// result of view.
func withPictures(p *project.Project, file *properties.Namespace, view nodeView) nodeView {
	return func(ctx context.Context, n *model.Node) (model.View, error) {
		node := n
		for node != nil && node.Type != properties.PropertyType {
			node = node.Parent
		}
		if node != nil {
			if property, ok := file.PropertyAt(node.Offset); ok {
				if v, err := pictureOf(ctx, p, property); v != nil || err != nil {
					return v, err
				}
			}
		}
		return view(ctx, n)
	}
}

type nodeView = func(context.Context, *model.Node) (model.View, error)

// pictureOf returns the picture that a property names, or nil if there is no name, or no picture that can be drawn: the
// scene with the texture reports that.
func pictureOf(ctx context.Context, p *project.Project, property properties.Property) (model.View, error) {
	if !project.NamesPicture(property.Value) {
		return nil, nil
	}
	t := p.Texture(property.Value, path.Dir(p.Path()))
	if picture.MediaType(t.Path) == "" {
		return nil, nil
	}
	img, err := t.Image(ctx)
	if img == nil || err != nil {
		return nil, ctx.Err()
	}
	return model.Picture{Image: img, Format: strings.ToUpper(strings.TrimPrefix(path.Ext(t.Path), "."))}, nil
}
