package casset

import (
	"context"
	"fmt"
	"strings"

	"assay/model"
)

// thing says what an object is to people: a texture, or an object of its class.
func thing(n *model.Node) (model.Thing, bool) {
	if n.Type != "Object" || n.Named("fields") == nil {
		return model.Thing{}, false
	}
	t := model.Thing{Kind: "object", Group: className(classOf(n))}
	b, ok := pixelsOf(n)
	if !ok {
		return t, true
	}
	tex, ok := textureOf(n, b.Span)
	if !ok {
		return t, true
	}
	t.Kind, t.Group = "texture", ""
	t.Facts = []model.Fact{{Name: "size", Value: fmt.Sprintf("%d × %d", tex.Width, tex.Height)},
		{Name: "format", Value: fmt.Sprint(tex.Format)}}
	if tex.Drawable() && tex.Width*tex.Height <= viewPixels {
		t.Content = func(ctx context.Context) (any, error) {
			v, err := view(ctx, n)
			return v, err
		}
	}
	return t, true
}

// classOf is the class of an object, which is its own or that of its schema.
func classOf(n *model.Node) string {
	for _, name := range []string{"class", "schema_index"} {
		if c := n.Named(name); c != nil {
			if s, ok := c.Value.(string); ok {
				return s
			}
			class, _, _ := strings.Cut(c.Symbol(), " (")
			return class
		}
	}
	return ""
}
