package document

import (
	"context"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/model"
)

// kinds is what people call objects, by type. Nodes of other types are parts of objects.
var kinds = map[string]string{gpb.TypeScene.String(): "scene", gpb.TypeNode.String(): "node",
	gpb.TypeMesh.String(): "mesh", gpb.TypeMeshSkin.String(): "skin", gpb.TypeCamera.String(): "camera",
	gpb.TypeLight.String(): "light", gpb.TypeMaterial.String(): "material", gpb.TypeEffect.String(): "effect",
	gpb.TypeAnimation.String(): "animation", gpb.TypeFont.String(): "font"}

// describe says what a node is to people, with its content for a comparison.
func (b *bundle) describe(n *model.Node) (model.Thing, bool) {
	if n.Leaf() { // an optional part that is not there
		return model.Thing{}, false
	}
	t := model.Thing{Kind: kinds[n.Type]}
	switch o := b.ObjectAt(n).(type) {
	case *gpb.Mesh:
		t.Content = func(ctx context.Context) (any, error) {
			drawn := b.scenes.Mesh(ctx, o).Roots[0]
			if skin := b.index().skins["#"+o.ID]; skin != nil {
				drawn.Skin = compose.Skin(skin)
			}
			return drawn, ctx.Err()
		}
	case *gpb.Skin:
		t.Content = func(context.Context) (any, error) { return compose.Skin(o), nil }
	case *gpb.Font:
		t.Content = func(ctx context.Context) (any, error) { return b.index().views[o](ctx) }
	case *gpb.Animation:
		t.Content = func(context.Context) (any, error) { return compose.Animation(o), nil }
	}
	return t, t.Kind != ""
}
