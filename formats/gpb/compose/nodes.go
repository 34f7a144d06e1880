package compose

import (
	"iter"
	"slices"
	"strings"

	"assay/model/scene"
)

// address selects the nodes of an entry by an id, or all by a prefix of their ids.
type address struct {
	file string // another bundle than the main one
	id   string
	many bool
}

// parseAddress parses a url: file#id, or an id of the main bundle. A * at the end, but not by itself, matches any rest
// of an id. As in the engine (splitURL), a url with a dot names a file.
func parseAddress(url string) (a address) {
	a.id = url
	if len(url) > 1 {
		a.id, a.many = strings.CutSuffix(url, "*")
	}
	if !strings.Contains(a.id, ".") {
		return a
	}
	if i := strings.LastIndexByte(a.id, '#'); i >= 0 {
		a.file, a.id = a.id[:i], a.id[i+1:]
	} else {
		a.file, a.id = a.id, ""
	}
	return a
}

// String returns the id in the form of a url.
func (a address) String() string {
	switch {
	case a.many:
		return a.id + "*"
	case a.id == "":
		return "without an id"
	}
	return a.id
}

// nodeIndex finds nodes by name in a scene that changes: nodes are added and renamed. Of several with one name it
// returns the first in the order of search.
type nodeIndex struct {
	scene     *scene.Scene
	byName    map[string][]*scene.Node // includes renamed nodes; nil until needed
	unordered map[string]bool          // names with nodes that may not be in the order of search
	renamed   map[*scene.Node]string   // the original names of renamed nodes
	visited   int                      // number of visited or added nodes
}

// findAll returns the nodes of an address without a file, below parent or, if that is nil, in the whole scene.
func (x *nodeIndex) findAll(parent *scene.Node, a address) []*scene.Node {
	switch {
	case parent != nil:
		return x.searchBelow(parent, a)
	case a.many:
		return x.searchBelow(searchRoot(x.scene.Roots), a)
	}
	if n := x.find(a.id); n != nil {
		return []*scene.Node{n}
	}
	return nil
}

// searchBelow returns the nodes of an address below one, which need not be in the scene.
func (x *nodeIndex) searchBelow(top *scene.Node, a address) (found []*scene.Node) {
	for n := range search(top) {
		x.visited++
		switch {
		case a.many && strings.HasPrefix(n.Name, a.id):
			found = append(found, n)
		case !a.many && n.Name == a.id:
			return []*scene.Node{n}
		}
	}
	return found
}

// find returns the node of the scene with an id, or nil.
func (x *nodeIndex) find(id string) *scene.Node {
	if x.byName == nil {
		x.byName, x.unordered = make(map[string][]*scene.Node), make(map[string]bool)
		x.index(searchRoot(x.scene.Roots))
		clear(x.unordered)
	}
	named := x.byName[id]
	for len(named) > 0 && named[0].Name != id {
		named = named[1:]
	}
	if x.unordered[id] && len(named) > 1 {
		named = nil
		for n := range search(searchRoot(x.scene.Roots)) {
			if x.visited++; n.Name == id {
				named = append(named, n)
			}
		}
	}
	x.unordered[id] = false
	x.byName[id] = named
	if len(named) == 0 {
		return nil
	}
	return named[0]
}

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

// searchRoot returns a node with these children, for a search.
func searchRoot(nodes []*scene.Node) *scene.Node { return &scene.Node{Children: nodes} }

// index adds the nodes below one to the index.
func (x *nodeIndex) index(top *scene.Node) {
	for n := range search(top) {
		x.addName(n)
	}
}

func (x *nodeIndex) addName(n *scene.Node) {
	x.byName[n.Name] = append(x.byName[n.Name], n)
	x.unordered[n.Name] = len(x.byName[n.Name]) > 1
}

// add adds a node below another one, or at the top of the scene if that is nil.
func (x *nodeIndex) add(parent, n *scene.Node) {
	if parent == nil {
		x.scene.Roots = append(x.scene.Roots, n)
	} else {
		parent.Children = append(parent.Children, n)
	}
	if x.byName != nil {
		x.index(searchRoot([]*scene.Node{n}))
	}
}

// rename replaces a prefix of the ids of nodes by a name.
func (x *nodeIndex) rename(nodes []*scene.Node, prefix, name string) {
	if x.renamed == nil {
		x.renamed = make(map[*scene.Node]string)
	}
	for _, n := range nodes {
		if _, again := x.renamed[n]; !again {
			x.renamed[n] = n.Name
		}
		n.Name = name + strings.TrimPrefix(n.Name, prefix)
		if x.byName != nil {
			x.addName(n)
		}
	}
}

func (x *nodeIndex) restoreNames() {
	for n, name := range x.renamed {
		n.Name = name
	}
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
