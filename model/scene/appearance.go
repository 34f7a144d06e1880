package scene

import (
	"hash/fnv"
	"math"
)

// PlainColor returns the sRGB color for a material with only a name. It is muted, and depends on the name alone.
func PlainColor(name string) [3]uint8 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name))
	h := hash.Sum32() * 0x9E3779B1                    // names that differ in one letter are far apart
	const minChannel, strongest, shades = .68, .84, 4 // the parts of a color
	hue := 6 * float64(h>>16) / 0x10000
	darker := 1 - .05*float64(h>>8%shades)
	var out [3]uint8
	for k := range out {
		away := math.Abs(math.Mod(hue+6-2*float64(k), 6) - 3) // from the opposite of red, green or blue
		share := min(max(away-1, 0), 1)
		out[k] = uint8(255*darker*(minChannel+(strongest-minChannel)*share) + .5)
	}
	return out
}

// IsUninformative reports whether the color of a vertex is white or black, as encoders write by default. A mesh with
// only such colors counts as one without colors.
func IsUninformative(c [4]uint8) bool {
	return c == [4]uint8{255, 255, 255, 255} || c[0]|c[1]|c[2] == 0
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
func (l *appearances) addUnpictured(m *Material) {
	if _, ok := l.plain[m]; !ok {
		l.plain[m] = PlainColor(m.Name)
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
