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

// IsInterior reports whether triangles are the inside of a hull: they enclose much of their bounding box, and face
// inward, as do their normals. each visits the triangles, by the indices of their vertices.
func IsInterior(positions, normals [][3]float32, eachTriangle func(see func(a, b, c uint32))) bool {
	const minVolume = .3
	if normals == nil {
		return false
	}
	var low, high [3]float64
	first := true
	eachTriangle(func(a, b, c uint32) {
		for _, i := range [3]uint32{a, b, c} {
			for k, v := range toDouble(positions[i]) {
				if first || v < low[k] {
					low[k] = v
				}
				if first || v > high[k] {
					high[k] = v
				}
			}
			first = false
		}
	})
	var size, middle [3]float64
	for k := range size {
		size[k], middle[k] = high[k]-low[k], (low[k]+high[k])/2
	}
	volume, agreement := 0., 0.
	eachTriangle(func(a, b, c uint32) {
		p := toDouble(positions[a])
		face := cross(minus(toDouble(positions[b]), p), minus(toDouble(positions[c]), p))
		volume += dot(face, minus(p, middle)) / 6
		for _, i := range [3]uint32{a, b, c} {
			agreement += dot(face, toDouble(normals[i]))
		}
	})
	return volume < -minVolume*size[0]*size[1]*size[2] && agreement > 0
}

// isInteriorPart reports whether a part of a mesh is an interior, see IsInterior.
func (m *Mesh) isInteriorPart(p *Part) (bool, error) {
	t, err := m.table()
	if err != nil {
		return false, err
	}
	positionElement, normalElement := t.element(Position, 0), t.element(Normal, 0)
	if !positionElement.exists() || !normalElement.exists() {
		return false, nil
	}
	idx, err := p.readIndices(m)
	if err != nil {
		return false, err
	}
	positions, normals := make([][3]float32, m.Count), make([][3]float32, m.Count)
	for i := range m.Count {
		positions[i], normals[i] = positionElement.vectorAt(i), normalElement.vectorAt(i)
	}
	return IsInterior(positions, normals, func(see func(a, b, c uint32)) {
		p.Primitive.EachTriangle(idx, func(a, b, c uint32) {
			if n := uint32(m.Count); a < n && b < n && c < n {
				see(a, b, c)
			}
		})
	}), nil
}
