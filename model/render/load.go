package render

import (
	"context"
	"slices"

	"assay/model/scene"
)

// loader makes a Model.
type loader struct {
	ctx        context.Context
	m          *Model
	geometries map[*scene.Mesh]*geometry
	materials  materials
	indices    []uint32 // of triangles, a block at a time
	read       map[partKey]triangleRange
}

type partKey struct {
	mesh *scene.Mesh
	part *scene.Part
}

// triangleRange is a range of triangles of an instance. The vertices of the instance begin at first.
type triangleRange struct {
	from, to int
	first    uint32
}

// Load makes a Model of a scene. If ctx ends, it returns the model loaded so far, and the context's error. Unreadable
// parts are omitted.
func Load(ctx context.Context, s *scene.Scene) (*Model, error) {
	l := &loader{ctx: ctx, m: &Model{scene: s, up: scene.Identity}, geometries: make(map[*scene.Mesh]*geometry),
		read: make(map[partKey]triangleRange)}
	l.m.pose = scene.NewPose(s)
	l.m.isJoint = make([]bool, len(l.m.pose.Nodes))
	l.materials = materials{ctx: ctx}
	l.reserve()
	for i, n := range l.m.pose.Nodes {
		if ctx.Err() != nil {
			break
		}
		if n.Mesh != nil {
			l.addMesh(n, i)
		}
		if n.Points != nil {
			l.addCloud(n.Points, l.m.pose.World[i], i)
		}
		if n.Light != nil && emits(n.Light) {
			l.m.lamps = append(l.m.lamps, lampNode{i, n.Light})
		}
	}
	l.m.reportTransforms()
	for _, sentence := range s.Unplayed() {
		l.m.addProblem("%s", sentence)
	}
	l.materials.finish()
	for _, sentence := range l.materials.textures.problems {
		l.m.addProblem("%s", sentence)
	}
	l.m.hasMesh = len(l.m.triangles)+len(l.m.lines) > 0
	l.m.pose.SetInitial(s)
	l.m.Update()
	l.m.reportPositions()
	if l.m.guessZUp() {
		l.m.SetZUp(true)
		l.m.Update()
	}
	if l.m.HasUndrawn() {
		l.fadeUndrawn()
		l.m.Show(Piece{}, nil)
	}
	l.m.Frame()
	l.m.unposedBox = l.m.box
	l.m.reportInvisible()
	l.m.reportCoincident()
	return l.m, ctx.Err()
}

// fadeUndrawn makes the materials of surfaces that the game does not draw translucent.
func (l *loader) fadeUndrawn() {
	const opacity = .35
	faded := make(map[*material]*material)
	for i := range l.m.surfaces {
		s := &l.m.surfaces[i]
		if !l.m.pose.Nodes[l.m.instances[s.instance].node].Undrawn {
			continue
		}
		if faded[s.material] == nil {
			ghost := *s.material
			ghost.alpha, ghost.base.a = scene.AlphaBlend, ghost.base.a*opacity
			faded[s.material] = &ghost
		}
		s.material = faded[s.material]
	}
}

// reserve allocates the memory for the meshes of all nodes, so that it is not copied repeatedly as it grows.
func (l *loader) reserve() {
	vertices, faces := 0, 0
	for _, n := range l.m.pose.Nodes {
		if n.Mesh == nil || n.Mesh.Count <= 0 || n.Mesh.Vertices == nil {
			continue
		}
		count := maxTrianglesOf(n.Mesh)
		if n.Mesh.Count <= maxVertices-vertices && count <= maxTriangles-faces { // else it is sampled
			vertices, faces = vertices+n.Mesh.Count, faces+count
		}
	}
	l.m.vertices, l.m.triangles = make([]vertex, 0, vertices), make([]triangle, 0, faces)
}

// addMesh adds the mesh of a node: its vertices once, then the primitives of each part.
func (l *loader) addMesh(n *scene.Node, node int) {
	m := n.Mesh
	if m.Count <= 0 || m.Vertices == nil || m.Stride() <= 0 {
		return
	}
	if m.Count > maxVertices-len(l.m.vertices) || maxTrianglesOf(m) > maxTriangles-len(l.m.triangles) {
		l.addSampledVertices(n, node)
		return
	}
	g, ok := l.geometries[m]
	if !ok {
		g = l.readGeometry(m)
		l.geometries[m] = g
	}
	if g == nil {
		return
	}
	inst := instance{geometry: g, node: node, first: uint32(len(l.m.vertices))}
	if n.Skin != nil {
		inst.skin = n.Skin
		for _, j := range n.Skin.Joints {
			k := l.m.pose.Index(j)
			if inst.joints = append(inst.joints, k); k >= 0 {
				l.m.isJoint[k] = true
			}
		}
		l.m.reportJoints(&inst, n.Name)
	}
	l.m.vertices = slices.Grow(l.m.vertices, m.Count)[:len(l.m.vertices)+m.Count]
	l.m.instances = append(l.m.instances, inst)
	for i, p := range m.Parts {
		if p == nil {
			continue
		}
		l.m.surfaces = append(l.m.surfaces,
			surface{instance: len(l.m.instances) - 1, part: i, material: l.materials.materialOf(n, i, g)})
		before := len(l.m.triangles)
		l.addPart(m, p, inst.first, uint32(len(l.m.surfaces)-1))
		s := &l.m.surfaces[len(l.m.surfaces)-1]
		if s.material.clay && g.isInterior(l.m.triangles[before:], inst.first) {
			s.material = l.materials.insideMaterial(s.material)
		}
	}
}

// maxTrianglesOf returns an upper bound of the triangles of a mesh.
func maxTrianglesOf(m *scene.Mesh) int {
	n := 0
	for _, p := range m.Parts {
		if p == nil {
			continue
		}
		switch p.Primitive {
		case scene.Triangles:
			n += m.PartIndices(p).Len() / 3
		case scene.TriangleStrip, scene.TriangleFan:
			n += min(m.PartIndices(p).Len(), maxIndices)
		}
	}
	return n
}

// readGeometry reads the vertices of a mesh, or returns nil if it has no positions or cannot be read.
func (l *loader) readGeometry(m *scene.Mesh) *geometry {
	r := meshReader{mesh: m, g: &geometry{}, stride: m.Stride()}
	if !r.findAttributes() {
		return nil
	}
	buf := make([]float32, max(1, min(block/r.stride, m.Count))*r.stride)
	for i := 0; i < m.Count; {
		k := min(m.Count-i, len(buf)/r.stride)
		if l.ctx.Err() != nil || m.Vertices.Read(i*r.stride, buf[:k*r.stride]) != nil {
			return nil
		}
		for j := range k {
			r.vertex(i+j, buf[j*r.stride:(j+1)*r.stride])
		}
		i += k
	}
	if r.white { // default colors
		r.g.colors, r.g.translucent = nil, false
	}
	return r.g
}

// meshReader splits the vertices of a mesh into elements.
type meshReader struct {
	mesh   *scene.Mesh
	g      *geometry
	stride int

	position, normal, color, joints, weights attribute
	texture                                  [2]attribute
	white                                    bool
}

// attribute is the location of an element in a vertex; index is -1 if it is absent.
type attribute struct{ index, size int }

// findAttributes finds the elements of a vertex and allocates memory for them; false if there are no positions.
func (r *meshReader) findAttributes() bool {
	find := func(u scene.Usage, set int) attribute {
		index, size := r.mesh.Find(u, set)
		return attribute{index, size}
	}
	r.position, r.normal, r.color = find(scene.Position, 0), find(scene.Normal, 0), find(scene.Color, 0)
	r.joints, r.weights = find(scene.Joints, 0), find(scene.Weights, 0)
	n := r.mesh.Count
	if r.position.index < 0 {
		return false
	}
	r.g.positions = make([][3]float32, n)
	if r.normal.index >= 0 {
		r.g.normals = make([][3]float32, n)
	}
	if r.color.index >= 0 {
		r.g.colors, r.white = make([][4]uint8, n), true
	}
	for set := range r.texture {
		if r.texture[set] = find(scene.TexCoord, set); r.texture[set].index >= 0 {
			r.g.texture[set] = make([][2]float32, n)
		}
	}
	if r.joints.index >= 0 && r.weights.index >= 0 {
		r.g.joints, r.g.weights = make([][4]int16, n), make([][4]float32, n)
	}
	return true
}

// vertex splits one vertex.
func (r *meshReader) vertex(i int, v []float32) {
	g := r.g
	g.positions[i] = vec3At(v, r.position.index, r.position.size)
	if g.normals != nil {
		g.normals[i] = vec3At(v, r.normal.index, r.normal.size)
	}
	if g.colors != nil {
		c := vec3At(v, r.color.index, r.color.size)
		if r.color.size == 1 {
			c[1], c[2] = c[0], c[0]
		}
		rgba := [4]uint8{toByte(c[0]), toByte(c[1]), toByte(c[2]), 255}
		if r.color.size > 3 {
			rgba[3] = toByte(v[r.color.index+3])
		}
		r.white = r.white && scene.IsUninformative(rgba)
		g.translucent = g.translucent || rgba[3] < 255
		g.colors[i] = rgba
	}
	for set, e := range r.texture {
		if e.index >= 0 {
			uv := vec3At(v, e.index, min(e.size, 2))
			g.texture[set][i] = [2]float32{uv[0], uv[1]}
		}
	}
	if g.joints != nil {
		g.joints[i], g.weights[i] = scene.Bind(v[r.joints.index:r.joints.index+r.joints.size],
			v[r.weights.index:r.weights.index+r.weights.size])
	}
}

// vec3At returns up to three floats of a vertex.
func vec3At(v []float32, index, size int) (p [3]float32) {
	copy(p[:], v[index:index+min(size, 3)])
	return p
}

// toByte converts a number from 0 to 1 to a byte.
func toByte(f float32) uint8 {
	if !(f > 0) {
		return 0
	}
	return uint8(min(f, 1)*255 + .5)
}

func (l *loader) addPart(m *scene.Mesh, p *scene.Part, first, surface uint32) {
	indices := m.PartIndices(p)
	if p.Primitive == scene.Triangles {
		if copied, ok := l.read[partKey{m, p}]; ok {
			l.copyTriangles(copied, first, surface)
			return
		}
		from := len(l.m.triangles)
		l.m.triangles = slices.Grow(l.m.triangles, min(indices.Len()/3, maxTriangles-len(l.m.triangles)))
		if len(l.indices) < min(block, indices.Len()) {
			l.indices = make([]uint32, min(block, indices.Len()))
		}
		for i := 0; i < indices.Len(); i += block {
			buffer := l.indices[:min(block, indices.Len()-i)]
			if l.ctx.Err() != nil || indices.Read(i, buffer) != nil {
				return
			}
			l.addFaces(m, p.Primitive, buffer, first, surface)
		}
		l.read[partKey{m, p}] = triangleRange{from, len(l.m.triangles), first}
		return
	}
	n := indices.Len()
	if n > maxIndices {
		n, l.m.Omitted = maxIndices, true
	}
	idx := make([]uint32, n)
	for i := 0; i < n; i += block {
		to := min(i+block, n)
		if l.ctx.Err() != nil || indices.Read(i, idx[i:to]) != nil {
			idx = idx[:i]
			break
		}
	}
	l.addFaces(m, p.Primitive, idx, first, surface)
	count := uint32(m.Count)
	p.Primitive.EachLine(idx, func(a, b uint32) {
		switch {
		case a >= count || b >= count:
		case len(l.m.lines) >= maxLines:
			l.m.Omitted = true
		default:
			l.m.lines = append(l.m.lines, line{first + a, first + b, surface})
		}
	})
	if p.Primitive == scene.PointList {
		l.addPoints(idx, m, surface)
	}
}

// copyTriangles adds the triangles of a part that another instance has, too.
func (l *loader) copyTriangles(source triangleRange, first, surface uint32) {
	triangles := l.m.triangles[source.from:source.to]
	if limit := maxTriangles - len(l.m.triangles); len(triangles) > limit {
		triangles, l.m.Omitted = triangles[:limit], true
	}
	move := first - source.first // of uint32: it may wrap around and back
	for _, t := range triangles {
		l.m.triangles = append(l.m.triangles, triangle{t.a + move, t.b + move, t.c + move, surface})
	}
}

// addPoints adds vertices as dots.
func (l *loader) addPoints(idx []uint32, m *scene.Mesh, surface uint32) {
	s := l.m.surfaces[surface]
	inst := l.m.instances[s.instance]
	world := l.m.pose.World[inst.node]
	step := 1 + len(idx)/maxDots
	for i := 0; i < len(idx); i += step {
		a := idx[i]
		if a >= uint32(m.Count) {
			continue
		}
		color := s.material.rgb
		if inst.colors != nil {
			color = [3]uint8(inst.colors[a][:3])
		}
		l.addDot(dot{position: world.Apply(inst.positions[a]), color: color, node: int32(inst.node)})
	}
}

// addFaces adds the triangles of indices.
func (l *loader) addFaces(m *scene.Mesh, p scene.Primitive, idx []uint32, first, surface uint32) {
	count := uint32(m.Count)
	p.EachTriangle(idx, func(a, b, c uint32) {
		switch {
		case a >= count || b >= count || c >= count || a == b || b == c || a == c:
		case len(l.m.triangles) >= maxTriangles:
			l.m.Omitted = true
		default:
			l.m.triangles = append(l.m.triangles, triangle{first + a, first + b, first + c, surface})
		}
	})
}

// addSampledVertices adds some of the vertices of a mesh that is too large, as dots.
func (l *loader) addSampledVertices(n *scene.Node, node int) {
	l.m.Omitted = true
	m := n.Mesh
	index, size := m.Find(scene.Position, 0)
	limit := min(maxDots-len(l.m.dots), maxDots/2)
	if index < 0 || limit <= 0 {
		return
	}
	world := l.m.pose.World[node]
	c := l.materials.materialOf(n, 0, nil).rgb
	buf := make([]float32, m.Stride())
	for i := 0; i < m.Count; i += 1 + m.Count/limit {
		if l.ctx.Err() != nil || m.Vertices.Read(i*len(buf), buf) != nil {
			return
		}
		l.addDot(dot{position: world.Apply(vec3At(buf, index, size)), color: c, node: int32(node), row: -1})
	}
}

func (l *loader) addDot(d dot) {
	switch {
	case !isDrawable(d.position):
	case len(l.m.dots) >= maxDots:
		l.m.Omitted = true
	default:
		l.m.dots = append(l.m.dots, d)
	}
}

// isInterior reports whether triangles are the inside of a hull.
func (g *geometry) isInterior(triangles []triangle, first uint32) bool {
	return scene.IsInterior(g.positions, g.normals, func(visit func(a, b, c uint32)) {
		for _, t := range triangles {
			visit(t.a-first, t.b-first, t.c-first)
		}
	})
}
