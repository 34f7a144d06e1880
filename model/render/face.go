package render

// facesKept is how many triangles a shader remembers: those of the last rows of small triangles.
const facesKept = 128

// face is what a shader knows of a triangle.
type face struct {
	id       uint32
	known    bool
	smooth   bool // the normals of its corners are those of one curved surface
	facing   bool // so much to the viewer that no normal of it needs to be turned
	back     bool // the side that looks away is seen
	even     bool // about as far away everywhere: a sample reaches as far as any other
	instance *instance
	look     *material
	corners  [3]*vertex
	seen     [3]*seen
	normals  [3]vec3          // of the side that is seen, if smooth
	plane    vec3             // its own normal, of the side that is seen
	uv       [2][3][2]float32 // of both sets
	steps    [2]steps         // likewise, if even
	tint     [3]rgba
	edge     [3]vec // in homogeneous coordinates: the weight of a corner is its edge times (x, y, 1)
	slope    vec    // of the sum of the weights
}

// steps is how far texture coordinates go from one pixel to the next: the squares, of u and of v.
type steps struct{ alongX, alongY [2]float32 }

// reach2 is the square of how far the coordinates go at most, repeated as the sampler has them.
func (s *steps) reach2(t *sampler) float32 {
	return max(s.alongX[0]*t.repeat2[0]+s.alongX[1]*t.repeat2[1], s.alongY[0]*t.repeat2[0]+s.alongY[1]*t.repeat2[1])
}

// prepare takes a triangle.
func (s *shader) prepare(t uint32) {
	f := &s.faces[t%facesKept]
	s.face = f
	if !f.known || f.id != t {
		s.meet(t)
	}
}

// meet finds out about a triangle.
func (s *shader) meet(t uint32) {
	f := s.face
	f.id, f.known = t, true
	tri := &s.m.triangles[t]
	surface := &s.m.surfaces[tri.surface]
	f.instance, f.look = &s.m.instances[surface.instance], surface.material
	index := [3]uint32{tri.a, tri.b, tri.c}
	var h [3]vec
	for k, i := range index {
		f.corners[k], f.seen[k] = &s.m.vertices[i], &s.r.corners[i]
		f.normals[k] = dir(f.corners[k].normal)
		x, y := f.seen[k].times()
		h[k] = vec{x, y, float64(f.seen[k].w)}
	}
	f.edge = [3]vec{h[1].cross(h[2]), h[2].cross(h[0]), h[0].cross(h[1])}
	f.slope = f.edge[0].plus(f.edge[1]).plus(f.edge[2])
	p, q, r := dir(f.corners[0].at), dir(f.corners[1].at), dir(f.corners[2].at)
	scale := float32(s.c.scale)
	f.plane = q.minus(p).times(scale).cross(r.minus(p).times(scale)).unit()
	s.turn()
	if s.view.Surface == Textured {
		s.dress(index)
		if f.even {
			inside := f.edge[0].dot(h[0]) * 3 / (h[0][2] + h[1][2] + h[2][2])
			for set, list := range f.instance.texture {
				if list != nil {
					s.steps(set, [3]float32{1. / 3, 1. / 3, 1. / 3}, inside, &f.steps[set])
				}
			}
		}
	}
}

// turn finds out which side is seen, and whether that is so with all normals between those of the corners.
func (s *shader) turn() {
	f := s.face
	var to [3]vec3
	for k, c := range f.corners {
		to[k] = s.light.toward(dir(c.at))
	}
	if f.back = f.plane.dot(to[0]) < 0; f.back {
		f.plane = f.plane.times(-1)
	}
	f.smooth, f.facing = f.curved(), true
	if !f.smooth {
		return
	}
	for k := range f.normals {
		if f.normals[k].dot(f.plane) < 0 {
			f.normals[k] = f.normals[k].times(-1)
		}
		n := f.normals[k]
		f.facing = f.facing && min(n.dot(to[0]), n.dot(to[1]), n.dot(to[2])) >= 0
	}
}

// curved reports whether the normals of the corners are those of one curved surface. A box whose corners have the mean
// of three sides is not curved.
func (f *face) curved() bool {
	const bent = .62
	a, b, c := f.normals[0].dot(f.plane), f.normals[1].dot(f.plane), f.normals[2].dot(f.plane)
	return min(a, b, c) > bent || max(a, b, c) < -bent
}

// dress takes what textures and the colours of vertices need.
func (s *shader) dress(index [3]uint32) {
	f := s.face
	first := f.instance.first
	least, most := min(f.seen[0].w, f.seen[1].w, f.seen[2].w), max(f.seen[0].w, f.seen[1].w, f.seen[2].w)
	f.even = least > 0 && most < 1.2*least
	for set, list := range f.instance.texture {
		if list == nil {
			continue
		}
		for k, i := range index {
			f.uv[set][k] = list[i-first]
		}
	}
	if f.look.tinted && f.instance.colors != nil {
		for k, i := range index {
			c := f.instance.colors[i-first]
			f.tint[k] = lightOf([3]uint8(c[:3]))
			f.tint[k].a = float32(c[3]) * (1. / 255)
		}
	}
}

// steps finds how far the coordinates of a set go from one pixel to the next, where the corners have those shares and
// the sum of their weights is sum.
func (s *shader) steps(set int, share [3]float32, sum float64, out *steps) {
	uv := &s.uv[set]
	u := float64(share[0]*uv[0][0] + share[1]*uv[1][0] + share[2]*uv[2][0])
	v := float64(share[0]*uv[0][1] + share[1]*uv[1][1] + share[2]*uv[2][1])
	each := float64(s.n) / sum
	along := func(axis int) [2]float32 {
		du, dv := -u*s.slope[axis], -v*s.slope[axis]
		for k := range 3 {
			du += s.edge[k][axis] * float64(uv[k][0])
			dv += s.edge[k][axis] * float64(uv[k][1])
		}
		du, dv = du*each, dv*each
		return [2]float32{float32(du * du), float32(dv * dv)}
	}
	out.alongX, out.alongY = along(0), along(1)
}
