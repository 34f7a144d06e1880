package compose

import "assay/model/scene"

// attachSkeletons hangs skeletons on the nodes of their meshes. The engine poses the vertices of a skinned mesh by
// its joints and then moves them by the mesh's node; in a scene the joints alone place them. So a skeleton that
// stands in a tree of its own hangs on the node, or, if several nodes share it, on the nearest node that all of them
// hang on. What a joint carries, as a sword in a hand, goes with it.
func attachSkeletons(out *scene.Scene) {
	t := treeOf(out)
	host := make(map[*scene.Node]*scene.Node) // by the root of a skeleton; nil where there is none
	for _, n := range t.skinned {
		for _, root := range t.skeletons(n) {
			if at, shared := host[root]; shared {
				host[root] = t.commonAncestor(at, n)
			} else {
				host[root] = n
			}
		}
	}
	var roots []*scene.Node
	for _, root := range out.Roots {
		if at := host[root]; at != nil {
			at.Children = append(at.Children, root)
			if at.Skin != nil {
				at.Skin.Skeletons = append(at.Skin.Skeletons, root)
			}
		} else {
			roots = append(roots, root)
		}
	}
	out.Roots = roots
	for _, n := range t.skinned {
		for _, joint := range n.Skin.Joints {
			if at := host[t.root[joint]]; at != nil {
				n.Skin.Space = at
			}
		}
	}
}

// tree is the parents, roots and depths of the nodes of a scene.
type tree struct {
	parent  map[*scene.Node]*scene.Node
	root    map[*scene.Node]*scene.Node
	depth   map[*scene.Node]int
	skinned []*scene.Node
	fixed   map[*scene.Node]bool // the roots of trees that have a skinned mesh, or one that no joint carries
}

func treeOf(s *scene.Scene) *tree {
	t := &tree{parent: make(map[*scene.Node]*scene.Node), root: make(map[*scene.Node]*scene.Node),
		depth: make(map[*scene.Node]int), fixed: make(map[*scene.Node]bool)}
	onJoint := make(map[*scene.Node]bool)
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if t.root[n] == nil {
			t.root[n] = n
		}
		if n.Skin != nil {
			t.skinned = append(t.skinned, n)
			for _, joint := range n.Skin.Joints {
				onJoint[joint] = true
			}
		}
		for _, below := range n.Children {
			t.parent[below], t.root[below], t.depth[below] = n, t.root[n], t.depth[n]+1
		}
	})
	delete(onJoint, nil) // of joints that do not exist
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		onJoint[n] = onJoint[n] || onJoint[t.parent[n]]
		if n.Skin != nil || n.Mesh != nil && !onJoint[n] {
			t.fixed[t.root[n]] = true
		}
	})
	return t
}

// skeletons returns the roots of the trees that a skinned node follows, is not in, and takes with it.
func (t *tree) skeletons(n *scene.Node) (roots []*scene.Node) {
	seen := make(map[*scene.Node]bool)
	for _, joint := range n.Skin.Joints {
		root := t.root[joint]
		if root == nil || seen[root] || t.fixed[root] {
			continue
		}
		seen[root] = true
		roots = append(roots, root)
	}
	return roots
}

// commonAncestor returns the nearest node that is, or is above, both of two; nil if there is none.
func (t *tree) commonAncestor(a, b *scene.Node) *scene.Node {
	if a == nil || t.root[a] != t.root[b] {
		return nil
	}
	for a != b {
		if t.depth[a] < t.depth[b] {
			a, b = b, a
		}
		a = t.parent[a]
	}
	return a
}
