package scene

// Pose holds the transforms of the nodes of a scene at a moment. Nodes are numbered in the order of Walk, parents
// first.
type Pose struct {
	Nodes  []*Node
	Parent []int // -1 for a root
	World  []Matrix

	index     map[*Node]int
	local     []Matrix
	parts     []TRS
	hasParts  []bool // parts are set
	isChanged []bool // local must be made from parts
}

// NewPose returns the pose of the nodes' own transforms. The identity replaces transforms that are not finite.
func NewPose(s *Scene) *Pose {
	p := &Pose{index: make(map[*Node]int)}
	s.Walk(func(n *Node, _ Matrix) {
		p.index[n] = len(p.Nodes)
		p.Nodes = append(p.Nodes, n)
		p.Parent = append(p.Parent, -1)
	})
	for i, n := range p.Nodes {
		for _, c := range n.Children {
			if k, ok := p.index[c]; ok && k > i && p.Parent[k] < 0 {
				p.Parent[k] = i
			}
		}
	}
	n := len(p.Nodes)
	p.World, p.local = make([]Matrix, n), make([]Matrix, n)
	p.parts, p.hasParts, p.isChanged = make([]TRS, n), make([]bool, n), make([]bool, n)
	p.Reset()
	return p
}

// Index returns the number of a node, or -1 if it is not in the scene.
func (p *Pose) Index(n *Node) int {
	if i, ok := p.index[n]; ok {
		return i
	}
	return -1
}

// Local returns the transform of a node relative to its parent: its own unless it was changed.
func (p *Pose) Local(n *Node) Matrix {
	if i := p.Index(n); i >= 0 && p.isChanged[i] {
		return p.local[i]
	}
	return n.Transform
}

// Reset restores the nodes' own transforms.
func (p *Pose) Reset() {
	for i, n := range p.Nodes {
		p.local[i] = n.Transform
		if !n.Transform.finite() {
			p.local[i] = Identity
		}
		p.hasParts[i], p.isChanged[i] = false, false
	}
	p.updateWorld()
}

// partsOf returns the transform of a node in parts, for changing it.
func (p *Pose) partsOf(i int) *TRS {
	if !p.hasParts[i] {
		p.parts[i], _ = p.Nodes[i].Transform.Parts()
		p.hasParts[i] = true
	}
	p.isChanged[i] = true
	return &p.parts[i]
}

// updateWorld computes the transforms from nodes to the scene.
func (p *Pose) updateWorld() {
	for i := range p.Nodes {
		if p.isChanged[i] {
			p.local[i] = p.parts[i].Matrix()
		}
		if k := p.Parent[i]; k >= 0 {
			p.World[i] = p.World[k].Times(p.local[i])
		} else {
			p.World[i] = p.local[i]
		}
	}
}

// SetInitial sets the pose in which a scene is displayed: with a skin, the start of the first playable, because the
// file's transforms are the binding pose; otherwise the pose of the file. It returns the name of that playable, or "".
func (p *Pose) SetInitial(s *Scene) string {
	for _, n := range p.Nodes {
		if n.Skin == nil || n.Mesh == nil {
			continue
		}
		if playables := s.Playables(); len(playables) > 0 {
			player, _ := playables[0].Player(p)
			player.At(playables[0].Start)
			return playables[0].Name
		}
		break
	}
	return ""
}

// IsValid reports whether a transform is finite, and does not map everything to one point.
func (m Matrix) IsValid() bool {
	size := 0.
	for c := range 3 {
		for _, v := range m[4*c : 4*c+3] {
			size += float64(v) * float64(v)
		}
	}
	return m.finite() && size > 0
}

// Palette returns, for each joint of a node's skin, the transform of the mesh from its stored position into the scene,
// or nil if no joint exists. A missing joint has the transform of the node.
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
	exists := false
	for k, joint := range n.Skin.Joints {
		out[k] = p.World[i]
		j := p.Index(joint)
		if j < 0 || k >= len(n.Skin.Inverse) || !n.Skin.Inverse[k].IsValid() {
			continue
		}
		if w := p.World[j].Times(n.Skin.Inverse[k]).Times(shape); w.IsValid() {
			out[k], exists = w, true
		}
	}
	if !exists {
		return nil
	}
	return out
}

// Bind returns the joints of a palette that a vertex follows, or -1, and their weights. Weights outside of 0 to 1, and
// joints that are not numbers, are uninitialized memory and are ignored.
func Bind(joints, weights []float32) (bound [4]int16, share [4]float32) {
	sum := float32(0)
	for k := range bound {
		bound[k] = -1
		if k >= len(joints) || k >= len(weights) || !(weights[k] > 0 && weights[k] < 1.01) ||
			!(joints[k] > -.5 && joints[k] < 32767) {
			continue
		}
		bound[k], share[k] = int16(joints[k]+.5), weights[k]
		sum += weights[k]
	}
	if sum > 0 {
		for k := range share {
			share[k] /= sum
		}
	}
	return bound, share
}

// blend returns the transform of a vertex that follows some joints of a palette. The weights of missing joints are
// distributed to the others; a vertex without joints follows the first.
func blend(palette []Matrix, to [4]int16, share [4]float32) (m Matrix) {
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
