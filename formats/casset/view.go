package casset

import (
	"context"

	"assay/model"
)

// viewPixels bounds a picture that is shown: its pixels are in memory twice for a moment.
const viewPixels = 24 << 20

// view returns the picture of the texture that a node is or is a part of.
func view(ctx context.Context, n *model.Node) (model.View, error) {
	object := n
	for object != nil && (object.Parent == nil || object.Named("fields") == nil) {
		object = object.Parent
	}
	if object == nil {
		return nil, nil
	}
	b, ok := n.Value.(model.Blob)
	if !ok {
		if b, ok = pixelsOf(object); !ok {
			return nil, nil
		}
	}
	t, ok := textureOf(object, b.Span)
	if !ok || !t.Drawable() || t.Width*t.Height > viewPixels {
		return nil, nil
	}
	img, err := t.Image(ctx)
	if err != nil {
		return nil, err
	}
	return model.Picture{Image: img, Format: t.Format.String(), Parts: t.parts()}, nil
}
