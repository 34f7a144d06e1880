package document

import (
	"context"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/model"
	"assay/model/scene"
)

// makeView makes what there is to look at of a node.
type makeView func(ctx context.Context) (model.View, error)

// once returns a function that makes a view, and then returns the same one each time. One that is being made when its
// context ends is made again by the next call.
func once(make makeView) makeView {
	var mu sync.Mutex
	var view model.View
	var err error
	made := false
	return func(ctx context.Context) (model.View, error) {
		mu.Lock()
		defer mu.Unlock()
		if !made {
			view, err = make(ctx)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			made = true
		}
		return view, err
	}
}

// view returns what there is to look at of a node: the scene, mesh or size of a font that it is or is a part of; of the
// whole file its scenes, else all of its meshes, else the picture of its only font. A scene is the same one each time.
func (b *bundle) view() func(context.Context, *model.Node) (model.View, error) {
	views := sync.OnceValue(b.views)
	whole := once(func(ctx context.Context) (model.View, error) {
		if all := gpb.All[*gpb.Scene](b.File); len(all) == 1 {
			view, err := views()[nodeKey{all[0].Span.Offset, gpb.TypeScene.String()}](ctx)
			if err == nil && compose.Visible(view.(*scene.Scene)) {
				return view, nil
			}
		}
		return b.wholeView(ctx)
	})
	return func(ctx context.Context, n *model.Node) (model.View, error) {
		for ; n != nil && n.Parent != nil; n = n.Parent {
			if view := views()[keyOf(n)]; view != nil {
				return view(ctx)
			}
		}
		return whole(ctx)
	}
}

// views returns what makes the view of each node that can be drawn.
func (b *bundle) views() map[nodeKey]makeView {
	all := make(map[nodeKey]makeView)
	for key, value := range b.index().byNode {
		switch o := value.(type) {
		case *gpb.Scene:
			all[key] = once(func(ctx context.Context) (model.View, error) { return b.composed.Scene(ctx, o), nil })
		case *gpb.Mesh:
			all[key] = once(func(ctx context.Context) (model.View, error) { return b.composed.Mesh(ctx, o), nil })
		case *gpb.Font:
			all[key] = func(context.Context) (model.View, error) { return fontView(o, o.Sizes...) }
		case fontSize:
			all[key] = func(context.Context) (model.View, error) { return fontView(o.font, o.size) }
		}
	}
	return all
}

// wholeView returns what there is to look at of a file that has not one scene alone.
func (b *bundle) wholeView(ctx context.Context) (model.View, error) {
	if all := b.composed.Whole(ctx); compose.Visible(all) {
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
