package gpb

import (
	"context"
	"sync"

	"assay/model"
	"assay/model/scene"
)

// place is where a node is, and of which type: what an object is known by.
type place struct {
	at  int64
	typ string
}

// views lists what can be drawn by its place.
func (r *reader) views() map[place]func() (model.View, error) {
	f, all := r.file, make(map[place]func() (model.View, error))
	r.each(func(o Object, _ func() *model.Node) {
		switch o := o.(type) {
		case *Scene:
			all[place{o.span.Offset, "Scene"}] = sync.OnceValues(func() (model.View, error) { return f.Scene(o), nil })
		case *Mesh:
			all[place{o.span.Offset, "Mesh"}] = func() (model.View, error) { return f.MeshScene(o), nil }
		case *Font:
			for _, s := range o.Sizes {
				if s.span != o.span {
					all[place{s.span.Offset, "FontSize"}] = func() (model.View, error) { return o.view(s) }
				}
			}
			all[place{o.span.Offset, "Font"}] = func() (model.View, error) { return o.view(o.Sizes...) }
		}
	})
	return all
}

// view returns what there is to look at of a node: the scene, mesh or size of a font that it is or is a part of; of the
// whole file its scenes, else all of its meshes, else the picture of its only font. A scene is the same one each time.
func (r *reader) view() func(context.Context, *model.Node) (model.View, error) {
	views := sync.OnceValue(r.views)
	whole := sync.OnceValues(func() (model.View, error) {
		if only := r.file.onlyScene(); only != nil {
			if view, err := views()[place{only.span.Offset, "Scene"}](); err == nil && drawn(view.(*scene.Scene)) {
				return view, nil
			}
		}
		return r.file.view()
	})
	return func(_ context.Context, n *model.Node) (model.View, error) {
		for ; n != nil && n.Parent != nil; n = n.Parent {
			if view := views()[place{n.Offset, n.Type}]; view != nil {
				return view()
			}
		}
		return whole()
	}
}

// onlyScene is the scene of a file that has one; else nil.
func (f *File) onlyScene() (only *Scene) {
	for _, o := range f.all() {
		if s, ok := o.(*Scene); ok {
			if only != nil {
				return nil
			}
			only = s
		}
	}
	return only
}

func (f *File) view() (model.View, error) {
	if all := f.drawing(); drawn(all) {
		return all, nil
	}
	var only model.View
	for _, o := range f.all() {
		font, ok := o.(*Font)
		if !ok {
			continue
		}
		if v, err := font.view(font.Sizes...); v != nil && err == nil {
			if only != nil {
				return nil, nil
			}
			only = v
		}
	}
	return only, nil
}

// drawn reports whether a scene has a mesh with something in it.
func drawn(s *scene.Scene) bool {
	any := false
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil || n.Mesh.Count == 0 {
			return
		}
		for _, p := range n.Mesh.Parts {
			any = any || n.Mesh.PartIndices(p).Len() > 0
		}
	})
	return any
}
