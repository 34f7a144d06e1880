package compose

import (
	"slices"

	"assay/formats/gpb"
	"assay/model/scene"
)

// addFromBundle adds copies of the nodes of another bundle that an address means to the scene, below parent and under
// a name, and the animations that move them. It returns the copies. One of several nodes may be below another: each is
// copied apart, as the engine loads each. But it does not look for an id without a * in the scene first, as later
// engines do (Bundle::loadNode), which then rename a node of the scene: the url is taken at its word.
func (c *composer) addFromBundle(a address, name string, parent *scene.Node) []*scene.Node {
	b := c.bundle(a.file)
	if b == nil {
		return nil
	}
	from := c.originalOf(b)
	found := from.nodes.at(nil, a)
	c.nodes.visited, from.nodes.visited = c.nodes.visited+from.nodes.visited, 0
	if len(found) == 0 {
		c.resources.Notef("%s has no node %s", a.file, a)
	}
	var nodes, roots []*scene.Node
	copies, names := make(map[*scene.Node][]*scene.Node), make(materialNames)
	for _, n := range found {
		if c.nodes.visited > visitedMost {
			break
		}
		own, apart := from.copied(n)
		for original, copy := range own {
			copies[original] = append(copies[original], copy)
			names[copy] = from.names[original]
		}
		c.nodes.visited += len(own)
		nodes, roots = append(nodes, own[n]), append(roots, apart...)
	}
	for _, n := range roots {
		c.nodes.add(parent, n)
	}
	c.nodes.rename(nodes, a.id, name)
	names.assign(c.assignment, &scene.Scene{Roots: roots}, b.project)
	c.noteTextures(roots)
	for _, a := range from.scene.Animations {
		c.addAnimationOfCopies(a, copies)
	}
	return nodes
}

// original is a scene of which nodes are copied. Its skeletons are where the file has them.
type original struct {
	bareScene
	nodes   nodeIndex
	parents map[*scene.Node]*scene.Node
}

// originalOf returns all scenes of another bundle as one, the same one each time: what is shown of it are copies.
func (c *composer) originalOf(b *Bundle) *original {
	from := c.originals[b]
	if from == nil {
		s := b.bare(gpb.All[*gpb.Scene](b.File)...)
		b.withSurroundings(c.ctx, s)
		from = &original{s, nodeIndex{scene: s.scene}, treeOf(s.scene).parent}
		c.originals[b] = from
	}
	return from
}

// addAnimationOfCopies adds an animation of another bundle to the scene, with those channels that move nodes of which
// there are copies, for each copy; none if no channel does.
func (c *composer) addAnimationOfCopies(a *scene.Animation, copies map[*scene.Node][]*scene.Node) {
	moved := *a
	moved.Channels, moved.Clips = nil, slices.Clone(a.Clips)
	for _, channel := range a.Channels {
		for _, target := range copies[channel.Target] {
			if c.nodes.visited++; c.nodes.visited > visitedMost {
				break
			}
			own := *channel
			own.Target = target
			moved.Channels = append(moved.Channels, &own)
		}
	}
	if out := c.assignment.Scene; len(moved.Channels) > 0 {
		out.Animations = append(out.Animations, &moved)
	}
}

// noteTextures notes the pictures that are not there of nodes and those below them.
func (c *composer) noteTextures(nodes []*scene.Node) {
	(&scene.Scene{Roots: nodes}).Walk(func(n *scene.Node, _ scene.Matrix) {
		for _, m := range n.Materials {
			if m != nil {
				c.resources.AbsentTextures(m)
			}
		}
	})
}

// copied returns copies of a node, of those below it, and of the skeletons that all follow, each by the node that it is
// a copy of, and those that hang on none. As in the engine (Bundle::loadNode), a copy has skeletons of its own; of what
// is above the joints they have only the places. Meshes and materials are not copied.
func (o *original) copied(top *scene.Node) (copies map[*scene.Node]*scene.Node, roots []*scene.Node) {
	copies = make(map[*scene.Node]*scene.Node)
	var all []*scene.Node
	add := func(n, own *scene.Node) { all, copies[n] = append(all, n), own }
	for todo := []*scene.Node{top}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == nil || copies[n] != nil {
			continue
		}
		own := *n
		own.Children = nil
		add(n, &own)
		todo = append(todo, n.Children...)
		if n.Skin != nil {
			todo = append(todo, n.Skin.Joints...)
		}
	}
	for i := 0; i < len(all); i++ { // which grows
		switch n, up := all[i], o.parents[all[i]]; {
		case n == top || up == nil:
			roots = append(roots, copies[n])
		case copies[up] == nil:
			add(up, &scene.Node{Name: up.Name, Offset: up.Offset, Transform: up.Transform})
		}
	}
	for _, n := range all {
		own := copies[n]
		for _, below := range n.Children {
			if copies[below] != nil && below != top {
				own.Children = append(own.Children, copies[below])
			}
		}
		if own.Skin != nil {
			skin := *n.Skin
			skin.Joints = make([]*scene.Node, len(skin.Joints))
			for i, joint := range n.Skin.Joints {
				skin.Joints[i] = copies[joint]
			}
			own.Skin = &skin
		}
	}
	out := &scene.Scene{Roots: roots}
	attachSkeletons(out)
	return copies, out.Roots
}
