package gpb

import (
	"context"
	"slices"
	"sync"

	"assay/model"
)

// kinds is what people call objects and their parts, by type. The rest of the types are parts of these.
var kinds = map[string]string{"Scene": "scene", "Node": "node", "Mesh": "mesh", "MeshSkin": "skin", "Camera": "camera",
	"Light":    "light",
	"Material": "material", "Effect": "effect", "Animation": "animation", "Font": "font"}

// thing says what a node is to people, with the vertices of a mesh and the keys of an animation.
func (r *reader) thing() func(n *model.Node) (model.Thing, bool) {
	objects := sync.OnceValue(r.comparable)
	return func(n *model.Node) (model.Thing, bool) {
		if n.Leaf() { // an optional part that is not there
			return model.Thing{}, false
		}
		t := model.Thing{Kind: kinds[n.Type]}
		all := objects()
		switch o := all.at[place{n.Offset, n.Type}].(type) {
		case *Mesh:
			t.Content = func(context.Context) (any, error) {
				drawn := r.file.MeshScene(o).Roots[0]
				if skin := all.skins["#"+o.ID]; skin != nil {
					drawn.Skin = skin.named()
				}
				return drawn, nil
			}
		case *Skin:
			t.Content = func(context.Context) (any, error) { return o.named(), nil }
		case *Font:
			t.Content = func(context.Context) (any, error) { return o.view(o.Sizes...) }
		case *Animation:
			t.Content = func(context.Context) (any, error) { return (&converter{}).animation(o), nil }
		}
		return t, t.Kind != ""
	}
}

// contents are the objects whose content is compared.
type contents struct {
	at    map[place]Object
	skins map[string]*Skin // of the first model with it, by the reference to the mesh
}

func (r *reader) comparable() contents {
	all := contents{at: make(map[place]Object), skins: make(map[string]*Skin)}
	r.each(func(o Object, _ func() *model.Node) {
		switch o := o.(type) {
		case *Mesh:
			all.at[place{o.span.Offset, "Mesh"}] = o
		case *Animation:
			all.at[place{o.span.Offset, "Animation"}] = o
		case *Font:
			all.at[place{o.span.Offset, "Font"}] = o
		case *Animations:
			for _, a := range o.List {
				all.at[place{a.span.Offset, "Animation"}] = a
			}
		case *Scene:
			todo := slices.Clone(o.Nodes)
			for len(todo) > 0 {
				n := todo[len(todo)-1]
				todo = append(todo[:len(todo)-1], n.Children...)
				if n.Model == nil || n.Model.Skin == nil {
					continue
				}
				all.at[place{n.Model.Skin.span.Offset, "MeshSkin"}] = n.Model.Skin
				if all.skins[n.Model.Mesh] == nil {
					all.skins[n.Model.Mesh] = n.Model.Skin
				}
			}
		}
	})
	return all
}
