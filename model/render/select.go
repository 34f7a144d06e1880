package render

import (
	"slices"

	"assay/model/scene"
)

// under returns which nodes of the pose are a node or hang on it; nil if it is not in the scene.
func (m *Model) under(n *scene.Node) []bool {
	at := m.pose.Index(n)
	if n == nil || at < 0 {
		return nil
	}
	out := make([]bool, len(m.pose.Nodes))
	out[at] = true
	for i := at + 1; i < len(out); i++ {
		out[i] = m.pose.Parent[i] >= 0 && out[m.pose.Parent[i]]
	}
	return out
}

// Show hides some nodes, with all that hangs on them, and everything that does not hang on one node, unless it is nil.
// All others are shown.
func (m *Model) Show(only *scene.Node, hidden []*scene.Node) {
	m.hidden = nil
	if shown := m.under(only); shown != nil {
		m.hidden = make([]bool, len(shown))
		for i := range shown {
			m.hidden[i] = !shown[i]
		}
	}
	for _, n := range hidden {
		for i, in := range m.under(n) {
			if m.hidden == nil {
				m.hidden = make([]bool, len(m.pose.Nodes))
			}
			m.hidden[i] = m.hidden[i] || in
		}
	}
	for i := range m.surfaces {
		s := &m.surfaces[i]
		s.hidden = m.hidden != nil && m.hidden[m.instances[s.instance].node]
	}
}

// Draws reports whether a surface, a line or a dot is of a node or of what hangs on it.
func (m *Model) Draws(n *scene.Node) bool {
	nodes := m.under(n)
	return nodes != nil && (slices.ContainsFunc(m.instances, func(in instance) bool { return nodes[in.node] }) ||
		slices.ContainsFunc(m.dots, func(d dot) bool { return nodes[d.node] }))
}

// BoundsOf is the box of a node and what hangs on it; false if nothing of it is drawn.
func (m *Model) BoundsOf(n *scene.Node) (b box, ok bool) {
	nodes := m.under(n)
	if nodes == nil {
		return b, false
	}
	b = nowhere
	for i := range m.instances {
		if own, some := m.boundsOfInstance(&m.instances[i]); some && nodes[m.instances[i].node] {
			b.add(own.low)
			b.add(own.high)
			ok = true
		}
	}
	return b, ok
}

// jointsOf is the box around a joint and those that hang on it, with room beside them; false if it is not a joint.
func (m *Model) jointsOf(n *scene.Node) (b box, ok bool) {
	const room = .03 // of the model
	if !m.IsJoint(n) {
		return b, false
	}
	b = nowhere
	for i, in := range m.under(n) {
		if w := m.world(i); in && m.joint[i] && w.IsValid() {
			b.add(vec{float64(w[12]), float64(w[13]), float64(w[14])})
			ok = true
		}
	}
	whole := nowhere
	for i := range m.instances {
		if own, some := m.boundsOfInstance(&m.instances[i]); some && m.instances[i].skin != nil {
			whole.add(own.low)
			whole.add(own.high)
		}
	}
	if size := whole.high.minus(whole.low).length() * room; ok && size > 0 && size < 1e12 {
		for k := range 3 {
			b.low[k], b.high[k] = b.low[k]-size, b.high[k]+size
		}
	}
	return b, ok
}

// FrameNode makes the picture one of a node and what hangs on it; false if nothing of it is drawn.
func (m *Model) FrameNode(n *scene.Node) bool {
	b, ok := m.BoundsOf(n)
	if !ok {
		if b, ok = m.jointsOf(n); !ok {
			return false
		}
	}
	if size := b.high.minus(b.low).length(); !(size > 0) {
		for k := range 3 {
			b.low[k], b.high[k] = b.low[k]-.5, b.high[k]+.5
		}
	}
	m.box, m.several = b, false
	return true
}

// Joints returns the nodes of the pose that skins name, in order.
func (m *Model) Joints() (out []int) {
	for i, is := range m.joint {
		if is {
			out = append(out, i)
		}
	}
	return out
}

// Heaviest returns the joint that moves most of the vertices; nil if none moves any.
func (m *Model) Heaviest() (joint *scene.Node) {
	sums := make([]float64, len(m.pose.Nodes))
	for i := range m.instances {
		in := &m.instances[i]
		for k, joints := range in.geometry.joints {
			for at, j := range joints {
				if j >= 0 && int(j) < len(in.joints) && in.joints[j] >= 0 {
					sums[in.joints[j]] += float64(in.weights[k][at])
				}
			}
		}
	}
	most := 0.0
	for i, sum := range sums {
		if sum > most {
			joint, most = m.pose.Nodes[i], sum
		}
	}
	return joint
}

// IsJoint reports whether a skin names the node.
func (m *Model) IsJoint(n *scene.Node) bool {
	i := m.pose.Index(n)
	return i >= 0 && m.joint[i]
}

// Hits tells what is seen at each pixel of a picture.
type Hits struct {
	width, height int
	what          []what
}

// nothing is what is seen where nothing is.
const nothing = kinds

// Hits returns what is seen at each pixel of the picture drawn last.
func (r *Renderer) Hits() *Hits {
	if r.n == 0 {
		return nil
	}
	h := &Hits{width: r.grid.width / r.n, height: r.grid.height / r.n}
	h.what = make([]what, h.width*h.height)
	for y := range h.height {
		row := r.grid.samples[(y*r.n+r.n/2)*r.grid.width:][:r.grid.width]
		for x := range h.width {
			s := &row[x*r.n+r.n/2]
			if h.what[y*h.width+x] = s.what; s.near == 0 {
				h.what[y*h.width+x] = nothing
			}
		}
	}
	return h
}

// Hit is what is seen at a pixel.
type Hit struct {
	Node     *scene.Node // nil: nothing is
	Material string      // its name
	Point    int         // of the node's Points; negative for none
}

// At returns what is seen at a pixel of a picture of the model.
func (h *Hits) At(m *Model, x, y int) Hit {
	if h == nil || x < 0 || y < 0 || x >= h.width || y >= h.height {
		return Hit{Point: -1}
	}
	w := h.what[y*h.width+x]
	i := int(w &^ kinds)
	switch w & kinds {
	case whatTriangle:
		n, material := m.partOf(m.triangles[i].surface)
		return Hit{n, material, -1}
	case whatLine:
		n, material := m.partOf(m.lines[i].surface)
		return Hit{n, material, -1}
	case whatDot:
		d := &m.dots[i>>3]
		return Hit{m.pose.Nodes[d.node], "", int(d.row)}
	}
	return Hit{Point: -1}
}

// partOf returns the node of a surface, and the name of its material.
func (m *Model) partOf(surface uint32) (n *scene.Node, material string) {
	s := &m.surfaces[surface]
	n = m.pose.Nodes[m.instances[s.instance].node]
	if mat := n.Material(s.part); mat != nil {
		material = mat.Name
	}
	return n, material
}
