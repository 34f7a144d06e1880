package scene

// IsValid reports whether a transform places something: all of it is finite, and not everything falls into one point.
func (m Matrix) IsValid() bool {
	size := 0.
	for c := range 3 {
		for _, v := range m[4*c : 4*c+3] {
			size += float64(v) * float64(v)
		}
	}
	return m.finite() && size > 0
}

// Palette returns for each joint of a node's skin what moves the mesh from where it is stored to where it is in the
// scene; nil if none of its joints is there. What a joint that is not there would have moved goes with the node.
func (p *Pose) Palette(n *Node) []Matrix {
	i := p.Index(n)
	if n.Skin == nil || i < 0 {
		return nil
	}
	shape := n.Skin.BindShape
	if !shape.IsValid() {
		shape = Identity
	}
	out := make([]Matrix, len(n.Skin.Joints))
	any := false
	for k, joint := range n.Skin.Joints {
		out[k] = p.World[i]
		j := p.Index(joint)
		if j < 0 || k >= len(n.Skin.Inverse) || !n.Skin.Inverse[k].IsValid() {
			continue
		}
		if w := p.World[j].Times(n.Skin.Inverse[k]).Times(shape); w.IsValid() {
			out[k], any = w, true
		}
	}
	if !any {
		return nil
	}
	return out
}

// Bind returns which joints of a palette a vertex follows, -1 for none, and how much. Weights that are not shares, and
// joints that are not numbers, are memory that was never set: they count for nothing.
func Bind(joints, weights []float32) (to [4]int16, share [4]float32) {
	sum := float32(0)
	for k := range to {
		to[k] = -1
		if k >= len(joints) || k >= len(weights) || !(weights[k] > 0 && weights[k] < 1.01) ||
			!(joints[k] > -.5 && joints[k] < 32767) {
			continue
		}
		to[k], share[k] = int16(joints[k]+.5), weights[k]
		sum += weights[k]
	}
	if sum > 0 {
		for k := range share {
			share[k] /= sum
		}
	}
	return to, share
}

// blended returns the transform of a vertex that follows some joints of a palette: what joints that are not there would
// have moved, the others move. One that follows none goes with the first.
func blended(palette []Matrix, to [4]int16, share [4]float32) (m Matrix) {
	sum := float32(0)
	for k, j := range to {
		if j >= 0 && int(j) < len(palette) && share[k] != 0 {
			sum += share[k]
			for i := range m {
				m[i] += share[k] * palette[j][i]
			}
		}
	}
	if sum < 1e-3 {
		return palette[0]
	}
	for i := range m {
		m[i] /= sum
	}
	return m
}
