package scene

import (
	"cmp"
	"maps"
	"slices"
)

// Counts are the numbers of elements of a scene.
type Counts struct {
	Vertices int      // of the meshes of all nodes
	UVSets   int      // most of any mesh
	Bones    int      // different joints of the skins
	Textures []string // different textures of the materials: the path of each file, or its name if it was not found
	Points   int
	Noun     string // for one of the points
}

// Counts counts what the scene contains. It reads no vertices.
func (s *Scene) Counts() (c Counts) {
	bones := make(map[*Node]bool)
	textures := make(map[string]bool)
	s.Walk(func(n *Node, _ Matrix) {
		if m := n.Mesh; m != nil {
			c.Vertices += m.Count
			for i := range max(len(m.Parts), len(n.Materials)) {
				addTextures(textures, n.Material(i))
			}
			sets := 0
			for _, e := range m.Elements {
				if e.Usage == TexCoord {
					sets++
				}
			}
			c.UVSets = max(c.UVSets, sets)
		}
		if n.Skin != nil {
			for _, joint := range n.Skin.Joints {
				if joint != nil {
					bones[joint] = true
				}
			}
		}
		if n.Points != nil {
			c.Points += n.Points.Count
			c.Noun = cmp.Or(n.Points.Noun, "point")
		}
	})
	c.Bones = len(bones)
	c.Textures = slices.Sorted(maps.Keys(textures))
	return c
}

// addTextures adds the textures of a material, which may be nil.
func addTextures(textures map[string]bool, m *Material) {
	if m == nil {
		return
	}
	for _, s := range m.Samplers() {
		if s.Texture != nil {
			textures[cmp.Or(s.Texture.Path, s.Texture.Name)] = true
		}
	}
}
