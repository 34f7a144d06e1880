package compose

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// entryDepth is how deep entries may nest.
const entryDepth = 64

// applyEntries applies the entries of a namespace to the nodes below parent; to those of the whole scene if it is nil.
// It adds nodes of other bundles and new ones, names and places them, and assigns materials.
func (c *composer) applyEntries(s *properties.Space, parent *scene.Node, depth int) {
	for entry := range c.entries(s, depth) {
		for _, n := range c.findOrAddNodes(entry, parent) {
			c.assignment.AssignFromEntry(n, entry, c.file)
			place(n, entry)
			c.setLightAndCamera(n, entry)
			c.terrain(n, entry)
			c.collision(n, entry)
			c.applyEntries(entry, n, depth+1)
		}
	}
}

// applyMaterials assigns the materials and collision shapes of the entries of a namespace to those nodes below parent,
// or of the whole scene, that are there. Nothing else of them changes.
func (c *composer) applyMaterials(s *properties.Space, parent *scene.Node, depth int) {
	for entry := range c.entries(s, depth) {
		a := addressOf(entry)
		if a.file != "" {
			continue // a node of another bundle
		}
		for _, n := range c.nodes.at(parent, a) {
			c.assignment.AssignFromEntry(n, entry, c.file)
			c.collision(n, entry)
			c.applyMaterials(entry, n, depth+1)
		}
	}
}

// entries returns the entries of a namespace until the context ends; none if they are nested too deep, or led to too
// many nodes before. As in the engine, one without an id counts only below another.
func (c *composer) entries(s *properties.Space, depth int) iter.Seq[*properties.Space] {
	return func(yield func(*properties.Space) bool) {
		if depth > entryDepth {
			return
		}
		for _, entry := range s.Spaces() {
			switch {
			case entry.Name != "node":
			case depth == 0 && entry.ID == "":
				c.resources.Note("an entry of the scene without an id is left out")
			case c.ctx.Err() != nil:
				return
			case c.nodes.visited > visitedMost:
				c.resources.Notef("the entries of the scene lead to more nodes than are built")
				return
			case !yield(entry):
				return
			}
		}
	}
}

// addressOf returns which nodes an entry means: those of its url, else the one with its id.
func addressOf(entry *properties.Space) address {
	if url := entry.Get("url"); url != "" {
		return parseAddress(url)
	}
	return address{id: entry.ID}
}

// findOrAddNodes returns the nodes that an entry is about: those of the scene that it names, of another bundle, or a
// new one.
func (c *composer) findOrAddNodes(entry *properties.Space, parent *scene.Node) []*scene.Node {
	a := addressOf(entry)
	if a.file != "" {
		return c.addFromBundle(a, entry.ID, parent)
	}
	nodes := c.nodes.at(parent, a)
	switch {
	case entry.Get("url") != "":
		c.nodes.rename(nodes, a.id, entry.ID)
	case len(nodes) == 0:
		nodes = []*scene.Node{{Name: entry.ID, Transform: scene.Identity}}
		c.nodes.add(parent, nodes[0])
	}
	return nodes
}

// addFromBundle adds copies of the nodes of another bundle that an address means to the scene, below parent and under
// a name, and the animations that move them. It returns the copies. One of several nodes may be below another: each is
// copied apart, as the engine loads each.
func (c *composer) addFromBundle(a address, name string, parent *scene.Node) []*scene.Node {
	b := c.bundle(a.file)
	if b == nil {
		return nil
	}
	s := c.originalOf(b)
	found := c.nodes.among(s.Roots, a)
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
		s = b.First(c.ctx)
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
			skin.Space, skin.Joints = cmp.Or(copies[skin.Space], skin.Space), replaced(skin.Joints, copies)
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

// place moves, turns and scales a node from where it is, as an entry says.
func place(n *scene.Node, entry *properties.Space) {
	t, _ := n.Transform.Parts()
	move, turn, scale := entry.Vector("translate", 3), entry.Vector("rotate", 4), entry.Vector("scale", 3)
	if move == nil && turn == nil && scale == nil {
		return // a transform that shears stays as it is
	}
	for i := range 3 {
		if move != nil {
			t.Translation[i] += move[i]
		}
		if scale != nil {
			t.Scale[i] *= scale[i]
		}
	}
	if turn != nil {
		t.Rotation = t.Turned([3]float32(turn), radians(turn[3]))
	}
	n.Transform = t.Matrix()
}

func radians(degrees float32) float64 { return float64(degrees) * math.Pi / 180 }

// setLightAndCamera gives a node the light and the camera of its entry.
func (c *composer) setLightAndCamera(n *scene.Node, entry *properties.Space) {
	if s, _ := c.attachment(entry, "light"); s != nil {
		if l := describedLight(s, entry.ID); l != nil {
			n.Light = l
		} else {
			c.resources.Notef("the light of %s is left out: it needs a type, a color and, unless it is DIRECTIONAL, a range; "+
				"a SPOT also needs an innerAngle and an outerAngle", n.Name)
		}
	}
	if s, _ := c.attachment(entry, "camera"); s != nil {
		if k := describedCamera(s, entry.ID); k != nil {
			n.Camera = k
		} else {
			c.resources.Notef("the camera of %s is left out: its type is neither PERSPECTIVE nor ORTHOGRAPHIC", n.Name)
		}
	}
}

// describedLight returns the light that a namespace describes; nil if the engine makes none of it (Light::create). Its
// angles are in radians.
func describedLight(s *properties.Space, name string) *scene.Light {
	kind, known := map[string]scene.LightKind{"DIRECTIONAL": scene.Directional, "POINT": scene.Point,
		"SPOT": scene.Spot}[s.Get("type")]
	color := s.Vector("color", 3)
	l := &scene.Light{Name: name, Kind: kind, Range: s.Number("range", 0), Inner: s.Number("innerAngle", 0),
		Outer: s.Number("outerAngle", 0)}
	if !known || color == nil || kind != scene.Directional && l.Range == 0 ||
		kind == scene.Spot && (l.Inner == 0 || l.Outer == 0) {
		return nil
	}
	l.Color = [3]float32(color)
	return l
}

// The size of the engine's window, which an orthographic camera sees if nothing else is said.
const windowWidth, windowHeight = 1024, 768

// describedCamera returns the camera that a namespace describes, with what the engine takes where it says nothing
// (Camera::create); nil if it does not say what kind of camera it is.
func describedCamera(s *properties.Space, name string) *scene.Camera {
	kind := s.Get("type")
	if kind != "PERSPECTIVE" && kind != "ORTHOGRAPHIC" {
		return nil
	}
	k := &scene.Camera{Name: name, Orthographic: kind == "ORTHOGRAPHIC", Aspect: s.Number("aspectRatio", 0),
		Near: s.Number("nearPlane", 0.2), Far: s.Number("farPlane", 100)}
	if k.Orthographic {
		k.Width, k.Height = s.Number("zoomX", windowWidth), s.Number("zoomY", windowHeight)
	} else {
		k.FieldOfView = float32(radians(s.Number("fieldOfView", 60)))
	}
	return k
}
