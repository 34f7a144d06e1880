package scene

import (
	"context"
	"fmt"
)

// Step is a moment of a series of scenes.
type Step struct {
	Name string // of its file
	Open func(ctx context.Context) (*Scene, error)
}

// maxPointsInMemory is the maximum number of points in memory.
const maxPointsInMemory = 4 << 20

// Load reads all points into memory, so that they can be used after their file was closed.
func (p *Points) Load() (*Points, error) {
	if p.Count > maxPointsInMemory {
		return nil, fmt.Errorf("too many points to play the series: %d (limit %d)", p.Count, maxPointsInMemory)
	}
	dots, err := p.readAll()
	return pointsOf(p, dots), err
}

// readAll reads all points.
func (p *Points) readAll() ([]Dot, error) {
	dots := make([]Dot, p.Count)
	if len(dots) == 0 {
		return nil, nil
	}
	return dots, p.Read(0, dots)
}

func pointsOf(template *Points, dots []Dot) *Points {
	return &Points{Name: template.Name, Count: len(dots), Edge: template.Edge, Read: func(first int, into []Dot) error {
		copy(into, dots[first:])
		return nil
	}}
}

// Interpolate returns the scene of the points between two steps. Points of both steps are interpolated linearly, others
// are copied from the nearer step. share is 0 for the first step, 1 for the second.
func Interpolate(a, b *Scene, share float32) (*Scene, error) {
	out := &Scene{Name: a.Name}
	for i, n := range a.Roots {
		if n.Points == nil {
			continue
		}
		to := &Points{}
		if i < len(b.Roots) && b.Roots[i].Points != nil {
			to = b.Roots[i].Points
		}
		p, err := n.Points.interpolate(to, share)
		if err != nil {
			return nil, err
		}
		out.Roots = append(out.Roots, &Node{Name: n.Name, Transform: n.Transform, Points: p})
	}
	return out, nil
}

// interpolate returns the points interpolated between p and to.
func (p *Points) interpolate(to *Points, share float32) (*Points, error) {
	if p.Count > maxPointsInMemory || to.Count > maxPointsInMemory {
		return nil, fmt.Errorf("more than %d points are not moved between steps", maxPointsInMemory)
	}
	from, err := p.readAll()
	if err != nil {
		return nil, err
	}
	targets, err := to.readAll()
	if err != nil {
		return nil, err
	}
	number := make(map[uint32]int, len(targets))
	for i := range targets {
		number[targets[i].ID] = i
	}
	matched := make([]bool, len(targets))
	var out []Dot
	for _, d := range from {
		i, both := number[d.ID]
		if both && !matched[i] {
			matched[i] = true
			out = append(out, d.interpolate(&targets[i], share))
		} else if share < .5 {
			out = append(out, d)
		}
	}
	for i := range targets {
		if !matched[i] && share >= .5 {
			out = append(out, targets[i])
		}
	}
	return pointsOf(p, out), nil
}

// interpolate returns a point interpolated to its later position and color.
func (d Dot) interpolate(to *Dot, share float32) Dot {
	for k := range d.Position {
		d.Position[k] += (to.Position[k] - d.Position[k]) * share
	}
	for k := range d.Color {
		d.Color[k] = uint8(float32(d.Color[k]) + (float32(to.Color[k])-float32(d.Color[k]))*share + .5)
	}
	return d
}

// Skinned returns a scene of one skinned mesh: its node with the ancestors, and the trees of its joints, without
// animations. It returns nil if n is not a node of the scene with a mesh and a skin.
func (s *Scene) Skinned(n *Node) *Scene {
	if n.Mesh == nil || n.Skin == nil {
		return nil
	}
	needed := map[*Node]bool{n: true, n.Skin.Space: true}
	for _, joint := range n.Skin.Joints {
		needed[joint] = true
	}
	copyOf := map[*Node]*Node{} // by the original; only the needed nodes and their ancestors
	var copyNeeded func(n *Node) *Node
	copyNeeded = func(n *Node) *Node {
		var children []*Node
		for _, child := range n.Children {
			if c := copyNeeded(child); c != nil {
				children = append(children, c)
			}
		}
		if !needed[n] && children == nil {
			return nil
		}
		copyOf[n] = &Node{Name: n.Name, Offset: n.Offset, Transform: n.Transform, Children: children}
		return copyOf[n]
	}
	single := &Scene{Name: n.Mesh.Name, Up: s.Up, Gravity: s.Gravity, OthersUp: s.OthersUp,
		Materials: s.Materials, Missing: s.Missing, Absent: s.Absent, Incomplete: s.Incomplete}
	for _, root := range s.Roots {
		if c := copyNeeded(root); c != nil {
			single.Roots = append(single.Roots, c)
		}
	}
	mesh := copyOf[n]
	if mesh == nil {
		return nil
	}
	copiesOf := func(originals []*Node) []*Node {
		out := make([]*Node, len(originals))
		for i, node := range originals {
			out[i] = copyOf[node]
		}
		return out
	}
	skin := *n.Skin
	skin.Space, skin.Joints, skin.Skeletons = copyOf[skin.Space], copiesOf(skin.Joints), copiesOf(skin.Skeletons)
	mesh.Mesh, mesh.Materials, mesh.Skin = n.Mesh, n.Materials, &skin
	return single
}
