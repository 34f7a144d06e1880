package document

import (
	"context"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/model"
	"assay/model/scene"
)

// views lists what can be drawn by its node.
func (b *bundle) views() map[nodeKey]func() (model.View, error) {
	all := make(map[nodeKey]func() (model.View, error))
	b.Each(func(o gpb.Object, _ func() *model.Node) {
		switch o := o.(type) {
		case *gpb.Scene:
			all[keyOf(o.Span.Offset, gpb.TypeScene)] = sync.OnceValues(func() (model.View, error) {
				return b.composed.Scene(o), nil
			})
		case *gpb.Mesh:
			all[keyOf(o.Span.Offset, gpb.TypeMesh)] = sync.OnceValues(func() (model.View, error) {
				return b.composed.Mesh(o), nil
			})
		case *gpb.Font:
			for _, s := range o.Sizes {
				if s.Span != o.Span {
					all[nodeKey{s.Span.Offset, "FontSize"}] = func() (model.View, error) { return fontView(o, s) }
				}
			}
			all[keyOf(o.Span.Offset, gpb.TypeFont)] = func() (model.View, error) { return fontView(o, o.Sizes...) }
		}
	})
	return all
}

// view returns what there is to look at of a node: the scene, mesh or size of a font that it is or is a part of; of the
// whole file its scenes, else all of its meshes, else the picture of its only font. A scene is the same one each time.
func (b *bundle) view() func(context.Context, *model.Node) (model.View, error) {
	views := sync.OnceValue(b.views)
	whole := sync.OnceValues(func() (model.View, error) {
		if only := b.onlyScene(); only != nil {
			view, err := views()[keyOf(only.Span.Offset, gpb.TypeScene)]()
			if err == nil && compose.Visible(view.(*scene.Scene)) {
				return view, nil
			}
		}
		return b.wholeView()
	})
	return func(_ context.Context, n *model.Node) (model.View, error) {
		for ; n != nil && n.Parent != nil; n = n.Parent {
			if view := views()[nodeKey{n.Offset, n.Type}]; view != nil {
				return view()
			}
		}
		return whole()
	}
}

// onlyScene is the scene of a file that has one; else nil.
func (b *bundle) onlyScene() (only *gpb.Scene) {
	for _, o := range b.AllObjects() {
		if s, ok := o.(*gpb.Scene); ok {
			if only != nil {
				return nil
			}
			only = s
		}
	}
	return only
}

// wholeView returns what there is to look at of a file that has not one scene alone.
func (b *bundle) wholeView() (model.View, error) {
	if all := b.composed.Whole(); compose.Visible(all) {
		return all, nil
	}
	var only model.View
	for _, o := range b.AllObjects() {
		font, ok := o.(*gpb.Font)
		if !ok {
			continue
		}
		if v, err := fontView(font, font.Sizes...); v != nil && err == nil {
			if only != nil {
				return nil, nil
			}
			only = v
		}
	}
	return only, nil
}
