package scene

import "context"

// shape is a mesh of one node, as it stands in the scene. Of a skinned mesh that is how it was bound.
type shape struct {
	node      *Node
	positions [][3]float32
	normals   [][3]float32 // nil if it has none
	texture   [][2]float32 // nil if it has none; from the bottom of the picture
	colors    [][4]uint8   // nil if it has none
	mirrored  bool         // what turned left turns right
}

// shapes returns every mesh of the scene, one at a time.
func (s *Scene) shapes(ctx context.Context, r *report, see func(*shape) error) error {
	var err error
	spaces := map[*Node]Matrix{nil: Identity}
	s.Walk(func(n *Node, world Matrix) {
		spaces[n] = world
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || n.Mesh == nil {
			return
		}
		if n.Skin != nil {
			world = Identity
			if in, ok := spaces[n.Skin.Space]; ok { // it is the node, or above it
				world = in
			}
			world = world.Times(n.Skin.BindShape)
		}
		var sh *shape
		if sh, err = s.shape(n, world, r); err == nil && sh != nil {
			err = see(sh)
		}
	})
	return err
}

// shape returns the mesh of a node, brought to where it is in the scene.
func (s *Scene) shape(n *Node, world Matrix, r *report) (*shape, error) {
	m := n.Mesh
	at, size := m.Find(Position, 0)
	if at < 0 || m.Count == 0 {
		r.add("meshes without positions are left out", m.Name)
		return nil, nil
	}
	t := &table{Mesh: m, stride: m.Stride()}
	var err error
	if t.all, err = m.readVertices(); err != nil {
		return nil, err
	}
	if !world.finite() {
		r.add("transforms that are not numbers are left out", n.Name)
		world = Identity
	}
	turn, mirrored := world.normals()
	out := &shape{node: n, positions: make([][3]float32, m.Count), mirrored: mirrored}
	bad := 0
	for i := range m.Count {
		v, k := t.get(i, at, size)
		if clean(&v, k) {
			bad++
		}
		out.positions[i] = world.Apply([3]float32{v[0], v[1], v[2]})
	}
	r.addN("coordinates that are not numbers are 0", m.Name, bad)
	if at, size := m.Find(Normal, 0); at >= 0 {
		out.normals = make([][3]float32, m.Count)
		for i := range m.Count {
			v, k := t.get(i, at, size)
			clean(&v, k)
			out.normals[i], _ = unit(turn.Turn([3]float32{v[0], v[1], v[2]}))
		}
	}
	sets := m.sets()
	if list := sets[TexCoord]; len(list) > 0 {
		at, size := m.Find(TexCoord, list[0])
		out.texture = make([][2]float32, m.Count)
		for i := range m.Count {
			v, k := t.get(i, at, size)
			clean(&v, k)
			out.texture[i] = [2]float32{v[0], v[1]}
		}
	}
	if list := sets[Color]; len(list) > 0 {
		at, size := m.Find(Color, list[0])
		out.colors = make([][4]uint8, m.Count)
		for i := range m.Count {
			v, k := t.get(i, at, size)
			if k < 4 {
				v[3] = 1
			}
			for c, f := range v {
				out.colors[i][c] = uint8(255*min(max(number(f), 0), 1) + .5)
			}
		}
	}
	return out, nil
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
	axis := func(c int) [3]float64 { return [3]float64{float64(m[4*c]), float64(m[4*c+1]), float64(m[4*c+2])} }
	x, y, z := axis(0), axis(1), axis(2)
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
