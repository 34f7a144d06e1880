package dprsim

import (
	"context"
	"math"

	"assay/model"
	"assay/model/scene"
)

// view returns the catoms of the body that a node is a part of, as cubes; of the whole file all bodies.
func (r *reader) view(_ context.Context, n *model.Node) (model.View, error) {
	s := &scene.Scene{}
	for _, b := range r.bodies {
		if p := b.cubes(); p != nil && (n.Parent == nil || within(n, b.content)) {
			s.Roots = append(s.Roots, &scene.Node{Transform: upright, Points: p})
		}
	}
	if len(s.Roots) == 0 {
		return nil, nil
	}
	return s, nil
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
	if g == nil || b.count == 0 {
		return nil
	}
	return &scene.Points{Count: int(b.count), Edge: 1, Read: func(first int, into []scene.Dot) error {
		w := b.window(int64(len(into)+1) * max(b.stride, 64))
		if len(into) == 1 {
			w = look(b.src, b.at(int64(first)), b.stride)
			defer w.drop()
		}
		w.block = min(w.block, scanBlock)
		c := b.cells(g.columns)
		at := b.at(int64(first))
		for i := range into {
			size := b.size(w, at)
			if size < catomHead {
				return model.ErrChanged
			}
			c.catom(w, at, size)
			into[i] = c.dot(w)
			at += size
		}
		return w.err
	}}
}

// dot reads a catom of which the cells are the place and the colour.
func (c *cells) dot(w *window) scene.Dot {
	at, colour, ok := c.point(w)
	d := scene.Dot{Color: colour}
	for i, v := range at {
		if !ok {
			v = math.NaN()
		}
		d.Position[i] = float32(v)
	}
	return d
}
