package render

import (
	"slices"

	"assay/model/scene"
)

// descendants returns which nodes of the pose are a node or its descendants, or nil if it is not in the scene.
func (m *Model) descendants(n *scene.Node) []bool {
	node := m.pose.Index(n)
	if n == nil || node < 0 {
		return nil
	}
	out := make([]bool, len(m.pose.Nodes))
	out[node] = true
	for i := node + 1; i < len(out); i++ {
		out[i] = m.pose.Parent[i] >= 0 && out[m.pose.Parent[i]]
	}
	return out
}

// Piece can be picked, hidden and framed: a node with its descendants, or one part of its mesh.
type Piece struct {
	Node *scene.Node
	Part *scene.Part // nil for the node
}

// isOf reports whether a surface belongs to a piece; nodes are the descendants of its node.
func (m *Model) isOf(s *surface, p Piece, nodes []bool) bool {
	inst := &m.instances[s.instance]
	return nodes != nil && nodes[inst.node] && (p.Part == nil ||
		m.pose.Nodes[inst.node] == p.Node && p.Node.Mesh.Parts[s.part] == p.Part)
}

// Show hides some pieces, and everything outside of only, unless that has no node. It makes all others visible.
func (m *Model) Show(only Piece, hidden []Piece) {
	m.hidden = nil
	visible := m.descendants(only.Node)
	if visible != nil {
		m.hidden = make([]bool, len(visible))
		for i := range visible {
			m.hidden[i] = !visible[i] || only.Part != nil && m.pose.Nodes[i] != only.Node
		}
	}
	subtrees := make([][]bool, len(hidden))
	for k, p := range hidden {
		subtrees[k] = m.descendants(p.Node)
		for i, inside := range subtrees[k] {
			if m.hidden == nil {
				m.hidden = make([]bool, len(m.pose.Nodes))
			}
			m.hidden[i] = m.hidden[i] || inside && p.Part == nil
		}
	}
	for i := range m.surfaces {
		s := &m.surfaces[i]
		node := m.instances[s.instance].node
		s.hidden = m.isHidden(node) || m.pose.Nodes[node].Undrawn && !m.ShowsUndrawn ||
			visible != nil && !m.isOf(s, only, visible)
		for k, p := range hidden {
			s.hidden = s.hidden || m.isOf(s, p, subtrees[k])
		}
	}
}

func (m *Model) isHidden(node int) bool { return m.hidden != nil && m.hidden[node] }

// Draws reports whether a surface, a line or a dot belongs to a piece.
func (m *Model) Draws(p Piece) bool {
	nodes := m.descendants(p.Node)
	return nodes != nil && (slices.ContainsFunc(m.surfaces, func(s surface) bool { return m.isOf(&s, p, nodes) }) ||
		p.Part == nil && slices.ContainsFunc(m.dots, func(d dot) bool { return nodes[d.node] }))
}

// BoundsOf returns the box around the vertices of a piece, hidden or not, or false if it has none. Dots are ignored.
func (m *Model) BoundsOf(p Piece) (b box, ok bool) {
	nodes := m.descendants(p.Node)
	if nodes == nil {
		return b, false
	}
	b = emptyBox
	if p.Part != nil {
		return m.boundsOfPart(p, nodes)
	}
	for i := range m.instances {
		if bounds, some := m.boundsOfInstance(&m.instances[i]); some && nodes[m.instances[i].node] {
			b.join(bounds)
			ok = true
		}
	}
	return b, ok
}

// boundsOfPart is BoundsOf for a part of a mesh.
func (m *Model) boundsOfPart(p Piece, under []bool) (b box, ok bool) {
	b = emptyBox
	selected := make([]bool, len(m.surfaces))
	for i := range selected {
		selected[i] = m.isOf(&m.surfaces[i], p, under)
	}
	add := func(corners ...uint32) {
		for _, i := range corners {
			if position := m.vertices[i].position; !isInvalid(position[0]) {
				b.add(toVec(position))
				ok = true
			}
		}
	}
	for _, t := range m.triangles {
		if selected[t.surface] {
			add(t.a, t.b, t.c)
		}
	}
	for _, l := range m.lines {
		if selected[l.surface] {
			add(l.a, l.b)
		}
	}
	return b, ok
}

// boundsOfJoint returns the box of a joint and its descendants, with a margin, or false if it is not a joint.
func (m *Model) boundsOfJoint(n *scene.Node) (b box, ok bool) {
	const margin = .03 // of the model
	if !m.IsJoint(n) {
		return b, false
	}
	b = emptyBox
	for i, inside := range m.descendants(n) {
		if w := m.world(i); inside && m.isJoint[i] && w.IsValid() {
			b.add(column(w, 3))
			ok = true
		}
	}
	whole := emptyBox
	for i := range m.instances {
		if bounds, ok := m.boundsOfInstance(&m.instances[i]); ok && m.instances[i].skin != nil {
			whole.join(bounds)
		}
	}
	if size := whole.high.minus(whole.low).length() * margin; ok && size > 0 && size < 1e12 {
		b = b.grow(size)
	}
	return b, ok
}

// FramePiece frames a piece, or if it has no vertices, the joint of its node and the joints below. It returns false if
// the piece has no vertices and its node is not a joint.
func (m *Model) FramePiece(p Piece) bool {
	b, ok := m.BoundsOf(p)
	if !ok {
		if b, ok = m.boundsOfJoint(p.Node); !ok {
			return false
		}
	}
	if size := b.high.minus(b.low).length(); !(size > 0) {
		b = b.grow(.5)
	}
	m.box, m.isUnion = b, false
	return true
}

// Joints returns the nodes of the pose that are joints of skins, in order.
func (m *Model) Joints() (out []int) {
	for i, ok := range m.isJoint {
		if ok {
			out = append(out, i)
		}
	}
	return out
}

// HeaviestJoint returns the joint that moves most of the vertices, or nil.
func (m *Model) HeaviestJoint() (joint *scene.Node) {
	sums := make([]float64, len(m.pose.Nodes))
	for i := range m.instances {
		inst := &m.instances[i]
		for k, joints := range inst.geometry.joints {
			for slot, j := range joints {
				if j >= 0 && int(j) < len(inst.joints) && inst.joints[j] >= 0 {
					sums[inst.joints[j]] += float64(inst.weights[k][slot])
				}
			}
		}
	}
	highest := 0.0
	for i, sum := range sums {
		if sum > highest {
			joint, highest = m.pose.Nodes[i], sum
		}
	}
	return joint
}

// IsJoint reports whether the node is a joint of a skin.
func (m *Model) IsJoint(n *scene.Node) bool {
	i := m.pose.Index(n)
	return i >= 0 && m.isJoint[i]
}

// Hits holds the visible item at each pixel of a picture.
type Hits struct {
	width, height int
	ids           []sampleID
}

// noItem is the value of pixels without an item.
const noItem = idKinds

// Hits returns the visible items of the picture drawn last.
func (r *Renderer) Hits() *Hits {
	if r.n == 0 {
		return nil
	}
	h := &Hits{width: r.grid.width / r.n, height: r.grid.height / r.n}
	h.ids = make([]sampleID, h.width*h.height)
	for y := range h.height {
		row := r.grid.samples[(y*r.n+r.n/2)*r.grid.width:][:r.grid.width]
		for x := range h.width {
			s := &row[x*r.n+r.n/2]
			if h.ids[y*h.width+x] = s.id; s.near == 0 {
				h.ids[y*h.width+x] = noItem
			}
		}
	}
	return h
}

// Hit is the visible item at a pixel.
type Hit struct {
	Node     *scene.Node // nil if there is no item
	Part     *scene.Part // of its mesh; nil for a point
	Material string      // its name
	Point    int         // of the node's Points, or negative
}

// At returns the visible item at a pixel of a picture of the model.
func (h *Hits) At(m *Model, x, y int) Hit {
	if h == nil || x < 0 || y < 0 || x >= h.width || y >= h.height {
		return Hit{Point: -1}
	}
	id := h.ids[y*h.width+x]
	i := int(id &^ idKinds)
	switch id & idKinds {
	case idTriangle:
		return m.hit(m.triangles[i].surface)
	case idLine:
		return m.hit(m.lines[i].surface)
	case idDot:
		d := &m.dots[i>>3]
		return Hit{Node: m.pose.Nodes[d.node], Point: int(d.row)}
	}
	return Hit{Point: -1}
}

func (m *Model) hit(surface uint32) Hit {
	n, material := m.nodeAndMaterialOf(surface)
	return Hit{n, n.Mesh.Parts[m.surfaces[surface].part], material, -1}
}

// nodeAndMaterialOf returns the node of a surface, and the name of its material.
func (m *Model) nodeAndMaterialOf(surface uint32) (n *scene.Node, material string) {
	s := &m.surfaces[surface]
	n = m.pose.Nodes[m.instances[s.instance].node]
	if mat := n.Material(s.part); mat != nil {
		material = mat.Name
	}
	return n, material
}

// silhouette is the selection without the surfaces in front of it.
type silhouette struct {
	surfaces []bool // the selected ones
	mask     *grid  // the nearest of them, a sample a pixel
}

// selection marks the selected surfaces; it returns nil if none is visible.
func (f *frame) selection() []bool {
	nodes := f.m.descendants(f.view.Marks.Selected)
	if nodes == nil {
		return nil
	}
	out := make([]bool, len(f.m.surfaces))
	for i := range f.m.surfaces {
		s := &f.m.surfaces[i]
		out[i] = !s.hidden && f.m.isOf(s, Piece{f.view.Marks.Selected, f.view.Marks.Part}, nodes)
	}
	if !slices.Contains(out, true) {
		return nil
	}
	return out
}

// silhouette draws the selection by itself; it returns nil if none of it is visible.
func (f *frame) silhouette() *silhouette {
	surfaces := f.selection()
	if surfaces == nil {
		return nil
	}
	mask := &f.r.mask
	mask.width, mask.height = f.g.width/f.n, f.g.height/f.n
	mask.samples = slices.Grow(mask.samples[:0], mask.width*mask.height)[:mask.width*mask.height]
	bins := make([][]uint32, f.bands)
	for t := range f.m.triangles {
		if surfaces[f.m.triangles[t].surface] {
			f.binTriangle(bins, uint32(t))
		}
	}
	f.inBands(func(s *shader, from, to int) {
		clear(mask.samples[from*mask.width : to*mask.width])
		work := 0
		for _, t := range bins[from/bandRows] {
			if work += f.drawMask(s, mask, t, from, to); f.shouldStop(&work) {
				return
			}
		}
	})
	return &silhouette{surfaces, mask}
}

// binTriangle puts a triangle into the bands that it is in.
func (f *frame) binTriangle(bins [][]uint32, t uint32) {
	tri := &f.m.triangles[t]
	a, b, c := &f.r.corners[tri.a], &f.r.corners[tri.b], &f.r.corners[tri.c]
	low, high := float32(0), float32(f.g.height)
	switch least := min(a.near, b.near, c.near); {
	case isInvalid(least) || max(a.near, b.near, c.near) <= 0:
		return
	case least > 0:
		low, high = max(low, min(a.y, b.y, c.y)), min(high, max(a.y, b.y, c.y))
	}
	bandHeight := float32(bandRows * f.n)
	for i := int(low / bandHeight); i <= min(int(high/bandHeight), f.bands-1); i++ {
		bins[i] = append(bins[i], t)
	}
}

// drawMask draws a triangle into the mask, and returns the amount of work.
func (f *frame) drawMask(s *shader, mask *grid, t uint32, from, to int) int {
	tri := &f.m.triangles[t]
	mat := f.m.surfaces[tri.surface].material
	accepts := func(int, int) bool { return true }
	if mat.alpha == scene.AlphaDiscard && mat.texture != nil && f.view.Surface == Textured {
		s.prepare(t)
		accepts = func(x, y int) bool { return s.passesAlphaTest(x*f.n+f.n/2, y*f.n+f.n/2) }
	}
	return f.drawClipped(tri, func(a, b, c corner) int {
		for _, p := range []*corner{&a, &b, &c} {
			p.x, p.y = p.x/float64(f.n), p.y/float64(f.n)
		}
		return mask.fillWhere(&a, &b, &c, idTriangle|sampleID(t), from, to, accepts)
	})
}

// sampleAt returns the sample in the middle of a pixel.
func (f *frame) sampleAt(x, y int) *sample {
	return &f.g.samples[(y*f.n+f.n/2)*f.g.width+x*f.n+f.n/2]
}

// selectionSide is the relation of a pixel to the selection: outside, or selected, with or without something in front.
type selectionSide uint8

const (
	unselected selectionSide = iota
	occluded
	visible
)

// sideOf returns the relation of a pixel to the selection.
func (p *pen) sideOf(s *silhouette, x, y int) selectionSide {
	if x < 0 || y < 0 || x >= s.mask.width || y >= s.mask.height {
		return unselected
	}
	near := s.mask.samples[y*s.mask.width+x].near
	frontmost := p.sampleAt(x, y)
	switch isTriangle := frontmost.id&idKinds == idTriangle; {
	case near == 0:
		return unselected
	case frontmost.near <= p.c.offsetNearer(near), isTriangle && s.surfaces[p.m.triangles[frontmost.id].surface]:
		return visible
	}
	return occluded
}

// outline draws a line around the selection, dashed and dimmed where it is hidden.
func (p *pen) outline(s *silhouette) {
	const period, dash, dimmed = 5, 3, .8
	around := [...]struct {
		x, y  int
		share float32
	}{{1, 0, 1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, 1}, {1, 1, .8}, {-1, 1, .8}, {1, -1, .8}, {-1, -1, .8}, {2, 0, .5},
		{-2, 0, .5}, {0, 2, .5}, {0, -2, .5}}
	for y := p.from; y < p.to; y++ {
		for x := range s.mask.width {
			if s.mask.samples[y*s.mask.width+x].near > 0 {
				continue
			}
			for _, o := range around {
				share := o.share
				switch p.sideOf(s, x+o.x, y+o.y) {
				case unselected:
					continue
				case occluded:
					if share *= dimmed; (x+y)%period >= dash {
						share = 0
					}
				}
				blendPixel(p.dst.Pix[y*p.dst.Stride+4*x:][:4], selectedColor, share)
				break
			}
		}
	}
}
