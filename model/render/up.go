package render

import "assay/model/scene"

// yUpright turns a scene back that scene.ZUpright turned.
var yUpright = scene.Matrix{0: 1, 6: 1, 9: -1, 15: 1}

// SetUp chooses the axis of the scene that points up: y, or with z true z. Vertices follow with Update.
func (m *Model) SetUp(z bool) {
	if z == m.zUp {
		return
	}
	turn := yUpright
	if m.zUp, m.up = z, scene.Identity; z {
		m.up, turn = scene.ZUpright, scene.ZUpright
	}
	cubes := turningOf(turn)
	for i := range m.dots {
		d := &m.dots[i]
		d.at, d.covered = turn.Apply(d.at), cubes.sides(d.covered)
	}
}

// ZUp reports whether z of the scene points up. Load chooses z if more speaks for it than for y.
func (m *Model) ZUp() bool { return m.zUp }

// guessUp reports whether z of the scene points up.
func (m *Model) guessUp() bool {
	var all []scene.Extent
	for i := range m.instances {
		in := &m.instances[i]
		if b, ok := m.boundsOfInstance(in); ok {
			all = append(all, scene.Extent{Low: b.low, High: b.high, Node: m.pose.Nodes[in.node],
				Skinned: in.skin != nil && in.geometry.joints != nil})
		}
	}
	return m.scene.PointsZUp(m.pose, all)
}

// boundsOfInstance is the box of what is drawn of an instance; false if nothing is.
func (m *Model) boundsOfInstance(in *instance) (b box, ok bool) {
	b = nowhere
	for _, v := range m.vertices[in.first : int(in.first)+len(in.positions)] {
		if v.at[0] == v.at[0] {
			b.add(wide(v.at))
			ok = true
		}
	}
	return b, ok
}
