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

// heldMost is the most points that are kept in memory.
const heldMost = 4 << 20

// Hold reads all points into memory, so that they stay when their file is closed.
func (p *Points) Hold() (*Points, error) {
	if p.Count > heldMost {
		return nil, fmt.Errorf("too many points to play the series: %d (limit %d)", p.Count, heldMost)
	}
	dots, err := p.all()
	return pointsOf(p, dots), err
}

// all reads all points.
func (p *Points) all() ([]Dot, error) {
	dots := make([]Dot, p.Count)
	if len(dots) == 0 {
		return nil, nil
	}
	return dots, p.Read(0, dots)
}

// pointsOf returns the points of a list, of the kind of others.
func pointsOf(like *Points, dots []Dot) *Points {
	return &Points{Name: like.Name, Count: len(dots), Edge: like.Edge, Read: func(first int, into []Dot) error {
		copy(into, dots[first:])
		return nil
	}}
}

// Between returns the scene of the points that are between two steps: those that both have on the straight way from one
// place to the other, the others as the nearer step has them. share is 0 for the first step, 1 for the second.
func Between(a, b *Scene, share float32) (*Scene, error) {
	out := &Scene{Name: a.Name}
	for i, n := range a.Roots {
		if n.Points == nil {
			continue
		}
		to := &Points{}
		if i < len(b.Roots) && b.Roots[i].Points != nil {
			to = b.Roots[i].Points
		}
		p, err := n.Points.toward(to, share)
		if err != nil {
			return nil, err
		}
		out.Roots = append(out.Roots, &Node{Name: n.Name, Transform: n.Transform, Points: p})
	}
	return out, nil
}

// toward returns the points on their way to where others are.
func (p *Points) toward(to *Points, share float32) (*Points, error) {
	if p.Count > heldMost || to.Count > heldMost {
		return nil, fmt.Errorf("more than %d points are not moved between steps", heldMost)
	}
	from, err := p.all()
	if err != nil {
		return nil, err
	}
	there, err := to.all()
	if err != nil {
		return nil, err
	}
	number := make(map[uint32]int, len(there))
	for i := range there {
		number[there[i].ID] = i
	}
	met := make([]bool, len(there))
	var out []Dot
	for _, d := range from {
		i, both := number[d.ID]
		if both && !met[i] {
			met[i] = true
			out = append(out, d.toward(&there[i], share))
		} else if share < .5 {
			out = append(out, d)
		}
	}
	for i := range there {
		if !met[i] && share >= .5 {
			out = append(out, there[i])
		}
	}
	return pointsOf(p, out), nil
}

// toward returns a point on its way to where and how it is later.
func (d Dot) toward(to *Dot, share float32) Dot {
	for k := range d.Position {
		d.Position[k] += (to.Position[k] - d.Position[k]) * share
	}
	for k := range d.Color {
		d.Color[k] = uint8(float32(d.Color[k]) + (float32(to.Color[k])-float32(d.Color[k]))*share + .5)
	}
	return d
}
