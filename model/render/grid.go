package render

import "math"

// grid is the picture while it is drawn: of each sample, what is nearest there.
type grid struct {
	width, height int
	pixels        []sample
}

// sample is one point of the grid.
type sample struct {
	near  float32  // inverse of the distance; 0 where nothing is
	x, y  int16    // of the normal, which points to the viewer
	color [3]uint8 // of what is there, in no light
}

// corner is a corner of a triangle in the picture.
type corner struct {
	x, y, near float64
	normal     vec
	color      [3]uint8
}

const normalUnit = 32000

func (s *sample) put(near float32, n vec, c [3]uint8) {
	if n[2] < 0 {
		n[2] = 0
		n = n.unit()
	}
	s.near, s.color = near, c
	s.x, s.y = int16(n[0]*normalUnit), int16(n[1]*normalUnit)
}

// normal gives the normal back.
func (s *sample) normal() (x, y, z float32) {
	x, y = float32(s.x)/normalUnit, float32(s.y)/normalUnit
	return x, y, float32(math.Sqrt(float64(max(0, 1-x*x-y*y))))
}

// looks says how a triangle's colours and normals go over it.
type looks struct {
	smooth bool // from corner to corner; else all is as in the first corner
	tinted bool // colours too
}

// triangle draws a triangle between two rows, and gives how much work it was.
func (g *grid) triangle(a, b, c *corner, look looks, from, to int) int {
	const work = 8
	top, mid, low := a, b, c
	if mid.y < top.y {
		top, mid = mid, top
	}
	if low.y < mid.y {
		mid, low = low, mid
		if mid.y < top.y {
			top, mid = mid, top
		}
	}
	first, last := row(top.y, from, to), row(low.y, from, to)
	if first >= last || max(a.x, b.x, c.x) < 0 || min(a.x, b.x, c.x) > float64(g.width) {
		return work
	}
	area := (b.x-a.x)*(c.y-a.y) - (c.x-a.x)*(b.y-a.y)
	if math.Abs(area) < 1e-9 || math.IsNaN(area) {
		return work
	}
	s := slope{a: a, b: b, c: c, area: 1 / area}
	near := s.of(func(k *corner) float64 { return k.near })
	least, most := min(a.near, b.near, c.near), max(a.near, b.near, c.near)
	var normal, tint [3]plane
	if look.smooth {
		for k := range 3 {
			normal[k] = s.of(func(c *corner) float64 { return c.normal[k] * c.near })
		}
	}
	if look.tinted {
		for k := range 3 {
			tint[k] = s.of(func(c *corner) float64 { return float64(c.color[k]) * c.near })
		}
	}
	long := (low.x - top.x) / (low.y - top.y)
	done := work
	for y := first; y < last; y++ {
		at := float64(y) + .5
		x1 := top.x + (at-top.y)*long
		var x2 float64
		if at < mid.y {
			x2 = top.x + (at-top.y)*(mid.x-top.x)/(mid.y-top.y)
		} else {
			x2 = mid.x
			if low.y > mid.y {
				x2 += (at - mid.y) * (low.x - mid.x) / (low.y - mid.y)
			}
		}
		begin, end := row(min(x1, x2), 0, g.width), row(max(x1, x2), 0, g.width)
		if begin >= end {
			continue
		}
		done += end - begin
		line := g.pixels[y*g.width+begin : y*g.width+end]
		dx, dy := float64(begin)+.5-a.x, at-a.y
		here := near.at(dx, dy)
		for i := range line {
			n := min(max(here, least), most)
			here += near.x
			p := &line[i]
			if float32(n) <= p.near {
				continue
			}
			direction, paint := a.normal, a.color
			if look.smooth {
				x := dx + float64(i)
				direction = vec{normal[0].at(x, dy), normal[1].at(x, dy), normal[2].at(x, dy)}.unit()
			}
			if look.tinted {
				x := dx + float64(i)
				for k := range 3 {
					paint[k] = uint8(min(max(tint[k].at(x, dy)/n, 0), 255))
				}
			}
			p.put(float32(n), direction, paint)
		}
	}
	return done
}

// row is the first row, or column, whose middle is at or behind a coordinate.
func row(v float64, from, to int) int {
	v = math.Ceil(v - .5)
	switch {
	case !(v > float64(from)):
		return from
	case v > float64(to):
		return to
	}
	return int(v)
}

// plane is a value that goes evenly over the picture.
type plane struct{ start, x, y float64 }

func (p *plane) at(dx, dy float64) float64 { return p.start + p.x*dx + p.y*dy }

// slope makes planes over a triangle.
type slope struct {
	a, b, c *corner
	area    float64
}

func (s *slope) of(value func(*corner) float64) plane {
	va := value(s.a)
	vb, vc := value(s.b)-va, value(s.c)-va
	return plane{va,
		(vb*(s.c.y-s.a.y) - vc*(s.b.y-s.a.y)) * s.area,
		(vc*(s.b.x-s.a.x) - vb*(s.c.x-s.a.x)) * s.area}
}

// line draws a line of some width between two rows.
func (g *grid) line(a, b *corner, width float64, from, to int) int {
	dx, dy := b.x-a.x, b.y-a.y
	low, high := 0.0, 1.0
	clip := func(start, delta, least, most float64) bool {
		if delta == 0 {
			return start >= least && start <= most
		}
		t1, t2 := (least-start)/delta, (most-start)/delta
		low, high = max(low, min(t1, t2)), min(high, max(t1, t2))
		return low < high
	}
	if !clip(a.x, dx, -width, float64(g.width)+width) || !clip(a.y, dy, float64(from)-width, float64(to)+width) {
		return 4
	}
	steps := int(max(math.Abs(dx), math.Abs(dy))*(high-low)) + 1
	for i := range steps + 1 {
		t := low + (high-low)*float64(i)/float64(steps)
		g.block(a.x+dx*t, a.y+dy*t, width/2, (a.near+(b.near-a.near)*t)*1.0005, vec{0, 0, 1}, a.color, from, to)
	}
	return steps * 4
}

// block draws a square.
func (g *grid) block(x, y, half, near float64, n vec, c [3]uint8, from, to int) {
	x1, x2 := row(x-half, 0, g.width), row(x+half, 0, g.width)
	for py := row(y-half, from, to); py < row(y+half, from, to); py++ {
		for px := x1; px < x2; px++ {
			if p := &g.pixels[py*g.width+px]; float32(near) > p.near {
				p.put(float32(near), n, c)
			}
		}
	}
}

// ball draws a disc that is lit as a ball.
func (g *grid) ball(x, y, radius, near float64, c [3]uint8, from, to int) int {
	x1, x2 := row(x-radius, 0, g.width), row(x+radius, 0, g.width)
	y1, y2 := row(y-radius, from, to), row(y+radius, from, to)
	for py := y1; py < y2; py++ {
		for px := x1; px < x2; px++ {
			dx, dy := (float64(px)+.5-x)/radius, (y-float64(py)-.5)/radius
			up := 1 - dx*dx - dy*dy
			if p := &g.pixels[py*g.width+px]; up > 0 && float32(near) > p.near {
				p.put(float32(near), vec{dx, dy, math.Sqrt(up)}, c)
			}
		}
	}
	return 4 + max(0, x2-x1)*max(0, y2-y1)
}
