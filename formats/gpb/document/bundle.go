package document

import (
	"context"
	"slices"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/formats/gpb/export"
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
	b := &bundle{Bundle: opened, composed: compose.NewBundle(opened.File, p)}
	b.index = sync.OnceValue(b.newIndex)
	d := b.Document
	d.Payloads = export.Bundle(b.Bundle, b.composed)
	d.View = b.view()
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
	composed *compose.Bundle
	index    func() index
}

// index is what the nodes of a bundle are of, as values.
type index struct {
	byNode map[nodeKey]any      // objects, and in them *gpb.Skin, *gpb.Channel and fontSize
	skins  map[string]*gpb.Skin // of the first model with a mesh, by the reference to the mesh
}

// nodeKey is where a node begins, and its type.
type nodeKey struct {
	offset int64
	typ    string
}

func keyOf(n *model.Node) nodeKey { return nodeKey{n.Offset, n.Type} }

// fontSize is one of the sizes of a font.
type fontSize struct {
	font *gpb.Font
	size *gpb.FontSize
}

// of returns the value that a node is of; nil if it is of none.
func (x index) of(n *model.Node) any { return x.byNode[keyOf(n)] }

func (b *bundle) newIndex() index {
	x := index{byNode: make(map[nodeKey]any), skins: make(map[string]*gpb.Skin)}
	b.Each(func(o gpb.Object, _ func() *model.Node) {
		switch o := o.(type) {
		case *gpb.Mesh:
			x.put(o.Span, gpb.TypeMesh, o)
		case *gpb.Font:
			x.put(o.Span, gpb.TypeFont, o)
			for _, s := range o.Sizes {
				if s.Span != o.Span {
					x.byNode[nodeKey{s.Span.Offset, "FontSize"}] = fontSize{o, s}
				}
			}
		case *gpb.Scene:
			x.put(o.Span, gpb.TypeScene, o)
			x.putSkins(o.Nodes)
		case *gpb.Node:
			x.putSkins([]*gpb.Node{o})
		}
	})
	for _, a := range b.AllAnimations() {
		x.put(a.Span, gpb.TypeAnimation, a)
		for _, c := range a.Channels {
			x.put(c.Span, gpb.TypeAnimationChannel, c)
		}
	}
	return x
}

func (x index) put(at model.Span, typ gpb.TypeID, value any) {
	x.byNode[nodeKey{at.Offset, typ.String()}] = value
}

// putSkins puts in the skins of nodes and of those below them.
func (x index) putSkins(nodes []*gpb.Node) {
	for todo := slices.Clone(nodes); len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], n.Children...)
		if n.Model == nil || n.Model.Skin == nil {
			continue
		}
		x.put(n.Model.Skin.Span, gpb.TypeMeshSkin, n.Model.Skin)
		if x.skins[n.Model.Mesh] == nil {
			x.skins[n.Model.Mesh] = n.Model.Skin
		}
	}
}
