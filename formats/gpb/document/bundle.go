package document

import (
	"context"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/project"
	"assay/model"
)

// Open opens a bundle with what is around it. Whatever is wrong with its content is a Problem in the document; the
// error is the context's.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	p := project.Around(src)
	opened, err := gpb.Open(ctx, src)
	if err != nil {
		return nil, err
	}
	b := &bundle{Bundle: opened, scenes: compose.NewBundle(opened.File, p)}
	b.index, b.whole = sync.OnceValue(b.newIndex), project.Value(b.wholeView)
	d := b.Document
	d.Payloads = Bundle(b.Bundle, b.scenes)
	d.View = b.view
	d.Thing = b.describe
	d.Keys = b.keys
	if p != nil {
		d.Project = p.Root()
	}
	return d, nil
}

// bundle is a bundle, and the scenes that are made of it.
type bundle struct {
	*gpb.Bundle
	scenes *compose.Bundle
	index  func() index
	whole  makeView
}

// index is what there is to look at of the objects of a bundle, and their skins.
type index struct {
	views map[gpb.Object]makeView
	skins map[string]*gpb.Skin // of the first model with a mesh, by the reference to the mesh
}

func (b *bundle) newIndex() index {
	x := index{views: make(map[gpb.Object]makeView), skins: make(map[string]*gpb.Skin)}
	for _, o := range b.AllObjects() {
		switch o := o.(type) {
		case *gpb.Mesh:
			x.views[o] = project.Value(
				func(ctx context.Context) (model.View, error) { return b.scenes.Mesh(ctx, o), nil })
		case *gpb.Font:
			x.views[o] = project.Value(func(context.Context) (model.View, error) { return fontView(o.Sizes...) })
			for _, s := range o.Sizes {
				x.views[s] = project.Value(func(context.Context) (model.View, error) { return fontView(s) })
			}
		case *gpb.Scene:
			x.views[o] = project.Value(
				func(ctx context.Context) (model.View, error) { return b.scenes.Scene(ctx, o), nil })
		}
	}
	for n := range b.AllNodes() {
		if n.Model != nil && n.Model.Skin != nil && x.skins[n.Model.Mesh] == nil {
			x.skins[n.Model.Mesh] = n.Model.Skin
		}
	}
	return x
}
