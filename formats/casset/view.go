package casset

import (
	"context"
	"fmt"

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

// parts lists the pictures of a texture that has several, by their layers.
func (t Texture) parts() (parts []model.Part) {
	if t.Layers < 2 || t.size()*int64(t.Layers) > t.Blob.Span.Size {
		return nil
	}
	for i := range t.Layers {
		layer := t
		layer.Blob.Span.Offset += int64(i) * t.size()
		layer.Blob.Span.Size = t.size()
		parts = append(parts, model.Part{Name: fmt.Sprintf("layer %d of %d", i+1, t.Layers), Load: layer.Image})
	}
	return parts
}

// pixelsOf returns the blob that a texture has its pixels in.
func pixelsOf(object *model.Node) (model.Blob, bool) {
	source := object.Named("fields").Named("source")
	if source != nil && !source.Leaf() {
		if raw := source.Named("rawData"); raw != nil {
			source = raw
		}
	}
	if source == nil {
		return model.Blob{}, false
	}
	b, ok := source.Value.(model.Blob)
	return b, ok
}
