package render

import (
	"math"

	"assay/model/scene"
)

// cloud adds points. Of more than a Model holds, it takes some here and there and, of cubes, puts them into a coarser
// lattice, so that they hang together.
func (l *loader) cloud(p *scene.Points, world scene.Matrix) {
	room := maxDots - len(l.m.dots)
	if p.Count <= 0 || p.Read == nil || room <= 0 || !sound(world) {
		l.m.Omitted = l.m.Omitted || p.Count > 0 && room <= 0
		return
	}
	scale := math.Cbrt(math.Abs(determinant(world)))
	edge := float32(0)
	if p.Edge > 0 && placed([3]float32{p.Edge}) {
		edge = float32(float64(p.Edge) * scale)
	}
	if p.Count <= room {
		buf := make([]scene.Dot, min(p.Count, block))
		for i := 0; i < p.Count; i += len(buf) {
			into := buf[:min(len(buf), p.Count-i)]
			if l.ctx.Err() != nil || p.Read(i, into) != nil {
				return
			}
			for _, d := range into {
				l.dot(world.Apply(d.Position), edge, rgbOf(d.Color))
			}
		}
		return
	}
	l.m.Omitted = true
	few := &coarse{seen: make(map[[3]int32]bool), cell: float32(math.Ceil(math.Cbrt(float64(p.Count)/float64(room)))) * p.Edge}
	var buf [1]scene.Dot
	step := float64(p.Count) / float64(room)
	random := uint32(1)
	for i := range room {
		random = random*1664525 + 1013904223 // one of each stretch, not always the same: a lattice has its own rhythm
		at := int((float64(i) + float64(random>>8)/(1<<24)) * step)
		if i%1024 == 0 && l.ctx.Err() != nil {
			return
		}
		if p.Read(min(at, p.Count-1), buf[:]) != nil {
			return
		}
		d := &buf[0]
		if edge == 0 {
			l.dot(world.Apply(d.Position), 0, rgbOf(d.Color))
		} else if where, ok := few.add(d.Position); ok {
			l.dot(world.Apply(where), float32(float64(few.cell)*scale), rgbOf(d.Color))
		}
	}
}

// coarse is a lattice of cells that hold one point each.
type coarse struct {
	cell float32
	seen map[[3]int32]bool
}

// add gives the middle of a point's cell if it is the first there.
func (c *coarse) add(p [3]float32) (middle [3]float32, first bool) {
	var key [3]int32
	for k, v := range p {
		n := math.Floor(float64(v / c.cell))
		if !(math.Abs(n) < 1<<30) {
			return p, false
		}
		key[k] = int32(n)
		middle[k] = (float32(n) + .5) * c.cell
	}
	first = !c.seen[key]
	c.seen[key] = true
	return middle, first
}

func determinant(m scene.Matrix) float64 {
	column := func(c int) vec { return vec{float64(m[4*c]), float64(m[4*c+1]), float64(m[4*c+2])} }
	return column(0).dot(column(1).cross(column(2)))
}

func rgbOf(c [4]uint8) [3]uint8 { return [3]uint8{c[0], c[1], c[2]} }
