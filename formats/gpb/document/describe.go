package document

import (
	"context"
	"slices"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/compose"
	"assay/model"
)

// kinds is what people call objects, by type. Nodes of other types are parts of objects.
var kinds = map[string]string{"Scene": "scene", "Node": "node", "Mesh": "mesh", "MeshSkin": "skin", "Camera": "camera",
	"Light": "light", "Material": "material", "Effect": "effect", "Animation": "animation", "Font": "font"}

// describe returns a function that says what a node is to people, with its content for a comparison.
func (b *bundle) describe() func(n *model.Node) (model.Thing, bool) {
	objects := sync.OnceValue(b.contents)
	return func(n *model.Node) (model.Thing, bool) {
		if n.Leaf() { // an optional part that is not there
			return model.Thing{}, false
		}
		t := model.Thing{Kind: kinds[n.Type]}
		all := objects()
		switch o := all.at[nodeKey{n.Offset, n.Type}].(type) {
		case *gpb.Mesh:
			t.Content = func(context.Context) (any, error) {
				drawn := b.composed.Mesh(o).Roots[0]
				if skin := all.skins["#"+o.ID]; skin != nil {
					drawn.Skin = compose.Skin(skin)
				}
				return drawn, nil
			}
		case *gpb.Skin:
			t.Content = func(context.Context) (any, error) { return compose.Skin(o), nil }
		case *gpb.Font:
			t.Content = func(context.Context) (any, error) { return fontView(o, o.Sizes...) }
		case *gpb.Animation:
			t.Content = func(context.Context) (any, error) { return compose.Animation(o), nil }
		}
		return t, t.Kind != ""
	}
}

// contentIndex is the objects whose content is compared.
type contentIndex struct {
	at    map[nodeKey]gpb.Object
	skins map[string]*gpb.Skin // of the first model with it, by the reference to the mesh
}

// contents returns the objects of the bundle whose content is compared.
func (b *bundle) contents() contentIndex {
	all := contentIndex{at: make(map[nodeKey]gpb.Object), skins: make(map[string]*gpb.Skin)}
	b.Each(func(o gpb.Object, _ func() *model.Node) {
		switch o := o.(type) {
		case *gpb.Mesh:
			all.at[keyOf(o.Span.Offset, gpb.TypeMesh)] = o
		case *gpb.Animation:
			all.at[keyOf(o.Span.Offset, gpb.TypeAnimation)] = o
		case *gpb.Font:
			all.at[keyOf(o.Span.Offset, gpb.TypeFont)] = o
		case *gpb.Animations:
			for _, a := range o.List {
				all.at[keyOf(a.Span.Offset, gpb.TypeAnimation)] = a
			}
		case *gpb.Scene:
			all.addSkins(o.Nodes)
		case *gpb.Node:
			all.addSkins([]*gpb.Node{o})
		}
	})
	return all
}

// addSkins adds the skins of nodes and of those below them.
func (all contentIndex) addSkins(nodes []*gpb.Node) {
	for todo := slices.Clone(nodes); len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], n.Children...)
		if n.Model == nil || n.Model.Skin == nil {
			continue
		}
		all.at[keyOf(n.Model.Skin.Span.Offset, gpb.TypeMeshSkin)] = n.Model.Skin
		if all.skins[n.Model.Mesh] == nil {
			all.skins[n.Model.Mesh] = n.Model.Skin
		}
	}
}
