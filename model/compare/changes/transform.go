package changes

import (
	"fmt"
	"math"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/scene"
)

// Transform takes a pair of 4x4 matrices apart as people think of them; nil if it is not one of positions, rotations
// and scales.
func Transform(p *compare.Pair) []contents.Part {
	old, ok := transformOf(p.Old)
	new, also := transformOf(p.New)
	if !ok || !also {
		return nil
	}
	return []contents.Part{
		{Field: "Position", Old: vectorText(old.Translation), New: vectorText(new.Translation)},
		{Field: "Rotation", Old: rotationText(old.Rotation), New: rotationText(new.Rotation)},
		{Field: "Scale", Old: vectorText(old.Scale), New: vectorText(new.Scale)},
	}
}

// TransformOf takes the 4x4 matrix of one node apart in the same way; Old and New are equal.
func TransformOf(n *model.Node) []contents.Part { return Transform((&compare.Pair{Old: n, New: n})) }

// transformed returns what changed in a transform.
func transformed(parts []contents.Part) contents.Part {
	var out contents.Part
	for _, t := range parts {
		if t.Field = strings.ToLower(t.Field); t.Differs() {
			out.Inside = append(out.Inside, t)
		}
	}
	if out.Inside == nil {
		return contents.Part{How: contents.Stated, Field: "transform changed by less than is shown"}
	}
	return out
}

func transformOf(n *model.Node) (t scene.TRS, ok bool) {
	if n == nil {
		return t, false
	}
	var m scene.Matrix
	a, ok := n.Value.(model.Array)
	if !ok || a.Len() != int64(len(m)) {
		return t, false
	}
	v, err := a.Slice(0, a.Len())
	if err != nil || len(v) != len(m) {
		return t, false
	}
	for i := range v {
		f, ok := model.Float(v[i])
		if !ok || compare.IsInt(v[i]) || math.IsNaN(f) || math.IsInf(f, 0) {
			return t, false
		}
		m[i] = float32(f)
	}
	if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
		return t, false
	}
	t, ok = m.Parts()
	return t, ok || m.Near(t.Matrix(), shearShown)
}

// shearShown is how much a transform may shear before its parts do not describe it, to as many digits as are
// shown.
const shearShown = 1e-3

func numberText(v float32) string {
	if math.Abs(float64(v)) < 5e-6 {
		v = 0
	}
	return fmt.Sprintf("%.5g", v)
}

func vectorText(v [3]float32) string {
	return "(" + numberText(v[0]) + ", " + numberText(v[1]) + ", " + numberText(v[2]) + ")"
}

// rotationText writes a quaternion as an angle about an axis.
func rotationText(q [4]float32) string {
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
	for i, name := range []string{"x", "y", "z"} {
		if math.Abs(float64(axis[i])) > 0.9999 {
			if axis[i] < 0 {
				angle = -angle
			}
			return fmt.Sprintf("%.4g° about %s", angle, name)
		}
	}
	return fmt.Sprintf("%.4g° about (%.3g, %.3g, %.3g)", angle, axis[0], axis[1], axis[2])
}
