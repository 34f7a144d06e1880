package document

import (
	"context"
	"path"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
)

// withPictures returns a function that returns the picture that a property names, and for all other nodes what view
// returns.
func withPictures(p *project.Project, file *properties.Namespace, view nodeView) nodeView {
	return func(ctx context.Context, n *model.Node) (model.View, error) {
		at := n
		for at != nil && at.Type != properties.PropertyType {
			at = at.Parent
		}
		if at != nil {
			if property, ok := file.PropertyAt(at.Offset); ok {
				if v, err := pictureOf(ctx, p, property); v != nil || err != nil {
					return v, err
				}
			}
		}
		return view(ctx, n)
	}
}

// nodeView is a Document.View.
type nodeView = func(context.Context, *model.Node) (model.View, error)

// pictureOf returns the picture that a property names; nil if it names none, or one that cannot be drawn: the scene
// that has the texture says so.
func pictureOf(ctx context.Context, p *project.Project, property properties.Property) (model.View, error) {
	if !project.NamesPicture(property.Value) {
		return nil, nil
	}
	t := p.Texture(property.Value, path.Dir(p.Path()))
	if project.PictureType(t.Path) == "" {
		return nil, nil
	}
	img, err := t.Image(ctx)
	if img == nil || err != nil {
		return nil, ctx.Err()
	}
	return model.Picture{Image: img, Format: strings.ToUpper(strings.TrimPrefix(path.Ext(t.Path), "."))}, nil
}
