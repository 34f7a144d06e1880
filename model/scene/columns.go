package scene

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
)

// column is one attribute of all vertices of a mesh, in the form of glTF.
type column struct {
	name      string
	kind      string
	component int
	data      []byte
	min, max  []float64
}

// newColumn returns a column with a number of floats per vertex.
func (t *table) newColumn(name string, floats int) column {
	return column{name: name, kind: gltfTypes[floats], component: gltfFloat, data: make([]byte, 0, 4*floats*t.Count)}
}

// columns makes attributes of the elements of a mesh. It caches the attributes of the last mesh.
func (b *glb) columns(m *Mesh, skin *boundSkin) ([]column, error) {
	if b.lastMesh == m && b.lastSkin == skin {
		return b.last, nil
	}
	if offset, _ := m.Find(Position, 0); offset < 0 || m.Count == 0 {
		b.report.add("meshes without positions are not exported", m.Name)
		return nil, nil
	}
	t, err := m.table()
	if err != nil {
		return nil, err
	}
	var out []column
	offset := 0
	sets := m.sets()
	var others int
	for _, e := range m.Elements {
		here := element{t, offset, e.Size}
		offset += e.Size
		if e.Usage != Other && t.element(e.Usage, e.Set).offset != here.offset {
			if e.Size > 0 {
				b.report.add("duplicate vertex elements are written once", m.Name)
			}
			continue
		}
		set := strconv.Itoa(slices.Index(sets[e.Usage], e.Set))
		switch e.Usage {
		case Position:
			c := b.vectors(here, "POSITION", false)
			c.bounds()
			out = append(out, c)
		case Normal:
			out = append(out, b.vectors(here, "NORMAL", true))
		case Binormal:
			out = append(out, b.vectors(here, "_BINORMAL", true))
		case Tangent:
			out = append(out, b.tangents(here))
		case Color:
			out = append(out, b.colors(here, "COLOR_"+set))
		case TexCoord:
			out = append(out, b.texture(here, "TEXCOORD_"+set))
		case Weights:
			if joints := t.element(Joints, 0); skin != nil && joints.exists() {
				out = append(out, b.weights(here, joints, skin)...)
			} // without a skin they have no effect
		case Joints:
		default:
			if e.Size < 1 || e.Size > 4 {
				b.report.add("unknown vertex elements with more than four components are skipped", m.Name)
				continue
			}
			out = append(out, b.otherColumn(here, others))
			others++
		}
	}
	if b.usesNormalMap[m] {
		c, ok, err := b.madeTangents(t)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, c)
		}
	}
	b.lastMesh, b.lastSkin, b.last = m, skin, out
	return out, nil
}

// sets lists the sets of texture coordinates and colors: glTF numbers them without gaps.
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

func (c *column) put(v ...float32) {
	for _, f := range v {
		c.data = binary.LittleEndian.AppendUint32(c.data, math.Float32bits(f))
	}
}

// bounds computes the minimum and the maximum of each of three floats.
func (c *column) bounds() {
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
func (b *glb) vectors(e element, name string, direction bool) column {
	c := e.newColumn(name, 3)
	bad := 0
	for i := range e.Count {
		v, wrong := e.clean(i)
		if wrong {
			bad++
		}
		p := [3]float32(v[:3])
		if direction {
			var ok bool
			if p, ok = unit(p); !ok {
				p = [3]float32{0, 0, 1} // glTF allows no other length
			}
		}
		c.put(p[:]...)
	}
	b.report.addN("coordinates that are not numbers are 0", e.Name, bad)
	return c
}

// tangents writes four floats: a direction, and the side of the binormal.
func (b *glb) tangents(e element) column {
	c := e.newColumn("TANGENT", 4)
	normals, binormals := e.element(Normal, 0), e.element(Binormal, 0)
	for i := range e.Count {
		v, _ := e.clean(i)
		p, ok := unit([3]float32(v[:3]))
		if !ok {
			p = [3]float32{1, 0, 0}
		}
		side := float32(1)
		switch {
		case v[3] < 0:
			side = -1
		case normals.exists() && binormals.exists():
			if dot(cross(double(normals.vector(i)), double(p)), double(binormals.vector(i))) < 0 {
				side = -1
			}
		}
		c.put(p[0], p[1], p[2], side)
	}
	return c
}

// colors writes four floats from 0 to 1.
func (b *glb) colors(e element, name string) column {
	c := e.newColumn(name, 4)
	bad := 0
	for i := range e.Count {
		v := e.color(i)
		for k, f := range v {
			if !(f >= 0 && f <= 1) {
				bad++
				v[k] = min(max(number(f), 0), 1)
			}
			if k < 3 {
				v[k] = linear(v[k])
			}
		}
		c.put(v[:]...)
	}
	b.report.addN("colors are clamped to 0 to 1", e.Name, bad)
	return c
}

// texture writes two floats. v becomes 1 - v, because in glTF it is 0 at the top of the picture; pictures with
// Texture.Down are stored flipped.
func (b *glb) texture(e element, name string) column {
	c := e.newColumn(name, 2)
	bad := 0
	for i := range e.Count {
		v, wrong := e.clean(i)
		if wrong {
			bad++
		}
		c.put(v[0], 1-v[1])
	}
	b.report.addN("texture coordinates that are not numbers are 0", e.Name, bad)
	if e.size > 2 {
		b.report.add("texture coordinates of more than two numbers keep the first two", e.Name)
	}
	return c
}

func (b *glb) otherColumn(e element, number int) column {
	c := e.newColumn("_OTHER_"+strconv.Itoa(number), e.size)
	for i := range e.Count {
		v, wrong := e.clean(i)
		if wrong {
			b.report.add("coordinates that are not numbers are 0", e.Name)
		}
		c.put(v[:e.size]...)
	}
	return c
}

// weights writes the joints that a vertex follows, up to four, and their weights. It drops invalid weights and missing
// joints, and scales the rest to a sum of 1.
func (b *glb) weights(shares, numbers element, skin *boundSkin) []column {
	joints, weights := shares.newColumn("JOINTS_0", 4), shares.newColumn("WEIGHTS_0", 4)
	if joints.component = gltfByte; skin.count > math.MaxUint8+1 {
		joints.component = gltfShort
	}
	garbage, unskinned := 0, 0
	for i := range shares.Count {
		w, n := shares.get(i)
		j, m := numbers.get(i)
		var to [4]int
		var share [4]float64
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
				garbage++
				continue
			}
			sum += float64(w[k])
			if same := slices.Index(to[:used], joint); same >= 0 {
				share[same] += float64(w[k])
				continue
			}
			to[used], share[used] = joint, float64(w[k])
			used++
		}
		if used == 0 {
			unskinned++
			used, sum, share[0] = 1, 1, 1
		}
		for k := range 4 {
			if joints.component == gltfByte {
				joints.data = append(joints.data, byte(to[k]))
			} else {
				joints.data = binary.LittleEndian.AppendUint16(joints.data, uint16(to[k]))
			}
			weights.put(float32(share[k] / sum))
		}
	}
	b.report.addN("weights that are not positive numbers, or of joints that do not exist, are ignored", shares.Name,
		garbage)
	b.report.addN("vertices without a joint are bound to the first joint", shares.Name, unskinned)
	if shares.size > 4 || numbers.size > 4 {
		b.report.add("vertices with weights of more than four joints keep the first four", shares.Name)
	}
	return []column{joints, weights}
}
