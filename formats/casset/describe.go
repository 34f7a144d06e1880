package casset

import (
	"context"
	"fmt"

	"assay/model"
)

// describe says what an object is to people: a texture, or an object of its class.
func (f *file) describe(n *model.Node) (model.Thing, bool) {
	if n.Parent == nil || n.Parent != f.listNode {
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
	if tex.Drawable() && tex.Width*tex.Height <= viewPixels {
		t.Content = func(ctx context.Context) (any, error) { return tex.view(ctx) }
	}
	return t, true
}
