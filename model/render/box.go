package render

import (
	"math"
	"slices"
)

// box is a box along the axes.
type box struct{ low, high vec }

// emptyBox contains nothing: add extends it to one point.
var emptyBox = box{vec{math.Inf(1), math.Inf(1), math.Inf(1)}, vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}

// add extends the box to a point.
func (b *box) add(p vec) {
	for k := range 3 {
		b.low[k], b.high[k] = min(b.low[k], p[k]), max(b.high[k], p[k])
	}
}

// join extends the box to another one.
func (b *box) join(o box) {
	b.add(o.low)
	b.add(o.high)
}

// grow returns the box with a margin on all sides.
func (b box) grow(by float64) box {
	margin := vec{by, by, by}
	return box{b.low.minus(margin), b.high.plus(margin)}
}

func (b box) center() vec { return b.low.plus(b.high).times(.5) }

func (b box) contains(p vec) bool {
	for k := range 3 {
		if p[k] < b.low[k] || p[k] > b.high[k] {
			return false
		}
	}
	return true
}

// eachCorner calls visit with each of the eight corners.
func (b box) eachCorner(visit func(p vec, half float64)) {
	for i := range 8 {
		p := b.low
		for k := range p {
			if i>>k&1 == 1 {
				p[k] = b.high[k]
			}
		}
		visit(p, 0)
	}
}

// FrameWith frames the model together with another one; with nil it is framed alone. The pictures of two models show
// the same area if it is called on both.
func (m *Model) FrameWith(o *Model) {
	m.neighborBox = nil
	if o != nil && !o.Empty() {
		m.neighborBox = &o.unposedBox
	}
	m.Frame()
}

// Frame computes the area of the picture from the pose of the model. A few outliers, such as a large ground or an
// invalid coordinate, do not make the rest small: they are drawn, but not framed.
func (m *Model) Frame() {
	const far = 6
	m.frame(far)
}

// FrameWhole is Frame with everything but invalid coordinates.
func (m *Model) FrameWhole() {
	const far = 100_000
	m.frame(far)
}

// frame frames the model. Items beyond far times the size of most are outliers.
func (m *Model) frame(far float64) {
	m.isUnion = false
	m.frameAlone(far)
	if m.neighborBox != nil {
		m.box.join(*m.neighborBox)
	}
}

func (m *Model) frameAlone(far float64) {
	const (
		samples  = 30_000
		fraction = 50 // of 50 items, one at each end may be an outlier
		frameAll = 1000
	)
	var coordinates [3][]float64
	m.eachPoint(1+(3*len(m.triangles)+2*len(m.lines)+len(m.dots))/samples, func(p vec, _ float64) {
		for k := range 3 {
			coordinates[k] = append(coordinates[k], p[k])
		}
	})
	if len(coordinates[0]) == 0 {
		return
	}
	m.box = emptyBox
	m.eachPoint(1, func(p vec, half float64) {
		for k := range 3 {
			m.box.low[k] = min(m.box.low[k], p[k]-half)
			m.box.high[k] = max(m.box.high[k], p[k]+half)
		}
	})
	var low, high vec
	extent := 0.0
	for k, values := range coordinates {
		slices.Sort(values)
		low[k], high[k] = values[len(values)/fraction], values[len(values)-1-len(values)/fraction]
		extent = max(extent, high[k]-low[k])
	}
	if extent <= 0 {
		return
	}
	for k := range 3 {
		if m.box.high[k]-m.box.low[k] > far*extent {
			m.box.low[k] = max(m.box.low[k], low[k]-extent/2)
			m.box.high[k] = min(m.box.high[k], high[k]+extent/2)
		}
	}
	if far < frameAll {
		m.frameDensest(coordinates)
		m.frameSubject()
	}
}

// frameSubject frames the items on a ground, or below a sky, that is so large that they would be invisible.
func (m *Model) frameSubject() {
	const huge, maxRatio = 20, 1000 // times the size of the rest
	if len(m.instances) < 2 || len(m.dots) > 0 {
		return
	}
	ground, others := emptyBox, emptyBox
	for _, b := range m.visibleBoxes() {
		if b.longest() > ground.longest() {
			b, ground = ground, b
		}
		if b != emptyBox {
			others.join(b)
		}
	}
	size := others.longest()
	if highest := ground.longest(); size == 0 || highest < huge*size || highest > maxRatio*size {
		return
	}
	m.box = others.grow(size / 2)
}

// visibleBoxes returns the boxes of the instances that are not hidden.
func (m *Model) visibleBoxes() (boxes []box) {
	hidden := make([]bool, len(m.instances))
	for i := range m.surfaces {
		s := &m.surfaces[i]
		hidden[s.instance] = hidden[s.instance] || s.hidden
	}
	for i := range m.instances {
		if b, ok := m.boundsOfInstance(&m.instances[i]); ok && !hidden[i] {
			boxes = append(boxes, b)
		}
	}
	return boxes
}

// longest returns the longest edge, or 0 of the empty box.
func (b box) longest() float64 {
	size := b.high.minus(b.low)
	return max(size[0], size[1], size[2], 0)
}

// Framing is the box of the scene that a picture shows.
type Framing struct {
	box
	isUnion bool // it contains several models completely
}

// Framing returns the box that the picture shows.
func (m *Model) Framing() Framing { return Framing{m.box, m.isUnion} }

// SetFraming makes the picture show the same box as another model.
func (m *Model) SetFraming(f Framing) { m.box, m.isUnion = f.box, f.isUnion }

// Union returns the union of two boxes.
func (f Framing) Union(o Framing) Framing {
	if f.contains(o.low) && f.contains(o.high) {
		return f
	}
	f.join(o.box)
	f.isUnion = true
	return f
}

// Widen returns the box with a margin for its surroundings, or f itself if whole is hardly larger.
func (f Framing) Widen(whole Framing) Framing {
	size := f.longest()
	if size == 0 {
		size = whole.longest() / 100
	}
	f.box = f.grow(size / 2)
	if f.longest() > .8*whole.longest() {
		return whole
	}
	return f
}

// frameDensest selects the densest piece of a scene that is so long that it would be too small to see. The coordinates
// of each axis are sorted.
func (m *Model) frameDensest(coordinates [3][]float64) {
	const (
		minLengthRatio = 16 // times its next size
		windowRatio    = 2.5
	)
	var size [3]float64
	longest := 0
	for k := range size {
		size[k] = m.box.high[k] - m.box.low[k]
		if size[k] > size[longest] {
			longest = k
		}
	}
	secondSize := max(size[(longest+1)%3], size[(longest+2)%3])
	if secondSize <= 0 || size[longest] < minLengthRatio*secondSize {
		return
	}
	window := windowRatio * secondSize
	values := coordinates[longest]
	best, highest, to := 0, 0, 0
	for from := range values {
		for to < len(values) && values[to] <= values[from]+window {
			to++
		}
		if to-from > highest {
			best, highest = from, to-from
		}
	}
	middle := (values[best] + values[best+highest-1]) / 2
	m.box.low[longest] = max(m.box.low[longest], middle-window/2)
	m.box.high[longest] = min(m.box.high[longest], middle+window/2)
}

// eachPoint passes every step-th visible point, and the half size of its item.
func (m *Model) eachPoint(step int, visit func(p vec, half float64)) {
	i := 0
	vertex := func(n uint32) {
		if i++; i%step == 0 || step == 1 {
			if position := m.vertices[n].position; !isInvalid(position[0]) {
				visit(toVec(position), 0)
			}
		}
	}
	for _, t := range m.triangles {
		if m.surfaces[t.surface].hidden {
			continue
		}
		vertex(t.a)
		vertex(t.b)
		vertex(t.c)
	}
	for _, l := range m.lines {
		if m.surfaces[l.surface].hidden {
			continue
		}
		vertex(l.a)
		vertex(l.b)
	}
	for _, d := range m.dots {
		if m.isHidden(int(d.node)) {
			continue
		}
		if i++; i%step == 0 || step == 1 {
			visit(toVec(d.position), float64(d.edge)/2)
		}
	}
}

// boundsOfInstance returns the box of the drawn vertices of an instance, or false if there are none.
func (m *Model) boundsOfInstance(inst *instance) (b box, ok bool) {
	b = emptyBox
	for _, v := range m.vertices[inst.first : int(inst.first)+len(inst.positions)] {
		if !isInvalid(v.position[0]) {
			b.add(toVec(v.position))
			ok = true
		}
	}
	return b, ok
}

// vec is a position or a direction for geometry. vec3 is for shading.
type vec [3]float64

func (a vec) minus(b vec) vec     { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) plus(b vec) vec      { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) times(f float64) vec { return vec{a[0] * f, a[1] * f, a[2] * f} }
func (a vec) dot(b vec) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) length() float64     { return math.Sqrt(a.dot(a)) }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func (a vec) lerp(b vec, t float64) vec { return a.plus(b.minus(a).times(t)) }

// unit returns a with length 1, or the direction to the viewer if it has no direction.
func (a vec) unit() vec {
	l := a.length()
	if !(l > 1e-300) || math.IsInf(l, 0) {
		return vec{0, 0, 1}
	}
	return a.times(1 / l)
}

func toVec(p [3]float32) vec { return vec{float64(p[0]), float64(p[1]), float64(p[2])} }

func toFloats(v vec) [3]float32 { return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])} }

// isDrawable reports whether p is a position that can be drawn.
func isDrawable(p [3]float32) bool {
	const highest = 1e18 // beyond, distances overflow float32
	for _, v := range p {
		if !(v > -highest && v < highest) {
			return false
		}
	}
	return true
}

// rotation is a matrix whose rows are the axes of the view.
type rotation [3]vec

func (r *rotation) apply(v vec) vec { return vec{r[0].dot(v), r[1].dot(v), r[2].dot(v)} }

// vec3 is a position or a direction for inner loops; unlike an array it stays in registers.
type vec3 struct{ x, y, z float32 }

func vec3Of(v [3]float32) vec3 { return vec3{v[0], v[1], v[2]} }

func toVec3(v vec) vec3 { return vec3{float32(v[0]), float32(v[1]), float32(v[2])} }

func (a vec3) dot(b vec3) float32   { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vec3) plus(b vec3) vec3     { return vec3{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec3) minus(b vec3) vec3    { return vec3{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec3) times(f float32) vec3 { return vec3{a.x * f, a.y * f, a.z * f} }

func (a vec3) cross(b vec3) vec3 {
	return vec3{a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}
}

// unit returns a with length 1, or the direction to the viewer if it has no direction.
func (a vec3) unit() vec3 {
	l := a.dot(a)
	if !(l > 1e-30 && l < 1e30) {
		return toVec3(vec{float64(a.x), float64(a.y), float64(a.z)}.unit())
	}
	return a.times(1 / float32(math.Sqrt(float64(l))))
}
