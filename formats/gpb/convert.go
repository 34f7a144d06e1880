package gpb

import (
	"cmp"
	"math"
	"strings"

	"assay/model"
	"assay/model/scene"
)

// Scene returns a scene of the file for drawing and for writing, with the lone nodes that its skins may need, and with
// the materials that are around the file.
func (f *File) Scene(s *Scene) *scene.Scene {
	out, named := f.plain(s)
	f.dress(out, named)
	return out
}

// plain makes a scene of the file alone, of whose materials only the names are known.
func (f *File) plain(s *Scene) (*scene.Scene, []namedModel) {
	c := newConverter(f)
	out := &scene.Scene{Name: s.ID, Roots: append(c.nodes(s.Nodes), c.lone(f)...), Ambient: s.Ambient}
	c.bind()
	c.attach(out)
	if _, id, ok := strings.Cut(s.ActiveCamera, "#"); ok {
		if n := c.byID[id]; n != nil && n.Camera != nil {
			out.ActiveCamera = n
		}
	}
	for _, a := range f.animations() {
		out.Animations = append(out.Animations, c.animation(a))
	}
	return out, c.named
}

// MeshScene returns one mesh as a scene of its own, with the materials of the first node that has it.
func (f *File) MeshScene(m *Mesh) *scene.Scene {
	c := &converter{made: make(map[*Mesh]*scene.Mesh)}
	n := &scene.Node{Name: m.ID, Transform: scene.Identity, Mesh: c.mesh(m), Materials: f.worn(m)}
	return &scene.Scene{Name: m.ID, Roots: []*scene.Node{n}}
}

// worn returns the materials of the first node that has a mesh.
func (f *File) worn(m *Mesh) []*scene.Material {
	f.once.Do(func() {
		f.materials = make(map[string][]*scene.Material)
		f.drawing().Walk(func(n *scene.Node, _ scene.Matrix) {
			if n.Mesh != nil && n.Materials != nil && f.materials[n.Mesh.Name] == nil {
				f.materials[n.Mesh.Name] = n.Materials
			}
		})
	})
	return f.materials[m.ID]
}

// drawing returns all scenes of the file as one; without any that have something to draw, all meshes.
func (f *File) drawing() *scene.Scene {
	c := newConverter(f)
	out := &scene.Scene{}
	scenes := 0
	for _, o := range f.all() {
		if s, ok := o.(*Scene); ok {
			out.Roots = append(out.Roots, c.nodes(s.Nodes)...)
			out.Ambient = s.Ambient
			scenes++
		}
	}
	if scenes > 0 {
		out.Roots = append(out.Roots, c.lone(f)...)
		c.bind()
		c.attach(out)
	}
	if drawn(out) {
		for _, a := range f.animations() {
			out.Animations = append(out.Animations, c.animation(a))
		}
		f.dress(out, c.named)
		return out
	}
	out.Roots = nil
	for _, o := range f.all() {
		if m, ok := o.(*Mesh); ok {
			out.Roots = append(out.Roots, &scene.Node{Name: m.ID, Transform: scene.Identity, Mesh: c.mesh(m)})
		}
	}
	f.dress(out, nil)
	return out
}

// animations returns all animations of the file, those in its container and those of October 2011, which had none.
func (f *File) animations() []*Animation {
	var all []*Animation
	for _, o := range f.all() {
		switch o := o.(type) {
		case *Animations:
			all = append(all, o.List...)
		case *Animation:
			all = append(all, o)
		}
	}
	return all
}

// converter makes a scene of the typed content. Nodes are made first; what names them is tied to them by bind.
type converter struct {
	meshes    map[string]*Mesh
	made      map[*Mesh]*scene.Mesh
	byID      map[string]*scene.Node
	skins     []skinned
	materials map[string]*scene.Material
	named     []namedModel
	// exporter says that the blue of lights is stored before the green.
	exporter bool
}

type skinned struct {
	node *scene.Node
	skin *Skin
}

func newConverter(f *File) *converter {
	c := &converter{meshes: make(map[string]*Mesh), made: make(map[*Mesh]*scene.Mesh),
		byID:      make(map[string]*scene.Node),
		materials: make(map[string]*scene.Material), exporter: f.exporter}
	for _, o := range f.all() {
		if m, ok := o.(*Mesh); ok && m.ID != "" && c.meshes[m.ID] == nil {
			c.meshes[m.ID] = m
		}
	}
	return c
}

// lone makes the nodes that stand beside the scenes: joints, most of them.
func (c *converter) lone(f *File) []*scene.Node {
	var out []*scene.Node
	for _, o := range f.all() {
		if n, ok := o.(*Node); ok {
			out = append(out, c.node(n))
		}
	}
	return out
}

func (c *converter) nodes(nodes []*Node) []*scene.Node {
	var out []*scene.Node
	for _, n := range nodes {
		out = append(out, c.node(n))
	}
	return out
}

func (c *converter) node(n *Node) *scene.Node {
	out := &scene.Node{Name: n.ID, Offset: n.at, Transform: n.Transform, Children: c.nodes(n.Children)}
	if n.ID != "" && c.byID[n.ID] == nil {
		c.byID[n.ID] = out
	}
	if n.Camera != nil {
		out.Camera = camera(n.Camera)
	}
	if n.Light != nil {
		out.Light = light(n.Light)
		if color := &out.Light.Color; c.exporter {
			color[1], color[2] = color[2], color[1]
		}
	}
	if n.Model != nil {
		c.model(out, n.Model)
	}
	return out
}

// model ties a mesh of this file to a node; one of another file stays away.
func (c *converter) model(out *scene.Node, m *Model) {
	id, ok := strings.CutPrefix(m.Mesh, "#")
	if !ok || c.meshes[id] == nil {
		return
	}
	out.Mesh = c.mesh(c.meshes[id])
	if len(m.Materials) > 0 {
		c.named = append(c.named, namedModel{out, m.Materials})
	}
	for _, name := range m.Materials {
		out.Materials = append(out.Materials, c.material(name))
	}
	for _, inline := range m.Inline {
		out.Materials = append(out.Materials, c.material(cmp.Or(inline.ID, strings.TrimPrefix(inline.Effect, "#"))))
	}
	if m.Skin != nil {
		c.skins = append(c.skins, skinned{out, m.Skin})
	}
}

// material returns the material of that name, of which nothing else is in the file; nil for no name.
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

// bind makes the skins, now that all nodes are there.
func (c *converter) bind() {
	for _, s := range c.skins {
		out := &scene.Skin{Name: s.node.Name, BindShape: s.skin.BindShape,
			Inverse: make([]scene.Matrix, len(s.skin.Joints))}
		if out.BindShape == (scene.Matrix{}) {
			out.BindShape = scene.Identity // the exporter of 2013 wrote none
		}
		for i, joint := range s.skin.Joints {
			out.Joints = append(out.Joints, c.byID[strings.TrimPrefix(joint, "#")])
			out.Inverse[i] = s.skin.inverse(i)
		}
		s.node.Skin = out
	}
}

// inverse is the inverse bind matrix of a joint.
func (s *Skin) inverse(i int) scene.Matrix {
	m := scene.Identity
	if int64(i+1)*16 <= s.BindPoses.Count {
		_ = stored(s.BindPoses).Read(16*i, m[:])
	}
	return m
}

// named is the skin with joints of which only the names are known.
func (s *Skin) named() *scene.Skin {
	out := &scene.Skin{Name: s.ID, BindShape: s.BindShape}
	for i, joint := range s.Joints {
		out.Joints = append(out.Joints, &scene.Node{Name: strings.TrimPrefix(joint, "#")})
		out.Inverse = append(out.Inverse, s.inverse(i))
	}
	return out
}

func stored(n model.Numbers) scene.StoredFloats {
	return scene.StoredFloats{Source: n.Source, Offset: n.Offset, Order: n.Order}
}

func (c *converter) mesh(m *Mesh) *scene.Mesh {
	if out := c.made[m]; out != nil {
		return out
	}
	out := &scene.Mesh{Name: m.ID}
	c.made[m] = out
	if m.Stride > 0 {
		out.Count = int(m.Vertices.Span.Size / m.Stride)
		out.Vertices = scene.StoredFloats{Source: m.Vertices.Source, Offset: m.Vertices.Span.Offset, Order: order}
		out.Elements = elements(m.Format)
	}
	for _, p := range m.Parts {
		part := &scene.Part{Primitive: scene.Primitive(p.Primitive), Indices: scene.StoredIndices(p.Indices)}
		if primitiveTypes[uint64(p.Primitive)] == "" || p.Indices.Source == nil {
			// nothing to draw, and the materials after it keep their parts
			part = &scene.Part{Indices: scene.StoredIndices{}}
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

var usages = map[uint32]scene.Usage{1: scene.Position, 2: scene.Normal, 3: scene.Color, 4: scene.Tangent,
	5: scene.Binormal,
	6: scene.Weights, 7: scene.Joints}

// elements names the elements of a vertex. One that repeats another's usage is something else.
func elements(format []VertexElement) []scene.Element {
	out := make([]scene.Element, len(format))
	seen := make(map[uint32]bool)
	for i, e := range format {
		out[i].Size = int(e.Size)
		switch {
		case seen[e.Usage]:
		case e.Usage >= 8 && e.Usage <= 15:
			out[i].Usage, out[i].Set = scene.TexCoord, int(e.Usage-8)
		default:
			out[i].Usage = usages[e.Usage]
		}
		seen[e.Usage] = true
	}
	return out
}

func camera(k *Camera) *scene.Camera {
	return &scene.Camera{Name: k.ID, Orthographic: k.Orthographic, Aspect: k.Aspect,
		FieldOfView: k.FieldOfView * math.Pi / 180,
		Width:       k.Width, Height: k.Height, Near: k.Near, Far: k.Far}
}

// light: an inner angle below 0 means that none is set. What had attenuation instead of a range has no end.
func light(l *Light) *scene.Light {
	kind := map[uint8]scene.LightKind{Directional: scene.Directional, Point: scene.Point, Spot: scene.Spot}[l.Kind]
	return &scene.Light{Name: l.ID, Kind: kind, Color: l.Color, Range: l.Range, Inner: max(l.InnerAngle, 0),
		Outer: cmp.Or(l.OuterAngle, l.FalloffAngle)}
}

// components tells what the values of an attribute are. 18 to 20 also meant one angle for a while; files that have them
// so are not known, and their unit is not either.
var components = func() map[uint32][]scene.Component {
	join := func(parts ...[]scene.Component) []scene.Component {
		var out []scene.Component
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	s, r, t := scene.Scale, scene.Rotate, scene.Translate
	return map[uint32][]scene.Component{
		1: s, 2: s[:1], 3: s[1:2], 4: s[2:], 5: s[:2], 6: {s[0], s[2]}, 7: s[1:], 8: r,
		9: t, 10: t[:1], 11: t[1:2], 12: t[2:], 13: t[:2], 14: {t[0], t[2]}, 15: t[1:],
		16: join(r, t), 17: join(s, r, t), 18: join(s, t), 19: join(s, r),
	}
}()

// animation: channels play in straight lines from key to key, whatever interpolation they name: so does the engine. It
// skips what has no attribute.
func (c *converter) animation(a *Animation) *scene.Animation {
	out := &scene.Animation{Name: cmp.Or(a.Name, a.ID), Offset: a.span.Offset}
	for _, ch := range a.Channels {
		out.Channels = append(out.Channels,
			&scene.Channel{Target: c.byID[ch.Target], TargetName: ch.Target, Components: ch.moves(),
				Offset: ch.span.Offset, Read: ch.keys, KeyAt: ch.keyAt})
	}
	return out
}

// moves returns what the values of a key move; nil if that is not known, as of one angle.
func (c *Channel) moves() []scene.Component {
	if c.Attribute >= 18 && c.Values.Count == c.Times.Count {
		return nil
	}
	return components[c.Attribute]
}

// keys reads the times, in seconds, and the values, of which there may be more or fewer than the keys need.
func (c *Channel) keys() (times, values []float32, err error) {
	all, err := c.Times.Slice(0, c.Times.Count)
	if err != nil {
		return nil, nil, err
	}
	times, values = make([]float32, len(all)), make([]float32, c.Values.Count)
	for i, t := range all {
		times[i], _ = seconds(t)
	}
	if len(values) == 0 {
		return times, nil, nil
	}
	return times, values, stored(c.Values).Read(0, values)
}
