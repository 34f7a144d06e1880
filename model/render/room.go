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

// isRoom reports whether triangles are a hull that is to be seen from inside.
func (g *geometry) isRoom(triangles []triangle, first uint32) bool {
	return scene.IsRoom(g.positions, g.normals, func(see func(a, b, c uint32)) {
		for _, t := range triangles {
			see(t.a-first, t.b-first, t.c-first)
		}
	})
}
