package scene

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
)

// column is one attribute of all vertices of a mesh, as glTF has it.
type column struct {
	name      string
	kind      string
	component int
	data      []byte
	min, max  []float64
}

// table is the vertices of a mesh in memory.
type table struct {
	*Mesh
	all    []float32
	stride int
}

// get returns up to four floats of an element of a vertex, and how many there are.
func (t *table) get(vertex, at, size int) (v [4]float32, n int) {
	n = copy(v[:], t.all[vertex*t.stride+at:vertex*t.stride+at+size])
	return v, n
}

// columns makes attributes of the elements of a mesh. Those of the mesh that was asked for last are kept.
func (b *glb) columns(m *Mesh, skin *boundSkin) ([]column, error) {
	if b.lastMesh == m && b.lastSkin == skin {
		return b.last, nil
	}
	t := &table{Mesh: m, stride: m.Stride()}
	if at, _ := m.Find(Position, 0); at < 0 || m.Count == 0 {
		b.report.add("meshes without positions are left out", m.Name)
		return nil, nil
	}
	var err error
	if t.all, err = m.ReadVertices(); err != nil {
		return nil, err
	}
	var out []column
	at := 0
	sets := m.sets()
	var others int
	for i, e := range m.Elements {
		here := at
		at += e.Size
		if first, _ := m.Find(e.Usage, e.Set); e.Usage != Other && first != here {
			if e.Size > 0 {
				b.report.add("elements that a vertex has twice are written once", m.Name)
			}
			continue
		}
		set := strconv.Itoa(slices.Index(sets[e.Usage], e.Set))
		switch e.Usage {
		case Position:
			c := b.vectors(t, here, e.Size, "POSITION", false)
			c.bounds()
			out = append(out, c)
		case Normal:
			out = append(out, b.vectors(t, here, e.Size, "NORMAL", true))
		case Binormal:
			out = append(out, b.vectors(t, here, e.Size, "_BINORMAL", true))
		case Tangent:
			out = append(out, b.tangents(t, here, e.Size))
		case Color:
			out = append(out, b.colors(t, here, e.Size, "COLOR_"+set))
		case TexCoord:
			out = append(out, b.texture(t, here, e.Size, "TEXCOORD_"+set))
		case Weights:
			if joints, n := m.Find(Joints, 0); skin != nil && joints >= 0 {
				out = append(out, b.weights(t, here, e.Size, joints, n, skin)...)
			} else if e.Size > 0 {
				b.report.add("weights of meshes without a skin are left out", m.Name)
			}
		case Joints:
		default:
			if e.Size < 1 || e.Size > 4 {
				b.report.add("unknown elements of a vertex that have more than four numbers are left out", m.Name)
				continue
			}
			out = append(out, b.other(t, m.Elements[i], here, others))
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

// sets lists which texture coordinates and colours there are: glTF numbers them without holes.
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

// bounds finds the least and the greatest of each of three floats.
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

// clean makes 0 of what is no number and says whether there was any.
func clean(v *[4]float32, n int) (bad bool) {
	for i := range n {
		if !finite(v[i]) {
			v[i], bad = 0, true
		}
	}
	return bad
}

// vectors writes three floats a vertex; directions get length 1.
func (b *glb) vectors(t *table, at, size int, name string, direction bool) column {
	c := column{name: name, kind: "VEC3", component: gltfFloat, data: make([]byte, 0, 12*t.Count)}
	bad, none := 0, 0
	for i := range t.Count {
		v, n := t.get(i, at, size)
		if clean(&v, n) {
			bad++
		}
		p := [3]float32{v[0], v[1], v[2]}
		if direction {
			var ok bool
			if p, ok = unit(p); !ok {
				p = [3]float32{0, 0, 1}
				none++
			}
		}
		c.put(p[0], p[1], p[2])
	}
	b.report.addN("coordinates that are not numbers are 0", t.Name, bad)
	b.report.addN("directions of length 0 point along z", t.Name, none)
	return c
}

// tangents writes four floats: a direction, and the side on which the binormal lies.
func (b *glb) tangents(t *table, at, size int) column {
	c := column{name: "TANGENT", kind: "VEC4", component: gltfFloat, data: make([]byte, 0, 16*t.Count)}
	normalAt, normalSize := t.Find(Normal, 0)
	binormalAt, binormalSize := t.Find(Binormal, 0)
	none := 0
	for i := range t.Count {
		v, n := t.get(i, at, size)
		clean(&v, n)
		p, ok := unit([3]float32{v[0], v[1], v[2]})
		if !ok {
			p = [3]float32{1, 0, 0}
			none++
		}
		side := float32(1)
		switch {
		case n > 3 && v[3] < 0:
			side = -1
		case normalAt >= 0 && binormalAt >= 0:
			nv, _ := t.get(i, normalAt, normalSize)
			bv, _ := t.get(i, binormalAt, binormalSize)
			turned := cross([3]float64{float64(nv[0]), float64(nv[1]), float64(nv[2])},
				[3]float64{float64(p[0]), float64(p[1]), float64(p[2])})
			if dot(turned, [3]float64{float64(bv[0]), float64(bv[1]), float64(bv[2])}) < 0 {
				side = -1
			}
		}
		c.put(p[0], p[1], p[2], side)
	}
	b.report.addN("tangents of length 0 point along x", t.Name, none)
	return c
}

// colors writes four floats from 0 to 1.
func (b *glb) colors(t *table, at, size int, name string) column {
	c := column{name: name, kind: "VEC4", component: gltfFloat, data: make([]byte, 0, 16*t.Count)}
	bad := 0
	for i := range t.Count {
		v, n := t.get(i, at, size)
		if n < 4 {
			v[3] = 1
		}
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
	b.report.addN("colors are clamped to 0 to 1", t.Name, bad)
	return c
}

// texture writes two floats. glTF counts from the top of the picture; pictures that do too are turned over.
func (b *glb) texture(t *table, at, size int, name string) column {
	c := column{name: name, kind: "VEC2", component: gltfFloat, data: make([]byte, 0, 8*t.Count)}
	bad := 0
	for i := range t.Count {
		v, n := t.get(i, at, size)
		if clean(&v, n) {
			bad++
		}
		c.put(v[0], 1-v[1])
	}
	b.report.addN("texture coordinates that are not numbers are 0", t.Name, bad)
	if size > 2 {
		b.report.add("texture coordinates of more than two numbers keep the first two", t.Name)
	}
	return c
}

func (b *glb) other(t *table, e Element, at, number int) column {
	c := column{name: "_OTHER_" + strconv.Itoa(number), kind: [...]string{"", "SCALAR", "VEC2", "VEC3", "VEC4"}[e.Size],
		component: gltfFloat}
	for i := range t.Count {
		v, n := t.get(i, at, e.Size)
		if clean(&v, n) {
			b.report.add("coordinates that are not numbers are 0", t.Name)
		}
		c.put(v[:e.Size]...)
	}
	return c
}

// weights writes which joints a vertex follows, up to four, and how much: weights that are no shares of joints that
// exist are dropped, the rest sums up to 1.
func (b *glb) weights(t *table, weightAt, weightSize, jointAt, jointSize int, skin *boundSkin) []column {
	width, component := 1, gltfByte
	if skin.count > math.MaxUint8+1 {
		width, component = 2, gltfShort
	}
	joints := column{name: "JOINTS_0", kind: "VEC4", component: component, data: make([]byte, 0, 4*width*t.Count)}
	weights := column{name: "WEIGHTS_0", kind: "VEC4", component: gltfFloat, data: make([]byte, 0, 16*t.Count)}
	garbage, unskinned := 0, 0
	for i := range t.Count {
		w, n := t.get(i, weightAt, weightSize)
		j, m := t.get(i, jointAt, jointSize)
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
			// No encoder writes a weight above 1 but by a rounding error; 1e35 is memory that was never set.
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
			if width == 1 {
				joints.data = append(joints.data, byte(to[k]))
			} else {
				joints.data = binary.LittleEndian.AppendUint16(joints.data, uint16(to[k]))
			}
			weights.put(float32(share[k] / sum))
		}
	}
	b.report.addN("weights that are not positive numbers, or of joints that do not exist, are ignored", t.Name, garbage)
	b.report.addN("vertices that follow no joint follow the first", t.Name, unskinned)
	if weightSize > 4 || jointSize > 4 {
		b.report.add("vertices with weights of more than four joints keep the first four", t.Name)
	}
	return []column{joints, weights}
}
