package render

import (
	"fmt"
	"image/color"
)

// Sign is a color in a picture, and what it means.
type Sign struct {
	Color color.NRGBA // of the zero value: Text is about the signs that follow
	Text  string
}

// Legend returns what colors mean that are not the file's own.
func (m *Model) Legend(v View) (all []Sign) {
	if v.BackFaces {
		all = append(all, Sign{colorOf(backFace), "back faces"})
	}
	switch v.Surface {
	case Textured:
		all = append(all, m.plainSigns()...)
	case Normals:
		for k, name := range [3]string{"x", "y", "z"} {
			up, down := [3]float32{.5, .5, .5}, [3]float32{.5, .5, .5}
			up[k], down[k] = 1, 0
			all = append(all, Sign{colorOf(rgba{up[0], up[1], up[2], 1}), "normal along +" + name},
				Sign{colorOf(rgba{down[0], down[1], down[2], 1}), "normal along −" + name})
		}
	case Weights:
		if v.Joint == nil {
			break
		}
		const steps = 4
		all = append(all, Sign{Text: "joint weight: " + v.Joint.Name})
		for i := range steps + 1 {
			share := 1 - float32(i)/steps
			all = append(all, Sign{colorOf(heat(share)), fmt.Sprintf("%g", share)})
		}
	}
	return all
}

// plainSigns are the colors of surfaces that are not hidden, of whose material nothing but a name is known.
func (m *Model) plainSigns() (all []Sign) {
	seen := make(map[Sign]bool)
	for i, s := range m.surfaces {
		if s.hidden || !s.material.clay || s.material.tinted {
			continue
		}
		n, name := m.partOf(uint32(i))
		if name == "" && n.Mesh != nil {
			name = n.Mesh.Name
		}
		c := s.material.rgb
		sign := Sign{color.NRGBA{c[0], c[1], c[2], 255}, name}
		if name != "" && !seen[sign] {
			seen[sign] = true
			all = append(all, sign)
		}
	}
	return all
}

// colorOf is light as a screen shows it.
func colorOf(c rgba) color.NRGBA {
	return color.NRGBA{screen(c.r), screen(c.g), screen(c.b), 255}
}
