package render

import "math"

// faces of a cube: the axis that each stands on, and its corners, as they go around it.
var faces = [6]struct {
	normal  vec
	corners [4]int
}{
	{vec{-1, 0, 0}, [4]int{0, 2, 6, 4}}, {vec{1, 0, 0}, [4]int{1, 3, 7, 5}},
	{vec{0, -1, 0}, [4]int{0, 1, 5, 4}}, {vec{0, 1, 0}, [4]int{2, 3, 7, 6}},
	{vec{0, 0, -1}, [4]int{0, 1, 3, 2}}, {vec{0, 0, 1}, [4]int{4, 5, 7, 6}},
}

// dots draws the clouds: cubes where they have an edge and room enough, else balls.
func (j *job) dots(from, to int) {
	if len(j.m.dots) == 0 {
		return
	}
	radius := float64(j.n)
	if !j.m.mesh {
		radius *= min(max(.45*math.Sqrt(float64(j.g.width*j.g.height)/float64(j.n*j.n)/float64(len(j.m.dots))), 1), 5)
	}
	box := j.cube()
	work := 0
	for i := range j.m.dots {
		d := &j.m.dots[i]
		if j.over(&work) {
			return
		}
		at := j.c.see(wide(d.at))
		x, y, near := j.c.project(at)
		work += 4
		if near <= 0 {
			continue
		}
		size := float64(d.edge) * j.c.scale * j.c.focus * near
		if reach := max(size, radius) + 1; y+reach < float64(from) || y-reach > float64(to) || x+reach < 0 || x-reach > float64(j.g.width) {
			continue
		}
		switch {
		case d.edge == 0:
			work += j.g.ball(x, y, radius, near, d.color, from, to)
		case size < 1.5:
			j.g.block(x, y, max(size*.7, .5), near, box.away, d.color, from, to)
		default:
			half := float64(d.edge) * j.c.scale / 2
			if size > gapFrom*float64(j.n) {
				half *= .96
			}
			work += box.draw(j, at, half, d.color, from, to)
		}
	}
}

// cube is what is the same of all cubes of a picture.
type cube struct {
	corners [8]vec
	normals [6]vec
	away    vec // of a cube that is too small for faces
}

func (j *job) cube() *cube {
	b := &cube{away: vec{0, .35, 1}.unit()}
	for i := range b.corners {
		b.corners[i] = j.c.axes.turn(vec{float64(i&1*2 - 1), float64(i&2 - 1), float64(i&4/2 - 1)})
	}
	for i := range b.normals {
		b.normals[i] = j.c.axes.turn(faces[i].normal)
	}
	return b
}

// gapFrom is the size in pixels from which cubes are drawn a little smaller than they are, so that each can be told
// from its neighbours.
const gapFrom = 6

// draw draws the faces of a cube that the camera sees.
func (b *cube) draw(j *job, at vec, half float64, color [3]uint8, from, to int) int {
	viewer := vec{j.c.x, j.c.y, j.c.z}.minus(at)
	var corners [8]corner
	for i, k := range b.corners {
		c := &corners[i]
		if c.x, c.y, c.near = j.c.project(at.plus(k.times(half))); c.near <= 0 {
			return 8
		}
		c.color = color
	}
	work := 16
	for i, n := range b.normals {
		if n.dot(viewer) <= half {
			continue
		}
		f := &faces[i].corners
		p := [4]corner{corners[f[0]], corners[f[1]], corners[f[2]], corners[f[3]]}
		p[0].normal = n
		work += j.g.triangle(&p[0], &p[1], &p[2], looks{}, from, to)
		work += j.g.triangle(&p[0], &p[2], &p[3], looks{}, from, to)
	}
	return work
}
