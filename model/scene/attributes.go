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
		set := strconv.Itoa(slices.Index(sets[e.Usage], e.Set))
		switch e.Usage {
		case Position:
			c := b.vectors(current, "POSITION", false)
			c.bounds()
			out = append(out, c)
		case Normal:
			out = append(out, b.vectors(current, "NORMAL", true))
		case Binormal:
			out = append(out, b.vectors(current, "_BINORMAL", true))
		case Tangent:
			out = append(out, b.tangents(current))
		case Color:
			out = append(out, b.colors(current, "COLOR_"+set))
		case TexCoord:
			out = append(out, b.texCoords(current, "TEXCOORD_"+set))
		case Weights:
			if joints := t.element(Joints, 0); skin != nil && joints.exists() {
				out = append(out, b.weights(current, joints, skin)...)
			} // without a skin they have no effect
		case Joints:
		default:
			if e.Size < 1 || e.Size > 4 {
				b.report.add("unknown vertex elements with more than four components are skipped", m.Name)
				continue
			}
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

func (c *attribute) appendFloats(v ...float32) {
	for _, f := range v {
		c.data = binary.LittleEndian.AppendUint32(c.data, math.Float32bits(f))
	}
}

// bounds computes the minimum and the maximum of each of three floats.
func (c *attribute) bounds() {
	for i := 0; i+12 <= len(c.data); i += 12 {
		for k := range 3 {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(c.data[i+4*k:])))
			if i == 0 {
				c.min, c.max = append(c.min, v), append(c.max, v)
			}
			c.min[k], c.max[k] = min(c.min[k], v), max(c.max[k], v)
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
