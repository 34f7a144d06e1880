package contents

import (
	"cmp"
	"image/color"

	"assay/model/compare"
	"assay/model/scene"
)

// distanceColors are the colors of moved vertices, from the least to the greatest distance.
var distanceColors = [...]color.NRGBA{{0xf4, 0xe0, 0x4d, 0xff}, {0xf2, 0x8c, 0x28, 0xff}, {0xc8, 0x1d, 0x25, 0xff}}

// DistanceColor returns the color of a vertex that moved by a share of the maximum distance.
func DistanceColor(share float64) color.NRGBA {
	scaled := min(max(share, 0), 1) * float64(len(distanceColors)-1)
	i := min(int(scaled), len(distanceColors)-2)
	a, b, part := distanceColors[i], distanceColors[i+1], scaled-float64(i)
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*part + .5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

const (
	ghostAlpha = .38 // opacity of the old scene over the new one
	sameAlpha  = .2  // and of unchanged parts, as a change may be behind them
)

// scenes returns the copies to display.
func (p *scenePair) scenes() *Marked {
	out := &Marked{Counts: p.counts, OtherChanges: p.otherChanges(), MovedVertices: p.movedVertices,
		MaxDistance: p.maxDistance, old: make(map[*scene.Node]bool)}
	marked, changed := make(map[*scene.Node]*scene.Node), make(map[*scene.Node]*scene.Node)
	out.Old = p.copy(p.old, colored, marked)
	out.New = p.copy(p.new, colored, marked)
	out.Apart = [2]*scene.Scene{p.copy(p.old, apart, nil), p.copy(p.new, apart, nil)}
	ghosts := make(map[*scene.Node]*scene.Node)
	overlay := p.copy(p.old, ghost, ghosts)
	for _, n := range ghosts {
		out.old[n] = true
	}
	out.Both = joinScenes(p.copy(p.new, colored, nil), overlay)
	if p.counts.Differences() > 0 {
		out.Changes = joinScenes(p.copy(p.new, ghost, changed), p.copy(p.old, ghost, changed))
	}
	for i, side := range []*sceneSide{p.new, p.old} {
		for _, n := range side.nodes {
			m := side.marks[n]
			if m == nil || m.status == compare.Same || i == 1 && m.status != compare.Removed {
				continue
			}
			part := ChangedPart{Status: m.status}
			switch m.status {
			case compare.Added:
				part.Nodes[1] = n
			case compare.Removed:
				part.Nodes[0] = n
			default:
				part.Nodes = [2]*scene.Node{side.match[n], n}
			}
			for k, node := range part.Nodes {
				part.Marked[k], part.InChange[k] = marked[node], changed[node]
			}
			out.Parts = append(out.Parts, part)
		}
	}
	return out
}

func joinScenes(new, old *scene.Scene) *scene.Scene {
	return &scene.Scene{Name: new.Name, Roots: []*scene.Node{{Transform: scene.Identity, Children: new.Roots},
		{Transform: scene.Identity, Children: old.Roots}},
		Animations: joinAnimations(new.Animations, old.Animations)}
}

// joinAnimations joins the animations of two scenes that are drawn as one: animations of one name move both.
func joinAnimations(new, old []*scene.Animation) (out []*scene.Animation) {
	named := make(map[string]*scene.Animation)
	for _, a := range new {
		if out = append(out, a); named[a.Name] == nil {
			named[a.Name] = a
		}
	}
	for _, a := range old {
		if other := named[a.Name]; other != nil {
			other.Channels = append(other.Channels, a.Channels...)
			delete(named, a.Name)
		} else {
			out = append(out, a)
		}
	}
	return out
}

// copyStyle is the purpose of a copy of a scene.
type copyStyle uint8

const (
	colored copyStyle = iota // all of it, in the colors of states
	ghost                    // only the changes, transparent
	apart                    // everything; changed parts keep their materials
)

type copier struct {
	pair      *scenePair
	side      *sceneSide
	style     copyStyle
	nodes     map[*scene.Node]*scene.Node
	materials [compare.Removed + 1]*scene.Material
}

// copy copies a side, with its meshes in the given style, and records the copies of nodes in copies, which may be
// nil. Lights are omitted: they would change the colors.
func (p *scenePair) copy(side *sceneSide, style copyStyle, copies map[*scene.Node]*scene.Node) *scene.Scene {
	c := &copier{pair: p, side: side, style: style, nodes: make(map[*scene.Node]*scene.Node, len(side.nodes))}
	for _, n := range side.nodes {
		c.nodes[n] = &scene.Node{Name: n.Name, Offset: n.Offset, Transform: n.Transform, Camera: n.Camera}
		if copies != nil {
			copies[n] = c.nodes[n]
		}
	}
	used := make(map[*scene.Node]bool, len(side.nodes))
	below := func(list []*scene.Node) (out []*scene.Node) {
		for _, n := range list {
			if n != nil && !used[n] {
				used[n] = true
				out = append(out, c.nodes[n])
			}
		}
		return out
	}
	s := &scene.Scene{Name: side.scene.Name, Missing: side.scene.Missing, Roots: below(side.scene.Roots)}
	for _, n := range side.nodes {
		to := c.nodes[n]
		to.Children = below(n.Children)
		if m := side.marks[n]; m != nil && !(style == ghost && m.status == compare.Same) {
			c.copyContent(n, to, m)
		}
	}
	s.ActiveCamera = c.nodes[side.scene.ActiveCamera]
	for _, a := range side.scene.Animations {
		s.Animations = append(s.Animations, c.animation(a))
	}
	return s
}

// copyContent copies the mesh and the points of a node.
func (c *copier) copyContent(n, to *scene.Node, m *meshChange) {
	if n.Mesh != nil {
		to.Mesh = n.Mesh
		material := c.material(m.status)
		if (m.distances != nil || m.touched != nil) && c.style == colored {
			if mesh := c.colorVertices(n.Mesh, m); mesh != nil {
				to.Mesh, material = mesh, &scene.Material{Name: "changed vertices", Shading: scene.Lit,
					Diffuse: [4]float32{1, 1, 1, 1}, VertexColors: true}
			}
		}
		if c.style == apart && m.status != compare.Same {
			to.Materials = n.Materials
		} else {
			for range n.Mesh.Parts {
				to.Materials = append(to.Materials, material)
			}
		}
		to.Skin = c.skin(n.Skin)
	}
	if n.Points != nil {
		to.Points = c.points(n.Points, m)
	}
}

func (c *copier) material(s compare.Status) *scene.Material {
	if c.materials[s] == nil {
		rgb := toFloats(s.Color(compare.OnScene))
		m := &scene.Material{Name: s.String(), Shading: scene.Lit, Diffuse: [4]float32{rgb[0], rgb[1], rgb[2], 1}}
		switch {
		case c.style == ghost:
			m.Diffuse[3], m.Alpha = ghostAlpha, scene.AlphaBlend
		case s == compare.Same && c.pair.counts.Differences() > 0:
			m.Diffuse[3], m.Alpha = sameAlpha, scene.AlphaBlend
		}
		c.materials[s] = m
	}
	return c.materials[s]
}

func toFloats(c color.NRGBA) [3]float32 {
	return [3]float32{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255}
}

func (c *copier) skin(s *scene.Skin) *scene.Skin {
	if s == nil {
		return nil
	}
	out := *s
	out.Joints = make([]*scene.Node, len(s.Joints))
	for i, j := range s.Joints {
		out.Joints[i] = c.nodes[j]
	}
	return &out
}

func (c *copier) animation(a *scene.Animation) *scene.Animation {
	out := *a
	out.Channels = make([]*scene.Channel, len(a.Channels))
	for i, ch := range a.Channels {
		copied := *ch
		copied.Target = c.nodes[ch.Target]
		out.Channels[i] = &copied
	}
	return &out
}

// colorVertices copies a mesh with colors for the distances of moved vertices, or for changed ones; nil if it cannot be
// read.
func (c *copier) colorVertices(m *scene.Mesh, k *meshChange) *scene.Mesh {
	if mesh := c.pair.coloredMeshes[k]; mesh != nil {
		return mesh
	}
	values, err := m.ReadVertices()
	if err != nil || max(len(k.distances), len(k.touched)) != m.Count {
		return nil
	}
	out := &scene.Mesh{Name: m.Name, Count: m.Count, Parts: m.Parts}
	for _, e := range m.Elements {
		if e.Usage == scene.Color {
			e.Usage = scene.Other
		}
		out.Elements = append(out.Elements, e)
	}
	out.Elements = append(out.Elements, scene.Element{Usage: scene.Color, Size: 3})
	stride := m.Stride()
	floats := make(scene.FloatSlice, 0, len(values)+3*m.Count)
	still, changed := toFloats(compare.Same.Color(compare.OnScene)), toFloats(compare.Changed.Color(compare.OnScene))
	for i := range m.Count {
		rgb := still
		switch {
		case k.distances != nil && k.distances[i] > 0 && c.pair.maxDistance > 0:
			rgb = toFloats(DistanceColor(float64(k.distances[i]) / c.pair.maxDistance))
		case k.touched != nil && k.touched[i]:
			rgb = changed
		}
		floats = append(append(floats, values[i*stride:(i+1)*stride]...), rgb[:]...)
	}
	out.Vertices = floats
	c.pair.coloredMeshes[k] = out
	return out
}

// points copies a cloud with the color of each point's status.
func (c *copier) points(p *scene.Points, m *meshChange) *scene.Points {
	out := *p
	if p.Read == nil {
		return &out
	}
	out.Read = func(first int, into []scene.Dot) error {
		if err := p.Read(first, into); err != nil {
			return err
		}
		for i := range into {
			status := m.status
			if m.dots != nil {
				status = m.dots[first+i]
			}
			if c.style == apart && status != compare.Same {
				continue
			}
			rgb := status.Color(compare.OnScene)
			into[i].Color = [4]uint8{rgb.R, rgb.G, rgb.B, into[i].Color[3]}
		}
		return nil
	}
	return &out
}

// Marked has copies of two scenes for display, colored by their changes.
type Marked struct {
	Old, New *scene.Scene
	// Both is the new scene, with the changed parts of the old one over it, transparent.
	Both *scene.Scene
	// Changes has the changed parts of both, without unchanged parts; nil if nothing changed.
	Changes *scene.Scene
	// Parts are the changed parts in the order of the new scene, then the removed ones.
	Parts []ChangedPart
	// Apart are copies of both. Unchanged parts are gray as in Old and New, and changed parts have their own materials:
	// if their pictures differ, something changed.
	Apart [2]*scene.Scene
	// Counts are the numbers of drawn objects: of meshes of nodes, and of points if some of them differ.
	Counts compare.Counts
	// OtherChanges names the other changes that affect the picture and have no color in it: "lights".
	OtherChanges []string
	// MovedVertices is the number of vertices that moved in their meshes, and MaxDistance the largest
	// distance.
	MovedVertices int64
	MaxDistance   float64

	old map[*scene.Node]bool // nodes of Both that are of the old scene
}

// ChangedPart is a drawn object that changed: its nodes in both scenes that were compared, in Old and New, and in
// Changes; nil where it is not.
type ChangedPart struct {
	Status                  compare.Status
	Nodes, Marked, InChange [2]*scene.Node
}

// Name returns the name of the part, the new one if there are two.
func (p *ChangedPart) Name() string { return cmp.Or(p.Nodes[1], p.Nodes[0]).Name }

// maxNames is the largest number of nodes that are recorded by their old names.
const maxNames = 1 << 16

// FromOld reports whether a node of Both is one of the old scene.
func (m *Marked) FromOld(n *scene.Node) bool { return m.old[n] }
