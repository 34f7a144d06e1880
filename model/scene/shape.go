package scene

import "context"

// shape is the mesh of a node in the space of the scene. A skinned mesh follows its joints.
type shape struct {
	node      *Node
	positions [][3]float32
	normals   [][3]float32 // may be nil
	texture   [][2]float32 // may be nil; from the bottom of the picture
	colors    [][4]uint8   // may be nil
	mirrored  bool         // the winding order is reversed
}

// shapes passes every mesh of the scene in a pose to visit, one at a time.
func (s *Scene) shapes(ctx context.Context, pose *Pose, r *report, visit func(*shape) error) error {
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
		if n.Skin != nil && !n.Mesh.HasWeights() && n.Skin.BindShape.IsValid() { // it stays in its bind pose
			world, palette = n.Skin.BindShape, nil
			if joint := pose.Index(n.Skin.Space); joint >= 0 {
				world = pose.World[joint].Times(world)
			}
		}
		if sh, err := s.shape(n, world, palette, r); err != nil {
			return err
		} else if sh != nil {
			if err := visit(sh); err != nil {
				return err
			}
		}
	}
	return nil
}

// shape returns the mesh of a node in the space of the scene, transformed as a whole, or by the palette of its joints.
func (s *Scene) shape(n *Node, world Matrix, palette []Matrix, r *report) (*shape, error) {
	m := n.Mesh
	if offset, _ := m.Find(Position, 0); offset < 0 || m.Count == 0 {
		r.add("meshes without positions are not exported", m.Name)
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
	rotation, mirrored := world.normalTransform()
	skinned := t.vertexTransform(palette)
	if skinned != nil {
		_, mirrored = palette[0].normalTransform()
	}
	out := &shape{node: n, positions: make([][3]float32, m.Count), mirrored: mirrored}
	invalidCount, positions := 0, t.element(Position, 0)
	for i := range m.Count {
		v, invalid := positions.finiteAt(i)
		if invalid {
			invalidCount++
		}
		if skinned != nil {
			world = skinned(i)
		}
		out.positions[i] = world.Apply([3]float32(v[:3]))
	}
	r.addN("coordinates that are not numbers are 0", m.Name, invalidCount)
	if normals := t.element(Normal, 0); normals.exists() {
		out.normals = make([][3]float32, m.Count)
		for i := range m.Count {
			if skinned != nil {
				rotation, _ = skinned(i).normalTransform()
			}
			out.normals[i], _ = unit(rotation.ApplyDirection(normals.vectorAt(i)))
		}
	}
	sets := m.sets()
	if uvSets := sets[TexCoord]; len(uvSets) > 0 {
		coordinates := t.element(TexCoord, uvSets[0])
		out.texture = make([][2]float32, m.Count)
		for i := range m.Count {
			v := coordinates.vectorAt(i)
			out.texture[i] = [2]float32(v[:2])
		}
	}
	if list := sets[Color]; len(list) > 0 {
		colors := t.element(Color, list[0])
		out.colors = make([][4]uint8, m.Count)
		for i := range m.Count {
			out.colors[i] = colors.color8At(i)
		}
	}
	return out, nil
}

// vertexTransform returns a function that returns the transform of a vertex by the joints of a palette, or nil if there
// are no joints.
func (t *table) vertexTransform(palette []Matrix) func(i int) Matrix {
	weights, joints := t.element(Weights, 0), t.element(Joints, 0)
	if len(palette) == 0 || !weights.exists() || !joints.exists() {
		return nil
	}
	return func(i int) Matrix {
		w, shares := weights.floatsAt(i)
		j, numbers := joints.floatsAt(i)
		bound, share := Bind(j[:numbers], w[:shares])
		return blend(palette, bound, share)
	}
}

// triangles passes the triangles of a part that only have existing vertices, in the winding order of the outside.
func (sh *shape) triangles(p *Part, idx []uint32, visit func(a, b, c uint32)) {
	n := uint32(len(sh.positions))
	p.Primitive.EachTriangle(idx, func(a, b, c uint32) {
		if a >= n || b >= n || c >= n {
			return
		}
		if sh.mirrored {
			b, c = c, b
		}
		visit(a, b, c)
	})
}

// normalTransform returns the matrix that transforms normals of a surface that m transforms, and whether m mirrors.
func (m Matrix) normalTransform() (out Matrix, mirrored bool) {
	x, y, z := m.axisImage(0), m.axisImage(1), m.axisImage(2)
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
	return IsInterior(positions, normals, func(visit func(a, b, c uint32)) {
		p.Primitive.EachTriangle(idx, func(a, b, c uint32) {
			if n := uint32(m.Count); a < n && b < n && c < n {
				visit(a, b, c)
			}
		})
	}), nil
}

// appearances holds the materials of a scene as exported: materials that only have a name, or have no readable picture,
// get the colors of the program's own drawing.
type appearances struct {
	fallback
	plain       map[*Material][3]uint8 // of materials with only a name
	colored     map[*Mesh]bool         // meshes with vertex colors
	translucent map[*Mesh]bool         // meshes with a vertex alpha below 1
}

// newAppearances visits the scene in the order of drawing.
func (s *Scene) newAppearances(f fallback) (*appearances, error) {
	a := &appearances{fallback: f, plain: make(map[*Material][3]uint8), colored: make(map[*Mesh]bool),
		translucent: make(map[*Mesh]bool)}
	var pictured []*Material
	var failed error
	s.Walk(func(n *Node, _ Matrix) {
		m := n.Mesh
		if m == nil || failed != nil || m.Count <= 0 || m.Vertices == nil {
			return
		}
		if offset, _ := m.Find(Position, 0); offset < 0 {
			return
		}
		if _, known := a.colored[m]; !known {
			a.colored[m], a.translucent[m], failed = m.hasColors()
		}
		for i, p := range m.Parts {
			if p == nil {
				continue
			}
			material := a.materialOf(n, i)
			switch {
			case material.Shading != UnknownShading:
				if material.Texture != nil && !material.Texture.isReadable() {
					pictured = append(pictured, material)
				}
			case !a.colored[m]:
				a.plain[material] = PlainColor(material.Name)
			}
		}
	})
	for _, m := range pictured {
		a.addUnpictured(m)
	}
	return a, failed
}

// addUnpictured records a material with a picture that is missing or cannot be read.
func (a *appearances) addUnpictured(m *Material) {
	if _, ok := a.plain[m]; !ok {
		a.plain[m] = PlainColor(m.Name)
	}
}

// fallback holds materials for parts without one, by the names of their meshes.
type fallback map[string]*Material

// materialOf returns the material of a part; it is never nil.
func (f fallback) materialOf(n *Node, part int) *Material {
	if m := n.Material(part); m != nil {
		return m
	}
	m := f[n.Mesh.Name]
	if m == nil {
		m = &Material{Name: n.Mesh.Name}
		f[n.Mesh.Name] = m
	}
	return m
}

// hidesShape reports whether a material would hide the form of a mesh: white and unlit, most likely for a shader of the
// game's own.
func (m *Material) hidesShape() bool {
	return m.Shading == Unlit && m.Texture == nil && !m.VertexColors && m.Diffuse == [4]float32{1, 1, 1, 1}
}

func (s *Sampler) isReadable() bool {
	t := s.Texture
	return t != nil && t.Image != nil && t.Open != nil && t.Missing == ""
}

// hasColors reports whether vertices have colors other than the defaults of encoders, and whether one has an alpha
// below 1.
func (m *Mesh) hasColors() (colored, translucent bool, err error) {
	if offset, _ := m.Find(Color, 0); offset < 0 {
		return false, false, nil
	}
	t, err := m.table()
	if err != nil {
		return false, false, err
	}
	colors := t.element(Color, 0)
	for i := range m.Count {
		c := colors.color8At(i)
		colored, translucent = colored || !IsUninformative(c), translucent || c[3] < 255
	}
	return colored, translucent, nil
}
