package render

import (
	"fmt"
	"image/color"
)

// Sign is a color in a picture, and its meaning.
type Sign struct {
	Color color.NRGBA // if zero, Text is a heading of the following signs
	Text  string
}

// Legend returns the meanings of colors that are not the file's own.
func (m *Model) Legend(v View) (signs []Sign) {
	if v.BackFaces {
		signs = append(signs, Sign{colorOf(backFace), "back faces"})
	}
	switch v.Surface {
	case Textured:
		if plain := m.plainSigns(); len(plain) > 0 {
			signs = append(append(signs, Sign{Text: "placeholder colors"}), plain...)
		}
	case Normals:
		for k, name := range [3]string{"x", "y", "z"} {
			up, down := [3]float32{.5, .5, .5}, [3]float32{.5, .5, .5}
			up[k], down[k] = 1, 0
			signs = append(signs, Sign{colorOf(rgba{up[0], up[1], up[2], 1}), "normal along +" + name},
				Sign{colorOf(rgba{down[0], down[1], down[2], 1}), "normal along −" + name})
		}
	case Weights:
		if v.Joint == nil {
			break
		}
		const steps = 4
		signs = append(signs, Sign{Text: "joint weight: " + v.Joint.Name})
		for i := range steps + 1 {
			share := 1 - float32(i)/steps
			signs = append(signs, Sign{colorOf(heatColor(share)), fmt.Sprintf("%g", share)})
		}
	}
	return signs
}

// plainSigns returns the colors of visible surfaces with a material that only has a name.
func (m *Model) plainSigns() (signs []Sign) {
	visited := make(map[Sign]bool)
	for i, s := range m.surfaces {
		if s.hidden || !s.material.unknown || s.material.tinted {
			continue
		}
		n, name := m.partOf(uint32(i))
		if name == "" && n.Mesh != nil {
			name = n.Mesh.Name
		}
		c := s.material.rgb
		sign := Sign{color.NRGBA{c[0], c[1], c[2], 255}, name}
		if name != "" && !visited[sign] {
			visited[sign] = true
			signs = append(signs, sign)
		}
	}
	return signs
}

// colorOf converts light to sRGB.
func colorOf(c rgba) color.NRGBA {
	return color.NRGBA{toSRGB8(c.r), toSRGB8(c.g), toSRGB8(c.b), 255}
}
