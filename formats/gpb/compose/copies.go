package compose

import (
	"cmp"
	"slices"

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
	s := c.originalOf(b)
	found := c.nodes.among(above(s.Roots), a)
	if len(found) == 0 {
		c.resources.Notef("%s has no node %s", a.file, a)
	}
	var nodes []*scene.Node
	copies := make(map[*scene.Node][]*scene.Node)
	for _, n := range found {
		if c.nodes.visited > visitedMost {
			break
		}
		own := copied(n)
		for original, copy := range own {
			copies[original] = append(copies[original], copy)
		}
		c.nodes.visited += len(own)
		nodes = append(nodes, own[n])
	}
	c.nodes.rename(nodes, a.id, name)
	for _, n := range nodes {
		c.nodes.add(parent, n)
	}
	c.noteTextures(nodes)
	for _, a := range s.Animations {
		c.addAnimationOfCopies(a, copies)
	}
	return nodes
}

// originalOf returns the first scene of another bundle, the same one each time: what is shown of it are copies.
func (c *composer) originalOf(b *Bundle) *scene.Scene {
	s := c.originals[b]
	if s == nil {
		s = b.withSurroundings(c.ctx, b.bareFirst()).Scene
		c.originals[b] = s
	}
	return s
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

// copied returns copies of a node, of those below it, and of the joints of all, each by the node that it is a copy of:
// what the engine loads the animations of with a node (Bundle::loadNode). Meshes and materials are not copied.
func copied(top *scene.Node) map[*scene.Node]*scene.Node {
	copies := make(map[*scene.Node]*scene.Node)
	add := func(n *scene.Node) {
		if n != nil && copies[n] == nil {
			own := *n
			copies[n] = &own
		}
	}
	(&scene.Scene{Roots: []*scene.Node{top}}).Walk(func(n *scene.Node, _ scene.Matrix) {
		add(n)
		if n.Skin != nil {
			for _, joint := range n.Skin.Joints {
				add(joint)
			}
		}
	})
	for _, n := range copies {
		n.Children = replaced(n.Children, copies)
		if n.Skin != nil {
			skin := *n.Skin
			skin.Space = cmp.Or(copies[skin.Space], skin.Space)
			skin.Joints, skin.Skeletons = replaced(skin.Joints, copies), replaced(skin.Skeletons, copies)
			n.Skin = &skin
		}
	}
	return copies
}

// replaced returns a list in which the nodes that have copies are replaced by them.
func replaced(nodes []*scene.Node, copies map[*scene.Node]*scene.Node) []*scene.Node {
	nodes = slices.Clone(nodes)
	for i, n := range nodes {
		nodes[i] = cmp.Or(copies[n], n)
	}
	return nodes
}
