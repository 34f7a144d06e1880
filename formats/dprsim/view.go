package dprsim

import (
	"context"
	"errors"
	"slices"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/scene"
)

// view returns what a node of a state looks like: the catoms of the body that it is a part of, as cubes; of the whole
// file all bodies. The scene of a node is the same one each time.
func (r *reader) view() func(context.Context, *model.Node) (model.View, error) {
	whole := sync.OnceValue(func() *scene.Scene {
		s := world(r.bodies...)
		if file := r.c.Source().Path(); s != nil && file != "" {
			Series(s, file, func(ctx context.Context, file string) ([]*scene.Points, error) {
				return readCatoms(ctx, file, r.o)
			})
		}
		return s
	})
	single := make([]func() *scene.Scene, len(r.bodies))
	for i := range single {
		single[i] = sync.OnceValue(func() *scene.Scene { return world(r.bodies[i]) })
	}
	return func(_ context.Context, n *model.Node) (model.View, error) {
		shown := whole
		if n.Parent != nil {
			i := slices.IndexFunc(r.bodies, func(b *body) bool { return within(n, b.content) })
			if i < 0 {
				return nil, nil
			}
			if len(r.bodies) > 1 {
				shown = single[i]
			}
		}
		if s := shown(); s != nil {
			return s, nil
		}
		return nil, nil
	}
}

// within reports whether a node is another one or below it.
func within(n, of *model.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == of {
			return true
		}
	}
	return false
}

// world returns the scene of the catoms of bodies; nil if no catom has a place.
func world(bodies ...*body) *scene.Scene {
	if points := cubes(bodies); len(points) > 0 {
		return World(points...)
	}
	return nil
}

// cubes returns the catoms of those bodies that say where they are.
func cubes(bodies []*body) (all []*scene.Points) {
	for _, b := range bodies {
		if p := b.rows().Cubes(); p != nil {
			all = append(all, p)
		}
	}
	return all
}

// errNotDrawn is why a file has no catoms to draw.
var errNotDrawn = errors.New("no catom positions in this file")

// readCatoms reads the catoms of a state into memory. Any other file is an error: an experiment has no catoms of its
// own, and its world may be an experiment again, even itself.
func readCatoms(ctx context.Context, file string, o options) (all []*scene.Points, err error) {
	src, err := model.OpenFile(file)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	head, err := headOf(src)
	if err != nil {
		return nil, err
	}
	if SniffState(head, src.Size()) == decode.No {
		return nil, errNotDrawn
	}
	r, err := readState(ctx, src, o)
	if err != nil {
		return nil, err
	}
	for _, p := range cubes(r.bodies) {
		p, err := p.Hold()
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
