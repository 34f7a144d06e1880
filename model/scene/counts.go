package scene

import "cmp"

// Counts are the numbers of elements of a scene.
type Counts struct {
	Vertices int // of the meshes of all nodes
	UVSets   int // most of any mesh
	Bones    int // different joints of the skins
	Points   int
	Noun     string // for one of the points
}

// Counts counts what the scene contains. It reads no vertices.
func (s *Scene) Counts() (c Counts) {
	bones := make(map[*Node]bool)
	s.Walk(func(n *Node, _ Matrix) {
		if m := n.Mesh; m != nil {
			c.Vertices += m.Count
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
	return c
}
