package render

import "math"

// sides of a cube: the axis that each stands on, and its corners, as they go around it.
var cubeSides = [6]struct {
	normal  vec
	corners [4]int
}{
	{vec{-1, 0, 0}, [4]int{0, 2, 6, 4}}, {vec{1, 0, 0}, [4]int{1, 3, 7, 5}},
	{vec{0, -1, 0}, [4]int{0, 1, 5, 4}}, {vec{0, 1, 0}, [4]int{2, 3, 7, 6}},
	{vec{0, 0, -1}, [4]int{0, 1, 3, 2}}, {vec{0, 0, 1}, [4]int{4, 5, 7, 6}},
}

// What is seen of a dot, beside the sides of its cube: a ball, or a cube that is too small for sides.
const (
	ballSide  = 6
	smallSide = 7
)

// dotStyle is what is the same of all dots of a picture.
type dotStyle struct {
	radius  float64 // of balls
	corners [8]vec
	normals [6]vec
}

func (f *frame) newDotStyle() *dotStyle {
	d := &dotStyle{radius: float64(f.n)}
	if !f.m.mesh && len(f.m.dots) > 0 {
		d.radius *= min(max(.45*math.Sqrt(float64(f.g.width*f.g.height)/float64(f.n*f.n)/float64(len(f.m.dots))), 1), 5)
	}
	for i := range d.corners {
		d.corners[i] = f.c.axes.turn(vec{float64(i&1*2 - 1), float64(i&2 - 1), float64(i&4/2 - 1)})
	}
	for i := range d.normals {
		d.normals[i] = f.c.axes.turn(cubeSides[i].normal)
	}
	return d
}

// gapFrom is the size in pixels from which cubes are drawn a little smaller than they are, so that each can be told
// from its neighbours.
const gapFrom = 6

// sortDots puts dots into the bins of a chunk.
func (f *frame) sortDots(i, from, to int) {
	bandHeight := float64(bandRows * f.n)
	height := float64(f.g.height)
	for k := from; k < to; k++ {
		d := &f.m.dots[k]
		x, y, near, _ := f.c.project(f.c.see(wide(d.at)))
		if near <= 0 || f.m.hides(d) {
			continue
		}
		reach := max(float64(d.edge)*f.c.scale*f.c.pixel(near), f.dots.radius) + 1
		if !(y+reach >= 0 && y-reach <= height && x+reach >= 0 && x-reach <= float64(f.g.width)) {
			continue
		}
		for b := int(max(y-reach, 0) / bandHeight); b <= min(int(min(y+reach, height)/bandHeight), f.bands-1); b++ {
			bin := &f.r.bins[i*f.bands+b]
			*bin = append(*bin, uint32(k))
		}
	}
}

// dot draws a dot of a cloud: a cube where it has an edge and room enough, else a ball.
func (f *frame) dot(i, from, to int) int {
	const work = 4
	d := &f.m.dots[i]
	at := f.c.see(wide(d.at))
	x, y, near, _ := f.c.project(at)
	id := whatDot | what(i)<<3
	size := float64(d.edge) * f.c.scale * f.c.pixel(near)
	switch {
	case d.edge == 0:
		return work + f.g.ball(x, y, f.dots.radius, near, id|ballSide, from, to)
	case size < 1.5:
		f.g.block(x, y, max(size*.7, .5), near, id|smallSide, from, to)
		return work
	}
	half := float64(d.edge) * f.c.scale / 2
	if size > gapFrom*float64(f.n) {
		half *= .96
	}
	return work + f.cube(at, half, id, from, to)
}

// cube draws the sides of a cube that the camera sees.
func (f *frame) cube(at vec, half float64, id what, from, to int) int {
	viewer := vec{f.c.x, f.c.y, f.c.z}.minus(at)
	if f.c.parallel {
		viewer = vec{0, 0, deepest}
	}
	var corners [8]corner
	for i, k := range f.dots.corners {
		c := &corners[i]
		if c.x, c.y, c.near, _ = f.c.project(at.plus(k.times(half))); c.near <= 0 {
			return 8
		}
	}
	work := 16
	for i, n := range f.dots.normals {
		if n.dot(viewer) <= half {
			continue
		}
		s := &cubeSides[i].corners
		work += f.g.fill(&corners[s[0]], &corners[s[1]], &corners[s[2]], id|what(i), from, to)
		work += f.g.fill(&corners[s[0]], &corners[s[2]], &corners[s[3]], id|what(i), from, to)
	}
	return work
}

// dotColor is what is seen of a dot at a place of the grid.
func (s *shader) dotColor(w what, x, y float64, near float32) rgba {
	d := &s.m.dots[w>>3]
	var n vec3
	switch side := w & 7; side {
	case ballSide:
		px, py, _, _ := s.c.project(s.c.see(wide(d.at)))
		dx, dy := (x-px)/s.dots.radius, (py-y)/s.dots.radius
		n = s.light.inScene(slim(vec{dx, dy, math.Sqrt(max(0, 1-dx*dx-dy*dy))}))
	case smallSide:
		n = s.light.inScene(vec3{0, .33, .944})
	default:
		n = slim(cubeSides[side].normal)
	}
	open := float32(1)
	if s.light.soft {
		open = s.light.open(near, int(x), int(y), s.light.inView(n))
	}
	return s.light.studio(lightOf(d.color), n, open)
}

// inScene turns a direction of the camera's space into the scene.
func (l *lighting) inScene(n vec3) vec3 {
	return l.axes[0].times(n.x).plus(l.axes[1].times(n.y)).plus(l.axes[2].times(n.z))
}

// hides reports whether the node of a dot is hidden.
func (m *Model) hides(d *dot) bool { return m.hidden != nil && m.hidden[d.node] }
