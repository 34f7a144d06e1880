package comparison

import (
	"fmt"
	"math"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/scene"
	"assay/ui/paint"
)

// partsOf takes both matrices of a pair apart; false if they are no positions, rotations and scales.
func partsOf(p *compare.Pair) (parts [2]scene.TRS, ok bool) {
	for i, n := range []*model.Node{p.Old, p.New} {
		if n == nil {
			return parts, false
		}
		m, ok := matrixOf(n)
		if !ok {
			return parts, false
		}
		var exact bool
		if parts[i], exact = m.Parts(); !exact {
			return parts, false
		}
	}
	return parts, true
}

// partsTold are the parts of a transform and how they are written.
var partsTold = []struct {
	name string
	tell func(t scene.TRS) string
}{
	{"Position", func(t scene.TRS) string { return triple(t.Translation) }},
	{"Rotation", func(t scene.TRS) string { return turn(t.Rotation) }},
	{"Scale", func(t scene.TRS) string { return triple(t.Scale) }},
}

// transformed says what became of a 4x4 matrix in words; empty for what is none.
func transformed(p *compare.Pair) string {
	parts, ok := partsOf(p)
	if !ok {
		return ""
	}
	var s []string
	for _, t := range partsTold {
		if t.tell(parts[0]) != t.tell(parts[1]) {
			s = append(s, strings.ToLower(t.name))
		}
	}
	return strings.Join(s, ", ")
}

// transform tells a 4x4 matrix as people think of it: moved, turned, scaled.
func (g *page) transform(p *compare.Pair) {
	parts, ok := partsOf(p)
	if !ok {
		return
	}
	g.title("As a transform")
	for _, t := range partsTold {
		if a, b := t.tell(parts[0]), t.tell(parts[1]); a == b {
			g.both(t.name, b, paint.Dim)
		}
	}
	g.parts(p)
}

// parts tells what changed in a 4x4 matrix; false if it is none.
func (g *page) parts(p *compare.Pair) bool {
	parts, ok := partsOf(p)
	if !ok {
		return false
	}
	for _, t := range partsTold {
		if a, b := t.tell(parts[0]), t.tell(parts[1]); a != b {
			x, y := differ(a, b, false)
			g.sides(t.name, x, y)
		}
	}
	return true
}

func matrixOf(n *model.Node) (scene.Matrix, bool) {
	var m scene.Matrix
	a, ok := n.Value.(model.Array)
	if !ok || a.Len() != int64(len(m)) {
		return m, false
	}
	v, err := a.Slice(0, a.Len())
	if err != nil || len(v) != len(m) {
		return m, false
	}
	for i := range v {
		f, ok := model.Float(v[i])
		if _, integer := v[i].(uint64); !ok || integer || math.IsNaN(f) || math.IsInf(f, 0) {
			return m, false
		}
		m[i] = float32(f)
	}
	return m, m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1
}

func short(v float32) string {
	if math.Abs(float64(v)) < 5e-6 {
		v = 0
	}
	return fmt.Sprintf("%.5g", v)
}

func triple(v [3]float32) string {
	return short(v[0]) + ", " + short(v[1]) + ", " + short(v[2])
}

// turn tells a quaternion as an angle about an axis.
func turn(q [4]float32) string {
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
