package contents

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize/english"

	"assay/model/scene"
)

// Motion is the common motion of values: scaling, then rotation, then translation.
type Motion struct {
	Scale    []float64 // by axis; negative where mirrored
	Rotation [4]float32
	By       []float64
}

// axes are the names of the axes, by their number.
var axes = map[int][]string{2: {"u", "v"}, 3: {"x", "y", "z"}}

// String returns the motion as text that follows a number of values: "moved by (10, 0, 0)".
func (m *Motion) String() string {
	var s, mirrored []string
	scale := make([]float32, len(m.Scale))
	plain, uniform := true, true
	for k, f := range m.Scale {
		if scale[k] = float32(math.Abs(f)); f < 0 {
			mirrored = append(mirrored, axes[len(m.Scale)][k])
		}
		plain = plain && math.Abs(math.Abs(f)-1) <= motionTolerance
		uniform = uniform && math.Abs(math.Abs(f)-math.Abs(m.Scale[0])) <= motionTolerance*math.Abs(m.Scale[0])
	}
	if len(mirrored) > 0 {
		s = append(s, "mirrored in "+english.WordSeries(mirrored, "and"))
	}
	switch {
	case plain:
	case uniform:
		s = append(s, "scaled by "+NumberText(scale[0]))
	default:
		s = append(s, "scaled by "+VectorText(scale...))
	}
	if m.Rotation != (scene.TRS{Rotation: [4]float32{0, 0, 0, 1}}).Rotation {
		s = append(s, "rotated by "+RotationText(m.Rotation))
	}
	by, moved := make([]float32, len(m.By)), false
	for k, f := range m.By {
		by[k] = float32(f)
		moved = moved || f != 0
	}
	if moved && (len(mirrored) == 0 || len(m.By) != 2) { // UVs are mirrored within their tile
		s = append(s, "moved by "+VectorText(by...))
	}
	return strings.Join(s, ", ")
}

const (
	motionTolerance   = 1e-5 // maximum distance of values from those of a common motion, as a share of their size
	minMotionVertices = 4    // vertices that determine a rotation or a scale
)

// commonMotion returns the motion that the positions of the differing vertices have in common, or nil. It
// returns nil if other numbers of them differ too: then the mesh is probably in another order.
func (m *Meshes) commonMotion(differing []int32) *Motion {
	if len(differing) == 0 || m.othersDiffer(differing) {
		return nil
	}
	for _, i := range differing {
		if !isFinite(m.oldPositions[i]) || !isFinite(m.newPositions[i]) {
			return nil
		}
	}
	if by, ok := m.translation(differing); ok {
		return by
	}
	var old, new [][3]float32
	for i := range m.oldPositions {
		if isFinite(m.oldPositions[i]) && isFinite(m.newPositions[i]) {
			old, new = append(old, m.oldPositions[i]), append(new, m.newPositions[i])
		}
	}
	if len(old) < minMotionVertices {
		return nil
	}
	flat := func(list [][3]float32) (out []float32) {
		for _, p := range list {
			out = append(out, p[:]...)
		}
		return out
	}
	return cmp.Or(fitAxes(flat(old), flat(new), 3), fitRotation(old, new)).nilIfEmpty()
}

// nilIfEmpty returns nil for a motion that is too small to display.
func (m *Motion) nilIfEmpty() *Motion {
	if m == nil || m.String() == "" {
		return nil
	}
	return m
}

// othersDiffer reports whether most of some vertices differ in numbers that do not turn with the mesh.
func (m *Meshes) othersDiffer(vertices []int32) bool {
	differ := 0
	for _, i := range vertices {
		for _, e := range m.new.Elements {
			if e.Usage == scene.Position || isDirection(e.Usage) {
				continue
			}
			offset, size := m.old.Find(e.Usage, e.Set)
			to, _ := m.new.Find(e.Usage, e.Set)
			if offset >= 0 && size == e.Size && !sameBits(m.vertex(0, int(i))[offset:][:size],
				m.vertex(1, int(i))[to:][:size]) {
				differ++
				break
			}
		}
	}
	return 2*differ > len(vertices)
}

// translation returns the common translation of some vertices; false if they have none.
func (m *Meshes) translation(differing []int32) (*Motion, bool) {
	var sum [3]float64
	for _, i := range differing {
		for k := range sum {
			sum[k] += float64(m.newPositions[i][k]) - float64(m.oldPositions[i][k])
		}
	}
	by := make([]float64, 3)
	for k := range sum {
		if by[k] = sum[k] / float64(len(differing)); math.Abs(by[k]) <= m.minDifference {
			by[k] = 0
		}
	}
	for _, i := range differing {
		for k := range by {
			if math.Abs(float64(m.newPositions[i][k])-float64(m.oldPositions[i][k])-by[k]) > 2*m.minDifference {
				return nil, false
			}
		}
	}
	return &Motion{Scale: []float64{1, 1, 1}, Rotation: [4]float32{0, 0, 0, 1}, By: by}, true
}

// fitAxes returns the scale and the offset of all axes, or nil if they do not fit. An axis with a single value gets the
// scale of the others.
func fitAxes(old, new []float32, size int) *Motion {
	m := &Motion{Scale: make([]float64, size), Rotation: [4]float32{0, 0, 0, 1}, By: make([]float64, size)}
	common, known := 1.0, false
	var flat []int
	for k := range size {
		low, high := k, k
		for i := k; i < len(old); i += size {
			if old[i] < old[low] {
				low = i
			}
			if old[i] > old[high] {
				high = i
			}
		}
		wide := float64(old[high]) - float64(old[low])
		if !(wide > 0) {
			flat = append(flat, k)
			continue
		}
		m.Scale[k] = (float64(new[high]) - float64(new[low])) / wide
		if !known {
			common, known = math.Abs(m.Scale[k]), true
		}
	}
	for _, k := range flat {
		m.Scale[k] = common
	}
	for k := range size {
		if !isUsableScale(m.Scale[k]) {
			return nil
		}
		nearest := math.Round(m.Scale[k]*1e4) / 1e4
		if math.Abs(nearest-m.Scale[k]) <= motionTolerance*math.Abs(nearest) {
			m.Scale[k] = nearest
		}
		m.By[k] = float64(new[k]) - m.Scale[k]*float64(old[k])
		far := 1e-30
		for i := k; i < len(old); i += size {
			far = max(far, math.Abs(float64(new[i])), math.Abs(m.Scale[k]*float64(old[i])))
		}
		for i := k; i < len(old); i += size {
			if !(math.Abs(m.Scale[k]*float64(old[i])+m.By[k]-float64(new[i])) <= motionTolerance*far) {
				return nil
			}
		}
		if math.Abs(m.By[k]) <= motionTolerance*far {
			m.By[k] = 0
		}
	}
	return m
}

// isUsableScale reports whether a scale is finite, not 0 and not too large to display.
func isUsableScale(scale float64) bool {
	return scale-scale == 0 && scale != 0 && math.Abs(scale) < 1e9
}

// fitRotation returns the common rotation, scaling and translation of all positions, or nil. It is found by three
// positions that are far apart.
func fitRotation(old, new [][3]float32) *Motion {
	a := 0
	b := farthest(old, func(p [3]float32) float64 { return float64(distance(p, old[a])) })
	line := minus(old[b], old[a])
	c := farthest(old, func(p [3]float32) float64 { return length(cross(line, minus(p, old[a]))) })
	from, okFrom := frameOf(old[a], old[b], old[c])
	to, okTo := frameOf(new[a], new[b], new[c])
	if !okFrom || !okTo {
		return nil
	}
	scale := length(minus(new[b], new[a])) / length(line)
	var rotation [3][3]float64 // by row and column
	matrix := scene.Identity
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				rotation[i][j] += to[k][i] * from[k][j]
			}
			matrix[4*j+i] = float32(rotation[i][j])
		}
	}
	apply := func(p [3]float32) (out [3]float64) {
		for i := range out {
			for j := range p {
				out[i] += scale * rotation[i][j] * float64(p[j])
			}
		}
		return out
	}
	base, far := apply(old[a]), 0.0
	m := &Motion{Scale: []float64{scale, scale, scale}, By: make([]float64, 3)}
	for k := range base {
		m.By[k] = float64(new[a][k]) - base[k]
	}
	for i := range new {
		for k := range 3 {
			far = max(far, math.Abs(float64(new[i][k])), scale*math.Abs(float64(old[i][k])))
		}
	}
	for i := range new {
		position := apply(old[i])
		for k := range position {
			if !(math.Abs(position[k]+m.By[k]-float64(new[i][k])) <= motionTolerance*far) {
				return nil
			}
		}
	}
	for k := range m.By {
		if math.Abs(m.By[k]) <= motionTolerance*far {
			m.By[k] = 0
		}
	}
	t, ok := matrix.Parts()
	m.Rotation = t.Rotation
	if !ok {
		return nil
	}
	return m
}

func farthest(list [][3]float32, far func(p [3]float32) float64) (index int) {
	best := -1.0
	for i, p := range list {
		if d := far(p); d > best {
			index, best = i, d
		}
	}
	return index
}

// frameOf returns three axes at right angles that three points span; false if they lie on a line.
func frameOf(a, b, c [3]float32) (axes [3][3]float64, ok bool) {
	x := minus(b, a)
	z := cross(x, minus(c, a))
	if length(z) <= motionTolerance*length(x)*length(x) {
		return axes, false
	}
	x, z = unit(x), unit(z)
	return [3][3]float64{x, cross(z, x), z}, true
}

func minus(a, b [3]float32) (d [3]float64) {
	for k := range d {
		d[k] = float64(a[k]) - float64(b[k])
	}
	return d
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func length(v [3]float64) float64 { return math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]) }

func unit(v [3]float64) [3]float64 {
	l := length(v)
	return [3]float64{v[0] / l, v[1] / l, v[2] / l}
}

// NumberText formats a number of a vector.
func NumberText(v float32) string {
	if math.Abs(float64(v)) < 5e-6 {
		v = 0
	}
	return fmt.Sprintf("%.5g", v)
}

// VectorText returns numbers in parentheses.
func VectorText(v ...float32) string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = NumberText(v[i])
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// RotationText returns a quaternion as an angle about an axis.
func RotationText(q [4]float32) string {
	w := min(1, max(-1, float64(q[3])))
	s := math.Sqrt(float64(q[0]*q[0] + q[1]*q[1] + q[2]*q[2]))
	if s < 1e-5 {
		return "none"
	}
	angle := 2 * math.Atan2(s, w) * 180 / math.Pi
	axis := [3]float32{float32(float64(q[0]) / s), float32(float64(q[1]) / s), float32(float64(q[2]) / s)}
	if angle > 180 {
		angle = 360 - angle
		axis = [3]float32{-axis[0], -axis[1], -axis[2]}
	}
	for i, name := range axes[3] {
		if math.Abs(float64(axis[i])) > 0.9999 {
			if axis[i] < 0 {
				angle = -angle
			}
			return fmt.Sprintf("%.4g° about %s", angle, name)
		}
	}
	return fmt.Sprintf("%.4g° about (%.3g, %.3g, %.3g)", angle, axis[0], axis[1], axis[2])
}
