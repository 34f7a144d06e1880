package contents

import (
	"slices"

	"assay/model/scene"
)

// displacement is how far the vertices of two meshes are from where they are in the other one.
type displacement struct {
	old, new []float32 // by vertex; nil if none moved
	touched  [2][]bool // by old and by new vertex: something else changed in it that people see; nil if in none
	changed  bool      // something else changed that people see, of the mesh as a whole
}

const (
	travelFloats = 16 << 20 // numbers of a mesh whose vertices are looked for
)

// displacementOf compares the meshes of two nodes. Of one that cannot be read, or is too large, it says that it
// changed.
func (p *scenePair) displacementOf(old, new *scene.Node) *displacement {
	key := [2]*scene.Mesh{old.Mesh, new.Mesh}
	if t := p.meshes[key]; t != nil {
		return t
	}
	t := &displacement{changed: true}
	p.meshes[key] = t
	if max(old.Mesh.Count*old.Mesh.Stride(), new.Mesh.Count*new.Mesh.Stride()) > travelFloats {
		return t
	}
	m, err := CompareMeshes(p.ctx, old, new, Options{Tolerance: p.c.Options.Tolerance})
	if err != nil {
		return t
	}
	t.changed, t.touched = m.Visible, m.Touched
	if m.IsStill() {
		return t
	}
	if t.old, t.new = m.Distances(); t.new == nil {
		t.changed = true
		return t
	}
	for _, d := range t.new {
		if d > 0 {
			p.vertices++
		}
	}
	far := max(slices.Max(t.old), slices.Max(t.new))
	p.furthest = max(p.furthest, float64(far))
	if far == 0 {
		t.old, t.new = nil, nil
	}
	return t
}
