package document

import (
	"context"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/model"
	"assay/model/scene"
)

// view returns what there is to look at of a node: the scene, mesh or size of a font that it is or is a part of; of the
// whole file its scenes, else all of its meshes, else the picture of its only font. A scene is the same one each time.
func (b *bundle) view() func(context.Context, *model.Node) (model.View, error) {
	views := sync.OnceValue(b.views)
	whole := sync.OnceValues(func() (model.View, error) {
		if all := gpb.All[*gpb.Scene](b.File); len(all) == 1 {
			view, err := views()[nodeKey{all[0].Span.Offset, gpb.TypeScene.String()}]()
			if err == nil && compose.Visible(view.(*scene.Scene)) {
				return view, nil
			}
		}
		return b.wholeView()
	})
	return func(_ context.Context, n *model.Node) (model.View, error) {
		for ; n != nil && n.Parent != nil; n = n.Parent {
			if view := views()[keyOf(n)]; view != nil {
				return view()
			}
		}
		return whole()
	}
}

// views returns what makes the view of each node that can be drawn.
func (b *bundle) views() map[nodeKey]func() (model.View, error) {
	all := make(map[nodeKey]func() (model.View, error))
	for key, value := range b.index().byNode {
		switch o := value.(type) {
		case *gpb.Scene:
			all[key] = sync.OnceValues(func() (model.View, error) { return b.composed.Scene(o), nil })
		case *gpb.Mesh:
			all[key] = sync.OnceValues(func() (model.View, error) { return b.composed.Mesh(o), nil })
		case *gpb.Font:
			all[key] = func() (model.View, error) { return fontView(o, o.Sizes...) }
		case fontSize:
			all[key] = func() (model.View, error) { return fontView(o.font, o.size) }
		}
	}
	return all
}

// wholeView returns what there is to look at of a file that has not one scene alone.
func (b *bundle) wholeView() (model.View, error) {
	if all := b.composed.Whole(); compose.Visible(all) {
		return all, nil
	}
	var only model.View
	for _, font := range gpb.All[*gpb.Font](b.File) {
		if v, err := fontView(font, font.Sizes...); v != nil && err == nil {
			if only != nil {
				return nil, nil
			}
			only = v
		}
	}
	return only, nil
}
