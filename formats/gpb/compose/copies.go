package compose

import (
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
	from := c.originalOf(b)
	found := c.nodes.among(above(from.Roots), a)
	if len(found) == 0 {
		c.resources.Notef("%s has no node %s", a.file, a)
	}
	var nodes []*scene.Node
	copies := make(map[*scene.Node][]*scene.Node)
	for _, n := range found {
		if c.nodes.visited > visitedMost {
			break
		}
		own := from.copied(n)
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
	for _, a := range from.Animations {
		c.addAnimationOfCopies(a, copies)
	}
	return nodes
}

// original is a scene of which nodes are copied. Its skeletons are where the file has them.
type original struct {
	*scene.Scene
	*tree
}

// originalOf returns the first scene of another bundle, the same one each time: what is shown of it are copies.
func (c *composer) originalOf(b *Bundle) *original {
	from := c.originals[b]
	if from == nil {
		s := b.withSurroundings(c.ctx, b.bareFirst()).Scene
		from = &original{s, treeOf(s)}
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

// copied returns copies of a node, of those below it, and of the skeletons that its skins follow elsewhere, each by the
// node that it is a copy of: what the engine loads with a node (Bundle::loadNode). The skeletons hang on the copies, as
// those of a bundle do. Meshes and materials are not copied.
func (o *original) copied(top *scene.Node) map[*scene.Node]*scene.Node {
	copies := make(copiesOf)
	copies.add(top)
	var joints []*scene.Node // that are not below it
	(&scene.Scene{Roots: []*scene.Node{top}}).Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Skin == nil {
			return
		}
		for _, joint := range n.Skin.Joints {
			if joint != nil && copies[joint] == nil {
				copies.add(joint)
				joints = append(joints, joint)
			}
		}
	})
	roots := []*scene.Node{top}
	for _, joint := range joints {
		if root := copies.addAbove(joint, o.parent); root != nil {
			roots = append(roots, root)
		}
	}
	for original, n := range copies {
		below := slices.DeleteFunc(slices.Clone(original.Children),
			func(child *scene.Node) bool { return copies[child] == nil || child == top })
		n.Children = copies.of(below)
		if n.Skin != nil {
			skin := *n.Skin
			skin.Joints = copies.of(skin.Joints)
			n.Skin = &skin
		}
	}
	attachSkeletons(&scene.Scene{Roots: copies.of(roots)})
	return copies
}

// copiesOf is copies of nodes, by the nodes that they are copies of.
type copiesOf map[*scene.Node]*scene.Node

// add copies a node and those below it, without those that have copies.
func (c copiesOf) add(top *scene.Node) {
	for todo := []*scene.Node{top}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if c[n] == nil {
			own := *n
			c[n] = &own
			todo = append(todo, n.Children...)
		}
	}
}

// addAbove copies the places of the nodes above a copied one, and returns the topmost of them if it was not copied
// before; else nil.
func (c copiesOf) addAbove(n *scene.Node, parent map[*scene.Node]*scene.Node) *scene.Node {
	for up := parent[n]; up != nil; n, up = up, parent[up] {
		if c[up] != nil {
			return nil
		}
		c[up] = &scene.Node{Name: up.Name, Offset: up.Offset, Transform: up.Transform}
	}
	return n
}

// of returns the copies of nodes; nil for nil.
func (c copiesOf) of(nodes []*scene.Node) []*scene.Node {
	out := make([]*scene.Node, len(nodes))
	for i, n := range nodes {
		out[i] = c[n]
	}
	return out
}
