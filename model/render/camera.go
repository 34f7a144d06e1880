package render

import (
	"math"

	"assay/model/scene"
)

const (
	defaultAngle      = 26 * math.Pi / 180 // of the camera, over the picture's shorter edge
	nearPlane         = .01                // nearer surfaces, in radii of the model, are not drawn
	margin            = 1.04               // the visible size, in sizes of the model
	orthographicDepth = 100                // the far plane of an orthographic camera, in radii
)

// camera projects points. Its own space has its center at 0 (the middle of the model, the target of the view, or the
// camera of the scene) and the radius of the model as 1; x is to the right, y up, and z to the viewer.
type camera struct {
	axes        rotation
	center      vec
	scale       float64
	x, y, z     float64 // its position
	focus       float64 // pixels
	midX        float64
	midY        float64
	parallel    bool
	farNearness float32 // the nearness of the far plane of a camera of the scene
}

// camera returns a camera without a position.
func (m *Model) camera(width, height int) *camera {
	c := &camera{scale: 1, midX: float64(width) / 2, midY: float64(height) / 2}
	if r := m.box.high.minus(m.box.low).length() / 2; r > 0 {
		c.scale = 1 / r
	}
	return c
}

// newCamera returns the camera of a view. A parallel one shows as much of the middle as a perspective one.
func newCamera(m *Model, v View, width, height int) *camera {
	c := m.camera(width, height)
	if v.Camera != nil && c.useCamera(m, v.Camera, width, height) {
		return c
	}
	c.setUp(m, v, width, height)
	if v.Orthographic {
		c.focus /= c.z
		c.z, c.parallel = orthographicDepth/2, true
	}
	return c
}

// setUp positions the camera for a view.
func (c *camera) setUp(m *Model, v View, width, height int) {
	for _, f := range []*float64{&v.Yaw, &v.Pitch, &v.Roll, &v.Shift[0], &v.Shift[1]} {
		if !(math.Abs(*f) < 1e9) {
			*f = 0
		}
	}
	c.orient(m, &v, width, height)
	c.z = 1 / math.Sin(defaultAngle/2)
	if v.Tight {
		c.fit(m, float64(width)/2/c.focus/margin, float64(height)/2/c.focus/margin, v.Orthographic)
	}
	if v.Distance > 0 && v.Distance < 1e3 {
		c.z *= v.Distance
	}
	tangent := v.tangent()
	c.x -= v.Shift[0] * c.z * tangent
	c.y -= v.Shift[1] * c.z * tangent
}

// orient orients the camera for a view of the middle of the model.
func (c *camera) orient(m *Model, v *View, width, height int) {
	sy, cy := math.Sincos(v.Yaw)
	sp, cp := math.Sincos(v.Pitch)
	sr, cr := math.Sincos(v.Roll)
	right, up := vec{cy, 0, -sy}, vec{-sy * sp, cp, -cy * sp}
	c.axes = rotation{right.times(cr).plus(up.times(sr)), up.times(cr).minus(right.times(sr)), {sy * cp, sp, cy * cp}}
	if c.center = m.box.center(); v.Open != 0 {
		c.center = v.Target
	}
	c.focus = float64(min(width, height)) / 2 / v.tangent() / margin
}

// tangent returns the tangent of half the opening angle.
func (v *View) tangent() float64 {
	if v.Open > 0 && v.Open < math.Pi {
		return math.Tan(v.Open / 2)
	}
	return math.Tan(defaultAngle / 2)
}

// useCamera moves the camera to a camera of the scene, or returns false if that is invalid.
func (c *camera) useCamera(m *Model, n *scene.Node, width, height int) bool {
	i := m.pose.Index(n)
	if i < 0 || n.Camera == nil {
		return false
	}
	w := m.world(i)
	if !w.IsValid() {
		return false
	}
	for k := range c.axes {
		c.axes[k] = column(w, k).unit()
	}
	c.center = column(w, 3)
	aspect := float64(width) / float64(height)
	if n.Camera.Orthographic {
		size := max(float64(n.Camera.Width)/aspect, float64(n.Camera.Height)) * c.scale
		if !(size > 0 && size < 1e6) {
			return false
		}
		c.focus = float64(height) / size
		c.z, c.parallel = 0, true
		return true
	}
	tangent := math.Tan(min(max(float64(n.Camera.FieldOfView), .01), 3) / 2)
	// The picture contains the whole view of the camera.
	if cameraAspect := float64(n.Camera.Aspect); cameraAspect > aspect && cameraAspect < 100 {
		tangent *= cameraAspect / aspect
	}
	if !(tangent > 0) {
		return false
	}
	c.focus = float64(height) / 2 / tangent
	if far := float64(n.Camera.Far) * c.scale; far > nearPlane {
		c.farNearness = float32(1 / far)
	}
	return true
}

// copySceneCamera moves the free camera to the camera of the scene, so that the picture stays the same. Its target is
// as far as the middle of the model, or just ahead of a camera that is past it. It returns false if the view has no
// such camera.
func (c *camera) copySceneCamera(m *Model, v *View, width, height int) bool {
	initial := m.camera(width, height)
	if !initial.useCamera(m, v.Camera, width, height) {
		return false
	}
	back := initial.axes[2]
	v.Yaw, v.Pitch = math.Atan2(back[0], back[2]), math.Asin(min(max(back[1], -1), 1))
	v.Roll = 0
	const least = .2 // of the radius
	targetDistance := max(back.dot(initial.center.minus(m.box.center())), least/c.scale)
	v.Open, v.Target = defaultAngle, initial.center.minus(back.times(targetDistance))
	if !initial.parallel {
		v.Open = 2 * math.Atan(float64(min(width, height))/2/margin/initial.focus)
	}
	c.orient(m, v, width, height)
	v.Roll = math.Atan2(initial.axes[0].dot(c.axes[1]), initial.axes[0].dot(c.axes[0]))
	c.orient(m, v, width, height)
	c.z = targetDistance * c.scale
	if v.Orthographic = initial.parallel; initial.parallel {
		c.z = c.focus / initial.focus
	}
	return true
}

// fit moves the camera as near as the model allows: each side of the picture then touches it, or two opposite sides do.
// tx and ty are half the picture's width and height at distance 1. For a parallel camera only the middle of the model
// is at its distance.
func (c *camera) fit(m *Model, tx, ty float64, parallel bool) {
	outwardX, outwardY := tx, ty // how far a point moves outwards by being nearer by 1
	if parallel {
		outwardX, outwardY = 0, 0
	}
	left, right, down, up := math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)
	front := math.Inf(-1)
	// How far a cube reaches in a direction: half its edge times the sum of the direction's parts.
	reach := func(x, y, z float64) float64 {
		d := c.axes[0].times(x).plus(c.axes[1].times(y)).plus(c.axes[2].times(z))
		return (math.Abs(d[0]) + math.Abs(d[1]) + math.Abs(d[2])) * c.scale
	}
	toRight, toLeft, toFront := reach(1, 0, outwardX), reach(-1, 0, outwardX), reach(0, 0, 1)
	toUp, toDown := reach(0, 1, outwardY), reach(0, -1, outwardY)
	const samples = 400_000
	eachPoint := func(visit func(p vec, half float64)) {
		m.eachPoint(1+(3*len(m.triangles)+2*len(m.lines)+len(m.dots))/samples, visit)
	}
	if m.isUnion || m.neighborBox != nil { // all of them have the box, and one camera
		eachPoint = m.box.eachCorner
	}
	eachPoint(func(p vec, half float64) {
		if !m.box.contains(p) {
			return
		}
		v := c.toCamera(p)
		right, left = max(right, v[0]+v[2]*outwardX+half*toRight), max(left, -v[0]+v[2]*outwardX+half*toLeft)
		up, down = max(up, v[1]+v[2]*outwardY+half*toUp), max(down, -v[1]+v[2]*outwardY+half*toDown)
		front = max(front, v[2]+half*toFront)
	})
	z := max((left+right)/2/tx, (up+down)/2/ty)
	if !parallel {
		z = max(z, front+4*nearPlane)
	}
	if !(z > 0 && z < 1e6) {
		return
	}
	c.x, c.y, c.z = (right-left)/2, (up-down)/2, z
}

// toCamera returns a point in the camera's space.
func (c *camera) toCamera(p vec) vec { return c.axes.apply(p.minus(c.center).times(c.scale)) }

// project returns the position in the picture, and the nearness; near is 0 behind the camera. Along a straight line
// near is linear in the picture.
func (c *camera) project(v vec) (x, y, near float64) {
	depth := c.z - v[2]
	if c.parallel {
		return c.midX + c.focus*(v[0]-c.x), c.midY - c.focus*(v[1]-c.y), max(orthographicDepth-depth, 0)
	}
	x, y = c.midX*depth+c.focus*(v[0]-c.x), c.midY*depth-c.focus*(v[1]-c.y)
	if depth < nearPlane {
		return x, y, 0
	}
	near = 1 / depth
	return x * near, y * near, near
}

// projection is toCamera and project in one matrix, for many points.
type projection struct {
	x, y, w  [4]float64 // the rows of a matrix for x, y, z and 1 of a point: its position in the picture times w, and w
	parallel bool
}

func (c *camera) projection() *projection {
	p := &projection{parallel: c.parallel}
	move := c.toCamera(vec{})
	for k := range 4 {
		along := vec{c.axes[0][k%3], c.axes[1][k%3], c.axes[2][k%3]}.times(c.scale)
		depth := -along[2]
		if k == 3 {
			along = move.minus(vec{c.x, c.y})
			depth = c.z - move[2]
		}
		p.w[k], p.x[k], p.y[k] = depth, c.focus*along[0], -c.focus*along[1]
		if !c.parallel {
			p.x[k], p.y[k] = p.x[k]+c.midX*depth, p.y[k]+c.midY*depth
		}
	}
	if c.parallel {
		p.x[3], p.y[3] = p.x[3]+c.midX, p.y[3]+c.midY
	}
	return p
}

// project computes the position of a vertex in the picture.
func (p *projection) project(position *[3]float32, s *projected) {
	if isInvalid(position[0]) {
		s.near = position[0]
		return
	}
	px, py, pz := float64(position[0]), float64(position[1]), float64(position[2])
	x := p.x[0]*px + p.x[1]*py + p.x[2]*pz + p.x[3]
	y := p.y[0]*px + p.y[1]*py + p.y[2]*pz + p.y[3]
	w := p.w[0]*px + p.w[1]*py + p.w[2]*pz + p.w[3]
	switch {
	case p.parallel:
		*s = projected{float32(x), float32(y), float32(max(orthographicDepth-w, 0)), 1}
	case w < nearPlane:
		*s = projected{float32(x), float32(y), 0, float32(w)}
	default:
		near := 1 / w
		*s = projected{float32(x * near), float32(y * near), float32(near), float32(w)}
	}
}

// depth returns the distance for a nearness.
func (c *camera) depth(near float32) float32 {
	if c.parallel {
		return orthographicDepth - near
	}
	return 1 / near
}

// offsetNearer returns a slightly larger nearness, for lines on a surface, which should not hide them.
func (c *camera) offsetNearer(near float32) float32 {
	const offset = .004 // of the radius
	if c.parallel {
		return near + offset
	}
	return near * (1 + offset/2)
}

// pixelsPerUnit returns the size in the picture of an item of size 1.
func (c *camera) pixelsPerUnit(near float64) float64 {
	if c.parallel {
		return c.focus
	}
	return c.focus * near
}

func (c *camera) position() vec {
	out := c.center
	for k, a := range [3]float64{c.x, c.y, c.z} {
		out = out.plus(c.axes[k].times(a / c.scale))
	}
	return out
}

// UnlockCamera returns a view that can be rotated and shows the same as v, a tight view or one through a camera of the
// scene, in a picture of that size. Other views are returned unchanged.
func (m *Model) UnlockCamera(v View, width, height int) View {
	if width <= 0 || height <= 0 || !v.Tight && v.Camera == nil {
		return v
	}
	c := m.camera(width, height)
	if v.Camera == nil || !c.copySceneCamera(m, &v, width, height) {
		c.setUp(m, v, width, height)
	}
	tangent := v.tangent()
	v.Tight, v.Camera = false, nil
	v.Distance = c.z * math.Sin(defaultAngle/2)
	v.Shift = [2]float64{-c.x / c.z / tangent, -c.y / c.z / tangent}
	return v
}

// yUpright is the inverse of scene.ZUpright.
var yUpright = scene.Matrix{0: 1, 6: 1, 9: -1, 15: 1}
