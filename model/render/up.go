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

// ZUp reports whether z of the scene points up. Load chooses z if more speaks for it than for y.
func (m *Model) ZUp() bool { return m.zUp }

// guessUp reports whether z of the scene points up: for characters, if they stand along it. Without one, if there is
// a ground across it and none across y, unless a camera stands upright along y; without either, if all cameras stand
// upright along z.
func (m *Model) guessUp() bool {
	var skinned []box
	all := make([]box, 0, len(m.instances))
	for i := range m.instances {
		in := &m.instances[i]
		b, ok := m.boundsOfInstance(in)
		if !ok {
			continue
		}
		all = append(all, b)
		if in.skin != nil && in.geometry.joints != nil {
			skinned = append(skinned, b)
		}
	}
	if len(skinned) > 0 {
		return standsAlongZ(around(skinned))
	}
	y, z := m.cameras()
	switch scene := around(all); {
	case ground(all, scene, 1):
		return false
	case ground(all, scene, 2):
		return y == 0
	}
	return z > 0 && y == 0
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

// standsAlongZ reports whether a character stands on the ground if z points up, and does not if y does: its lowest
// point is near 0 then, and it is higher than it is if y points up.
func standsAlongZ(b box) bool {
	size := b.size()
	stands := func(k int) bool {
		const near = .1 // of the height
		return math.Abs(b.low[k]) <= near*size[k]
	}
	return !stands(1) && stands(2) && size[2] > size[1]
}

// ground reports whether something flat across an axis carries the rest of a scene: it is as wide as most of it and
// below it, and not all of the rest is as flat.
func ground(all []box, scene box, k int) bool {
	const flat, wide, low = .02, .6, .1
	size := scene.size()
	a, b := (k+1)%3, (k+2)%3
	carries, stands := false, false
	for _, one := range all {
		own := one.size()
		if own[k] > flat*max(own[a], own[b]) {
			stands = true
		} else if own[a] >= wide*size[a] && own[b] >= wide*size[b] && one.high[k]-scene.low[k] <= low*size[k] {
			carries = true
		}
	}
	return carries && stands
}

// cameras returns how many cameras of the scene stand upright along y, and along z.
func (m *Model) cameras() (y, z int) {
	for i, n := range m.pose.Nodes {
		if n.Camera == nil || !m.pose.World[i].IsValid() {
			continue
		}
		switch up := column(m.pose.World[i], 1).unit(); {
		case up[1] > .5 && up[1] >= up[2]:
			y++
		case up[2] > .5:
			z++
		}
	}
	return y, z
}
