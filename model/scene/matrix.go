package scene

import "math"

// Matrix is a column-major 4 x 4 matrix: the translation is in elements 12, 13 and 14.
type Matrix [16]float32

// Identity is the identity matrix.
var Identity = Matrix{0: 1, 5: 1, 10: 1, 15: 1}

// Times returns the matrix that applies o first, then m.
func (m Matrix) Times(o Matrix) Matrix {
	var out Matrix
	for c := range 4 {
		for r := range 4 {
			var sum float64
			for k := range 4 {
				sum += float64(m[4*k+r]) * float64(o[4*c+k])
			}
			out[4*c+r] = float32(sum)
		}
	}
	return out
}

// Apply transforms a point.
func (m Matrix) Apply(p [3]float32) [3]float32 {
	var out [3]float32
	for r := range 3 {
		out[r] = m[r]*p[0] + m[4+r]*p[1] + m[8+r]*p[2] + m[12+r]
	}
	return out
}

// ApplyDirection transforms a direction.
func (m Matrix) ApplyDirection(p [3]float32) [3]float32 {
	var out [3]float32
	for r := range 3 {
		out[r] = 0 + m[r]*p[0] + m[4+r]*p[1] + m[8+r]*p[2] // no -0
	}
	return out
}

// Center returns the point that m maps to the origin: of an inverse bind matrix, the position of its joint during
// binding. It returns false if there is no such point, or many.
func (m Matrix) Center() (p [3]float32, ok bool) {
	x, y, z, t := m.axisImage(0), m.axisImage(1), m.axisImage(2), m.axisImage(3)
	det := dot(x, cross(y, z))
	for i, v := range [3]float64{dot(t, cross(y, z)), dot(x, cross(t, z)), dot(x, cross(y, t))} {
		p[i] = float32(-v / det)
		if !finite(p[i]) {
			return p, false
		}
	}
	return p, true
}

// axisImage returns the image of an axis, or the translation for 3.
func (m Matrix) axisImage(number int) [3]float64 { return toDouble([3]float32(m[4*number:])) }

func (m Matrix) finite() bool {
	for _, v := range m {
		if !finite(v) {
			return false
		}
	}
	return true
}

func finite(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }

// TRS is a transform in parts: scale first, then rotate by a unit quaternion (x, y, z, w), then translate.
type TRS struct {
	Translation [3]float32
	Rotation    [4]float32
	Scale       [3]float32
}

// Matrix combines the parts.
func (t TRS) Matrix() Matrix {
	x, y, z, w := float64(t.Rotation[0]), float64(t.Rotation[1]), float64(t.Rotation[2]), float64(t.Rotation[3])
	rows := [3][3]float64{
		{1 - 2*(y*y+z*z), 2 * (x*y - z*w), 2 * (x*z + y*w)},
		{2 * (x*y + z*w), 1 - 2*(x*x+z*z), 2 * (y*z - x*w)},
		{2 * (x*z - y*w), 2 * (y*z + x*w), 1 - 2*(x*x+y*y)},
	}
	m := Identity
	for c := range 3 {
		for r := range 3 {
			m[4*c+r] = float32(rows[r][c] * float64(t.Scale[c]))
		}
		m[12+c] = t.Translation[c]
	}
	return m
}

// Rotate returns the rotation preceded by one about an axis, in radians. A zero axis changes nothing.
func (t TRS) Rotate(axis [3]float32, angle float64) [4]float32 {
	u, ok := unit(axis)
	if !ok || math.IsNaN(angle) || math.IsInf(angle, 0) {
		return t.Rotation
	}
	sin, w := math.Sincos(angle / 2)
	x, y, z := float64(u[0])*sin, float64(u[1])*sin, float64(u[2])*sin
	a, b, c, d := float64(t.Rotation[0]), float64(t.Rotation[1]), float64(t.Rotation[2]), float64(t.Rotation[3])
	return normalize([4]float32{float32(d*x + a*w + b*z - c*y), float32(d*y - a*z + b*w + c*x),
		float32(d*z + a*y - b*x + c*w),
		float32(d*w - a*x - b*y - c*z)})
}

// Parts decomposes a matrix. exact is false if it also shears, projects, or is not finite: then the parts are an
// approximation.
func (m Matrix) Parts() (t TRS, exact bool) {
	t = TRS{Rotation: [4]float32{3: 1}, Scale: [3]float32{1, 1, 1}}
	if !m.finite() {
		return t, false
	}
	t.Translation = [3]float32{m[12], m[13], m[14]}
	var axes [3][3]float64
	for c := range 3 {
		a := m.axisImage(c)
		l := math.Sqrt(dot(a, a))
		t.Scale[c] = float32(min(l, math.MaxFloat32))
		if l > 0 {
			axes[c] = [3]float64{a[0] / l, a[1] / l, a[2] / l}
		}
	}
	axes = orthonormalize(axes)
	if dot(cross(axes[0], axes[1]), axes[2]) < 0 { // a mirror is a negative scale
		t.Scale[0] = -t.Scale[0]
		axes[0] = [3]float64{-axes[0][0], -axes[0][1], -axes[0][2]}
	}
	t.Rotation = quaternion(axes)
	return t, m.IsNear(t.Matrix(), 1e-5)
}

// orthonormalize orthonormalizes the axes; axes of length 0, of a flat transform, get a free direction.
func orthonormalize(a [3][3]float64) [3][3]float64 {
	unit := func(v [3]float64) ([3]float64, bool) {
		l := math.Sqrt(dot(v, v))
		if l < 1e-9 {
			return v, false
		}
		return [3]float64{v[0] / l, v[1] / l, v[2] / l}, true
	}
	missing := func(v [3]float64) bool { return dot(v, v) == 0 }
	mirrored := !missing(a[0]) && !missing(a[1]) && !missing(a[2]) && dot(cross(a[0], a[1]), a[2]) < 0
	// The first existing axis is kept, the second is made perpendicular to it, the third follows.
	order := [3]int{0, 1, 2}
	for missing(a[order[0]]) && order[0] < 2 {
		order = [3]int{order[1], order[2], order[0]}
	}
	i, j, k := order[0], order[1], order[2]
	if missing(a[i]) {
		return [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	perpendicularPart := func(v [3]float64) [3]float64 {
		d := dot(v, a[i])
		return [3]float64{v[0] - d*a[i][0], v[1] - d*a[i][1], v[2] - d*a[i][2]}
	}
	if v, ok := unit(perpendicularPart(a[j])); ok {
		a[j] = v
		a[k] = cross(a[i], a[j])
	} else if v, ok := unit(perpendicularPart(a[k])); ok {
		a[k] = v
		a[j] = cross(a[k], a[i])
	} else {
		other := [3]float64{1, 0, 0}
		if math.Abs(a[i][0]) > 0.9 {
			other = [3]float64{0, 1, 0}
		}
		a[j], _ = unit(perpendicularPart(other))
		a[k] = cross(a[i], a[j])
	}
	if mirrored {
		a[k] = [3]float64{-a[k][0], -a[k][1], -a[k][2]}
	}
	return a
}

// IsNear reports whether two matrices have the same translation, and the same rotation and scale up to a share of the
// largest factor.
func (m Matrix) IsNear(b Matrix, share float64) bool {
	size := 0.0
	for i, v := range m {
		if i%4 < 3 && i < 12 {
			size = max(size, math.Abs(float64(v)))
		}
	}
	for i := range m {
		limit := share * max(size, 1e-30)
		if i >= 12 || i%4 == 3 {
			limit = 0
		}
		if math.Abs(float64(m[i])-float64(b[i])) > limit {
			return false
		}
	}
	return true
}

// quaternion returns the rotation to three orthonormal axes.
func quaternion(a [3][3]float64) [4]float32 {
	m := func(r, c int) float64 { return a[c][r] }
	var x, y, z, w float64
	switch trace := m(0, 0) + m(1, 1) + m(2, 2); {
	case trace > 0:
		s := 2 * math.Sqrt(trace+1)
		x, y, z, w = (m(2, 1)-m(1, 2))/s, (m(0, 2)-m(2, 0))/s, (m(1, 0)-m(0, 1))/s, s/4
	case m(0, 0) > m(1, 1) && m(0, 0) > m(2, 2):
		s := 2 * math.Sqrt(1+m(0, 0)-m(1, 1)-m(2, 2))
		x, y, z, w = s/4, (m(0, 1)+m(1, 0))/s, (m(0, 2)+m(2, 0))/s, (m(2, 1)-m(1, 2))/s
	case m(1, 1) > m(2, 2):
		s := 2 * math.Sqrt(1+m(1, 1)-m(0, 0)-m(2, 2))
		x, y, z, w = (m(0, 1)+m(1, 0))/s, s/4, (m(1, 2)+m(2, 1))/s, (m(0, 2)-m(2, 0))/s
	default:
		s := 2 * math.Sqrt(1+m(2, 2)-m(0, 0)-m(1, 1))
		x, y, z, w = (m(0, 2)+m(2, 0))/s, (m(1, 2)+m(2, 1))/s, s/4, (m(1, 0)-m(0, 1))/s
	}
	l := math.Sqrt(x*x + y*y + z*z + w*w)
	return [4]float32{float32(x / l), float32(y / l), float32(z / l), float32(w / l)}
}

func toDouble(v [3]float32) [3]float64 {
	return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
}

func minus(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// unit returns v with length 1; ok is false if it has no direction.
func unit(v [3]float32) (u [3]float32, ok bool) {
	a := toDouble(v)
	l := math.Sqrt(dot(a, a))
	if !(l > 1e-30) || math.IsInf(l, 0) {
		return v, false
	}
	return [3]float32{float32(a[0] / l), float32(a[1] / l), float32(a[2] / l)}, true
}

func normalize(q [4]float32) [4]float32 {
	var sum float64
	for _, f := range q {
		sum += float64(f) * float64(f)
	}
	l := math.Sqrt(sum)
	for i := range q {
		q[i] = float32(float64(q[i]) / l)
	}
	return q
}

// finiteOrZero returns v, or 0 if it is not finite.
func finiteOrZero(v float32) float32 {
	if finite(v) {
		return v
	}
	return 0
}

// finitePoint returns p with 0 for coordinates that are not finite.
func finitePoint(p [3]float32) [3]float32 {
	return [3]float32{finiteOrZero(p[0]), finiteOrZero(p[1]), finiteOrZero(p[2])}
}
