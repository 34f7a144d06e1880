package compose

import (
	"cmp"
	"encoding/binary"
	"iter"
	"math"
	"slices"
	"strings"

	"assay/formats/gpb"
	"assay/model"
	"assay/model/scene"
)

// converter makes a scene of the values of a file: first the nodes, then the references to nodes by name.
type converter struct {
	bundle    *BundleScenes
	stored    map[string]*gpb.Mesh // by their ids
	meshes    map[*gpb.Mesh]*scene.Mesh
	byID      map[string]*scene.Node
	materials map[string]*scene.Material // that have only names
	skins     map[*scene.Node]*gpb.Skin  // by node; the joints may not exist yet
	names     materialNames
}

func (b *BundleScenes) newConverter() *converter {
	c := &converter{bundle: b, stored: make(map[string]*gpb.Mesh), meshes: make(map[*gpb.Mesh]*scene.Mesh),
		byID: make(map[string]*scene.Node), materials: make(map[string]*scene.Material),
		skins: make(map[*scene.Node]*gpb.Skin), names: make(materialNames)}
	for _, m := range gpb.All[*gpb.Mesh](b.File) {
		if m.ID != "" && c.stored[m.ID] == nil {
			c.stored[m.ID] = m
		}
	}
	return c
}

// merge makes one scene of several, with the nodes outside all scenes, most of which are joints, and all animations.
// Its skeletons stay at their position in the file.
func (c *converter) merge(merge ...*gpb.Scene) *scene.Scene {
	out := &scene.Scene{}
	for _, s := range merge {
		out.Roots = append(out.Roots, c.nodes(s.Nodes)...)
		out.Ambient = s.Ambient
	}
	out.Roots = append(out.Roots, c.nodes(gpb.All[*gpb.Node](c.bundle.File))...)
	c.makeSkins()
	for _, a := range c.bundle.AllAnimations() {
		out.Animations = append(out.Animations, animation(a, c.byID))
	}
	return out
}

// openNode is a node that does not have all of its children yet.
type openNode struct {
	stored *gpb.Node
	node   *scene.Node
}

// nodes makes nodes and their descendants, children first. It is not recursive, because the depth of nodes is only
// bounded by the file size.
func (c *converter) nodes(nodes []*gpb.Node) []*scene.Node {
	root := &scene.Node{}
	stack := []openNode{{&gpb.Node{Children: nodes}, root}}
	for {
		last := stack[len(stack)-1]
		if i := len(last.node.Children); i < len(last.stored.Children) {
			n := last.stored.Children[i]
			child := &scene.Node{Name: n.ID, Offset: n.Offset, Transform: n.Transform}
			last.node.Children = append(last.node.Children, child)
			stack = append(stack, openNode{n, child})
			continue
		}
		if last.node == root {
			c.index(root)
			return root.Children
		}
		c.finish(last.node, last.stored)
		stack = stack[:len(stack)-1]
	}
}

// index indexes the nodes below one by id: of several with one id the first in the order of the engine.
func (c *converter) index(top *scene.Node) {
	for n := range search(top) {
		if n.Name != "" && c.byID[n.Name] == nil {
			c.byID[n.Name] = n
		}
	}
}

// finish gives a node with complete children its camera, its light and its model.
func (c *converter) finish(out *scene.Node, n *gpb.Node) {
	if n.Camera != nil {
		out.Camera = camera(n.Camera)
	}
	if n.Light != nil {
		out.Light = light(n.Light)
		if color := &out.Light.Color; c.bundle.Exporter { // which stored the blue before the green
			color[1], color[2] = color[2], color[1]
		}
	}
	if n.Model != nil {
		c.setModel(out, n.Model)
	}
}

// setModel sets the mesh and the materials of a node, if the mesh is in this file, and stores its skin for makeSkins.
func (c *converter) setModel(out *scene.Node, m *gpb.Model) {
	id, ok := strings.CutPrefix(m.Mesh, "#")
	if !ok || c.stored[id] == nil {
		return
	}
	out.Mesh = c.mesh(c.stored[id])
	c.names[out] = m.Materials
	for _, name := range m.Materials {
		out.Materials = append(out.Materials, c.material(name))
	}
	for _, inline := range m.Inline {
		out.Materials = append(out.Materials, c.material(cmp.Or(inline.ID, strings.TrimPrefix(inline.Effect, "#"))))
	}
	if m.Skin != nil {
		c.skins[out] = m.Skin
	}
}

// material returns a material that has only a name; nil for an empty name.
func (c *converter) material(name string) *scene.Material {
	if name == "" {
		return nil
	}
	m := c.materials[name]
	if m == nil {
		m = &scene.Material{Name: name}
		c.materials[name] = m
	}
	return m
}

// makeSkins makes the skins of all nodes. It is called after all nodes were made, because skins name joints.
func (c *converter) makeSkins() {
	for n, skin := range c.skins {
		n.Skin = &scene.Skin{Name: n.Name, BindShape: skin.BindShape, Inverse: make([]scene.Matrix, len(skin.Joints))}
		if n.Skin.BindShape == (scene.Matrix{}) {
			n.Skin.BindShape = scene.Identity // the exporter of 2013 wrote zeros
		}
		for i, joint := range skin.Joints {
			n.Skin.Joints = append(n.Skin.Joints, c.byID[strings.TrimPrefix(joint, "#")])
			n.Skin.Inverse[i] = inverseBind(skin, i)
		}
	}
}

// inverseBind returns the inverse bind matrix of the i-th joint of a skin.
func inverseBind(s *gpb.Skin, i int) scene.Matrix {
	m := scene.Identity
	if int64(i+1)*16 <= s.BindPoses.Count {
		_ = storedFloats(s.BindPoses).Read(16*i, m[:])
	}
	return m
}

// Skin returns a skin with joints that only have names.
func Skin(s *gpb.Skin) *scene.Skin {
	out := &scene.Skin{Name: s.ID, BindShape: s.BindShape}
	for i, joint := range s.Joints {
		out.Joints = append(out.Joints, &scene.Node{Name: strings.TrimPrefix(joint, "#")})
		out.Inverse = append(out.Inverse, inverseBind(s, i))
	}
	return out
}

func storedFloats(n model.Numbers) scene.StoredFloats {
	return scene.StoredFloats{Source: n.Source, Offset: n.Offset, Order: n.Order}
}

func (c *converter) mesh(m *gpb.Mesh) *scene.Mesh {
	if c.meshes[m] == nil {
		c.meshes[m] = c.bundle.mesh(m)
	}
	return c.meshes[m]
}

func (b *BundleScenes) mesh(m *gpb.Mesh) *scene.Mesh {
	out := &scene.Mesh{Name: m.ID}
	if b.project != nil {
		out.File = b.project.Path()
	}
	if m.Stride > 0 {
		out.Count = int(m.Vertices.Span.Size / m.Stride)
		out.Vertices = scene.StoredFloats{Source: m.Vertices.Source, Offset: m.Vertices.Span.Offset,
			Order: binary.LittleEndian}
		out.Elements = elements(m.Format)
	}
	for _, p := range m.Parts {
		part := &scene.Part{Primitive: scene.Primitive(p.Primitive), Indices: scene.StoredIndices(p.Indices)}
		if !p.HasKnownPrimitive() || p.Indices.Source == nil {
			// nothing to draw, and the materials after it keep their parts
			part = &scene.Part{Indices: scene.StoredIndices{}}
		}
		part.Offset = p.Span.Offset
		out.Parts = append(out.Parts, part)
	}
	return out
}

var usages = map[uint32]scene.Usage{gpb.Position: scene.Position, gpb.Normal: scene.Normal, gpb.Color: scene.Color,
	gpb.Tangent: scene.Tangent, gpb.Binormal: scene.Binormal, gpb.BlendWeights: scene.Weights,
	gpb.BlendIndices: scene.Joints}

// elements returns the elements of a vertex. A repeated usage is removed.
func elements(format []gpb.VertexElement) []scene.Element {
	out := make([]scene.Element, len(format))
	visited := make(map[uint32]bool)
	for i, e := range format {
		out[i].Size = int(e.Size)
		switch {
		case visited[e.Usage]:
		case e.Usage >= gpb.TexCoord0 && e.Usage <= gpb.TexCoord7:
			out[i].Usage, out[i].Set = scene.TexCoord, int(e.Usage-gpb.TexCoord0)
		default:
			out[i].Usage = usages[e.Usage]
		}
		visited[e.Usage] = true
	}
	return out
}

func camera(k *gpb.Camera) *scene.Camera {
	return &scene.Camera{Name: k.ID, Orthographic: k.Orthographic, Aspect: k.Aspect,
		FieldOfView: k.FieldOfView * math.Pi / 180,
		Width:       k.Width, Height: k.Height, Near: k.Near, Far: k.Far}
}

// light returns a light. A negative inner angle means that it was not set; a light with attenuation has no range.
func light(l *gpb.Light) *scene.Light {
	kind := map[uint8]scene.LightKind{gpb.Directional: scene.Directional, gpb.Point: scene.Point,
		gpb.Spot: scene.Spot}[l.Kind]
	return &scene.Light{Name: l.ID, Kind: kind, Color: l.Color, Range: l.Range, Inner: max(l.InnerAngle, 0),
		Outer: cmp.Or(l.OuterAngle, l.FalloffAngle)}
}

// Animation returns an animation with channels that have names instead of nodes.
func Animation(a *gpb.Animation) *scene.Animation { return animation(a, nil) }

// animation returns an animation of nodes with ids. As in the engine, channels are linear between keys regardless of
// their interpolation, and channels without an attribute have no components: the engine skips them. The engine also
// stretches each channel to the length of the animation; here all keys keep their times.
func animation(a *gpb.Animation, nodes map[string]*scene.Node) *scene.Animation {
	out := &scene.Animation{Name: cmp.Or(a.Name, a.ID), Offset: a.Span.Offset}
	for _, ch := range a.Channels {
		out.Channels = append(out.Channels,
			&scene.Channel{Target: nodes[ch.Target], TargetName: ch.Target, Components: ch.Components(),
				Offset: ch.Span.Offset,
				Read:   func() (times, values []float32, err error) { return keys(ch) },
				KeyAt:  func(offset int64) (float32, bool) { return keyAt(ch, offset) }})
	}
	return out
}

// keys returns the times of a channel in seconds, and its values, which may be more or fewer than the keys need.
func keys(c *gpb.Channel) (times, values []float32, err error) {
	stored, err := c.Times.Slice(0, c.Times.Count)
	if err != nil {
		return nil, nil, err
	}
	times, values = make([]float32, len(stored)), make([]float32, c.Values.Count)
	for i, t := range stored {
		times[i], _ = gpb.Seconds(t)
	}
	if len(values) == 0 {
		return times, nil, nil
	}
	return times, values, storedFloats(c.Values).Read(0, values)
}

// keyAt returns the time, in seconds, of the key with a time or value that contains the byte at an offset.
func keyAt(c *gpb.Channel, offset int64) (float32, bool) {
	key := int64(-1)
	for _, a := range []struct {
		model.Numbers
		each int64
	}{{c.Times, 1}, {c.Values, int64(len(c.Components()))}} {
		if index := offset - a.Offset; a.Source != nil && a.each > 0 && index >= 0 && index < a.Count*a.Form.Size() {
			key = index / a.Form.Size() / a.each
		}
	}
	if key < 0 || key >= c.Times.Count {
		return 0, false
	}
	v, err := c.Times.Slice(key, 1)
	if err != nil || len(v) == 0 {
		return 0, false
	}
	return gpb.Seconds(v[0])
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
		for _, child := range n.Children {
			t.parent[child], t.root[child], t.depth[child] = n, t.root[n], t.depth[n]+1
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
