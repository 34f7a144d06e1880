// Package compose makes scenes of bundles and of the files around them:
//
//	bundle.go          the scenes and meshes of a bundle
//	animation.go       its animations
//	skeleton.go        where skeletons hang that stand beside their meshes
//	surroundings.go    the materials and clips that are around a bundle; what is around a .material
//	clips.go           .animation: named ranges of an animation
//	scene.go           .scene: nodes of several bundles, their places and materials
//	collision.go       .physics: the shapes by which nodes hit each other
//	terrain.go         .terrain: heights
//	terrainlayers.go   its textures
package compose

import (
	"cmp"
	"encoding/binary"
	"math"
	"strings"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/project"
	"assay/model"
	"assay/model/scene"
)

// Bundle makes scenes of a bundle, with the materials and clips that the project around it has for them.
type Bundle struct {
	*gpb.File
	project *project.Project // nil if there is none

	once     sync.Once
	byMeshID map[string][]*scene.Material // of the first node with a mesh
}

// NewBundle returns a bundle and what is around it; the project may be nil.
func NewBundle(f *gpb.File, p *project.Project) *Bundle { return &Bundle{File: f, project: p} }

// Scene returns a scene of the file for drawing and for writing, with the nodes beside it that its skins may need.
func (b *Bundle) Scene(s *gpb.Scene) *scene.Scene {
	out, named := b.bare(s)
	b.assign(out, named)
	return out
}

// path returns where the bundle is in its project; empty without one.
func (b *Bundle) path() string {
	if b.project == nil {
		return ""
	}
	return b.project.Path()
}

// First returns the first scene of the file; without any, all of its meshes.
func (b *Bundle) First() *scene.Scene {
	out, named := b.bareFirst()
	b.assign(out, named)
	return out
}

// Whole returns all scenes of the file as one; without any that have something to draw, all meshes.
func (b *Bundle) Whole() *scene.Scene {
	c := b.newConverter()
	out := &scene.Scene{}
	scenes := 0
	for _, o := range b.AllObjects() {
		if s, ok := o.(*gpb.Scene); ok {
			out.Roots = append(out.Roots, c.nodes(s.Nodes)...)
			out.Ambient = s.Ambient
			scenes++
		}
	}
	if scenes > 0 {
		out.Roots = append(out.Roots, c.rootNodes(b.File)...)
		c.makeSkins()
		c.attachSkeletons(out)
	}
	if Visible(out) {
		for _, a := range b.AllAnimations() {
			out.Animations = append(out.Animations, c.animation(a))
		}
		b.assign(out, c.named)
		return out
	}
	out.Roots = nil
	for _, o := range b.AllObjects() {
		if m, ok := o.(*gpb.Mesh); ok {
			out.Roots = append(out.Roots, &scene.Node{Name: m.ID, Transform: scene.Identity, Mesh: c.mesh(m)})
		}
	}
	b.assign(out, nil)
	return out
}

// Mesh returns one mesh as a scene of its own, with the materials of the first node that has it.
func (b *Bundle) Mesh(m *gpb.Mesh) *scene.Scene {
	c := &converter{file: b.path(), made: make(map[*gpb.Mesh]*scene.Mesh)}
	n := &scene.Node{Name: m.ID, Transform: scene.Identity, Mesh: c.mesh(m), Materials: b.materials(m)}
	return &scene.Scene{Name: m.ID, Roots: []*scene.Node{n}, Materials: b.project.Materials()}
}

// materials returns the materials of the first node that has a mesh.
func (b *Bundle) materials(m *gpb.Mesh) []*scene.Material {
	b.once.Do(func() {
		b.byMeshID = make(map[string][]*scene.Material)
		b.Whole().Walk(func(n *scene.Node, _ scene.Matrix) {
			if n.Mesh != nil && n.Materials != nil && b.byMeshID[n.Mesh.Name] == nil {
				b.byMeshID[n.Mesh.Name] = n.Materials
			}
		})
	})
	return b.byMeshID[m.ID]
}

// bare returns a scene without what is around the file, whose materials have only names, and the models that have
// names of materials.
func (b *Bundle) bare(s *gpb.Scene) (*scene.Scene, []namedModel) {
	c := b.newConverter()
	out := &scene.Scene{Name: s.ID, Roots: append(c.nodes(s.Nodes), c.rootNodes(b.File)...), Ambient: s.Ambient}
	c.makeSkins()
	c.attachSkeletons(out)
	if _, id, ok := strings.Cut(s.ActiveCamera, "#"); ok {
		if n := c.byID[id]; n != nil && n.Camera != nil {
			out.ActiveCamera = n
		}
	}
	for _, a := range b.AllAnimations() {
		out.Animations = append(out.Animations, c.animation(a))
	}
	return out, c.named
}

// bareFirst is First without what is around the file.
func (b *Bundle) bareFirst() (*scene.Scene, []namedModel) {
	for _, o := range b.AllObjects() {
		if s, ok := o.(*gpb.Scene); ok {
			return b.bare(s)
		}
	}
	return b.Whole(), nil
}

// Visible reports whether a scene has a mesh with something in it.
func Visible(s *scene.Scene) bool {
	any := false
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil || n.Mesh.Count == 0 {
			return
		}
		for _, p := range n.Mesh.Parts {
			any = any || n.Mesh.PartIndices(p).Len() > 0
		}
	})
	return any
}

// converter makes a scene of the values of a file: first the nodes, then what refers to nodes by name.
type converter struct {
	file      string // from the root of the project
	meshes    map[string]*gpb.Mesh
	made      map[*gpb.Mesh]*scene.Mesh
	byID      map[string]*scene.Node
	skins     []skinned
	materials map[string]*scene.Material
	named     []namedModel // models with names of materials
	// blueFirst says that the blue of lights is stored before the green.
	blueFirst bool
}

type skinned struct {
	node *scene.Node
	skin *gpb.Skin
}

func (b *Bundle) newConverter() *converter {
	c := &converter{file: b.path(), meshes: make(map[string]*gpb.Mesh), made: make(map[*gpb.Mesh]*scene.Mesh),
		byID:      make(map[string]*scene.Node),
		materials: make(map[string]*scene.Material), blueFirst: b.Exporter}
	for _, o := range b.AllObjects() {
		if m, ok := o.(*gpb.Mesh); ok && m.ID != "" && c.meshes[m.ID] == nil {
			c.meshes[m.ID] = m
		}
	}
	return c
}

// rootNodes returns the nodes that are not in a scene, most of which are joints.
func (c *converter) rootNodes(f *gpb.File) []*scene.Node {
	var out []*scene.Node
	for _, o := range f.AllObjects() {
		if n, ok := o.(*gpb.Node); ok {
			out = append(out, c.node(n))
		}
	}
	return out
}

func (c *converter) nodes(nodes []*gpb.Node) []*scene.Node {
	var out []*scene.Node
	for _, n := range nodes {
		out = append(out, c.node(n))
	}
	return out
}

func (c *converter) node(n *gpb.Node) *scene.Node {
	out := &scene.Node{Name: n.ID, Offset: n.Offset, Transform: n.Transform, Children: c.nodes(n.Children)}
	if n.ID != "" && c.byID[n.ID] == nil {
		c.byID[n.ID] = out
	}
	if n.Camera != nil {
		out.Camera = camera(n.Camera)
	}
	if n.Light != nil {
		out.Light = light(n.Light)
		if color := &out.Light.Color; c.blueFirst {
			color[1], color[2] = color[2], color[1]
		}
	}
	if n.Model != nil {
		c.model(out, n.Model)
	}
	return out
}

// model gives a node its mesh if the mesh is in this file.
func (c *converter) model(out *scene.Node, m *gpb.Model) {
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

// makeSkins makes the skins of all nodes. It is called when all nodes are made, since skins name joints.
func (c *converter) makeSkins() {
	for _, s := range c.skins {
		out := &scene.Skin{Name: s.node.Name, BindShape: s.skin.BindShape,
			Inverse: make([]scene.Matrix, len(s.skin.Joints))}
		if out.BindShape == (scene.Matrix{}) {
			out.BindShape = scene.Identity // the exporter of 2013 wrote none
		}
		for i, joint := range s.skin.Joints {
			out.Joints = append(out.Joints, c.byID[strings.TrimPrefix(joint, "#")])
			out.Inverse[i] = inverseBind(s.skin, i)
		}
		s.node.Skin = out
	}
}

// inverseBind returns the inverse bind matrix of the i-th joint of a skin.
func inverseBind(s *gpb.Skin, i int) scene.Matrix {
	m := scene.Identity
	if int64(i+1)*16 <= s.BindPoses.Count {
		_ = stored(s.BindPoses).Read(16*i, m[:])
	}
	return m
}

// Skin returns a skin with joints of which only the names are known.
func Skin(s *gpb.Skin) *scene.Skin {
	out := &scene.Skin{Name: s.ID, BindShape: s.BindShape}
	for i, joint := range s.Joints {
		out.Joints = append(out.Joints, &scene.Node{Name: strings.TrimPrefix(joint, "#")})
		out.Inverse = append(out.Inverse, inverseBind(s, i))
	}
	return out
}

func stored(n model.Numbers) scene.StoredFloats {
	return scene.StoredFloats{Source: n.Source, Offset: n.Offset, Order: n.Order}
}

func (c *converter) mesh(m *gpb.Mesh) *scene.Mesh {
	if out := c.made[m]; out != nil {
		return out
	}
	out := &scene.Mesh{Name: m.ID, File: c.file}
	c.made[m] = out
	if m.Stride > 0 {
		out.Count = int(m.Vertices.Span.Size / m.Stride)
		out.Vertices = scene.StoredFloats{Source: m.Vertices.Source, Offset: m.Vertices.Span.Offset,
			Order: binary.LittleEndian}
		out.Elements = elements(m.Format)
	}
	for _, p := range m.Parts {
		part := &scene.Part{Primitive: scene.Primitive(p.Primitive), Indices: scene.StoredIndices(p.Indices)}
		if !p.Known() || p.Indices.Source == nil {
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

// elements returns the elements of a vertex. An element that repeats the usage of one before it has no usage.
func elements(format []gpb.VertexElement) []scene.Element {
	out := make([]scene.Element, len(format))
	seen := make(map[uint32]bool)
	for i, e := range format {
		out[i].Size = int(e.Size)
		switch {
		case seen[e.Usage]:
		case e.Usage >= gpb.TexCoord0 && e.Usage <= gpb.TexCoord7:
			out[i].Usage, out[i].Set = scene.TexCoord, int(e.Usage-gpb.TexCoord0)
		default:
			out[i].Usage = usages[e.Usage]
		}
		seen[e.Usage] = true
	}
	return out
}

func camera(k *gpb.Camera) *scene.Camera {
	return &scene.Camera{Name: k.ID, Orthographic: k.Orthographic, Aspect: k.Aspect,
		FieldOfView: k.FieldOfView * math.Pi / 180,
		Width:       k.Width, Height: k.Height, Near: k.Near, Far: k.Far}
}

// light returns a light. An inner angle below 0 means that none is set; a light with attenuation has no range.
func light(l *gpb.Light) *scene.Light {
	kind := map[uint8]scene.LightKind{gpb.Directional: scene.Directional, gpb.Point: scene.Point,
		gpb.Spot: scene.Spot}[l.Kind]
	return &scene.Light{Name: l.ID, Kind: kind, Color: l.Color, Range: l.Range, Inner: max(l.InnerAngle, 0),
		Outer: cmp.Or(l.OuterAngle, l.FalloffAngle)}
}
