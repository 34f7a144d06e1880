package render

import (
	"math"

	"assay/model/scene"
)

// maxCachedFaces is the number of triangles that a shader caches: the last rows of small triangles.
const maxCachedFaces = 128

// face is the cached data of a triangle for the shader.
type face struct {
	id       uint32
	isReady  bool
	smooth   bool // it is part of a curved surface
	facing   bool // it faces the viewer so much that none of its normals needs to be turned
	back     bool // the back is visible
	even     bool // at nearly the same distance everywhere: the texture footprint is constant
	instance *instance
	material *material
	corners  [3]*vertex
	screen   [3]*projected
	normals  [3]vec3          // of the visible side, if smooth
	plane    vec3             // its own normal, of the visible side
	uv       [2][3][2]float32 // of both sets
	steps    [2]uvSteps       // of both sets, if even
	tint     [3]rgba
	edge     [3]vec // in homogeneous coordinates: the weight of a corner is its edge times (x, y, 1)
	slope    vec    // of the sum of the weights
}

// uvSteps holds the squared changes of u and of v from one pixel to the next.
type uvSteps struct{ alongX, alongY [2]float32 }

// reach2 returns the square of the largest change of the coordinates, with the repetition of the sampler.
func (s *uvSteps) reach2(t *sampler) float32 {
	return max(s.alongX[0]*t.repeat2[0]+s.alongX[1]*t.repeat2[1], s.alongY[0]*t.repeat2[0]+s.alongY[1]*t.repeat2[1])
}

// prepare makes t the current triangle.
func (s *shader) prepare(t uint32) {
	f := &s.faces[t%maxCachedFaces]
	s.face = f
	if !f.isReady || f.id != t {
		s.setUpFace(t)
	}
}

// setUpFace computes the cached data of triangle t.
func (s *shader) setUpFace(t uint32) {
	f := s.face
	f.id, f.isReady = t, true
	tri := &s.m.triangles[t]
	surface := &s.m.surfaces[tri.surface]
	f.instance, f.material = &s.m.instances[surface.instance], surface.material
	index := [3]uint32{tri.a, tri.b, tri.c}
	var h [3]vec
	for k, i := range index {
		f.corners[k], f.screen[k] = &s.m.vertices[i], &s.r.corners[i]
		f.normals[k] = vec3Of(f.corners[k].normal)
		x, y := f.screen[k].homogeneous()
		h[k] = vec{x, y, float64(f.screen[k].w)}
	}
	f.edge = [3]vec{h[1].cross(h[2]), h[2].cross(h[0]), h[0].cross(h[1])}
	f.slope = f.edge[0].plus(f.edge[1]).plus(f.edge[2])
	p, q, r := vec3Of(f.corners[0].position), vec3Of(f.corners[1].position), vec3Of(f.corners[2].position)
	scale := float32(s.c.scale)
	f.plane = q.minus(p).times(scale).cross(r.minus(p).times(scale)).unit()
	s.setFacing()
	if s.view.Surface == Textured {
		s.loadFaceAttributes(index)
		if f.even {
			inside := f.edge[0].dot(h[0]) * 3 / (h[0][2] + h[1][2] + h[2][2])
			for set, list := range f.instance.texture {
				if list != nil {
					s.computeSteps(set, [3]float32{1. / 3, 1. / 3, 1. / 3}, inside, &f.steps[set])
				}
			}
		}
	}
}

// setFacing computes which side is visible, and whether it is visible for all interpolated normals.
func (s *shader) setFacing() {
	f := s.face
	var to [3]vec3
	for k, c := range f.corners {
		to[k] = s.light.viewVector(vec3Of(c.position))
	}
	if f.back = f.plane.dot(to[0]) < 0; f.back {
		f.plane = f.plane.times(-1)
	}
	f.smooth, f.facing = f.isCurved(), true
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

// isCurved reports whether a triangle is part of a curved surface. A box whose corners have the mean normal of three
// sides is not curved.
func (f *face) isCurved() bool {
	const bent = .62
	a, b, c := f.normals[0].dot(f.plane), f.normals[1].dot(f.plane), f.normals[2].dot(f.plane)
	return min(a, b, c) > bent || max(a, b, c) < -bent
}

// loadFaceAttributes loads the data for textures and vertex colors.
func (s *shader) loadFaceAttributes(index [3]uint32) {
	f := s.face
	first := f.instance.first
	least, highest := min(f.screen[0].w, f.screen[1].w, f.screen[2].w), max(f.screen[0].w, f.screen[1].w, f.screen[2].w)
	f.even = least > 0 && highest < 1.2*least
	for set, list := range f.instance.texture {
		if list == nil {
			continue
		}
		for k, i := range index {
			f.uv[set][k] = list[i-first]
		}
	}
	if f.material.tinted && f.instance.colors != nil {
		for k, i := range index {
			c := f.instance.colors[i-first]
			f.tint[k] = lightOf([3]uint8(c[:3]))
			f.tint[k].a = float32(c[3]) * (1. / 255)
		}
	}
}

// computeSteps computes the changes of the coordinates of a set from one pixel to the next, at the given weights of the
// corners with this sum.
func (s *shader) computeSteps(set int, share [3]float32, sum float64, out *uvSteps) {
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

// levelFor returns the level with pixels about as large as the footprint of a sample, in whole textures.
func (t *texture) levelFor(reach2 float32) *level {
	l := &t.levels[0]
	edge := float32(max(l.width, l.height))
	r := reach2 * edge * edge
	if !(r > 1) {
		return l
	}
	// The exponent of r, rounded, is twice the number of the level.
	k := int(math.Float32bits(r*1.41)>>23) - 127
	return &t.levels[min(k/2, len(t.levels)-1)]
}

// colorAt returns the color at texture coordinates; reach2 is the square of the footprint of a sample.
func (s *sampler) colorAt(u, v, reach2 float32) rgba {
	if len(s.levels) == 0 {
		return rgba{1, 1, 1, 1}
	}
	if !s.vDown {
		v = 1 - v
	}
	l := s.levelFor(reach2)
	x, y := wrap(u, s.wrapS)*float32(l.width), wrap(v, s.wrapT)*float32(l.height)
	if s.nearest && l == &s.levels[0] {
		rb, ga := l.pix[min(int(y), l.height-1)*l.width+min(int(x), l.width-1)].pairs()
		return unpack(rb<<16, ga<<16, 1./65535/65536)
	}
	// Weights are integers with a sum of 65536, so that two channels are computed in one.
	const fixedOne = 256
	px, py := int(x*fixedOne+fixedOne/2)-fixedOne, int(y*fixedOne+fixedOne/2)-fixedOne
	fx, fy := uint64(px&(fixedOne-1)), uint64(py&(fixedOne-1))
	x0, x1 := neighbors(px>>8, l.width, s.wrapS)
	y0, y1 := neighbors(py>>8, l.height, s.wrapT)
	top, low := l.pix[y0*l.width:][:l.width], l.pix[y1*l.width:][:l.width]
	a, b := top[x0].pairs()
	c, d := top[x1].pairs()
	rb, ga := (fixedOne-fy)*((fixedOne-fx)*a+fx*c), (fixedOne-fy)*((fixedOne-fx)*b+fx*d)
	a, b = low[x0].pairs()
	c, d = low[x1].pairs()
	return unpack(rb+fy*((fixedOne-fx)*a+fx*c), ga+fy*((fixedOne-fx)*b+fx*d), 1./65535/65536)
}

// unpack returns the color of channels of 32 bits.
func unpack(rb, ga uint64, each float32) rgba {
	return rgba{float32(uint32(rb)) * each, float32(uint32(ga)) * each, float32(rb>>32) * each, float32(ga>>32) * each}
}

// wrap maps a coordinate into 0 to 1.
func wrap(f float32, w scene.Wrap) float32 {
	switch {
	case w == scene.WrapClamp:
		return min(max(f, 0), 1)
	case !(f > -1e9 && f < 1e9):
		return 0
	case w == scene.WrapMirror:
		f -= 2 * floor(f/2)
		if f > 1 {
			f = 2 - f
		}
		return f
	}
	return f - floor(f)
}

func floor(f float32) float32 {
	i := float32(int64(f))
	if i > f {
		i--
	}
	return i
}

// neighbors returns the two pixels around a coordinate; those beyond an edge are wrapped or clamped.
func neighbors(i, size int, w scene.Wrap) (int, int) {
	k := i + 1
	if i < 0 {
		i = 0
		if w == scene.WrapRepeat {
			i = size - 1
		}
	}
	if k >= size {
		k = size - 1
		if w == scene.WrapRepeat {
			k = 0
		}
	}
	return i, k
}
