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
		t := model.Thing{Kind: kinds[n.Type]}
		switch o := objects()[place{n.Offset, n.Type}].(type) {
		case *Mesh:
			t.Content = func(context.Context) (any, error) { return r.file.MeshScene(o).Roots[0].Mesh, nil }
		case *Skin:
			t.Content = func(context.Context) (any, error) { return o.named(), nil }
		case *Animation:
			t.Content = func(context.Context) (any, error) { return (&converter{}).animation(o), nil }
		}
		return t, t.Kind != ""
	}
}

// comparable lists the objects whose content is compared, by their places.
func (r *reader) comparable() map[place]Object {
	all := make(map[place]Object)
	r.each(func(o Object, _ func() *model.Node) {
		switch o := o.(type) {
		case *Mesh:
			all[place{o.span.Offset, "Mesh"}] = o
		case *Animation:
			all[place{o.span.Offset, "Animation"}] = o
		case *Animations:
			for _, a := range o.List {
				all[place{a.span.Offset, "Animation"}] = a
			}
		case *Scene:
			todo := slices.Clone(o.Nodes)
			for len(todo) > 0 {
				n := todo[len(todo)-1]
				todo = append(todo[:len(todo)-1], n.Children...)
				if n.Model != nil && n.Model.Skin != nil {
					all[place{n.Model.Skin.span.Offset, "MeshSkin"}] = n.Model.Skin
				}
			}
		}
	})
	return all
}
