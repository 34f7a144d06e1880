package scene

// Skinned returns a scene of one skinned mesh: its node with the ancestors, and the trees of its joints, without
// animations. It returns nil if n is not a node of the scene with a mesh and a skin.
func (s *Scene) Skinned(n *Node) *Scene {
	if n.Mesh == nil || n.Skin == nil {
		return nil
	}
	needed := map[*Node]bool{n: true, n.Skin.Space: true}
	for _, joint := range n.Skin.Joints {
		needed[joint] = true
	}
	copyOf := map[*Node]*Node{} // by the original; only the needed nodes and their ancestors
	var copyNeeded func(n *Node) *Node
	copyNeeded = func(n *Node) *Node {
		var children []*Node
		for _, child := range n.Children {
			if c := copyNeeded(child); c != nil {
				children = append(children, c)
			}
		}
		if !needed[n] && children == nil {
			return nil
		}
		copyOf[n] = &Node{Name: n.Name, Offset: n.Offset, Transform: n.Transform, Children: children}
		return copyOf[n]
	}
	single := &Scene{Name: n.Mesh.Name, Up: s.Up, Gravity: s.Gravity, OthersUp: s.OthersUp,
		Materials: s.Materials, Missing: s.Missing, Absent: s.Absent, Incomplete: s.Incomplete}
	for _, root := range s.Roots {
		if c := copyNeeded(root); c != nil {
			single.Roots = append(single.Roots, c)
		}
	}
	mesh := copyOf[n]
	if mesh == nil {
		return nil
	}
	copiesOf := func(originals []*Node) []*Node {
		out := make([]*Node, len(originals))
		for i, node := range originals {
			out[i] = copyOf[node]
		}
		return out
	}
	skin := *n.Skin
	skin.Space, skin.Joints, skin.Skeletons = copyOf[skin.Space], copiesOf(skin.Joints), copiesOf(skin.Skeletons)
	mesh.Mesh, mesh.Materials, mesh.Skin = n.Mesh, n.Materials, &skin
	return single
}
