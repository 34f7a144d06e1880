package render

import (
	"image"
	"math"
)

// shader finds what a sample looks like. It keeps what it knows of the triangle that it looked at last.
type shader struct {
	*frame
	colors []rgba // of the samples of a band in which something is seen through

	id       uint32
	known    bool
	instance *instance
	material *material
	corners  [3]vertex
	uv       [2][3][2]float32 // of both sets
	tint     [3][4]float32
	smooth   bool
	back     bool // the side that looks away is seen
	face     [3]float32
	edge     [3]vec // in homogeneous coordinates: the weight of a corner is its edge times (x, y, 1)
	slope    vec    // of the sum of the weights

	share  [3]float32 // of the corners, at the sample that is looked at
	here   [3]float32 // where that is in the scene
	viewer [3]float32 // the direction to the camera from there
	sum    float64
}

// rgba is light, times alpha.
type rgba [4]float32

// begin prepares for a frame.
func (s *shader) begin(f *frame) { s.frame, s.known = f, false }

// prepare takes a triangle.
func (s *shader) prepare(t uint32) {
	if s.known && s.id == t {
		return
	}
	s.id, s.known = t, true
	tri := &s.m.triangles[t]
	surface := &s.m.surfaces[tri.surface]
	s.instance, s.material = &s.m.instances[surface.instance], surface.material
	index := [3]uint32{tri.a, tri.b, tri.c}
	var h [3]vec
	for k, i := range index {
		s.corners[k] = s.m.vertices[i]
		c := &s.r.corners[i]
		x, y := c.times()
		h[k] = vec{x, y, float64(c.w)}
	}
	s.edge = [3]vec{h[1].cross(h[2]), h[2].cross(h[0]), h[0].cross(h[1])}
	s.slope = s.edge[0].plus(s.edge[1]).plus(s.edge[2])
	first := s.instance.first
	for set, list := range s.instance.texture {
		if list == nil {
			continue
		}
		for k, i := range index {
			s.uv[set][k] = list[i-first]
		}
	}
	if s.material.tinted && s.instance.colors != nil {
		for k, i := range index {
			c := s.instance.colors[i-first]
			for x := range 3 {
				s.tint[k][x] = float32(toLinear[c[x]]) * (1. / 65535)
			}
			s.tint[k][3] = float32(c[3]) * (1. / 255)
		}
	}
	p, q, r := wide(s.corners[0].at), wide(s.corners[1].at), wide(s.corners[2].at)
	s.face = narrow(q.minus(p).times(s.c.scale).cross(r.minus(p).times(s.c.scale)).unit())
	s.smooth = s.curved()
	s.back = dot3(s.face, s.light.toViewer(s.corners[0].at)) < 0
}

// curved reports whether the normals of the corners are those of one curved surface. A box whose corners have the mean
// of three sides is not curved.
func (s *shader) curved() bool {
	const bent = .62
	a, b, c := dot3(s.corners[0].normal, s.face), dot3(s.corners[1].normal, s.face), dot3(s.corners[2].normal, s.face)
	return min(a, b, c) > bent || max(a, b, c) < -bent
}

// weigh finds the shares of the corners at a place of the grid.
func (s *shader) weigh(x, y float64) {
	a := s.edge[0][0]*x + s.edge[0][1]*y + s.edge[0][2]
	b := s.edge[1][0]*x + s.edge[1][1]*y + s.edge[1][2]
	c := s.edge[2][0]*x + s.edge[2][1]*y + s.edge[2][2]
	if a+b+c < 0 {
		a, b, c = -a, -b, -c
	}
	s.sum = a + b + c
	a, b, c = max(a, 0), max(b, 0), max(c, 0) // a sample beside the middle of a pixel may be outside
	sum := a + b + c
	if !(sum > 0) {
		s.share = [3]float32{1, 0, 0}
		return
	}
	sum = 1 / sum
	s.share = [3]float32{float32(a * sum), float32(b * sum), float32(c * sum)}
}

// coordinates returns the texture coordinates for a sampler, and the square of how far they go from one pixel to the
// next.
func (s *shader) coordinates(t *sampler) (u, v, reach2 float32) {
	uv := &s.uv[t.set]
	for k, w := range s.share {
		u += w * uv[k][0]
		v += w * uv[k][1]
	}
	if s.sum != 0 {
		var d [2][2]float64 // of u and v, along x and y
		for axis := range 2 {
			du, dv := -float64(u)*s.slope[axis], -float64(v)*s.slope[axis]
			for k := range 3 {
				du += s.edge[k][axis] * float64(uv[k][0])
				dv += s.edge[k][axis] * float64(uv[k][1])
			}
			d[axis] = [2]float64{du * float64(t.repeat[0]), dv * float64(t.repeat[1])}
		}
		each := float64(s.n) / s.sum
		reach2 = float32(max(d[0][0]*d[0][0]+d[0][1]*d[0][1], d[1][0]*d[1][0]+d[1][1]*d[1][1]) * each * each)
	}
	return u*t.repeat[0] + t.offset[0], v*t.repeat[1] + t.offset[1], reach2
}

// kept reports whether a sample of the triangle is not cut out by its texture.
func (s *shader) kept(x, y int) bool {
	s.weigh(float64(x)+.5, float64(y)+.5)
	return s.base()[3] >= s.material.cutoff
}

// base is the colour of the surface and its alpha.
func (s *shader) base() [4]float32 {
	out := s.material.base
	if t := s.material.texture; t != nil && s.instance.texture[t.set] != nil {
		u, v, reach2 := s.coordinates(t)
		c := t.at(u, v, reach2)
		for k := range out {
			out[k] *= c[k]
		}
	}
	if t := s.material.lightMap; t != nil && s.instance.texture[t.set] != nil {
		u, v, reach2 := s.coordinates(t)
		c := t.at(u, v, reach2)
		for k := range 3 {
			out[k] *= c[k]
		}
	}
	if s.material.tinted && s.instance.colors != nil {
		for k := range out {
			out[k] *= s.share[0]*s.tint[0][k] + s.share[1]*s.tint[1][k] + s.share[2]*s.tint[2][k]
		}
	}
	return out
}

// normal is the direction of the surface, turned to the viewer.
func (s *shader) normal() [3]float32 {
	n := s.face
	if s.smooth {
		for k := range n {
			n[k] = s.share[0]*s.corners[0].normal[k] + s.share[1]*s.corners[1].normal[k] +
				s.share[2]*s.corners[2].normal[k]
		}
		normalise(&n)
	}
	if t := s.material.normal; t != nil && s.view.Surface == Textured && s.instance.texture[t.set] != nil {
		s.bump(&n, t)
	}
	return turned(n, s.viewer, s.smooth)
}

// bump turns a normal as a texture of normals says.
func (s *shader) bump(n *[3]float32, t *sampler) {
	uv := &s.uv[t.set]
	e1, e2 := minus3(s.corners[1].at, s.corners[0].at), minus3(s.corners[2].at, s.corners[0].at)
	u1, v1 := uv[1][0]-uv[0][0], uv[1][1]-uv[0][1]
	u2, v2 := uv[2][0]-uv[0][0], uv[2][1]-uv[0][1]
	d := u1*v2 - u2*v1
	if !(d != 0) {
		return
	}
	var tangent, binormal [3]float32
	for k := range 3 {
		tangent[k] = (e1[k]*v2 - e2[k]*v1) / d
		binormal[k] = (e2[k]*u1 - e1[k]*u2) / d
	}
	normalise(&tangent)
	normalise(&binormal)
	u, v, reach2 := s.coordinates(t)
	c := t.at(u, v, reach2)
	x, y, z := unpacked(c[0]), unpacked(c[1]), unpacked(c[2])
	for k := range n {
		n[k] = tangent[k]*x + binormal[k]*y + n[k]*z
	}
	normalise(n)
}

// unpacked is the number from -1 to 1 that a texture of normals stores; the texture was read as if it were light.
func unpacked(f float32) float32 {
	if f <= .0031308 {
		return f*12.92*2 - 1
	}
	return float32(1.055*math.Pow(float64(f), 1/2.4)-.055)*2 - 1
}

// place is where the sample is in the scene.
func (s *shader) place() (at [3]float32) {
	for k := range at {
		at[k] = s.share[0]*s.corners[0].at[k] + s.share[1]*s.corners[1].at[k] + s.share[2]*s.corners[2].at[k]
	}
	return at
}

// color is what is seen of a triangle at a place of the grid, with its alpha.
func (s *shader) color(t uint32, x, y float64) [4]float32 {
	s.prepare(t)
	s.weigh(x, y)
	s.here = s.place()
	s.viewer = s.light.toViewer(s.here)
	near := float32(0)
	for k, w := range s.share { // 1 / distance goes evenly over the picture, distance over the surface
		near += w * s.cornerW(k)
	}
	near = 1 / near
	switch {
	case s.view.BackFaces && s.back:
		return s.light.studio([4]float32{.7, .06, .05, 1}, s.normal(), near, int(x), int(y))
	case s.view.Surface == Normals:
		n := s.normal()
		return [4]float32{n[0]*.5 + .5, n[1]*.5 + .5, n[2]*.5 + .5, 1}
	case s.view.Surface == Clay:
		clay := [4]float32{.6, .61, .63, 1}
		return s.light.studio(clay, s.normal(), near, int(x), int(y))
	case s.view.Surface == Weights:
		return s.light.studio(s.heat(), s.normal(), near, int(x), int(y))
	}
	base := s.base()
	switch {
	case !s.material.clay && !s.material.lit:
		return base
	case s.material.clay || !s.light.lamped:
		return s.light.studio(base, s.normal(), near, int(x), int(y))
	}
	return s.light.lit(s, base, s.normal(), near, int(x), int(y))
}

func (s *shader) cornerW(k int) float32 {
	tri := &s.m.triangles[s.id]
	return s.r.corners[[3]uint32{tri.a, tri.b, tri.c}[k]].w
}

// at is what is seen at a sample, which is not nothing.
func (s *shader) at(w what, x, y float64, near float32) [4]float32 {
	switch w & kinds {
	case whatTriangle:
		return s.color(uint32(w), x, y)
	case whatLine:
		return s.lineColor(&s.m.lines[w&^kinds])
	}
	return s.dotColor(w&^kinds, x, y, near)
}

func (s *shader) lineColor(l *line) [4]float32 {
	m := s.m.surfaces[l.surface].material
	in := &s.m.instances[s.m.surfaces[l.surface].instance]
	if m.tinted && in.colors != nil {
		c := in.colors[l.a-in.first]
		return lightOf([3]uint8(c[:3]))
	}
	return [4]float32{m.base[0], m.base[1], m.base[2], 1}
}

// lightOf is the light of a colour.
func lightOf(c [3]uint8) (out [4]float32) {
	for k, v := range c {
		out[k] = float32(toLinear[v]) * (1. / 65535)
	}
	out[3] = 1
	return out
}

// rows makes the pixels of rows of a picture.
func (s *shader) rows(dst *image.NRGBA, from, to int) {
	if len(s.glass) > 0 {
		s.blended(dst, from, to)
		return
	}
	background := s.background()
	for y := from; y < to; y++ {
		if s.stop.Load() {
			return
		}
		out := dst.Pix[y*dst.Stride : y*dst.Stride+4*dst.Rect.Dx()]
		for x := range dst.Rect.Dx() {
			put(out[4*x:4*x+4], s.pixel(x, y, background))
		}
	}
}

// background is what is seen where nothing is.
func (s *shader) background() (out rgba) {
	b := s.view.Background
	a := float32(b.A) / 255
	c := lightOf([3]uint8{b.R, b.G, b.B})
	return rgba{c[0] * a, c[1] * a, c[2] * a, a}
}

// pixel is the mean of the samples of a pixel. Samples of one triangle are looked at once, in their middle.
func (s *shader) pixel(x, y int, background rgba) (out rgba) {
	n := s.n
	if n == 1 {
		if p := &s.g.samples[y*s.g.width+x]; p.near > 0 {
			return covering(s.at(p.what, float64(x)+.5, float64(y)+.5, p.near))
		}
		return background
	}
	var list [16]sample
	count := 0
	same := true
	for sy := range n {
		row := s.g.samples[(y*n+sy)*s.g.width+x*n:][:n]
		for _, p := range row {
			list[count] = p
			same = same && p.what == list[0].what && (p.near > 0) == (list[0].near > 0)
			count++
		}
	}
	if same {
		if list[0].near == 0 {
			return background
		}
		return covering(s.at(list[0].what, float64(x*n)+float64(n)/2, float64(y*n)+float64(n)/2, list[0].near))
	}
	each := 1 / float32(count)
	for i := range count {
		p := list[i]
		if p.near < 0 {
			continue // counted already
		}
		if p.near == 0 {
			out.add(background, each)
			continue
		}
		sx, sy, hits := 0, 0, 0
		for k := i; k < count; k++ {
			if list[k].what == p.what && list[k].near > 0 {
				sx, sy, hits = sx+k%n, sy+k/n, hits+1
				list[k].near = -1
			}
		}
		mx, my := float64(sx)/float64(hits)+.5, float64(sy)/float64(hits)+.5
		out.add(covering(s.at(p.what, float64(x*n)+mx, float64(y*n)+my, p.near)), each*float32(hits))
	}
	return out
}

// covering is the light of something that hides what is behind it.
func covering(c [4]float32) rgba { return rgba{c[0], c[1], c[2], 1} }

func (c *rgba) add(o rgba, w float32) {
	for k := range c {
		c[k] += o[k] * w
	}
}

// blended makes the pixels of rows in which something may be seen through: each sample has a colour of its own.
func (s *shader) blended(dst *image.NRGBA, from, to int) {
	n, width := s.n, s.g.width
	first, last := from*n, to*n
	if need := (last - first) * width; cap(s.colors) < need {
		s.colors = make([]rgba, need)
	}
	s.colors = s.colors[:(last-first)*width]
	background := s.background()
	for y := from; y < to; y++ {
		if s.stop.Load() {
			return
		}
		for x := range width / n {
			s.spread(x, y, first, background)
		}
	}
	work := 0
	for _, p := range s.glass {
		if work += s.pane(p.triangle, first, last); s.over(&work) {
			return
		}
	}
	each := 1 / float32(n*n)
	for y := from; y < to; y++ {
		out := dst.Pix[y*dst.Stride : y*dst.Stride+4*dst.Rect.Dx()]
		for x := range dst.Rect.Dx() {
			var sum rgba
			for sy := range n {
				for _, c := range s.colors[(y*n+sy-first)*width+x*n:][:n] {
					sum.add(c, each)
				}
			}
			put(out[4*x:4*x+4], sum)
		}
	}
}

// spread returns the samples of a pixel their colours, each triangle looked at once.
func (s *shader) spread(x, y, first int, background rgba) {
	n, width := s.n, s.g.width
	var what what
	var color rgba
	known := false
	for sy := y * n; sy < y*n+n; sy++ {
		for sx := x * n; sx < x*n+n; sx++ {
			p := &s.g.samples[sy*width+sx]
			out := &s.colors[(sy-first)*width+sx]
			if p.near == 0 {
				*out = background
				continue
			}
			if !known || what != p.what {
				color = covering(s.at(p.what, float64(x*n)+float64(n)/2, float64(y*n)+float64(n)/2, p.near))
				what, known = p.what, true
			}
			*out = color
		}
	}
}

// pane blends a triangle with what is behind it.
func (s *shader) pane(t uint32, first, last int) int {
	tri := &s.m.triangles[t]
	return s.pieces(tri, func(a, b, c corner) int { return s.paneOf(t, &a, &b, &c, first, last) })
}

func (s *shader) paneOf(t uint32, a, b, c *corner, first, last int) int {
	const work, each = 8, 32
	var e edges
	if !e.set(a, b, c, s.g.width, first, last) {
		return work
	}
	done := work
	n := s.n
	var color [4]float32
	for y := e.first; y < e.last; y++ {
		begin, end := e.row(y)
		done += each * max(1, end-begin)
		here := e.nearAt(begin, y)
		pixel := -1
		for x := begin; x < end; x++ {
			near := float32(min(max(here, e.least), e.most))
			here += e.near.x
			i := y*s.g.width + x
			if near <= s.g.samples[i].near && !s.m.surfaces[s.m.triangles[t].surface].material.above {
				continue
			}
			if x/n != pixel {
				pixel = x / n
				color = s.color(t, float64(x)+.5, float64(y)+.5)
			}
			s.colors[i-first*s.g.width].over(color, s.material.additive)
		}
	}
	return done
}

// over blends a colour with what is behind it.
func (c *rgba) over(top [4]float32, additive bool) {
	a := min(max(top[3], 0), 1)
	keep := 1 - a
	if additive {
		keep = 1
	}
	for k := range 3 {
		c[k] = c[k]*keep + top[k]*a
	}
	c[3] = min(1, c[3]*keep+a)
}

// heat is the colour of how much a vertex follows the joint that is looked at: from blue for nothing to red.
func (s *shader) heat() [4]float32 {
	in := s.instance
	if in.geometry.joints == nil || in.skin == nil || s.view.Joint == nil {
		return [4]float32{.25, .25, .27, 1}
	}
	tri := &s.m.triangles[s.id]
	sum := float32(0)
	for k, i := range [3]uint32{tri.a, tri.b, tri.c} {
		for x, j := range in.geometry.joints[i-in.first] {
			if j >= 0 && int(j) < len(in.skin.Joints) && in.skin.Joints[j] == s.view.Joint {
				sum += s.share[k] * in.weights[i-in.first][x]
			}
		}
	}
	return [4]float32{ramp(sum*4 - 2), ramp(2 - abs(sum*4-2)), ramp(2 - sum*4), 1}
}

// ramp brings a number into the range of light.
func ramp(f float32) float32 { return min(max(f, .02), .9) }

func abs(f float32) float32 { return float32(math.Abs(float64(f))) }
