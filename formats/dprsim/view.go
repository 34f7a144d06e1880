package dprsim

import (
	"context"
	"math"

	"assay/formats/decode"
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
	if g == nil || b.count() == 0 {
		return nil
	}
	return &scene.Points{Count: b.count(), Edge: 1, Read: func(first int, into []scene.Dot) error {
		c := b.cells(g.columns)
		return b.each(context.Background(), first, first+len(into), func(e *decode.Cursor, row int) error {
			c.catom(e)
			into[row-first] = c.dot(e)
			return nil
		})
	}}
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
