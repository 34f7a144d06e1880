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
	*projection
	radius  float64 // of balls
	normals [6]vec
}

func (f *frame) newDotStyle() *dotStyle {
	d := &dotStyle{projection: f.c.projection(), radius: float64(f.n)}
	if !f.m.mesh && len(f.m.dots) > 0 {
		d.radius *= min(max(.45*math.Sqrt(float64(f.g.width*f.g.height)/float64(f.n*f.n)/float64(len(f.m.dots))), 1), 5)
	}
	for i := range d.normals {
		d.normals[i] = f.c.axes.turn(cubeSides[i].normal)
	}
	return d
}

const (
	// gapFrom is the size in pixels from which cubes are drawn a little smaller than they are, so that each can be told
	// from its neighbours.
	gapFrom = 6
	gap     = .96
	// closed is the share of gapFrom from which all sides are drawn: the next cube may leave a gap.
	closed = .9
)

// sortDots puts dots into the bands that they are in.
func (f *frame) sortDots(bands [][]uint32, from, to int) {
	bandHeight := float64(bandRows * f.n)
	height := float64(f.g.height)
	for k := from; k < to; k++ {
		d := &f.m.dots[k]
		var at seen
		if f.dots.project(&d.at, &at); at.near <= 0 || f.m.isHidden(int(d.node)) {
			continue
		}
		x, y, near := float64(at.x), float64(at.y), float64(at.near)
		reach := max(float64(d.edge)*f.c.scale*f.c.pixel(near), f.dots.radius) + 1
		if !(y+reach >= 0 && y-reach <= height && x+reach >= 0 && x-reach <= float64(f.g.width)) {
			continue
		}
		for b := int(max(y-reach, 0) / bandHeight); b <= min(int(min(y+reach, height)/bandHeight), f.bands-1); b++ {
			bands[b] = append(bands[b], uint32(k))
		}
	}
}

// dot draws a dot of a cloud: a cube where it has an edge and room enough, else a ball.
func (f *frame) dot(i, from, to int) int {
	const work = 4
	d := &f.m.dots[i]
	var at seen
	f.dots.project(&d.at, &at)
	x, y, near := float64(at.x), float64(at.y), float64(at.near)
	id := whatDot | what(i)<<3
	size := float64(d.edge) * f.c.scale * f.c.pixel(near)
	switch {
	case d.edge == 0:
		return work + f.g.ball(x, y, f.dots.radius, near, id|ballSide, from, to)
	case size < 1.5:
		f.g.block(x, y, max(size*.7, .5), near, id|smallSide, from, to)
		return work
	case size > gapFrom*float64(f.n):
		return work + f.cube(d, gap, 0, id, from, to)
	}
	if size > closed*gapFrom*float64(f.n) {
		return work + f.cube(d, 1, 0, id, from, to)
	}
	return work + f.cube(d, 1, d.covered, id, from, to)
}

// cube draws the sides of a cube that the camera sees; those that are covered are left out.
func (f *frame) cube(d *dot, share float64, covered uint8, id what, from, to int) int {
	sides := f.seenSides(f.c.see(wide(d.at)), float64(d.edge)*f.c.scale/2*share) &^ covered
	if sides == 0 {
		return 1
	}
	var corners [8]corner
	if !f.dots.cornersOf(d, float64(d.edge)/2*share, &corners) {
		return 8
	}
	work := 16
	for i := range cubeSides {
		if sides>>i&1 == 0 {
			continue
		}
		s := &cubeSides[i].corners
		work += f.g.fill(&corners[s[0]], &corners[s[1]], &corners[s[2]], id|what(i), from, to)
		work += f.g.fill(&corners[s[0]], &corners[s[2]], &corners[s[3]], id|what(i), from, to)
	}
	return work
}

// seenSides are the sides of a cube that are turned to the camera.
func (f *frame) seenSides(at vec, half float64) (sides uint8) {
	viewer := vec{f.c.x, f.c.y, f.c.z}.minus(at)
	if f.c.parallel {
		viewer = vec{0, 0, deepest}
	}
	for k := range 3 {
		switch along := f.dots.normals[2*k+1].dot(viewer); {
		case along > half:
			sides |= 2 << (2 * k)
		case -along > half:
			sides |= 1 << (2 * k)
		}
	}
	return sides
}

// cornersOf finds the corners of a cube in the picture; false if one is behind the camera. Cubes that touch have the
// very same corners, so that nothing is seen between them.
func (s *dotStyle) cornersOf(d *dot, half float64, corners *[8]corner) bool {
	var x, y, w [3][2]float64 // what each axis adds, on both sides
	for k, v := range d.at {
		for side, at := range [2]float64{float64(v) - half, float64(v) + half} {
			x[k][side], y[k][side], w[k][side] = s.x[k]*at, s.y[k]*at, s.w[k]*at
		}
	}
	for i := range corners {
		c := &corners[i]
		a, b, d := i&1, i>>1&1, i>>2
		c.x, c.y = x[0][a]+x[1][b]+x[2][d]+s.x[3], y[0][a]+y[1][b]+y[2][d]+s.y[3]
		deep := w[0][a] + w[1][b] + w[2][d] + s.w[3]
		if s.parallel {
			if c.near = deepest - deep; c.near <= 0 {
				return false
			}
			continue
		}
		if deep < nearest {
			return false
		}
		c.near = 1 / deep
		c.x, c.y = c.x*c.near, c.y*c.near
	}
	return true
}

// dotColor is what is seen of a dot at a place of the grid.
func (s *shader) dotColor(w what, x, y float64, near float32) rgba {
	d := &s.m.dots[w>>3]
	var n vec3
	switch side := w & 7; side {
	case ballSide:
		px, py, _ := s.c.project(s.c.see(wide(d.at)))
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
