package render

import (
	"context"
	"image"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// Renderer draws models. It keeps its memory from one picture to the next; it is for one goroutine at a time, and uses
// all processors itself.
type Renderer struct {
	Samples int  // per pixel and axis: 2 or 3 for smooth edges; 0 is 1
	Soft    bool // dim what is in corners and below other things

	grid    grid
	corners []seen
}

// seen is a vertex in the picture.
type seen struct {
	x, y, near float32 // near is 0 behind the camera, NaN where there is no place
	normal     [3]float32
}

// maxSamples bounds the grid.
const maxSamples = 32 << 20

// Draw draws the model into dst. If ctx ends, dst has what was drawn so far, and the error is the context's.
func (r *Renderer) Draw(ctx context.Context, dst *image.NRGBA, m *Model, v View) error {
	size := dst.Rect.Size()
	if size.X <= 0 || size.Y <= 0 {
		return ctx.Err()
	}
	n := min(max(r.Samples, 1), 4)
	for n > 1 && size.X*size.Y > maxSamples/n/n {
		n--
	}
	g := &r.grid
	g.width, g.height = size.X*n, size.Y*n
	if cap(g.pixels) < g.width*g.height {
		g.pixels = make([]sample, g.width*g.height)
	}
	g.pixels = g.pixels[:g.width*g.height]
	clear(g.pixels)
	job := &job{m: m, c: newCamera(m, v, g.width, g.height), g: g, r: r, n: n, ctx: ctx}
	job.project()
	bands(g.height, runtime.GOMAXPROCS(0), job.band)
	l := newLighting(job.c, r.Soft, g)
	bands(size.Y, runtime.GOMAXPROCS(0), func(from, to int) { l.resolve(dst, v.Background, n, from, to) })
	return ctx.Err()
}

// bands works on parts of a number of rows at once.
func bands(rows, parts int, work func(from, to int)) {
	parts = min(max(parts, 1), rows)
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() { work(rows*i/parts, rows*(i+1)/parts) })
	}
	wait.Wait()
}

// job is one picture.
type job struct {
	m    *Model
	c    *camera
	g    *grid
	r    *Renderer
	n    int
	ctx  context.Context
	stop atomic.Bool
}

// project finds where the vertices are in the picture.
func (j *job) project() {
	if cap(j.r.corners) < len(j.m.vertices) {
		j.r.corners = make([]seen, len(j.m.vertices))
	}
	j.r.corners = j.r.corners[:len(j.m.vertices)]
	if len(j.r.corners) == 0 {
		return
	}
	bands(len(j.r.corners), runtime.GOMAXPROCS(0), func(from, to int) {
		for i := from; i < to; i++ {
			v := &j.m.vertices[i]
			s := &j.r.corners[i]
			if v.at[0] != v.at[0] {
				s.near = float32(math.NaN())
				continue
			}
			x, y, near := j.c.project(j.c.see(wide(v.at)))
			*s = seen{float32(x), float32(y), float32(near), [3]float32{}}
			if v.normal != [3]float32{} {
				s.normal = narrow(j.c.axes.turn(wide(v.normal)))
			}
		}
	})
}

// over counts work and says when to give up.
func (j *job) over(work *int) bool {
	const some = 1 << 20
	if *work > some {
		*work = 0
		if j.ctx.Err() != nil {
			j.stop.Store(true)
		}
	}
	return j.stop.Load()
}

// band draws what is between two rows of the grid.
func (j *job) band(from, to int) {
	work := 0
	for i := range j.m.triangles {
		if work++; work&63 == 0 || work > 1<<20 {
			if j.over(&work) {
				return
			}
		}
		work += j.triangle(&j.m.triangles[i], float32(from), float32(to))
	}
	for i := range j.m.lines {
		if work += j.line(&j.m.lines[i], from, to); j.over(&work) {
			return
		}
	}
	j.dots(from, to)
}

func (j *job) triangle(t *triangle, from, to float32) int {
	a, b, c := &j.r.corners[t.a], &j.r.corners[t.b], &j.r.corners[t.c]
	least := min(a.near, b.near, c.near)
	if least != least {
		return 1
	}
	if least > 0 && j.missed(a, b, c, from, to) {
		return 1
	}
	corners := [3]corner{j.corner(a, t.a, t.paint), j.corner(b, t.b, t.paint), j.corner(c, t.c, t.paint)}
	p, q, r := wide(j.m.vertices[t.a].at), wide(j.m.vertices[t.b].at), wide(j.m.vertices[t.c].at)
	face := j.c.axes.turn(q.minus(p).times(j.c.scale).cross(r.minus(p).times(j.c.scale))).unit()
	look := looks{smooth: smooth(&corners, face), tinted: t.paint == ownColors}
	if !look.smooth {
		middle := j.c.see(p)
		if face.dot(vec{j.c.x - middle[0], j.c.y - middle[1], j.c.z - middle[2]}) < 0 {
			face = face.times(-1)
		}
		corners[0].normal = face
	}
	if least > 0 {
		return j.g.triangle(&corners[0], &corners[1], &corners[2], look, int(from), int(to))
	}
	if max(a.near, b.near, c.near) <= 0 {
		return 1
	}
	return j.cut(corners, [3]vec{j.c.see(p), j.c.see(q), j.c.see(r)}, look, int(from), int(to))
}

// missed reports whether a triangle is outside of the rows, or between the middles of two: most of a fine mesh is.
func (j *job) missed(a, b, c *seen, from, to float32) bool {
	low, high := min(a.y, b.y, c.y), max(a.y, b.y, c.y)
	left, right := min(a.x, b.x, c.x), max(a.x, b.x, c.x)
	width := float32(j.g.width)
	return high < from || low > to || right < 0 || left > width ||
		high-low < 1 && between(low, high) || right-left < 1 && between(left, right)
}

// between reports whether there is no middle of a row from low to high, as row counts them.
func between(low, high float32) bool {
	return math.Ceil(float64(low)-.5) == math.Ceil(float64(high)-.5)
}

// smooth reports whether the normals of the corners are those of one curved surface, and turns them to the viewer. A
// box whose corners have the mean of three sides is not curved.
func smooth(corners *[3]corner, face vec) bool {
	const bent = .62
	a, b, c := corners[0].normal.dot(face), corners[1].normal.dot(face), corners[2].normal.dot(face)
	if !(min(a, b, c) > bent || max(a, b, c) < -bent) {
		return false
	}
	if corners[0].normal[2]+corners[1].normal[2]+corners[2].normal[2] < 0 {
		for i := range corners {
			corners[i].normal = corners[i].normal.times(-1)
		}
	}
	return true
}

func (j *job) corner(s *seen, v uint32, p paint) corner {
	c := corner{x: float64(s.x), y: float64(s.y), near: float64(s.near), normal: wide(s.normal)}
	if p == ownColors {
		c.color = j.m.colors[v]
	} else {
		k := j.m.paints[p]
		c.color = [3]uint8{k.R, k.G, k.B}
	}
	return c
}

// cut draws what is in front of the camera of a triangle that goes through its plane.
func (j *job) cut(in [3]corner, at [3]vec, look looks, from, to int) int {
	var out [4]corner
	n := 0
	limit := j.c.z - nearest*1.0001
	add := func(c corner, at vec) {
		c.x, c.y, c.near = j.c.project(at)
		out[n] = c
		n++
	}
	for i := range 3 {
		k := (i + 1) % 3
		inside, next := at[i][2] <= limit, at[k][2] <= limit
		if inside {
			add(in[i], at[i])
		}
		if inside != next {
			t := (limit - at[i][2]) / (at[k][2] - at[i][2])
			between := in[i]
			between.normal = in[i].normal.toward(in[k].normal, t)
			for x := range 3 {
				between.color[x] = uint8(float64(in[i].color[x])*(1-t) + float64(in[k].color[x])*t)
			}
			add(between, at[i].toward(at[k], t))
		}
	}
	if !look.smooth {
		for i := range n {
			out[i].normal = in[0].normal
		}
	}
	work := 1
	for i := 1; i+1 < n; i++ {
		work += j.g.triangle(&out[0], &out[i], &out[i+1], look, from, to)
	}
	return work
}

func (j *job) line(l *line, from, to int) int {
	a, b := &j.r.corners[l.a], &j.r.corners[l.b]
	if !(a.near >= 0) || !(b.near >= 0) || a.near == 0 && b.near == 0 {
		return 1
	}
	c, d := j.corner(a, l.a, l.paint), j.corner(b, l.b, l.paint)
	if a.near == 0 || b.near == 0 {
		p, q := j.c.see(wide(j.m.vertices[l.a].at)), j.c.see(wide(j.m.vertices[l.b].at))
		t := (j.c.z - nearest*1.0001 - p[2]) / (q[2] - p[2])
		end := &c
		if b.near == 0 {
			end = &d
		}
		end.x, end.y, end.near = j.c.project(p.toward(q, t))
	}
	return j.g.line(&c, &d, float64(j.n), from, to)
}
