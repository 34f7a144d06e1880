package casset

import (
	"context"
	"fmt"

	"assay/model"
)

// viewPixels bounds a picture that is shown: its pixels are in memory twice for a moment.
const viewPixels = 24 << 20

// view returns the picture of the texture that a node is or is a part of.
func (f *file) view(ctx context.Context, n *model.Node) (model.View, error) {
	i, ok := f.objectOf(n)
	if !ok {
		return nil, nil
	}
	t, ok := f.texture(i)
	if b, isBlob := n.Value.(model.Blob); isBlob && b.Span != t.Blob.Span {
		return nil, nil // another blob of the object
	}
	if !ok || !t.Drawable() {
		return nil, nil
	}
	return t.view(ctx)
}

// view returns the texture as a picture.
func (t Texture) view(ctx context.Context) (model.View, error) {
	if t.Width*t.Height > viewPixels {
		return nil, fmt.Errorf("a picture of %d × %d pixels is too large to be shown", t.Width, t.Height)
	}
	img, err := t.Image(ctx)
	if err != nil {
		return nil, err
	}
	return model.Picture{Image: img, Format: t.Format.String(), Parts: t.parts()}, nil
}

// describe says what an object is to people: a texture, or an object of its class.
func (f *file) describe(n *model.Node) (model.Thing, bool) {
	if n.Parent == nil || n.Parent != f.objects.node {
		return model.Thing{}, false
	}
	i, ok := f.objectOf(n)
	if !ok {
		return model.Thing{}, false
	}
	h, ok := f.head(f.quiet(), i)
	if !ok {
		return model.Thing{}, false
	}
	tex, ok := f.texture(i)
	if !ok {
		return model.Thing{Kind: "object", Group: className(h.class)}, true
	}
	t := model.Thing{Kind: "texture", Facts: []model.Fact{
		{Name: "size", Value: fmt.Sprintf("%d × %d", tex.Width, tex.Height)},
		{Name: "format", Value: fmt.Sprint(tex.Format)}}}
	if tex.Drawable() {
		t.Content = func(ctx context.Context) (any, error) { return tex.view(ctx) }
	}
	return t, true
}
