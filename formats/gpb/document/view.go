package document

import (
	"context"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/model"
	"assay/model/scene"
)

// makeView makes what there is to look at of a node.
type makeView func(ctx context.Context) (model.View, error)

// view returns what there is to look at of a node: the scene, mesh or size of a font that it is or is a part of, the
// same one each time; else that of the whole file.
func (b *bundle) view(ctx context.Context, n *model.Node) (model.View, error) {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		if view := b.index().views[b.ObjectAt(n)]; view != nil {
			return view(ctx)
		}
	}
	return b.whole(ctx)
}

// wholeView returns what there is to look at of the file: its scenes, else all of its meshes, else the picture of its
// only font.
func (b *bundle) wholeView(ctx context.Context) (model.View, error) {
	if all := gpb.All[*gpb.Scene](b.File); len(all) == 1 {
		view, err := b.index().views[all[0]](ctx)
		if err == nil && compose.Visible(view.(*scene.Scene)) {
			return view, nil
		}
	}
	if all := b.scenes.Whole(ctx); compose.Visible(all) {
		return all, nil
	}
	var only model.View
	for _, font := range gpb.All[*gpb.Font](b.File) {
		if v, err := b.index().views[font](ctx); v != nil && err == nil {
			if only != nil {
				return nil, nil
			}
			only = v
		}
	}
	return only, nil
}
