package document

import (
	"context"
	"slices"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/export"
	"assay/formats/gpb/once"
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
	b.index, b.whole = sync.OnceValue(b.newIndex), once.Value(b.wholeView)
	d := b.Document
	d.Payloads = export.Bundle(b.Bundle, b.scenes)
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

// index is what the nodes of a bundle are of.
type index struct {
	byNode map[nodeKey]indexed
	skins  map[string]*gpb.Skin // of the first model with a mesh, by the reference to the mesh
}

// nodeKey is where a node begins, and its type.
type nodeKey struct {
	offset int64
	typ    string
}

// indexed is what a node is of, and what there is to look at of that.
type indexed struct {
	value any      // *gpb.Scene, *gpb.Mesh, *gpb.Skin, *gpb.Font, *gpb.FontSize, *gpb.Animation or *gpb.Channel
	view  makeView // nil if there is nothing
}

// of returns what a node is of; the zero value if that is none of these.
func (x index) of(n *model.Node) indexed { return x.byNode[nodeKey{n.Offset, n.Type}] }

// at returns what has the bytes of an object.
func (x index) at(bytes model.Span, typ gpb.TypeID) indexed {
	return x.byNode[nodeKey{bytes.Offset, typ.String()}]
}

func (x index) put(bytes model.Span, typ gpb.TypeID, value any, view makeView) {
	x.byNode[nodeKey{bytes.Offset, typ.String()}] = indexed{value, view}
}

func (b *bundle) newIndex() index {
	x := index{byNode: make(map[nodeKey]indexed), skins: make(map[string]*gpb.Skin)}
	b.Each(func(o gpb.Object, _ func() *model.Node) {
		switch o := o.(type) {
		case *gpb.Mesh:
			x.put(o.Span, gpb.TypeMesh, o,
				once.Value(func(ctx context.Context) (model.View, error) { return b.scenes.Mesh(ctx, o), nil }))
		case *gpb.Font:
			x.put(o.Span, gpb.TypeFont, o,
				func(context.Context) (model.View, error) { return fontView(o, o.Sizes...) })
			for _, s := range o.Sizes {
				if s.Span != o.Span {
					x.byNode[nodeKey{s.Span.Offset, gpb.FontSizeType}] = indexed{s,
						func(context.Context) (model.View, error) { return fontView(o, s) }}
				}
			}
		case *gpb.Scene:
			x.put(o.Span, gpb.TypeScene, o,
				once.Value(func(ctx context.Context) (model.View, error) { return b.scenes.Scene(ctx, o), nil }))
			x.putSkins(o.Nodes)
		case *gpb.Node:
			x.putSkins([]*gpb.Node{o})
		}
	})
	for _, a := range b.AllAnimations() {
		x.put(a.Span, gpb.TypeAnimation, a, nil)
		for _, c := range a.Channels {
			x.put(c.Span, gpb.TypeAnimationChannel, c, nil)
		}
	}
	return x
}

// putSkins puts in the skins of nodes and of those below them.
func (x index) putSkins(nodes []*gpb.Node) {
	for todo := slices.Clone(nodes); len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], n.Children...)
		if n.Model == nil || n.Model.Skin == nil {
			continue
		}
		x.put(n.Model.Skin.Span, gpb.TypeMeshSkin, n.Model.Skin, nil)
		if x.skins[n.Model.Mesh] == nil {
			x.skins[n.Model.Mesh] = n.Model.Skin
		}
	}
}
