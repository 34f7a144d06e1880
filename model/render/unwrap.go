package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"

	"assay/model/scene"
)

// Unwrapped is a picture of the texture coordinates of a part of a mesh.
type Unwrapped struct {
	Node      *scene.Node
	Part      int    // of Parts
	Parts     int    // of the node's mesh
	Material  string // its name
	Texture   string // its name; empty if the picture is missing
	Triangles int
	// Picture is the texture, repeated as often as the coordinates need, with the edges of the triangles; nil if the
	// part has no texture coordinates.
	Picture *image.NRGBA
}

// maxTiles is the maximum number of repetitions of a texture along each edge.
const maxTiles = 4

// Unwrap draws the texture coordinates of a part of a node's mesh over its texture, into a picture with an edge of at
// most size pixels. A nil node means the first one with texture coordinates. It returns nil if no surface is drawn of
// the node or of those below it; a part without coordinates has no Picture. It may be called while the model is drawn.
func (m *Model) Unwrap(ctx context.Context, n *scene.Node, part, size int) *Unwrapped {
	surfaces := m.surfacesOf(n)
	if len(surfaces) == 0 {
		return nil
	}
	part = (part%len(surfaces) + len(surfaces)) % len(surfaces)
	s := &m.surfaces[surfaces[part]]
	inst := &m.instances[s.instance]
	out := &Unwrapped{Part: part, Parts: len(surfaces)}
	out.Node, out.Material = m.nodeAndMaterialOf(uint32(surfaces[part]))
	u := &unwrapper{t: s.material.texture, set: 0}
	if u.t != nil {
		u.set = u.t.set
	}
	if u.coordinates = inst.texture[u.set]; u.coordinates == nil {
		return out
	}
	if mat := out.Node.Material(s.part); u.t != nil && len(u.t.levels) > 0 {
		out.Texture = mat.Texture.Texture.Name
	} else {
		u.t = nil
	}
	for _, t := range m.triangles {
		if int(t.surface) == surfaces[part] {
			u.triangles = append(u.triangles, [3]uint32{t.a - inst.first, t.b - inst.first, t.c - inst.first})
		}
	}
	out.Triangles = len(u.triangles)
	out.Picture = u.draw(ctx, size)
	return out
}

// Slot is the material of a part of a mesh.
type Slot struct {
	Material string // its name; may be empty
	Texture  string // its name; may be empty
}

// Slots lists the materials of the parts that Unwrap draws of a node, in order. It may be called while the model is
// drawn.
func (m *Model) Slots(n *scene.Node) (slots []Slot) {
	for _, i := range m.surfacesOf(n) {
		s := &m.surfaces[i]
		node, name := m.nodeAndMaterialOf(uint32(i))
		slot := Slot{Material: name}
		if mat := node.Material(s.part); mat != nil && mat.Texture != nil && mat.Texture.Texture != nil {
			slot.Texture = mat.Texture.Texture.Name
		}
		slots = append(slots, slot)
	}
	return slots
}

// SlotOf returns the index of a part among the Slots of its node; 0 for a node. It may be called while the model is
// drawn.
func (m *Model) SlotOf(p Piece) int {
	under := m.descendants(p.Node)
	return max(0, slices.IndexFunc(m.surfacesOf(p.Node), func(i int) bool { return m.isOf(&m.surfaces[i], p, under) }))
}

// surfacesOf lists the surfaces of a node, or of its first descendant with surfaces; for nil, of the first node with
// texture coordinates.
func (m *Model) surfacesOf(n *scene.Node) (surfaces []int) {
	node, subtree := -1, m.descendants(n)
	for i := range m.surfaces {
		inst := &m.instances[m.surfaces[i].instance]
		if node < 0 && (n == nil && inst.texture[0] != nil || subtree != nil && subtree[inst.node]) {
			node = inst.node
		}
		if inst.node == node {
			surfaces = append(surfaces, i)
		}
	}
	return surfaces
}

// unwrapper draws triangles over their texture.
type unwrapper struct {
	t           *sampler // nil without a picture
	set         int
	coordinates [][2]float32
	triangles   [][3]uint32
	from, to    [2]float64 // whole copies of the texture, in a picture with v pointing down
	tile        float64    // pixels
}

// position returns the position of a vertex in the texture, with v down; ok is false if it has no valid one.
func (u *unwrapper) position(vertex uint32) (position [2]float64, ok bool) {
	c := u.coordinates[vertex]
	position = [2]float64{float64(c[0]), float64(c[1])}
	if u.t != nil {
		for k := range position {
			position[k] = position[k]*float64(u.t.repeat[k]) + float64(u.t.offset[k])
		}
	}
	if u.t == nil || !u.t.vDown {
		position[1] = 1 - position[1]
	}
	return position, math.Abs(position[0]) < 1e6 && math.Abs(position[1]) < 1e6
}

// frame computes the number of copies of the texture that the triangles cover.
func (u *unwrapper) frame(size int) {
	const slack = 1e-3 // beyond an edge, by rounding
	u.to = [2]float64{1, 1}
	for _, t := range u.triangles {
		for _, vertex := range t {
			if position, ok := u.position(vertex); ok {
				for k := range position {
					u.from[k] = min(u.from[k], math.Floor(position[k]+slack))
					u.to[k] = max(u.to[k], math.Ceil(position[k]-slack))
				}
			}
		}
	}
	for k := range u.from {
		u.from[k] = max(u.from[k], -maxTiles/2)
		u.to[k] = max(min(u.to[k], u.from[k]+maxTiles), 1)
	}
	u.tile = float64(size) / max(u.to[0]-u.from[0], u.to[1]-u.from[1])
}

func (u *unwrapper) draw(ctx context.Context, size int) *image.NRGBA {
	u.frame(size)
	out := image.NewNRGBA(image.Rect(0, 0, int((u.to[0]-u.from[0])*u.tile), int((u.to[1]-u.from[1])*u.tile)))
	for y := range out.Rect.Dy() {
		if ctx.Err() != nil {
			return out
		}
		v := u.from[1] + (float64(y)+.5)/u.tile
		for x := range out.Rect.Dx() {
			out.SetNRGBA(x, y, u.backgroundAt(u.from[0]+(float64(x)+.5)/u.tile, v))
		}
	}
	lines := pen{dst: out, to: out.Rect.Dy()}
	for i, t := range u.triangles {
		if i%4096 == 0 && ctx.Err() != nil {
			return out
		}
		var position [3][2]float64
		valid := true
		for k, vertex := range t {
			p, ok := u.position(vertex)
			valid = valid && ok
			position[k] = [2]float64{(p[0] - u.from[0]) * u.tile, (p[1] - u.from[1]) * u.tile}
		}
		for k, a := range position {
			b := position[(k+1)%3]
			if !valid {
				break
			}
			right, down := 0., 1. // of the shadow
			if math.Abs(b[1]-a[1]) > math.Abs(b[0]-a[0]) {
				right, down = 1, 0
			}
			lines.drawLine(a[0]+right, a[1]+down, 0, b[0]+right, b[1]+down, 0, color.NRGBA{0, 0, 0, 110}, 0)
			lines.drawLine(a[0], a[1], 0, b[0], b[1], 0, edgeColor, 0)
		}
	}
	return out
}

// edgeColor is the color of the edges of triangles, over their shadow.
var edgeColor = color.NRGBA{255, 255, 255, 235}

// backgroundAt returns the color of the texture at a point, over a checkerboard.
func (u *unwrapper) backgroundAt(x, y float64) color.NRGBA {
	const squares = 8
	gray := uint8(84)
	if (int(math.Floor(x*squares))+int(math.Floor(y*squares)))%2 == 0 {
		gray = 104
	}
	if u.t == nil {
		return color.NRGBA{gray, gray, gray, 255}
	}
	l := &u.t.levels[0]
	for i := range u.t.levels { // the smallest that is not magnified
		if next := &u.t.levels[i]; float64(next.width) >= u.tile && float64(next.height) >= u.tile {
			l = next
		}
	}
	texelIndex := func(v float64, n int) int { return min(int((v-math.Floor(v))*float64(n)), n-1) }
	t := l.pix[texelIndex(y, l.height)*l.width+texelIndex(x, l.width)]
	a := float64(t.channel(3)) / 65535
	channel := func(k int) uint8 {
		return uint8(float64(toSRGB8(float32(t.channel(k))/65535))*a + float64(gray)*(1-a) + .5)
	}
	return color.NRGBA{channel(0), channel(1), channel(2), 255}
}
