package changes

import (
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
		{Field: "Position", Old: contents.VectorText(old.Translation[:]...), New: contents.VectorText(new.Translation[:]...)},
		{Field: "Rotation", Old: contents.RotationText(old.Rotation), New: contents.RotationText(new.Rotation)},
		{Field: "Scale", Old: contents.VectorText(old.Scale[:]...), New: contents.VectorText(new.Scale[:]...)},
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
		return contents.Part{How: contents.Stated, Field: "transform changed by less than the displayed precision"}
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
