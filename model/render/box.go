package render

import (
	"image"
	"math"
	"slices"

	"assay/model/scene"
)

// box is the bounding box of the drawn items.
type box struct{ low, high vec }

// emptyBox is the empty box.
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

// eachCorner calls see with each of the eight corners.
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

// FrameWith frames both models, so that their pictures show the same area. With nil the model is framed alone.
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
	several bool // it contains several models completely
}

// Framing returns the box that the picture shows.
func (m *Model) Framing() Framing { return Framing{m.box, m.isUnion} }

// SetFraming makes the picture show the same box as another model.
func (m *Model) SetFraming(f Framing) { m.box, m.isUnion = f.box, f.several }

// Union returns the union of two boxes.
func (f Framing) Union(o Framing) Framing {
	if f.contains(o.low) && f.contains(o.high) {
		return f
	}
	f.join(o.box)
	f.several = true
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

// frameDensest selects the densest piece of a scene that is so long that it would be too small to see. along is sorted.
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
			if position := m.vertices[n].position; position[0] == position[0] {
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

// The grays of the checkerboard behind a picture, and the edge of its squares in pixels.
const (
	checkerLight, checkerDark = 168, 136
	checkerSize               = 8
)

// withCheckerboard puts a checkerboard behind a picture that would be hard to see on a dark or on a light background:
// its opaque pixels are all dark or all light, or it has none.
func withCheckerboard(img *image.NRGBA) *image.NRGBA {
	if !needsCheckerboard(img) {
		return img
	}
	out := image.NewNRGBA(img.Rect)
	for i := 0; i+4 <= len(img.Pix); i += 4 {
		x, y := i/4%img.Rect.Dx(), i/4/img.Rect.Dx()
		background := uint32(checkerLight)
		if (x/checkerSize+y/checkerSize)%2 == 1 {
			background = checkerDark
		}
		a := uint32(img.Pix[i+3])
		for k := range 3 {
			out.Pix[i+k] = uint8((uint32(img.Pix[i+k])*a + background*(255-a) + 127) / 255)
		}
		out.Pix[i+3] = 255
	}
	return out
}

// needsCheckerboard reports whether much of a picture is transparent, and nearly all of the rest is dark or nearly all
// is light.
func needsCheckerboard(img *image.NRGBA) bool {
	const light = 200
	var transparent, darks, lights, opaque int
	for i := 0; i+4 <= len(img.Pix); i += 4 {
		p := img.Pix[i : i+4]
		if p[3] < 128 {
			transparent++
			continue
		}
		opaque++
		switch {
		case max(p[0], p[1], p[2]) <= maxInkBrightness:
			darks++
		case min(p[0], p[1], p[2]) >= light:
			lights++
		}
	}
	return transparent*20 > transparent+opaque && (darks*10 >= opaque*9 || lights*10 >= opaque*9)
}

// InitialView returns the initial view of the scene: through its own camera if that shows a fair share of it; else
// ThreeQuarter, straight at flat pictures, from within a dome, or from the other side if all surfaces that face it are
// culled.
func (m *Model) InitialView() View {
	v := ThreeQuarter
	if n := m.sceneCamera(); n != nil {
		c := m.camera(viewWidth, viewHeight)
		if c.useCamera(m, n, viewWidth, viewHeight) && m.showsFairShare(c) {
			v.Camera = n
			return v
		}
	}
	if m.isFlatPicture() {
		v.Yaw, v.Pitch = 0, 0
	}
	if m.isDome() {
		const near, open = .02, 1.2
		return View{Yaw: v.Yaw, Distance: near, Open: open, Target: m.box.center()}
	}
	for _, rotation := range []View{{}, {Yaw: math.Pi}, {Yaw: math.Pi, Pitch: -2 * v.Pitch}, {Pitch: -2 * v.Pitch}} {
		view := v
		view.Yaw, view.Pitch = v.Yaw+rotation.Yaw, v.Pitch+rotation.Pitch
		c := m.camera(viewWidth, viewHeight)
		c.orient(m, &view, viewWidth, viewHeight)
		if m.facesCamera(c.axes[2]) {
			return view
		}
	}
	return v
}

// The size of the picture that decides a first view.
const (
	viewWidth, viewHeight = 120, 90
	maxTrianglesExamined  = 20_000
)

// isFlatPicture reports whether the scene is only unlit textures across z, such as sprites.
func (m *Model) isFlatPicture() bool {
	const flat = .02
	size := m.box.high.minus(m.box.low)
	return len(m.surfaces) > 0 && size[2] <= flat*min(size[0], size[1]) &&
		!slices.ContainsFunc(m.surfaces, func(s surface) bool { return s.material.lit || s.material.texture == nil })
}

// isDome reports whether the largest mesh is the inside of a hull around the scene that is also drawn from outside.
func (m *Model) isDome() bool {
	const highest = .99
	for i := range m.instances {
		inst := &m.instances[i]
		if b, ok := m.boundsOfInstance(inst); !ok || b.longest() < highest*m.box.longest() {
			continue
		}
		var triangles []triangle
		for _, t := range m.triangles {
			if s := &m.surfaces[t.surface]; s.instance == i && s.material.cull == scene.CullNone && !s.material.clay {
				triangles = append(triangles, t)
			}
		}
		if inst.isInterior(triangles, inst.first) {
			return true
		}
	}
	return false
}

// sceneCamera returns the node of the camera that is active, or is the only one, or nil.
func (m *Model) sceneCamera() (only *scene.Node) {
	if m.scene.ActiveCamera != nil {
		return m.scene.ActiveCamera
	}
	for _, n := range m.pose.Nodes {
		if n.Camera == nil {
			continue
		}
		if only != nil {
			return nil
		}
		only = n
	}
	return only
}

// eachSampledTriangle passes the corners of the drawn triangles, or of a sample of very many.
func (m *Model) eachSampledTriangle(visit func(mat *material, corners [3]vec) (ok bool)) {
	for i := 0; i < len(m.triangles); i += 1 + len(m.triangles)/maxTrianglesExamined {
		t := &m.triangles[i]
		mat := m.surfaces[t.surface].material
		a, b, c := toVec(m.vertices[t.a].position), toVec(m.vertices[t.b].position), toVec(m.vertices[t.c].position)
		if mat.cull == scene.CullBoth || a[0]+b[0]+c[0] != a[0]+b[0]+c[0] {
			continue
		}
		if !visit(mat, [3]vec{a, b, c}) {
			return
		}
	}
}

// isDrawnFrom reports whether the material draws a triangle that is viewed from a direction.
func (m *material) isDrawnFrom(corners [3]vec, from vec) bool {
	front := corners[1].minus(corners[0]).cross(corners[2].minus(corners[0]))
	return m.cull == scene.CullNone || front.dot(from) > 0 == (m.cull == scene.CullBack)
}

// facesCamera reports whether some triangle is drawn when viewed from a direction, or there are no triangles at all.
func (m *Model) facesCamera(from vec) bool {
	drawn, hasTriangles := false, false
	m.eachSampledTriangle(func(mat *material, corners [3]vec) bool {
		hasTriangles = true
		drawn = mat.isDrawnFrom(corners, from)
		return !drawn
	})
	return drawn || !hasTriangles
}

// showsFairShare reports whether a camera shows at least half of the drawn items, and not as a speck.
func (m *Model) showsFairShare(c *camera) bool {
	const share, speck = .5, .05
	total, inside, drawn := 0, 0, false
	left, right, high, low := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	from := c.position()
	m.eachSampledTriangle(func(mat *material, corners [3]vec) bool {
		for _, position := range corners {
			if !m.box.contains(position) {
				continue // it is not framed either
			}
			total++
			x, y, near := c.project(c.toCamera(position))
			if near <= float64(c.farNearness) || x < 0 || x > viewWidth || y < 0 || y > viewHeight {
				continue
			}
			inside++
			drawn = drawn || mat.isDrawnFrom(corners, from.minus(position))
			left, right, high, low = min(left, x), max(right, x), min(high, y), max(low, y)
		}
		return true
	})
	return drawn && float64(inside) >= share*float64(total) &&
		max(right-left, low-high) >= viewHeight/3 && (right-left)*(low-high) >= speck*viewWidth*viewHeight
}

// reportCoincident reports a scene with all points at one position.
func (m *Model) reportCoincident() {
	var first vec
	n, same := 0, true
	m.eachPoint(1, func(p vec, _ float64) {
		if n++; n == 1 {
			first = p
		}
		same = same && p == first
	})
	if same && len(m.dots) > 1 {
		m.addProblem("all %d points are at the same position", len(m.dots))
	} else if same && n > 1 {
		m.addProblem("all vertices are at the same position")
	}
}

// reportInvisible reports a scene whose materials draw no side.
func (m *Model) reportInvisible() {
	drawn := func(s surface) bool { return s.material.cull != scene.CullBoth }
	if len(m.triangles) == 0 || slices.ContainsFunc(m.surfaces, drawn) {
		return
	}
	m.addProblem("the scene is invisible: its materials draw neither front nor back faces")
}
