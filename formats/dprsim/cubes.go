package dprsim

import (
	"context"
	"math"

	"assay/model/scene"
)

// Cubes returns the catoms, which fill cells of size 1; nil if there are none, or nothing says where they are. A catom
// without a place is at NaN.
func (b *Body) Cubes() *scene.Points {
	if b.Geometry == nil || b.Count == 0 {
		return nil
	}
	columns := append([]Column{ID}, b.Geometry.Columns...)
	return &scene.Points{Count: b.Count, Edge: 1, List: b.List, Read: func(first int, into []scene.Dot) error {
		ctx := context.Background() // scene.Points are read without one
		return b.Read(ctx, columns, first, first+len(into), func(row int, values []any, _ [][]byte) error {
			at, color, ok := point(values[1:])
			d := scene.Dot{ID: uint32(values[0].(uint64)), Color: color}
			for i, v := range at {
				if !ok {
					v = math.NaN()
				}
				d.Position[i] = float32(v)
			}
			into[row-first] = d
			return nil
		})
	}}
}
