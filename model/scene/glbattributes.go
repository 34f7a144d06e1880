package scene

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
)

// attribute is one attribute of all vertices of a mesh, in the form of glTF.
type attribute struct {
	name      string
	kind      string
	component int
	data      []byte
	min, max  []float64
}

// newAttribute returns an attribute of a number of floats per vertex, without data.
func (t *table) newAttribute(name string, floats int) attribute {
	return attribute{name: name, kind: gltfTypes[floats], component: gltfFloat, data: make([]byte, 0, 4*floats*t.Count)}
}

// attributes makes attributes of the elements of a mesh. It caches the attributes of the last mesh.
func (b *glb) attributes(m *Mesh, skin *boundSkin) ([]attribute, error) {
	if b.lastMesh == m && b.lastSkin == skin {
		return b.lastAttributes, nil
	}
	if offset, _ := m.Find(Position, 0); offset < 0 || m.Count == 0 {
		b.report.add("meshes without positions are not exported", m.Name)
		return nil, nil
	}
	t, err := m.table()
	if err != nil {
		return nil, err
	}
	var out []attribute
	offset := 0
	sets := m.sets()
	var otherCount int
	for _, e := range m.Elements {
		current := element{t, offset, e.Size}
		offset += e.Size
		if e.Usage != Other && t.element(e.Usage, e.Set).offset != current.offset {
			if e.Size > 0 {
				b.report.add("duplicate vertex elements are written once", m.Name)
			}
			continue
		}
		switch {
		case e.Usage != Other:
			set := slices.Index(sets[e.Usage], e.Set)
			out = append(out, b.attributesOf(current, e.Usage, strconv.Itoa(set), skin)...)
		case e.Size < 1 || e.Size > 4:
			b.report.add("unknown vertex elements with more than four components are skipped", m.Name)
		default:
			out = append(out, b.otherAttribute(current, otherCount))
			otherCount++
		}
	}
	if b.usesNormalMap[m] {
		c, ok, err := b.computeTangents(t)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, c)
		}
	}
	b.lastMesh, b.lastSkin, b.lastAttributes = m, skin, out
	return out, nil
}

// attributesOf makes the attributes of an element with a known usage; set is the number of its set in glTF. Joints are
// written with their weights, which have no effect without a skin.
func (b *glb) attributesOf(e element, usage Usage, set string, skin *boundSkin) []attribute {
	switch usage {
	case Position:
		c := b.vectors(e, "POSITION", false)
		c.bounds()
		return []attribute{c}
	case Normal:
		return []attribute{b.vectors(e, "NORMAL", true)}
	case Binormal:
		return []attribute{b.vectors(e, "_BINORMAL", true)}
	case Tangent:
		return []attribute{b.tangents(e)}
	case Color:
		return []attribute{b.colors(e, "COLOR_"+set)}
	case TexCoord:
		return []attribute{b.texCoords(e, "TEXCOORD_"+set)}
	case Weights:
		if joints := e.table.element(Joints, 0); skin != nil && joints.exists() {
			return b.weights(e, joints, skin)
		}
	}
	return nil
}

// sets lists the sets of each usage that the mesh has, in order: glTF numbers them without gaps.
func (m *Mesh) sets() map[Usage][]int {
	out := make(map[Usage][]int)
	for _, e := range m.Elements {
		if !slices.Contains(out[e.Usage], e.Set) && e.Size > 0 {
			out[e.Usage] = append(out[e.Usage], e.Set)
		}
	}
	for _, s := range out {
		slices.Sort(s)
	}
	return out
}

func (a *attribute) appendFloats(v ...float32) {
	for _, f := range v {
		a.data = binary.LittleEndian.AppendUint32(a.data, math.Float32bits(f))
	}
}

// bounds computes the minimum and the maximum of each of three floats.
func (a *attribute) bounds() {
	for i := 0; i+12 <= len(a.data); i += 12 {
		for k := range 3 {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(a.data[i+4*k:])))
			if i == 0 {
				a.min, a.max = append(a.min, v), append(a.max, v)
			}
			a.min[k], a.max[k] = min(a.min[k], v), max(a.max[k], v)
		}
	}
}

// vectors writes three floats a vertex; directions get length 1.
func (b *glb) vectors(e element, name string, direction bool) attribute {
	c := e.newAttribute(name, 3)
	invalidCount := 0
	for i := range e.Count {
		v, invalid := e.finiteAt(i)
		if invalid {
			invalidCount++
		}
		p := [3]float32(v[:3])
		if direction {
			var ok bool
			if p, ok = unit(p); !ok {
				p = [3]float32{0, 0, 1} // glTF allows no other length
			}
		}
		c.appendFloats(p[:]...)
	}
	b.report.addN("coordinates that are not numbers are 0", e.Name, invalidCount)
	return c
}

// tangents writes four floats: a direction, and the side of the binormal.
func (b *glb) tangents(e element) attribute {
	c := e.newAttribute("TANGENT", 4)
	normals, binormals := e.element(Normal, 0), e.element(Binormal, 0)
	for i := range e.Count {
		v, _ := e.finiteAt(i)
		p, ok := unit([3]float32(v[:3]))
		if !ok {
			p = [3]float32{1, 0, 0}
		}
		side := float32(1)
		switch {
		case v[3] < 0:
			side = -1
		case normals.exists() && binormals.exists():
			if dot(cross(toDouble(normals.vectorAt(i)), toDouble(p)), toDouble(binormals.vectorAt(i))) < 0 {
				side = -1
			}
		}
		c.appendFloats(p[0], p[1], p[2], side)
	}
	return c
}

// colors writes four floats from 0 to 1.
func (b *glb) colors(e element, name string) attribute {
	c := e.newAttribute(name, 4)
	clamped := 0
	for i := range e.Count {
		v := e.colorAt(i)
		for k, f := range v {
			if !(f >= 0 && f <= 1) {
				clamped++
				v[k] = min(max(finiteOrZero(f), 0), 1)
			}
			if k < 3 {
				v[k] = linear(v[k])
			}
		}
		c.appendFloats(v[:]...)
	}
	b.report.addN("colors are clamped to 0 to 1", e.Name, clamped)
	return c
}

// texCoords writes two floats. v becomes 1 - v, because in glTF it is 0 at the top of the picture; pictures with
// Texture.Down are stored flipped.
func (b *glb) texCoords(e element, name string) attribute {
	c := e.newAttribute(name, 2)
	invalidCount := 0
	for i := range e.Count {
		v, invalid := e.finiteAt(i)
		if invalid {
			invalidCount++
		}
		c.appendFloats(v[0], 1-v[1])
	}
	b.report.addN("texture coordinates that are not numbers are 0", e.Name, invalidCount)
	if e.size > 2 {
		b.report.add("texture coordinates of more than two numbers keep the first two", e.Name)
	}
	return c
}

func (b *glb) otherAttribute(e element, number int) attribute {
	c := e.newAttribute("_OTHER_"+strconv.Itoa(number), e.size)
	for i := range e.Count {
		v, invalid := e.finiteAt(i)
		if invalid {
			b.report.add("coordinates that are not numbers are 0", e.Name)
		}
		c.appendFloats(v[:e.size]...)
	}
	return c
}

// weights writes the joints that a vertex follows, up to four, and their weights. It drops invalid weights and missing
// joints, and scales the rest to a sum of 1.
func (b *glb) weights(weightElement, jointElement element, skin *boundSkin) []attribute {
	joints, weights := weightElement.newAttribute("JOINTS_0", 4), weightElement.newAttribute("WEIGHTS_0", 4)
	if joints.component = gltfByte; skin.count > math.MaxUint8+1 {
		joints.component = gltfShort
	}
	ignored, unskinned := 0, 0
	for i := range weightElement.Count {
		w, n := weightElement.floatsAt(i)
		j, m := jointElement.floatsAt(i)
		var vertexJoints [4]int
		var vertexWeights [4]float64
		used, sum := 0, 0.0
		for k := range min(n, m) {
			if w[k] == 0 {
				continue
			}
			joint := -1
			if number := math.Round(float64(j[k])); number >= 0 && number < float64(len(skin.joints)) {
				joint = skin.joints[int(number)]
			}
			// Encoders only write weights above 1 by a rounding error; 1e35 is uninitialized memory.
			if !(w[k] > 0 && w[k] < 1.01) || joint < 0 {
				ignored++
				continue
			}
			sum += float64(w[k])
			if same := slices.Index(vertexJoints[:used], joint); same >= 0 {
				vertexWeights[same] += float64(w[k])
				continue
			}
			vertexJoints[used], vertexWeights[used] = joint, float64(w[k])
			used++
		}
		if used == 0 {
			unskinned++
			used, sum, vertexWeights[0] = 1, 1, 1
		}
		for k := range 4 {
			if joints.component == gltfByte {
				joints.data = append(joints.data, byte(vertexJoints[k]))
			} else {
				joints.data = binary.LittleEndian.AppendUint16(joints.data, uint16(vertexJoints[k]))
			}
			weights.appendFloats(float32(vertexWeights[k] / sum))
		}
	}
	b.report.addN("weights that are not positive numbers, or of joints that do not exist, are ignored", weightElement.Name,
		ignored)
	b.report.addN("vertices without a joint are bound to the first joint", weightElement.Name, unskinned)
	if weightElement.size > 4 || jointElement.size > 4 {
		b.report.add("vertices with weights of more than four joints keep the first four", weightElement.Name)
	}
	return []attribute{joints, weights}
}

// findNormalMaps records the meshes with normal maps: they need tangents.
func (b *glb) findNormalMaps() {
	b.usesNormalMap = make(map[*Mesh]bool)
	for _, n := range b.nodes {
		if n.Mesh == nil {
			continue
		}
		for i := range n.Mesh.Parts {
			if m := n.Material(i); m != nil && m.Normal != nil {
				b.usesNormalMap[n.Mesh] = true
			}
		}
	}
}

// texDirections are the sources of the tangent and the binormal of a vertex: along u and along v, over all its
// triangles.
type texDirections struct{ u, v [3]float64 }

// computeTangents computes the tangents of a mesh that has normals and texture coordinates but no tangents; ok is false
// if that is impossible.
func (b *glb) computeTangents(t *table) (c attribute, ok bool, err error) {
	normals := t.element(Normal, 0)
	if !normals.exists() || t.element(Tangent, 0).exists() || len(t.sets()[TexCoord]) == 0 {
		return c, false, nil
	}
	sums, err := t.sumTexDirections()
	if err != nil {
		return c, false, err
	}
	c = t.newAttribute("TANGENT", 4)
	for i, d := range sums {
		n, _ := unit(normals.vectorAt(i))
		up := toDouble(n)
		p, some := unit(perpendicular(d.u, up))
		if !some { // any direction perpendicular to the normal
			if p, some = unit(perpendicular([3]float64{1, 0, 0}, up)); !some {
				p = [3]float32{0, 1, 0}
			}
		}
		side := float32(1)
		if dot(cross(up, toDouble(p)), d.v) < 0 {
			side = -1
		}
		c.appendFloats(p[0], p[1], p[2], side)
	}
	return c, true, nil
}

// perpendicular returns the part of a direction that is perpendicular to a normal.
func perpendicular(v, normal [3]float64) (out [3]float32) {
	along := dot(v, normal)
	for k := range out {
		out[k] = float32(v[k] - along*normal[k])
	}
	return out
}

// sumTexDirections sums the texture directions of the triangles of each vertex.
func (t *table) sumTexDirections() ([]texDirections, error) {
	positions, uvs := t.element(Position, 0), t.element(TexCoord, t.sets()[TexCoord][0])
	sums := make([]texDirections, t.Count)
	vertexAt := func(i uint32) (p [3]float64, u, v float64) {
		uv := toDouble(uvs.vectorAt(int(i)))
		return toDouble(positions.vectorAt(int(i))), uv[0], uv[1]
	}
	for _, p := range t.Parts {
		idx, err := p.readIndices(t.Mesh)
		if err != nil {
			return nil, err
		}
		p.Primitive.EachTriangle(idx, func(a, b, c uint32) {
			if n := uint32(t.Count); a >= n || b >= n || c >= n {
				return
			}
			p, u0, v0 := vertexAt(a)
			q, u1, v1 := vertexAt(b)
			r, u2, v2 := vertexAt(c)
			u1, v1, u2, v2 = u1-u0, v1-v0, u2-u0, v2-v0
			sign := 1.0 // weighted by size: only the sign of the area in the texture matters
			if u1*v2-u2*v1 < 0 {
				sign = -1
			}
			var d texDirections
			for k := range p {
				e1, e2 := q[k]-p[k], r[k]-p[k]
				d.u[k], d.v[k] = sign*(e1*v2-e2*v1), sign*(e2*u1-e1*u2)
			}
			for _, i := range [3]uint32{a, b, c} {
				for k := range p {
					sums[i].u[k] += d.u[k]
					sums[i].v[k] += d.v[k]
				}
			}
		})
	}
	return sums, nil
}
