package render

import "assay/model/scene"

// inside returns a material for what is looked at from inside: as it is, but for the sides that look away.
func (l *materials) inside(m *material) *material {
	if l.inner == nil {
		l.inner = make(map[*material]*material)
	}
	in := l.inner[m]
	if in == nil {
		copied := *m
		copied.cull = scene.CullBack
		in = &copied
		l.inner[m] = in
	}
	return in
}

// isRoom reports whether triangles are a hull that is to be seen from inside: they enclose much of the box that they
// fill, and face inward, as their normals do.
func (g *geometry) isRoom(triangles []triangle, first uint32) bool {
	const much = .3
	if g.normals == nil || len(triangles) == 0 {
		return false
	}
	fills := nowhere
	for _, t := range triangles {
		for _, i := range [3]uint32{t.a, t.b, t.c} {
			fills.add(wide(g.positions[i-first]))
		}
	}
	size, middle := fills.size(), fills.center()
	volume, agrees := 0., 0.
	for _, t := range triangles {
		a, b, c := wide(g.positions[t.a-first]), wide(g.positions[t.b-first]), wide(g.positions[t.c-first])
		face := b.minus(a).cross(c.minus(a))
		volume += face.dot(a.minus(middle)) / 6
		for _, i := range [3]uint32{t.a, t.b, t.c} {
			agrees += face.dot(wide(g.normals[i-first]))
		}
	}
	return volume < -much*size[0]*size[1]*size[2] && agrees > 0
}
