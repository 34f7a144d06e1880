package dprsim

import (
	"context"
	"math"
	"slices"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/scene"
)

// views returns what there is to look at of a node: the catoms of the body that it is a part of, as cubes; of the whole
// file all bodies. A scene is the same one each time.
func (r *reader) views() func(context.Context, *model.Node) (model.View, error) {
	whole := sync.OnceValue(func() *scene.Scene { return r.sceneOf(r.bodies) })
	own := make([]func() *scene.Scene, len(r.bodies))
	for i := range own {
		own[i] = sync.OnceValue(func() *scene.Scene { return r.sceneOf(r.bodies[i : i+1]) })
	}
	return func(_ context.Context, n *model.Node) (model.View, error) {
		make := whole
		if n.Parent != nil {
			i := slices.IndexFunc(r.bodies, func(b *body) bool { return within(n, b.content) })
			if i < 0 {
				return nil, nil
			}
			if len(r.bodies) > 1 {
				make = own[i]
			}
		}
		if s := make(); s != nil {
			return s, nil
		}
		return nil, nil
	}
}

// sceneOf returns the catoms of bodies; nil if none has a place.
func (r *reader) sceneOf(bodies []*body) *scene.Scene {
	s := &scene.Scene{}
	for _, b := range bodies {
		if p := b.cubes(); p != nil {
			s.Roots = append(s.Roots, &scene.Node{Transform: upright, Points: p})
		}
	}
	if len(s.Roots) == 0 {
		return nil
	}
	if len(bodies) == len(r.bodies) {
		r.steps(s)
	}
	return s
}

func within(n, in *model.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == in {
			return true
		}
	}
	return false
}

// upright turns the simulator's axes, of which z points up, to those of a scene.
var upright = scene.Matrix{0: 1, 6: -1, 9: 1, 15: 1}

// cubes returns the catoms, which fill cells of size 1; nil if the world does not say where they are. A catom without a
// place is at NaN.
func (b *body) cubes() *scene.Points {
	g := b.geometry()
	if g == nil || b.count() == 0 {
		return nil
	}
	return &scene.Points{Count: b.count(), Edge: 1, List: b.list, Read: func(first int, into []scene.Dot) error {
		c := b.cells(g.columns)
		return b.each(context.Background(), first, first+len(into), func(e *decode.Cursor, row int) error {
			c.catom(e)
			into[row-first] = c.dot(e)
			into[row-first].ID = c.id(e)
			return nil
		})
	}}
}

// id returns the number of the catom.
func (c *cells) id(e *decode.Cursor) uint32 {
	if c.direct == nil {
		return c.l.id
	}
	e.GoTo(c.off)
	return uint32(e.Record(catomStart).Number(0))
}

// dot reads a catom of which the cells are the place and the colour.
func (c *cells) dot(e *decode.Cursor) scene.Dot {
	at, colour, ok := c.point(e)
	d := scene.Dot{Color: colour}
	for i, v := range at {
		if !ok {
			v = math.NaN()
		}
		d.Position[i] = float32(v)
	}
	return d
}
