package scene

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// geometry is a mesh as it is written for one skin; skin may be nil.
type geometry struct {
	mesh *Mesh
	skin *Skin
}

// addMesh adds the mesh of a node to the file, once for each skin and set of materials.
func (b *glb) addMesh(i int, n *Node) error {
	skin := n.Skin
	if skin != nil && !n.Mesh.HasWeights() {
		b.report.add("skins of meshes without weights or joints are not exported", n.Mesh.Name)
		skin = nil
	}
	var bound *boundSkin
	if skin != nil {
		if bound = b.addSkin(skin); bound.number < 0 {
			skin, bound = nil, nil
		}
	}
	key := fmt.Sprintf("%p %p %v", n.Mesh, skin, n.Materials)
	mesh, ok := b.meshes[key]
	if !ok {
		parts, err := b.addGeometry(geometry{n.Mesh, skin}, bound)
		if err != nil {
			return err
		}
		mesh = -1
		if len(parts) > 0 {
			if parts, err = b.setMaterials(parts, n); err != nil {
				return err
			}
		}
		if len(parts) > 0 {
			mesh = add(&b.doc.Meshes, gltfMesh{n.Mesh.Name, parts})
		}
		b.meshes[key] = mesh
	}
	switch {
	case mesh < 0:
	case bound == nil:
		b.doc.Nodes[i].Mesh = &mesh
	default:
		k := b.nodeOfSkinned(i, n)
		b.doc.Nodes[k].Mesh, b.doc.Nodes[k].Skin = &mesh, &bound.number
	}
	return nil
}

// nodeOfSkinned returns the node for a mesh with a skin: the joints determine its position, and its own transform has
// no effect. It is a root without a transform, as viewers disagree about others.
func (b *glb) nodeOfSkinned(i int, n *Node) int {
	roots := b.doc.Scenes[0].Nodes
	if slices.Contains(roots, i) && n.Transform == Identity && !b.targeted[n] {
		return i
	}
	k := b.addNode(n.Name)
	b.doc.Scenes[0].Nodes = append(roots, k)
	return k
}

// setMaterials sets the materials of parts: the node's, else their own, else a default one, because glTF's default is
// metal. The colors of vertices are stored under another name if the material does not use them, because glTF would use
// them.
func (b *glb) setMaterials(parts []gltfPrimitive, n *Node) ([]gltfPrimitive, error) {
	out := make([]gltfPrimitive, 0, len(parts))
	for i, p := range parts {
		if p.Attributes == nil { // nothing to draw
			continue
		}
		m, colored := b.appearances.materialOf(n, i), b.appearances.colored[n.Mesh]
		if m.Cull == CullBoth { // nothing of it is drawn
			continue
		}
		_, mapped := p.Attributes["TEXCOORD_0"]
		_, tangent := p.Attributes["TANGENT"]
		inside := false
		if m.Shading == UnknownShading {
			var err error
			if inside, err = n.Mesh.isInteriorPart(n.Mesh.Parts[i]); err != nil {
				return nil, err
			}
		}
		translucent := colored && m.VertexColors && b.appearances.translucent[n.Mesh]
		k, err := b.addMaterial(materialKey{m, mapped, tangent, colored, inside, translucent})
		if err != nil {
			return nil, err
		}
		p.Material = &k
		if !colored || m.Shading != UnknownShading && !m.VertexColors {
			p.Attributes = hideColors(p.Attributes)
		}
		if s := m.Texture; mapped && s != nil && s.changesCoordinates() {
			p.Attributes = maps.Clone(p.Attributes)
			p.Attributes["TEXCOORD_0"] = b.repeatedCoordinates(uvKey{n.Mesh, s.Repeat, s.Offset})
		}
		if !mapped && b.doc.Materials[k].GlowTexture != nil {
			p.Attributes = maps.Clone(p.Attributes)
			p.Attributes["TEXCOORD_0"] = b.zeroCoordinates(n.Mesh)
		}
		out = append(out, p)
	}
	return out, nil
}

// zeroCoordinates writes coordinates for a texture of one color, once, and returns their accessor.
func (b *glb) zeroCoordinates(m *Mesh) int {
	key := uvKey{mesh: m}
	k, ok := b.uvAccessors[key]
	if !ok {
		a := gltfAccessor{Component: gltfShort, Normalized: true, Count: m.Count, Type: "VEC2"}
		k = b.addAccessor(a, gltfVertices, func(w io.Writer) error {
			_, err := io.CopyN(w, zeros{}, 4*int64(m.Count))
			return err
		})
		b.uvAccessors[key] = k
	}
	return k
}

// zeros is an endless source of bytes.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// changesCoordinates reports whether the sampler changes the coordinates of vertices.
func (s *Sampler) changesCoordinates() bool {
	return s.Repeat != [2]float32{1, 1} && s.Repeat != [2]float32{} || s.Offset != [2]float32{}
}

// uvKey is how the sampler of a part changes the coordinates of its mesh.
type uvKey struct {
	mesh           *Mesh
	repeat, offset [2]float32
}

// repeatedCoordinates writes the coordinates of a mesh as a sampler changes them, once, and returns their accessor:
// many viewers ignore the extension for it.
func (b *glb) repeatedCoordinates(key uvKey) int {
	if k, ok := b.uvAccessors[key]; ok {
		return k
	}
	a := gltfAccessor{Component: gltfFloat, Count: key.mesh.Count, Type: "VEC2"}
	b.uvAccessors[key] = b.addAccessor(a, gltfVertices, func(w io.Writer) error {
		t, err := key.mesh.table()
		if err != nil {
			return err
		}
		e := t.element(TexCoord, t.sets()[TexCoord][0])
		for i := range t.Count {
			v, _ := e.finiteAt(i)
			for k := range 2 {
				v[k] = finiteOrZero(v[k]*key.repeat[k] + key.offset[k])
			}
			if err := writeFloats(w, v[0], 1-v[1]); err != nil {
				return err
			}
		}
		return nil
	})
	return b.uvAccessors[key]
}

// hideColors returns attributes with another name for colors.
func hideColors(attributes map[string]int) map[string]int {
	out := make(map[string]int, len(attributes))
	for name, k := range attributes {
		if strings.HasPrefix(name, "COLOR_") {
			name = "_" + name
		}
		out[name] = k
	}
	return out
}

// addGeometry writes vertices and indices. It returns one primitive for each part; empty ones have no attributes. If
// all are empty, it returns an empty list.
func (b *glb) addGeometry(g geometry, skin *boundSkin) ([]gltfPrimitive, error) {
	if got, ok := b.geometries[g]; ok {
		return got, nil
	}
	m := g.mesh
	attributes, err := b.attributes(m, skin)
	if err != nil {
		return nil, err
	}
	b.geometries[g] = nil
	if len(attributes) == 0 {
		return nil, nil
	}
	parts := make([]gltfPrimitive, len(m.Parts))
	hasIndices := false
	for i, p := range m.Parts {
		if parts[i], err = b.addIndices(m, p); err != nil {
			return nil, err
		}
		hasIndices = hasIndices || parts[i].Indices != nil
	}
	if !hasIndices {
		return nil, nil
	}
	accessors := make(map[string]int) // by the names of the attributes
	for k, a := range attributes {
		accessor := gltfAccessor{Component: a.component, Count: m.Count, Type: a.kind, Min: a.min, Max: a.max}
		accessors[a.name] = b.addAccessor(accessor, gltfVertices, func(w io.Writer) error {
			attributes, err := b.attributes(m, skin)
			if err != nil || k >= len(attributes) {
				return err
			}
			_, err = w.Write(attributes[k].data)
			return err
		})
	}
	for i := range parts {
		if parts[i].Indices != nil {
			parts[i].Attributes = accessors
		}
	}
	b.geometries[g] = parts
	return parts, nil
}

// addIndices writes the indices of a part, in the smallest type that does not need its largest number, which is
// reserved.
func (b *glb) addIndices(m *Mesh, p *Part) (gltfPrimitive, error) {
	out := gltfPrimitive{Mode: p.Primitive}
	if p.Primitive > TriangleFan {
		b.report.add("parts of an unknown primitive are not exported", m.Name)
		return out, nil
	}
	idx, err := b.usableIndices(m, p)
	if err != nil || len(idx) == 0 {
		return out, err
	}
	component := gltfInt
	switch highest := slices.Max(idx); {
	case highest < math.MaxUint8:
		component = gltfByte
	case highest < math.MaxUint16:
		component = gltfShort
	}
	indices := gltfAccessor{Component: component, Count: len(idx), Type: "SCALAR"}
	a := b.addAccessor(indices, gltfIndices, func(w io.Writer) error {
		idx, err := b.usableIndices(m, p)
		if err != nil {
			return err
		}
		data := make([]byte, 0, 4*len(idx))
		for _, i := range idx {
			switch component {
			case gltfByte:
				data = append(data, byte(i))
			case gltfShort:
				data = binary.LittleEndian.AppendUint16(data, uint16(i))
			default:
				data = binary.LittleEndian.AppendUint32(data, i)
			}
		}
		_, err = w.Write(data)
		return err
	})
	out.Indices = &a
	return out, nil
}

// usableIndices returns the indices of complete primitives with existing vertices. A strip ends at a missing vertex.
func (b *glb) usableIndices(m *Mesh, p *Part) ([]uint32, error) {
	idx, err := p.readIndices(m)
	if err != nil {
		return nil, err
	}
	primitiveSize := map[Primitive]int{PointList: 1, Lines: 2, Triangles: 3}[p.Primitive]
	minIndices := map[Primitive]int{LineStrip: 2, LineLoop: 2, TriangleStrip: 3, TriangleFan: 3}[p.Primitive]
	allExist := func(list []uint32) bool {
		for _, i := range list {
			if int64(i) >= int64(m.Count) {
				return false
			}
		}
		return true
	}
	if primitiveSize == 0 {
		for i := range idx {
			if !allExist(idx[i : i+1]) {
				b.report.addN("indices of vertices that do not exist are not exported", m.Name, len(idx)-i)
				idx = idx[:i]
				break
			}
		}
		if len(idx) < minIndices {
			return nil, nil
		}
		return idx, nil
	}
	out := idx[:0]
	for i := 0; i+primitiveSize <= len(idx); i += primitiveSize {
		if allExist(idx[i : i+primitiveSize]) {
			out = append(out, idx[i:i+primitiveSize]...)
		} else {
			b.report.addN("indices of vertices that do not exist are not exported", m.Name, primitiveSize)
		}
	}
	b.report.addN("incomplete primitives are not exported", m.Name, len(idx)%primitiveSize)
	return out, nil
}

func writeFloats(w io.Writer, v ...float32) error {
	var buf [64]byte
	b := buf[:0]
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	_, err := w.Write(b)
	return err
}

// boundSkin is a skin in the form of glTF: existing joints, each once.
type boundSkin struct {
	number int   // -1 if it has no joints
	joints []int // for each joint of the scene's skin the number in glTF's, -1 if it does not exist
	count  int
}

// addJoints adds the joints of a skin that are not in the tree as further roots.
func (b *glb) addJoints(s *Skin) []int {
	var added []int
	for _, j := range s.Joints {
		if j == nil {
			continue
		}
		if _, ok := b.numberOf[j]; !ok {
			b.report.add("joints outside the scene are added to it", j.Name)
			added = append(added, b.addNodes([]*Node{j}, -1)...)
		}
	}
	return added
}

// addCommonRoot adds a node above all roots if the joints of a skin are below several: glTF requires a common root.
func (b *glb) addCommonRoot() {
	for _, n := range b.nodes {
		if n.Skin == nil {
			continue
		}
		first := -1
		for _, j := range n.Skin.Joints {
			i, ok := b.numberOf[j]
			if !ok {
				continue
			}
			if first >= 0 && b.rootOf[i] != first {
				root := &b.doc.Scenes[0]
				k := b.addNode(b.scene.Name)
				b.doc.Nodes[k].Children = root.Nodes
				root.Nodes = []int{k}
				return
			}
			first = b.rootOf[i]
		}
	}
}

// addSkin returns the skin in the form of glTF, with its inverse bind matrices, which include the bind shape.
func (b *glb) addSkin(s *Skin) *boundSkin {
	if got, ok := b.skins[s]; ok {
		return got
	}
	out := &boundSkin{number: -1, joints: make([]int, len(s.Joints))}
	b.skins[s] = out
	g := gltfSkin{Name: s.Name}
	var matrices []byte
	indexOf := make(map[*Node]int)
	for i, j := range s.Joints {
		out.joints[i] = -1
		if j == nil {
			b.report.add("joints that do not exist are ignored", s.Name)
			continue
		}
		if k, ok := indexOf[j]; ok {
			b.report.add("duplicate joints are written once", j.Name)
			out.joints[i] = k
			continue
		}
		m := Identity
		if i < len(s.Inverse) {
			m = s.Inverse[i].Times(s.BindShape)
		}
		if i >= len(s.Inverse) || !m.finite() || m[3] != 0 || m[7] != 0 || m[11] != 0 ||
			math.Abs(float64(m[15])-1) > 1e-5 {
			b.report.add("inverse bind matrices that are missing or not finite are replaced by the identity", j.Name)
			m = Identity
		}
		m[15] = 1
		out.joints[i] = len(g.Joints)
		indexOf[j] = len(g.Joints)
		g.Joints = append(g.Joints, b.numberOf[j])
		for _, v := range m {
			matrices = binary.LittleEndian.AppendUint32(matrices, math.Float32bits(v))
		}
	}
	out.count = len(g.Joints)
	if out.count == 0 {
		b.report.add("skins without joints are not exported", s.Name)
		return out
	}
	g.Inverse = b.addAccessor(gltfAccessor{Component: gltfFloat, Count: out.count, Type: "MAT4"}, 0, func(w io.Writer) error {
		_, err := w.Write(matrices)
		return err
	})
	out.number = add(&b.doc.Skins, g)
	return out
}
