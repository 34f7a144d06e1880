package contents

import (
	"context"
	"image/color"
	"io"
	"reflect"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/model"
	"assay/model/compare"
	"assay/model/scene"
)

// distanceColors are the colors of moved vertices, from the least to the greatest distance.
var distanceColors = [...]color.NRGBA{{0xf4, 0xe0, 0x4d, 0xff}, {0xf2, 0x8c, 0x28, 0xff}, {0xc8, 0x1d, 0x25, 0xff}}

// DistanceColor returns the color of a vertex that moved by a share of the farthest way.
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

// scenes makes the copies to display.
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

// points copies a cloud with the colors of how each point changed.
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

// surfaceComparer compares the surfaces of nodes. Textures are compared by their bytes, wherever their files are.
type surfaceComparer struct {
	ctx  context.Context
	sums map[*scene.Texture]textureSum
}

// textureSum identifies a texture by its bytes, or by its name if it cannot be read.
type textureSum struct {
	sum  xxh3.Uint128
	size int64
	name string
}

// maxTexture is the size in bytes of the largest texture that is read.
const maxTexture = 64 << 20

// areSame reports whether the parts of two nodes have the same surfaces.
func (l *surfaceComparer) areSame(old, new *scene.Node) bool {
	if len(old.Mesh.Parts) != len(new.Mesh.Parts) {
		return false
	}
	for i := range new.Mesh.Parts {
		if !l.sameMaterial(old.Material(i), new.Material(i)) {
			return false
		}
	}
	return true
}

func (l *surfaceComparer) sameMaterial(a, b *scene.Material) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	for _, s := range [][2]**scene.Sampler{{&x.Texture, &y.Texture}, {&x.Normal, &y.Normal},
		{&x.LightMap, &y.LightMap}} {
		if !l.sameSampler(*s[0], *s[1]) {
			return false
		}
		*s[0], *s[1] = nil, nil
	}
	same := slices.EqualFunc(x.Layers, y.Layers, func(a, b scene.Layer) bool {
		return a.Channel == b.Channel && l.sameSampler(a.Texture, b.Texture) && l.sameSampler(a.Blend, b.Blend)
	})
	x.Layers, y.Layers = nil, nil
	return same && reflect.DeepEqual(x, y)
}

func (l *surfaceComparer) sameSampler(a, b *scene.Sampler) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Texture, y.Texture = nil, nil
	return x == y && l.sameTexture(a.Texture, b.Texture)
}

func (l *surfaceComparer) sameTexture(a, b *scene.Texture) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Down == b.Down && l.sum(a) == l.sum(b)
}

func (l *surfaceComparer) sum(t *scene.Texture) textureSum {
	s, known := l.sums[t]
	if known {
		return s
	}
	s = textureSum{name: t.Name}
	if h, n := xxh3.New(), int64(0); t.Open != nil {
		if r, err := t.Open(l.ctx); err == nil {
			n, err = io.Copy(h, io.LimitReader(r, maxTexture+1))
			r.Close()
			if err == nil && n <= maxTexture {
				s = textureSum{sum: h.Sum128(), size: n}
			}
		}
	}
	l.sums[t] = s
	return s
}

const maxDots = 4 << 20

// compareDots compares two clouds. It returns nil if all points are the same, or there are too many. Points are matched
// as in the comparison of the files if both have lists of the points; else by index if both have the same number; else
// by position.
func (p *scenePair) compareDots(old, new *scene.Points) (a, b []compare.Status) {
	if old.Count > maxDots || new.Count > maxDots || old.Read == nil || new.Read == nil {
		return nil, nil
	}
	from, to := make([]scene.Dot, old.Count), make([]scene.Dot, new.Count)
	if old.Read(0, from) != nil || new.Read(0, to) != nil {
		return nil, nil
	}
	a, b = make([]compare.Status, len(from)), make([]compare.Status, len(to))
	list := pairOfLists(p.c, old.List, new.List)
	switch {
	case list != nil:
		compareListed(list, from, to, a, b)
	case len(from) == len(to):
		compareByNumber(from, to, a, b)
	default:
		compareByPosition(from, to, a, compare.Removed)
		compareByPosition(to, from, b, compare.Added)
	}
	changed := func(s compare.Status) bool { return s != compare.Same }
	if !slices.ContainsFunc(a, changed) && !slices.ContainsFunc(b, changed) {
		return nil, nil
	}
	return a, b
}

// pairOfLists returns the pair of two lists of the documents; nil if they are not one.
func pairOfLists(c *compare.Comparison, old, new *model.Node) *compare.Pair {
	if old == nil || new == nil || c.Old == nil || old.Root() != c.Old.Root() || new.Root() != c.New.Root() {
		return nil
	}
	p := c.PairOf(new, false)
	if p.Old == nil || p.New == nil || p.Old.Span != old.Span || p.New.Span != new.Span || p.Leaf() {
		return nil
	}
	return p
}

// compareListed sets the status of each point by the pairs of two lists.
func compareListed(list *compare.Pair, from, to []scene.Dot, a, b []compare.Status) {
	oldFirst, newFirst := list.Old.FirstElement(), list.New.FirstElement()
	list.Runs(func(r compare.Run) bool {
		if r.Status == compare.Same || r.Uncounted || r.Known && r.Counts.Differences() == 0 {
			return true
		}
		for k := range r.N {
			i, j := r.Old+k-oldFirst, r.New+k-newFirst
			hasOld, hasNew := r.Old >= 0 && i >= 0 && i < len(from), r.New >= 0 && j >= 0 && j < len(to)
			status := r.Status
			if hasOld && hasNew && status == compare.Changed && isMoved(from[i], to[j]) {
				status = compare.Moved
			}
			if hasOld {
				a[i] = status
			}
			if hasNew {
				b[j] = status
			}
		}
		return true
	})
}

// compareByNumber compares points of one index.
func compareByNumber(from, to []scene.Dot, a, b []compare.Status) {
	for i := range from {
		switch {
		case isMoved(from[i], to[i]):
			a[i], b[i] = compare.Moved, compare.Moved
		case from[i].Color != to[i].Color:
			a[i], b[i] = compare.Changed, compare.Changed
		}
	}
}

// isMoved reports whether two points have different positions; points without a position count as equal.
func isMoved(a, b scene.Dot) bool {
	for i, x := range a.Position {
		if y := b.Position[i]; x != y && (x == x || y == y) {
			return true
		}
	}
	return false
}

// compareByPosition compares points at one position. A point without counterpart gets the status.
func compareByPosition(list, other []scene.Dot, out []compare.Status, status compare.Status) {
	colors := make(map[[3]float32][4]uint8, len(other))
	for _, d := range other {
		colors[d.Position] = d.Color
	}
	for i, d := range list {
		color, known := colors[d.Position]
		switch {
		case !known:
			out[i] = status
		case color != d.Color:
			out[i] = compare.Changed
		}
	}
}
