package render

import (
	"image"
	"math"
)

// shader computes the colors of samples.
type shader struct {
	*frame
	*face
	faces  [maxCachedFaces]face
	colors []rgba // of the samples of a band with translucent triangles
	// nearest holds the triangles of a crowded band: the inverted bits of their nearness, and their number.
	nearest []uint64

	weights   [3]float32 // of the corners, at the current sample
	weightSum float64    // of their weights
}

// rgba is linear light with its alpha.
type rgba struct{ r, g, b, a float32 }

func (c rgba) times(o rgba) rgba { return rgba{c.r * o.r, c.g * o.g, c.b * o.b, c.a * o.a} }

// begin prepares for a frame.
func (s *shader) begin(f *frame) {
	if s.frame != nil && s.frame.m != f.m {
		clear(s.faces[:]) // they hold the other model's memory
	}
	s.frame, s.face = f, nil
	for i := range s.faces {
		s.faces[i].isReady = false
	}
}

// setWeights computes the weights of the corners at a point of the grid.
func (s *shader) setWeights(x, y float64) {
	a := s.edge[0][0]*x + s.edge[0][1]*y + s.edge[0][2]
	b := s.edge[1][0]*x + s.edge[1][1]*y + s.edge[1][2]
	c := s.edge[2][0]*x + s.edge[2][1]*y + s.edge[2][2]
	if a+b+c < 0 {
		a, b, c = -a, -b, -c
	}
	s.weightSum = a + b + c
	a, b, c = max(a, 0), max(b, 0), max(c, 0) // a sample beside the middle of a pixel may be outside
	sum := a + b + c
	if !(sum > 0) {
		s.weights = [3]float32{1, 0, 0}
		return
	}
	sum = 1 / sum
	s.weights = [3]float32{float32(a * sum), float32(b * sum), float32(c * sum)}
}

// texel returns the value of a sampler at the current sample.
func (s *shader) texel(t *sampler) rgba {
	uv := &s.uv[t.set]
	u := s.weights[0]*uv[0][0] + s.weights[1]*uv[1][0] + s.weights[2]*uv[2][0]
	v := s.weights[0]*uv[0][1] + s.weights[1]*uv[1][1] + s.weights[2]*uv[2][1]
	reach2 := float32(0)
	if s.even {
		reach2 = s.face.steps[t.set].reach2(t)
	} else if s.weightSum != 0 {
		var here uvSteps
		s.computeSteps(t.set, s.weights, s.weightSum, &here)
		reach2 = here.reach2(t)
	}
	return t.colorAt(u*t.repeat[0]+t.offset[0], v*t.repeat[1]+t.offset[1], reach2)
}

// hasCoordinates reports whether the triangle has texture coordinates for a sampler.
func (f *face) hasCoordinates(t *sampler) bool { return t != nil && f.instance.texture[t.set] != nil }

// passesAlphaTest reports whether the alpha of the sample reaches the cutoff.
func (s *shader) passesAlphaTest(x, y int) bool {
	s.setWeights(float64(x)+.5, float64(y)+.5)
	return s.base().a >= s.material.cutoff
}

// base returns the color of the surface and its alpha.
func (s *shader) base() rgba {
	out := s.material.base
	if t := s.material.texture; s.hasCoordinates(t) {
		out = out.times(s.texel(t))
	}
	for i := range s.material.layers {
		out = s.blendLayer(out, &s.material.layers[i])
	}
	if s.material.tinted && s.instance.colors != nil {
		var c rgba
		for k := range s.tint {
			c.add(s.tint[k], s.weights[k])
		}
		out = out.times(c)
	}
	return out
}

// blendLayer blends a layer over a color.
func (s *shader) blendLayer(c rgba, l *layer) rgba {
	if !s.hasCoordinates(l.texture) || !s.hasCoordinates(l.blend) {
		return c
	}
	blend, top := s.texel(l.blend), s.texel(l.texture)
	a := [4]float32{blend.r, blend.g, blend.b, blend.a}[l.channel&3]
	return rgba{c.r + (top.r-c.r)*a, c.g + (top.g-c.g)*a, c.b + (top.b-c.b)*a, c.a}
}

// normal returns the normal of the surface, turned to the viewer.
func (s *shader) normal() vec3 {
	n, facing := s.plane, s.facing
	if s.smooth {
		a, b, c := s.normals[0].times(s.weights[0]), s.normals[1].times(s.weights[1]), s.normals[2].times(s.weights[2])
		n = a.plus(b).plus(c).unit()
	}
	if t := s.material.normal; t != nil && s.view.Surface == Textured && s.hasCoordinates(t) {
		n, facing = s.perturb(n, t), false
	}
	if facing {
		return n
	}
	return towardViewer(n, s.light.viewVector(s.position()).unit(), s.smooth)
}

// perturb perturbs a normal by a normal map.
func (s *shader) perturb(n vec3, t *sampler) vec3 {
	uv := &s.uv[t.set]
	p := vec3Of(s.corners[0].position)
	e1, e2 := vec3Of(s.corners[1].position).minus(p), vec3Of(s.corners[2].position).minus(p)
	u1, v1 := uv[1][0]-uv[0][0], uv[1][1]-uv[0][1]
	u2, v2 := uv[2][0]-uv[0][0], uv[2][1]-uv[0][1]
	d := u1*v2 - u2*v1
	if !(d != 0) {
		return n
	}
	d = 1 / d
	tangent := e1.times(v2 * d).minus(e2.times(v1 * d)).unit()
	binormal := e2.times(u1 * d).minus(e1.times(u2 * d)).unit()
	c := s.texel(t)
	return tangent.times(2*c.r - 1).plus(binormal.times(2*c.g - 1)).plus(n.times(2*c.b - 1)).unit()
}

// position returns the position of the sample in the scene.
func (s *shader) position() vec3 {
	a, b, c := vec3Of(s.corners[0].position), vec3Of(s.corners[1].position), vec3Of(s.corners[2].position)
	return a.times(s.weights[0]).plus(b.times(s.weights[1])).plus(c.times(s.weights[2]))
}

// nearness returns the nearness of the sample (see camera.project).
func (s *shader) nearness() float32 {
	if s.light.c.parallel {
		return s.weights[0]*s.screen[0].near + s.weights[1]*s.screen[1].near + s.weights[2]*s.screen[2].near
	}
	// 1 / distance is linear in the picture, distance on the surface.
	return 1 / (s.weights[0]*s.screen[0].w + s.weights[1]*s.screen[1].w + s.weights[2]*s.screen[2].w)
}

// color returns the color of a triangle at a point of the grid, with its alpha.
func (s *shader) color(t uint32, x, y float64) rgba {
	s.prepare(t)
	s.setWeights(x, y)
	var base rgba
	switch {
	case s.view.BackFaces && s.back:
		base = backFace
	case s.view.Surface == Normals:
		n := s.normal()
		return rgba{n.x*.5 + .5, n.y*.5 + .5, n.z*.5 + .5, 1}
	case s.view.Surface == Clay:
		base = rgba{.6, .61, .63, 1}
	case s.view.Surface == Weights:
		base = s.weightColor()
	default:
		base = s.base()
		switch {
		case s.material.clay:
		case !s.material.lit:
			return s.applyLightMap(base)
		case s.light.sceneLit:
			return s.applyLightMap(s.light.illuminate(s, base, s.normal(), int(x), int(y)))
		default:
			return s.applyLightMap(s.studio(base.times(s.material.lamp), x, y))
		}
	}
	return s.studio(base, x, y)
}

// studio lights the sample beside the camera.
func (s *shader) studio(base rgba, x, y float64) rgba {
	n, open := s.normal(), float32(1)
	if s.light.occlusion {
		open = s.light.openness(s.nearness(), int(x), int(y), s.light.toView(n))
	}
	return s.light.studio(base, n, open)
}

// applyLightMap multiplies the color of the sample by its light map.
func (s *shader) applyLightMap(c rgba) rgba {
	t := s.material.lightMap
	if !s.hasCoordinates(t) {
		return c
	}
	light := s.texel(t)
	light.a = 1
	return c.times(light)
}

// colorAt returns the color of a sample that is not empty.
func (s *shader) colorAt(id sampleID, x, y float64, near float32) rgba {
	switch id & idKinds {
	case idTriangle:
		return s.color(uint32(id), x, y)
	case idLine:
		return s.lineColor(&s.m.lines[id&^idKinds])
	}
	return s.dotColor(id&^idKinds, x, y, near)
}

func (s *shader) lineColor(l *line) rgba {
	m := s.m.surfaces[l.surface].material
	inst := &s.m.instances[s.m.surfaces[l.surface].instance]
	if m.tinted && inst.colors != nil {
		c := inst.colors[l.a-inst.first]
		return lightOf([3]uint8(c[:3]))
	}
	return rgba{m.base.r, m.base.g, m.base.b, 1}
}

// lightOf returns the linear value of a color.
func lightOf(c [3]uint8) rgba {
	const f = 1. / 65535
	return rgba{float32(toLinear[c[0]]) * f, float32(toLinear[c[1]]) * f, float32(toLinear[c[2]]) * f, 1}
}

// tileWidth is the width of tiles in pixels, small enough to cache most of their triangles.
const tileWidth = 64

// paintRows makes the pixels of rows of a picture.
func (s *shader) paintRows(dst *image.NRGBA, from, to int) {
	area := s.blended[from/bandRows].area
	if !area.Empty() {
		s.blendPixels(dst, area)
	}
	background := s.background()
	var nothing [4]uint8
	setPixel(nothing[:], background)
	for left := 0; left < dst.Rect.Dx(); left += tileWidth {
		if s.stop.Load() {
			return
		}
		right := min(left+tileWidth, dst.Rect.Dx())
		for y := from; y < to; y++ {
			out := dst.Pix[y*dst.Stride : y*dst.Stride+4*dst.Rect.Dx()]
			if y < area.Min.Y || y >= area.Max.Y {
				s.row(out, y, left, right, background, nothing)
				continue
			}
			s.row(out, y, left, min(right, area.Min.X), background, nothing)
			s.row(out, y, max(left, area.Max.X), right, background, nothing)
		}
	}
}

// row makes some pixels of a row without translucent triangles.
func (s *shader) row(out []uint8, y, from, to int, background rgba, nothing [4]uint8) {
	if s.n > 1 {
		for x := from; x < to; x++ {
			setPixel(out[4*x:4*x+4], s.pixel(x, y, background))
		}
		return
	}
	samples := s.g.samples[y*s.g.width:][:s.g.width]
	for x := from; x < to; x++ {
		p := &samples[x]
		if p.near == 0 {
			*(*[4]uint8)(out[4*x:]) = nothing
			continue
		}
		c := s.colorAt(p.id, float64(x)+.5, float64(y)+.5, p.near)
		*(*[4]uint8)(out[4*x:]) = [4]uint8{toSRGB8(c.r), toSRGB8(c.g), toSRGB8(c.b), 255}
	}
}

// background returns the color of empty samples.
func (s *shader) background() rgba {
	b := s.view.Background
	a := float32(b.A) / 255
	c := lightOf([3]uint8{b.R, b.G, b.B})
	return rgba{c.r * a, c.g * a, c.b * a, a}
}

// pixel returns the mean of the samples of a pixel. Samples of one triangle are shaded once, in their middle.
func (s *shader) pixel(x, y int, background rgba) (out rgba) {
	n := s.n
	first := &s.g.samples[y*n*s.g.width+x*n]
	same := true
	for sy := range n {
		for i := range s.g.samples[(y*n+sy)*s.g.width+x*n:][:n] {
			p := &s.g.samples[(y*n+sy)*s.g.width+x*n+i]
			same = same && p.id == first.id && (p.near > 0) == (first.near > 0)
		}
	}
	if same {
		if first.near == 0 {
			return background
		}
		return opaque(s.colorAt(first.id, float64(x*n)+float64(n)/2, float64(y*n)+float64(n)/2, first.near))
	}
	var list [16]sample
	count := 0
	for sy := range n {
		count += copy(list[count:], s.g.samples[(y*n+sy)*s.g.width+x*n:][:n])
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
			if list[k].id == p.id && list[k].near > 0 {
				sx, sy, hits = sx+k%n, sy+k/n, hits+1
				list[k].near = -1
			}
		}
		mx, my := float64(sx)/float64(hits)+.5, float64(sy)/float64(hits)+.5
		out.add(opaque(s.colorAt(p.id, float64(x*n)+mx, float64(y*n)+my, p.near)), each*float32(hits))
	}
	return out
}

// opaque returns the light of an opaque color.
func opaque(c rgba) rgba { return rgba{c.r, c.g, c.b, 1} }

func (c *rgba) add(o rgba, w float32) {
	c.r, c.g, c.b, c.a = c.r+o.r*w, c.g+o.g*w, c.b+o.b*w, c.a+o.a*w
}

// blendPixels makes the pixels of an area with translucent triangles: each sample has a color of its own.
func (s *shader) blendPixels(dst *image.NRGBA, area image.Rectangle) {
	n := s.n
	width := area.Dx() * n
	if need := area.Dy() * n * width; cap(s.colors) < need {
		s.colors = make([]rgba, need)
	}
	s.colors = s.colors[:area.Dy()*n*width]
	background := s.background()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		if s.stop.Load() {
			return
		}
		for x := area.Min.X; x < area.Max.X; x++ {
			s.shadeSamples(x, y, area, background)
		}
	}
	work := 0
	for _, t := range s.blended[area.Min.Y/bandRows].triangles {
		if work += s.blendTriangleAt(t, area); s.shouldStop(&work) {
			return
		}
	}
	weight := 1 / float32(n*n)
	for y := range area.Dy() {
		out := dst.Pix[(y+area.Min.Y)*dst.Stride+4*area.Min.X:][:4*area.Dx()]
		for x := range area.Dx() {
			var sum rgba
			for sy := range n {
				for _, c := range s.colors[(y*n+sy)*width+x*n:][:n] {
					sum.add(c, weight)
				}
			}
			setPixel(out[4*x:4*x+4], sum)
		}
	}
}

// shadeSamples shades the samples of a pixel, each triangle once.
func (s *shader) shadeSamples(x, y int, area image.Rectangle, background rgba) {
	n, width := s.n, area.Dx()*s.n
	var id sampleID
	var color rgba
	hasColor := false
	for sy := range n {
		row := s.g.samples[(y*n+sy)*s.g.width+x*n:][:n]
		out := s.colors[((y-area.Min.Y)*n+sy)*width+(x-area.Min.X)*n:][:n]
		for sx := range row {
			p := &row[sx]
			if p.near == 0 {
				out[sx] = background
				continue
			}
			if !hasColor || id != p.id {
				color = opaque(s.colorAt(p.id, float64(x*n)+float64(n)/2, float64(y*n)+float64(n)/2, p.near))
				id, hasColor = p.id, true
			}
			out[sx] = color
		}
	}
}

// blendTriangleAt blends a translucent triangle over the samples.
func (s *shader) blendTriangleAt(t uint32, area image.Rectangle) int {
	tri := &s.m.triangles[t]
	return s.drawClipped(tri, func(a, b, c corner) int { return s.blendPiece(t, &a, &b, &c, area) })
}

func (s *shader) blendPiece(t uint32, a, b, c *corner, area image.Rectangle) int {
	const work, each = 8, 32
	n := s.n
	var e edges
	if !e.set(a, b, c, s.g.width, area.Min.Y*n, area.Max.Y*n) {
		return work
	}
	done := work
	left, right := area.Min.X*n, area.Max.X*n
	mat := s.m.surfaces[s.m.triangles[t].surface].material
	var color rgba
	for y := e.first; y < e.last; y++ {
		begin, end := e.row(y)
		begin, end = max(begin, left), min(end, right)
		done += each * max(1, end-begin)
		here := e.nearAt(begin, y)
		pixel := -1
		for x := begin; x < end; x++ {
			near := float32(min(max(here, e.least), e.highest))
			here += e.near.x
			if near <= s.g.samples[y*s.g.width+x].near && !mat.onTop {
				continue
			}
			if x/n != pixel {
				pixel = x / n
				color = s.color(t, float64(x)+.5, float64(y)+.5)
			}
			s.colors[(y-area.Min.Y*n)*(right-left)+x-left].blend(color, mat.additive)
		}
	}
	return done
}

// blend blends top over the color.
func (c *rgba) blend(top rgba, additive bool) {
	a := min(max(top.a, 0), 1)
	keep := 1 - a
	if additive {
		keep = 1
	}
	c.r, c.g, c.b = c.r*keep+top.r*a, c.g*keep+top.g*a, c.b*keep+top.b*a
	c.a = min(1, c.a*keep+a)
}

var backFace = rgba{.7, .06, .05, 1}

// heatColor maps a weight of a joint to a color: from blue for 0 to red.
func heatColor(share float32) rgba {
	return rgba{clampLight(share*4 - 2), clampLight(2 - abs(share*4-2)), clampLight(2 - share*4), 1}
}

// weightColor returns the color for the weight of View.Joint at the sample.
func (s *shader) weightColor() rgba {
	inst := s.instance
	if inst.geometry.joints == nil || inst.skin == nil || s.view.Joint == nil {
		return rgba{.25, .25, .27, 1}
	}
	tri := &s.m.triangles[s.id]
	sum := float32(0)
	for k, i := range [3]uint32{tri.a, tri.b, tri.c} {
		for x, j := range inst.geometry.joints[i-inst.first] {
			if j >= 0 && int(j) < len(inst.skin.Joints) && inst.skin.Joints[j] == s.view.Joint {
				sum += s.weights[k] * inst.weights[i-inst.first][x]
			}
		}
	}
	return heatColor(sum)
}

// clampLight clamps a number to the range of light.
func clampLight(f float32) float32 { return min(max(f, .02), .9) }

func abs(f float32) float32 { return float32(math.Abs(float64(f))) }
