package compose

import (
	"iter"
	"slices"

	"assay/model/scene"
)

// search returns the descendants of a node in the order of the engine: the children, and then the descendants of each
// (Scene::findNode, Node::findNode). But skeletons, which the engine stores apart from the children, come first, with
// all of their descendants; a skeleton that several meshes share, and that is attached above them, does not. It is not
// recursive, because the depth of nodes is only bounded by the file size.
func search(top *scene.Node) iter.Seq[*scene.Node] {
	return func(yield func(*scene.Node) bool) {
		skeletons, others := childrenOf(top)
		for lists := [][]*scene.Node{others, skeletons}; len(lists) > 0; {
			list := lists[len(lists)-1]
			lists = lists[:len(lists)-1]
			for _, n := range list {
				if !yield(n) {
					return
				}
			}
			for _, n := range slices.Backward(list) {
				if len(n.Children) > 0 {
					skeletons, others := childrenOf(n)
					lists = append(lists, others, skeletons)
				}
			}
		}
	}
}

// childrenOf returns the children of a node: the skeletons of its skin, and the others.
func childrenOf(n *scene.Node) (skeletons, others []*scene.Node) {
	if n.Skin == nil || len(n.Skin.Skeletons) == 0 {
		return nil, n.Children
	}
	i, k := slices.Index(n.Children, n.Skin.Skeletons[0]), len(n.Skin.Skeletons) // one after the other
	return n.Skin.Skeletons, slices.Concat(n.Children[:i], n.Children[i+k:])
}

// attachSkeletons attaches skeletons to the nodes of their meshes. The engine poses the vertices of a skinned mesh by
// its joints and then moves them by the mesh's node; in a scene the joints alone determine their positions. So a
// skeleton in a tree of its own becomes a child of the node or, if several nodes share it, of their nearest common
// ancestor. The children of a joint, such as a sword in a hand, move with it.
func attachSkeletons(out *scene.Scene) {
	t := treeOf(out)
	hosts := make(map[*scene.Node]*scene.Node) // by the root of a skeleton; may be nil
	for _, n := range t.skinned {
		for _, root := range t.skeletons(n) {
			if other, shared := hosts[root]; shared {
				hosts[root] = t.commonAncestor(other, n)
			} else {
				hosts[root] = n
			}
		}
	}
	var roots []*scene.Node
	for _, root := range out.Roots {
		if host := hosts[root]; host != nil {
			host.Children = append(host.Children, root)
			if host.Skin != nil {
				host.Skin.Skeletons = append(host.Skin.Skeletons, root)
			}
		} else {
			roots = append(roots, root)
		}
	}
	out.Roots = roots
	for _, n := range t.skinned {
		for _, joint := range n.Skin.Joints {
			if space := hosts[t.root[joint]]; space != nil {
				n.Skin.Space = space
			}
		}
	}
}

type tree struct {
	parent  map[*scene.Node]*scene.Node
	root    map[*scene.Node]*scene.Node
	depth   map[*scene.Node]int
	skinned []*scene.Node
	fixed   map[*scene.Node]bool // the roots of trees with a skinned mesh, or a mesh that no joint carries
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
	visited := make(map[*scene.Node]bool)
	for _, joint := range n.Skin.Joints {
		root := t.root[joint]
		if root == nil || visited[root] || t.fixed[root] {
			continue
		}
		visited[root] = true
		roots = append(roots, root)
	}
	return roots
}

// commonAncestor returns the nearest node that is, or is above, both of two, or nil.
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
