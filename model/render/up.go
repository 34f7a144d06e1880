package render

import (
	"math"

	"assay/model/scene"
)

// zUpright turns a scene whose z points up, and yUpright turns it back.
var (
	zUpright = scene.Matrix{0: 1, 6: -1, 9: 1, 15: 1}
	yUpright = scene.Matrix{0: 1, 6: 1, 9: -1, 15: 1}
)

// SetUp chooses the axis of the scene that points up: y, or with z true z. Vertices follow with Update.
func (m *Model) SetUp(z bool) {
	if z == m.zUp {
		return
	}
	turn := yUpright
	if m.zUp, m.up = z, scene.Identity; z {
		m.up, turn = zUpright, zUpright
	}
	cubes := turningOf(turn)
	for i := range m.dots {
		d := &m.dots[i]
		d.at, d.covered = turn.Apply(d.at), cubes.sides(d.covered)
	}
}

// ZUp reports whether z of the scene points up. Load chooses z for characters that stand along it.
func (m *Model) ZUp() bool { return m.zUp }

// standsAlongZ reports whether what has a skin stands on the ground if z points up, and does not if y does: its lowest
// point is near 0 then, and it is higher than it is if y points up.
func (m *Model) standsAlongZ() bool {
	low, high := vec{math.Inf(1), math.Inf(1), math.Inf(1)}, vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i := range m.instances {
		in := &m.instances[i]
		if in.skin == nil || in.geometry.joints == nil {
			continue
		}
		for _, v := range m.vertices[in.first : int(in.first)+len(in.positions)] {
			if v.at[0] != v.at[0] {
				continue
			}
			for k, at := range wide(v.at) {
				low[k], high[k] = min(low[k], at), max(high[k], at)
			}
		}
	}
	stands := func(k int) bool {
		const near = .1 // of the height
		return math.Abs(low[k]) <= near*(high[k]-low[k])
	}
	return !stands(1) && stands(2) && high[2]-low[2] > high[1]-low[1]
}
