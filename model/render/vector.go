package render

import "math"

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
