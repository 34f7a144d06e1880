package render

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"assay/model/scene"
)

// maxSolid is the most cubes that are all read to find those that can be seen.
const maxSolid = 2 << 20

// cloud adds points. Cubes that others hide on all sides are left out. Of more points than can be read some are taken
// here and there; cubes go into a coarser lattice then, so that they hang together.
func (l *loader) cloud(p *scene.Points, world scene.Matrix, node int) {
	room := maxDots - len(l.m.dots)
	if p.Count <= 0 || p.Read == nil || room <= 0 || !sound(world) {
		l.m.Omitted = l.m.Omitted || p.Count > 0 && room <= 0
		return
	}
	c := &cloud{l: l, p: p, world: world, node: node}
	if p.Edge > 0 && placed([3]float32{p.Edge}) {
		c.edge = float32(float64(p.Edge) * math.Cbrt(math.Abs(determinant(world))))
	}
	switch {
	case c.edge > 0 && p.Count <= maxSolid:
		c.solid()
	case p.Count <= room:
		c.all()
	default:
		l.m.Omitted = true
		c.sample(room)
	}
}

type cloud struct {
	l     *loader
	p     *scene.Points
	world scene.Matrix
	edge  float32 // of a cube in the scene
	node  int
}

func (c *cloud) add(at [3]float32, edge float32, color [4]uint8) {
	c.l.dot(c.world.Apply(at), edge, [3]uint8{color[0], color[1], color[2]}, c.node)
}

// read returns all points, a block at a time.
func (c *cloud) read(see func(*scene.Dot)) {
	buf := make([]scene.Dot, min(c.p.Count, block))
	for i := 0; i < c.p.Count; i += len(buf) {
		into := buf[:min(len(buf), c.p.Count-i)]
		if c.l.ctx.Err() != nil || c.p.Read(i, into) != nil {
			return
		}
		for k := range into {
			see(&into[k])
		}
	}
}

func (c *cloud) all() {
	c.read(func(d *scene.Dot) { c.add(d.Position, c.edge, d.Color) })
}

// cell is a place in a lattice.
type cell [3]int32

var sides = [6]cell{{1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}}

func (a cell) plus(b cell) cell { return cell{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// cellOf returns the cell of a place; on reports whether the place is on the lattice itself.
func cellOf(p [3]float32, edge float32) (at cell, on, ok bool) {
	on = true
	for k, v := range p {
		n := math.Floor(float64(v/edge) + .5)
		if !(math.Abs(n) < 1<<30) {
			return at, false, false
		}
		on = on && math.Abs(float64(v/edge)-n) < 1e-3
		at[k] = int32(n)
	}
	return at, on, true
}

// solid adds the cubes that can be seen.
func (c *cloud) solid() {
	dots := make([]scene.Dot, 0, c.p.Count)
	b := bits{low: cell{math.MaxInt32, math.MaxInt32, math.MaxInt32},
		high: cell{math.MinInt32, math.MinInt32, math.MinInt32}}
	lattice := true
	c.read(func(d *scene.Dot) {
		at, on, ok := cellOf(d.Position, c.p.Edge)
		if !ok {
			return
		}
		lattice = lattice && on
		b.reach(at)
		dots = append(dots, *d)
	})
	if lattice = lattice && b.make(); lattice {
		for i := range dots {
			at, _, _ := cellOf(dots[i].Position, c.p.Edge)
			b.set(at)
		}
	}
	for i := range dots {
		if lattice {
			if at, _, _ := cellOf(dots[i].Position, c.p.Edge); b.hidden(at) {
				continue
			}
		}
		c.add(dots[i].Position, c.edge, dots[i].Color)
	}
}

// bits is the set of the cells in a box that hold something.
type bits struct {
	low, high cell
	size      [3]int64
	words     []uint64
}

func (b *bits) reach(at cell) {
	for k, v := range at {
		b.low[k], b.high[k] = min(b.low[k], v), max(b.high[k], v)
	}
}

// make makes the set, unless it is too large.
func (b *bits) make() bool {
	const most = 1 << 28
	all := int64(1)
	for k := range b.size {
		b.size[k] = int64(b.high[k]) - int64(b.low[k]) + 1
		if b.size[k] <= 0 || b.size[k] > most/all {
			return false
		}
		all *= b.size[k]
	}
	b.words = make([]uint64, all/64+1)
	return true
}

func (b *bits) at(c cell) int64 {
	return (int64(c[2]-b.low[2])*b.size[1]+int64(c[1]-b.low[1]))*b.size[0] + int64(c[0]-b.low[0])
}

func (b *bits) set(c cell) {
	i := b.at(c)
	b.words[i/64] |= 1 << (i % 64)
}

// hidden reports whether a cell has a neighbour on each side.
func (b *bits) hidden(c cell) bool {
	for _, s := range sides {
		n := c.plus(s)
		for k, v := range n {
			if v < b.low[k] || v > b.high[k] {
				return false
			}
		}
		if i := b.at(n); b.words[i/64]>>(i%64)&1 == 0 {
			return false
		}
	}
	return true
}

// sample adds some points: one of each stretch of them, not always the same, as a lattice has its own rhythm.
func (c *cloud) sample(room int) {
	const each = 5 // points that a coarse cell gets, so that few get none
	edge := float32(math.Ceil(math.Cbrt(each*float64(c.p.Count)/float64(room)))) * c.p.Edge
	cells := make(map[cell][4]uint8)
	random := rand.New(rand.NewPCG(1, 2))
	var buf [1]scene.Dot
	step := float64(c.p.Count) / float64(room)
	for i := range room {
		if i%1024 == 0 && c.l.ctx.Err() != nil {
			break
		}
		if c.p.Read(min(int((float64(i)+random.Float64())*step), c.p.Count-1), buf[:]) != nil {
			break
		}
		d := &buf[0]
		if c.edge == 0 {
			c.add(d.Position, 0, d.Color)
		} else if at, _, ok := cellOf(d.Position, edge); ok {
			cells[at] = d.Color
		}
	}
	pits(cells)
	order := slices.SortedFunc(maps.Keys(cells), func(a, b cell) int { return slices.Compare(a[:], b[:]) })
	for _, at := range order {
		if neighbours(cells, at) < len(sides) {
			c.add([3]float32{float32(at[0]) * edge, float32(at[1]) * edge, float32(at[2]) * edge}, edge/c.p.Edge*c.edge,
				cells[at])
		}
	}
}

func neighbours(cells map[cell][4]uint8, at cell) int {
	n := 0
	for _, s := range sides {
		if _, ok := cells[at.plus(s)]; ok {
			n++
		}
	}
	return n
}

// pits fills cells that are empty only because no point of theirs was taken.
func pits(cells map[cell][4]uint8) {
	found := make(map[cell][4]uint8)
	for at := range cells {
		for _, s := range sides {
			side := at.plus(s)
			if _, ok := cells[side]; ok || neighbours(cells, side) < len(sides)-1 {
				continue
			}
			for _, s := range sides { // the first there is: the order of a map must not show
				if color, ok := cells[side.plus(s)]; ok {
					found[side] = color
					break
				}
			}
		}
	}
	maps.Copy(cells, found)
}

func determinant(m scene.Matrix) float64 {
	return column(m, 0).dot(column(m, 1).cross(column(m, 2)))
}
