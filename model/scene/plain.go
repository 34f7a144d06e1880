package scene

import (
	"hash/fnv"
	"math"
)

// PlainColor returns the color, as screens have it, in which a material is drawn of which only the name is known. It is
// muted, and follows from the name alone: the same one in every scene.
func PlainColor(name string) [3]uint8 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name))
	h := hash.Sum32() * 0x9E3779B1                 // names that differ in one letter are far apart
	const weakest, strongest, shades = .68, .84, 4 // the parts of a color
	hue := 6 * float64(h>>16) / 0x10000
	darker := 1 - .05*float64(h>>8%shades)
	var out [3]uint8
	for k := range out {
		away := math.Abs(math.Mod(hue+6-2*float64(k), 6) - 3) // from the opposite of red, green or blue
		share := min(max(away-1, 0), 1)
		out[k] = uint8(255*darker*(weakest+(strongest-weakest)*share) + .5)
	}
	return out
}

// SaysNothing reports whether the color of a vertex is one that encoders write where there is none: white or black.
// A mesh in which all of them are has no colors.
func SaysNothing(c [4]uint8) bool { return c == [4]uint8{255, 255, 255, 255} || c[0]|c[1]|c[2] == 0 }

// appearances are the materials of a scene as they are written into files: those of which nothing but a name is known,
// or whose picture is not there, in the colors in which the program shows them.
type appearances struct {
	fallback
	plain   map[*Material][3]uint8 // of those of which no more is known
	colored map[*Mesh]bool         // those whose vertices have colors
	sheer   map[*Mesh]bool         // those of which some vertex has an alpha below 1
}

// newAppearances goes through the scene in the order in which it is drawn.
func (s *Scene) newAppearances(f fallback) (*appearances, error) {
	l := &appearances{fallback: f, plain: make(map[*Material][3]uint8), colored: make(map[*Mesh]bool),
		sheer: make(map[*Mesh]bool)}
	var pictured []*Material
	var failed error
	s.Walk(func(n *Node, _ Matrix) {
		m := n.Mesh
		if m == nil || failed != nil || m.Count <= 0 || m.Vertices == nil {
			return
		}
		if at, _ := m.Find(Position, 0); at < 0 {
			return
		}
		if _, known := l.colored[m]; !known {
			l.colored[m], l.sheer[m], failed = m.hasColors()
		}
		for i, p := range m.Parts {
			if p == nil {
				continue
			}
			look := l.of(n, i)
			switch {
			case look.Shading != UnknownShading:
				if look.Texture != nil && !look.Texture.found() {
					pictured = append(pictured, look)
				}
			case !l.colored[m]:
				l.plain[look] = PlainColor(look.Name)
			}
		}
	})
	for _, m := range pictured {
		l.unpictured(m)
	}
	return l, failed
}

// unpictured notes a material whose picture is not there or cannot be read.
func (l *appearances) unpictured(m *Material) {
	if _, ok := l.plain[m]; !ok {
		l.plain[m] = PlainColor(m.Name)
	}
}

// fallback is materials for parts that have none, by the names of their meshes.
type fallback map[string]*Material

// of returns the material of a part, which is never nil.
func (f fallback) of(n *Node, part int) *Material {
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

// shapeless reports whether nothing of a material shows the form of what has it: white without light is a shader of
// the game's own, most likely.
func (m *Material) shapeless() bool {
	return m.Shading == Unlit && m.Texture == nil && !m.VertexColors && m.Diffuse == [4]float32{1, 1, 1, 1}
}

// found reports whether a sampler has a picture.
func (s *Sampler) found() bool {
	t := s.Texture
	return t != nil && t.Image != nil && t.Open != nil && t.Missing == ""
}

// hasColors reports whether vertices have colors that say something, and whether one has an alpha below 1.
func (m *Mesh) hasColors() (some, sheer bool, err error) {
	if at, _ := m.Find(Color, 0); at < 0 {
		return false, false, nil
	}
	t, err := m.table()
	if err != nil {
		return false, false, err
	}
	colors := t.element(Color, 0)
	for i := range m.Count {
		c := colors.color8(i)
		some, sheer = some || !SaysNothing(c), sheer || c[3] < 255
	}
	return some, sheer, nil
}
