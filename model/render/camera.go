package render

import (
	"image/color"
	"math"
)

// View is how a Model is looked at.
type View struct {
	Yaw      float64 // around the upright axis, in radians; 0 looks along negative z
	Pitch    float64 // how far from above, in radians
	Distance float64 // 1, or 0, is where all of it is seen; less is nearer
	Shift    [2]float64
	// Tight puts the camera where the Model just fits, instead of where it fits however it is turned.
	Tight      bool
	Background color.NRGBA // the zero value is transparent
}

// ThreeQuarter is the view of a thumbnail: from the front, the right and above.
var ThreeQuarter = View{Yaw: .62, Pitch: .42, Tight: true}

const (
	opening = 26 * math.Pi / 180 // of the camera, over the picture's shorter edge
	nearest = .01                // what is nearer to the camera, in radii of the model, is not drawn
	margin  = 1.04               // how much more than the model is seen
)

// camera projects. Its own space has the middle of the model at 0 and a radius of 1, x to the right, y up, z to the
// viewer.
type camera struct {
	axes    rows
	center  vec
	scale   float64
	x, y, z float64 // where the camera is
	focus   float64 // pixels
	midX    float64
	midY    float64
}

func newCamera(m *Model, v View, width, height int) *camera {
	sy, cy := math.Sincos(v.Yaw)
	sp, cp := math.Sincos(v.Pitch)
	c := &camera{axes: rows{{cy, 0, -sy}, {-sy * sp, cp, -cy * sp}, {sy * cp, sp, cy * cp}}, scale: 1}
	c.center = m.box.center()
	if r := m.box.high.minus(m.box.low).length() / 2; r > 0 {
		c.scale = 1 / r
	}
	open := math.Tan(opening / 2)
	c.focus = float64(min(width, height)) / 2 / open / margin
	c.midX, c.midY = float64(width)/2, float64(height)/2
	c.z = 1 / math.Sin(opening/2)
	if v.Tight {
		c.fit(m, float64(width)/2/c.focus/margin, float64(height)/2/c.focus/margin)
	}
	if v.Distance > 0 && v.Distance < 1e3 {
		c.z *= v.Distance
	}
	c.x -= v.Shift[0] * c.z * open
	c.y -= v.Shift[1] * c.z * open
	return c
}

// fit puts the camera as near as the model allows: each side of the picture then touches it, or two that face each
// other do. tx and ty are half the picture's width and height at distance 1.
func (c *camera) fit(m *Model, tx, ty float64) {
	left, right, down, up := math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)
	front := math.Inf(-1)
	// How far a cube reaches in a direction: half its edge times the sum of the direction's parts.
	reach := func(x, y, z float64) float64 {
		d := c.axes[0].times(x).plus(c.axes[1].times(y)).plus(c.axes[2].times(z))
		return (math.Abs(d[0]) + math.Abs(d[1]) + math.Abs(d[2])) * c.scale
	}
	toRight, toLeft, toUp, toDown, toFront := reach(1, 0, tx), reach(-1, 0, tx), reach(0, 1, ty), reach(0, -1, ty), reach(0, 0, 1)
	m.places(1, func(p vec, half float64) {
		if !m.box.contains(p) {
			return
		}
		v := c.see(p)
		right, left = max(right, v[0]+v[2]*tx+half*toRight), max(left, -v[0]+v[2]*tx+half*toLeft)
		up, down = max(up, v[1]+v[2]*ty+half*toUp), max(down, -v[1]+v[2]*ty+half*toDown)
		front = max(front, v[2]+half*toFront)
	})
	z := max((left+right)/2/tx, (up+down)/2/ty, front+4*nearest)
	if !(z > 0 && z < 1e6) {
		return
	}
	c.x, c.y, c.z = (right-left)/2, (up-down)/2, z
}

// see gives a place in the camera's space.
func (c *camera) see(p vec) vec { return c.axes.turn(p.minus(c.center).times(c.scale)) }

// project gives the place in the picture and the inverse of the distance; 0 if it is too near.
func (c *camera) project(v vec) (x, y, near float64) {
	depth := c.z - v[2]
	if depth < nearest {
		return 0, 0, 0
	}
	near = 1 / depth
	return c.midX + c.focus*(v[0]-c.x)*near, c.midY - c.focus*(v[1]-c.y)*near, near
}
