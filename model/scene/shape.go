package scene

import "context"

// shape is a mesh of one node, as it stands in the scene. A skinned one follows its joints.
type shape struct {
	node      *Node
	positions [][3]float32
	normals   [][3]float32 // nil if it has none
	texture   [][2]float32 // nil if it has none; from the bottom of the picture
	colors    [][4]uint8   // nil if it has none
	mirrored  bool         // what turned left turns right
}

// shapes returns every mesh of the scene as a pose has it, one at a time.
func (s *Scene) shapes(ctx context.Context, pose *Pose, r *report, see func(*shape) error) error {
	for i, n := range pose.Nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if n.Mesh == nil {
			continue
		}
		if !n.Transform.finite() {
			r.add("transforms that are not numbers are left out", n.Name)
		}
		world, palette := pose.World[i], pose.Palette(n)
		if n.Skin != nil && !n.Mesh.hasWeights() && n.Skin.BindShape.IsValid() { // it stands where it was bound
			world, palette = n.Skin.BindShape, nil
			if in := pose.Index(n.Skin.Space); in >= 0 {
				world = pose.World[in].Times(world)
			}
		}
		if sh, err := s.shape(n, world, palette, r); err != nil {
			return err
		} else if sh != nil {
			if err := see(sh); err != nil {
				return err
			}
		}
	}
	return nil
}

// shape returns the mesh of a node, brought to where it is in the scene: as a whole, or by the palette of its joints.
func (s *Scene) shape(n *Node, world Matrix, palette []Matrix, r *report) (*shape, error) {
	m := n.Mesh
	if at, _ := m.Find(Position, 0); at < 0 || m.Count == 0 {
		r.add("meshes without positions are left out", m.Name)
		return nil, nil
	}
	t, err := m.table()
	if err != nil {
		return nil, err
	}
	if !world.finite() {
		r.add("transforms that are not numbers are left out", n.Name)
		world = Identity
	}
	turn, mirrored := world.normals()
	move := func(int) (place, turned Matrix) { return world, turn }
	if follow := t.follower(palette); follow != nil {
		_, mirrored = palette[0].normals()
		move = func(i int) (place, turned Matrix) {
			place = follow(i)
			turned, _ = place.normals()
			return place, turned
		}
	}
	out := &shape{node: n, positions: make([][3]float32, m.Count), mirrored: mirrored}
	bad, positions := 0, t.element(Position, 0)
	for i := range m.Count {
		v, wrong := positions.clean(i)
		if wrong {
			bad++
		}
		place, _ := move(i)
		out.positions[i] = place.Apply([3]float32(v[:3]))
	}
	r.addN("coordinates that are not numbers are 0", m.Name, bad)
	if normals := t.element(Normal, 0); normals.exists() {
		out.normals = make([][3]float32, m.Count)
		for i := range m.Count {
			_, turned := move(i)
			out.normals[i], _ = unit(turned.Turn(normals.vector(i)))
		}
	}
	sets := m.sets()
	if list := sets[TexCoord]; len(list) > 0 {
		coordinates := t.element(TexCoord, list[0])
		out.texture = make([][2]float32, m.Count)
		for i := range m.Count {
			v := coordinates.vector(i)
			out.texture[i] = [2]float32(v[:2])
		}
	}
	if list := sets[Color]; len(list) > 0 {
		colors := t.element(Color, list[0])
		out.colors = make([][4]uint8, m.Count)
		for i := range m.Count {
			out.colors[i] = colors.color8(i)
		}
	}
	return out, nil
}

// follower returns what finds the transform of a vertex that follows the joints of a palette; nil if none does.
func (t *table) follower(palette []Matrix) func(i int) Matrix {
	weights, joints := t.element(Weights, 0), t.element(Joints, 0)
	if len(palette) == 0 || !weights.exists() || !joints.exists() {
		return nil
	}
	return func(i int) Matrix {
		w, shares := weights.get(i)
		j, numbers := joints.get(i)
		to, share := Bind(j[:numbers], w[:shares])
		return blended(palette, to, share)
	}
}

// triangles returns the triangles of a part whose vertices exist, turned so that the outside is where it was.
func (sh *shape) triangles(p *Part, idx []uint32, give func(a, b, c uint32)) {
	n := uint32(len(sh.positions))
	p.Primitive.EachTriangle(idx, func(a, b, c uint32) {
		if a >= n || b >= n || c >= n {
			return
		}
		if sh.mirrored {
			b, c = c, b
		}
		give(a, b, c)
	})
}

// normals is the matrix that turns what stands upright on a surface when m turns the surface, and whether m mirrors.
func (m Matrix) normals() (out Matrix, mirrored bool) {
	x, y, z := m.axis(0), m.axis(1), m.axis(2)
	mirrored = dot(cross(x, y), z) < 0
	for c, v := range [][3]float64{cross(y, z), cross(z, x), cross(x, y)} {
		for r := range 3 {
			if mirrored {
				v[r] = -v[r]
			}
			out[4*c+r] = float32(v[r])
		}
	}
	out[15] = 1
	return out, mirrored
}
