package render

import (
	"context"
	"image/color"
	"math"
	"slices"

	"assay/model/scene"
)

// The most that a Model holds. What is beyond is drawn as dots, or not.
const (
	maxVertices  = 2 << 20
	maxTriangles = 4 << 20
	maxLines     = 1 << 20
	maxDots      = 400_000 // that are drawn
	maxIndices   = 4 << 20 // of a strip, a fan or lines
	block        = 3 << 13 // floats, indices and dots that are read at a time: whole triangles
)

// Model is what is drawn of a scene, in the space of the scene.
type Model struct {
	vertices  []vertex
	colors    [][3]uint8 // of the vertices; nil if none has one
	triangles []triangle
	lines     []line
	dots      []dot
	paints    []color.NRGBA
	box       box
	mesh      bool // there are triangles or lines, so that dots are an addition

	// Omitted says that the scene has more than is drawn.
	Omitted bool
}

type vertex struct {
	at     [3]float32 // NaN where it is not to be drawn
	normal [3]float32 // 0 where it has none
}

// paint of what is drawn: an index of paints, or the vertices' own colours.
type paint = uint32

const ownColors paint = math.MaxUint32

type triangle struct {
	a, b, c uint32
	paint   paint
}

type line struct {
	a, b  uint32
	paint paint
}

// dot is a place of a cloud; a cube if it has an edge.
type dot struct {
	at    [3]float32
	edge  float32
	color [3]uint8
}

// Empty reports whether there is nothing to draw.
func (m *Model) Empty() bool { return len(m.triangles)+len(m.lines)+len(m.dots) == 0 }

// Triangles is how many triangles there are.
func (m *Model) Triangles() int { return len(m.triangles) }

// loader makes a Model.
type loader struct {
	ctx    context.Context
	m      *Model
	paints map[string]paint
}

// Load makes a Model of a scene. If ctx ends, it gives what it has so far, and the context's error. What cannot be
// read is left out.
func Load(ctx context.Context, s *scene.Scene) (*Model, error) {
	l := &loader{ctx: ctx, m: &Model{}, paints: make(map[string]paint)}
	s.Walk(func(n *scene.Node, world scene.Matrix) {
		if ctx.Err() != nil {
			return
		}
		if n.Mesh != nil {
			if n.Skin != nil && sound(n.Skin.BindShape) {
				world = n.Skin.BindShape
			}
			l.mesh(n, world)
		}
		if n.Points != nil {
			l.cloud(n.Points, world)
		}
	})
	l.m.mesh = len(l.m.triangles)+len(l.m.lines) > 0
	l.m.measure()
	return l.m, ctx.Err()
}

// sound reports whether a transform leaves something to be seen.
func sound(m scene.Matrix) bool {
	for _, v := range m {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return false
		}
	}
	x, y, z := vec{float64(m[0]), float64(m[1]), float64(m[2])}, vec{float64(m[4]), float64(m[5]), float64(m[6])}, vec{float64(m[8]), float64(m[9]), float64(m[10])}
	return x.dot(x)+y.dot(y)+z.dot(z) > 0
}

// mesh adds the mesh of a node: its vertices once, then what each part makes of them.
func (l *loader) mesh(n *scene.Node, world scene.Matrix) {
	m := n.Mesh
	if m.Count <= 0 || m.Vertices == nil || m.Stride() <= 0 {
		return
	}
	if m.Count > maxVertices-len(l.m.vertices) || triangles(m) > maxTriangles-len(l.m.triangles) {
		l.sample(n, world)
		return
	}
	first := len(l.m.vertices)
	colored, ok := l.vertices(m, world)
	if !ok {
		l.m.vertices = l.m.vertices[:first]
		return
	}
	for i, p := range m.Parts {
		if p == nil {
			continue
		}
		paint := ownColors
		if !colored {
			paint = l.paint(paintName(n, i))
		}
		l.part(m, p, uint32(first), paint)
	}
}

// triangles is how many triangles a mesh can have.
func triangles(m *scene.Mesh) int {
	n := 0
	for _, p := range m.Parts {
		if p == nil {
			continue
		}
		switch p.Primitive {
		case scene.Triangles:
			n += m.PartIndices(p).Len() / 3
		case scene.TriangleStrip, scene.TriangleFan:
			n += min(m.PartIndices(p).Len(), maxIndices)
		}
	}
	return n
}

// vertices reads the vertices of a mesh into the model.
func (l *loader) vertices(m *scene.Mesh, world scene.Matrix) (colored, ok bool) {
	place, size := m.Find(scene.Position, 0)
	if place < 0 {
		return false, false
	}
	normal, normalSize := m.Find(scene.Normal, 0)
	paint, paintSize := m.Find(scene.Color, 0)
	turn := normals(world)
	stride := m.Stride()
	buf := make([]float32, max(1, min(block/stride, m.Count))*stride)
	l.m.vertices = slices.Grow(l.m.vertices, m.Count)
	white := true
	for i := 0; i < m.Count; {
		k := min(m.Count-i, len(buf)/stride)
		if l.ctx.Err() != nil || m.Vertices.Read(i*stride, buf[:k*stride]) != nil {
			return false, false
		}
		for j := range k {
			v := buf[j*stride : (j+1)*stride]
			var out vertex
			out.at = world.Apply(take(v, place, size))
			if !placed(out.at) {
				out.at[0] = float32(math.NaN())
			}
			if normal >= 0 {
				out.normal = narrow(turn.turn(wide(take(v, normal, normalSize))).unit())
			}
			l.m.vertices = append(l.m.vertices, out)
			if paint >= 0 {
				c := take(v, paint, paintSize)
				if paintSize == 1 {
					c[1], c[2] = c[0], c[0]
				}
				for len(l.m.colors) < len(l.m.vertices)-1 {
					l.m.colors = append(l.m.colors, [3]uint8{})
				}
				rgb := [3]uint8{share(c[0]), share(c[1]), share(c[2])}
				white = white && (rgb == [3]uint8{255, 255, 255} || rgb == [3]uint8{})
				l.m.colors = append(l.m.colors, rgb)
			}
		}
		i += k
	}
	return paint >= 0 && !white, true
}

// take gives up to three floats of a vertex.
func take(v []float32, at, size int) (p [3]float32) {
	copy(p[:], v[at:at+min(size, 3)])
	return p
}

// share makes a byte of a number from 0 to 1.
func share(f float32) uint8 {
	if !(f > 0) {
		return 0
	}
	return uint8(min(f, 1)*255 + .5)
}

// normals is what turns a surface's normals when m turns the surface.
func normals(m scene.Matrix) rows {
	column := func(c int) vec { return vec{float64(m[4*c]), float64(m[4*c+1]), float64(m[4*c+2])} }
	x, y, z := column(0), column(1), column(2)
	a, b, c := y.cross(z), z.cross(x), x.cross(y)
	r := rows{{a[0], b[0], c[0]}, {a[1], b[1], c[1]}, {a[2], b[2], c[2]}}
	if x.dot(a) < 0 {
		for i := range r {
			r[i] = r[i].times(-1)
		}
	}
	return r
}

// part adds what the indices of one part make.
func (l *loader) part(m *scene.Mesh, p *scene.Part, first uint32, paint paint) {
	in := m.PartIndices(p)
	if p.Primitive == scene.Triangles {
		l.m.triangles = slices.Grow(l.m.triangles, min(in.Len()/3, maxTriangles-len(l.m.triangles)))
		buf := make([]uint32, min(block, in.Len()))
		for i := 0; i < in.Len(); i += block {
			some := buf[:min(block, in.Len()-i)]
			if l.ctx.Err() != nil || in.Read(i, some) != nil {
				return
			}
			l.faces(m, p.Primitive, some, first, paint)
		}
		return
	}
	n := in.Len()
	if n > maxIndices {
		n, l.m.Omitted = maxIndices, true
	}
	idx := make([]uint32, n)
	for i := 0; i < n; i += block {
		to := min(i+block, n)
		if l.ctx.Err() != nil || in.Read(i, idx[i:to]) != nil {
			idx = idx[:i]
			break
		}
	}
	l.faces(m, p.Primitive, idx, first, paint)
	count := uint32(m.Count)
	p.Primitive.EachLine(idx, func(a, b uint32) {
		switch {
		case a >= count || b >= count:
		case len(l.m.lines) >= maxLines:
			l.m.Omitted = true
		default:
			l.m.lines = append(l.m.lines, line{first + a, first + b, paint})
		}
	})
	if p.Primitive == scene.PointList {
		step := 1 + len(idx)/maxDots
		for i := 0; i < len(idx); i += step {
			if a := idx[i]; a < count {
				l.dot(l.m.vertices[first+a].at, 0, l.rgb(paint, first+a))
			}
		}
	}
}

// faces adds the triangles that indices make.
func (l *loader) faces(m *scene.Mesh, p scene.Primitive, idx []uint32, first uint32, paint paint) {
	count := uint32(m.Count)
	p.EachTriangle(idx, func(a, b, c uint32) {
		switch {
		case a >= count || b >= count || c >= count || a == b || b == c || a == c:
		case len(l.m.triangles) >= maxTriangles:
			l.m.Omitted = true
		default:
			l.m.triangles = append(l.m.triangles, triangle{first + a, first + b, first + c, paint})
		}
	})
}

// sample adds some of the vertices of a mesh that is too large, as dots.
func (l *loader) sample(n *scene.Node, world scene.Matrix) {
	l.m.Omitted = true
	m := n.Mesh
	at, size := m.Find(scene.Position, 0)
	room := min(maxDots-len(l.m.dots), maxDots/2)
	if at < 0 || room <= 0 {
		return
	}
	c := l.m.paints[l.paint(paintName(n, 0))]
	buf := make([]float32, m.Stride())
	for i := 0; i < m.Count; i += 1 + m.Count/room {
		if l.ctx.Err() != nil || m.Vertices.Read(i*len(buf), buf) != nil {
			return
		}
		l.dot(world.Apply(take(buf, at, size)), 0, [3]uint8{c.R, c.G, c.B})
	}
}

func (l *loader) dot(at [3]float32, edge float32, c [3]uint8) {
	switch {
	case !placed(at):
	case len(l.m.dots) >= maxDots:
		l.m.Omitted = true
	default:
		l.m.dots = append(l.m.dots, dot{at, edge, c})
	}
}

// rgb is the colour of a vertex that is drawn with a paint.
func (l *loader) rgb(p paint, v uint32) [3]uint8 {
	if p == ownColors {
		return l.m.colors[v]
	}
	c := l.m.paints[p]
	return [3]uint8{c.R, c.G, c.B}
}

// palette is for materials of which only the name is known: muted, of like brightness, the first the calmest.
var palette = []color.NRGBA{
	{0xC9, 0xCF, 0xD8, 0xFF}, {0xE0, 0xA0, 0x5A, 0xFF}, {0x7F, 0xA8, 0xD6, 0xFF}, {0x9C, 0xC0, 0x82, 0xFF}, {0xD6, 0x86, 0x80, 0xFF},
	{0xB3, 0x9B, 0xD3, 0xFF}, {0xDB, 0xC3, 0x6E, 0xFF}, {0x74, 0xBD, 0xB6, 0xFF}, {0xC8, 0x93, 0xB4, 0xFF}, {0xA8, 0x94, 0x7E, 0xFF},
}

// paintName is what a part gets its paint by: its material, else its mesh.
func paintName(n *scene.Node, part int) string {
	if m := n.Material(part); m != nil {
		return m.Name
	}
	return "mesh " + n.Mesh.Name
}

// paint gives each material, or mesh without one, its own colour, as long as there are some.
func (l *loader) paint(name string) paint {
	p, ok := l.paints[name]
	if !ok {
		p = paint(len(l.paints) % len(palette))
		l.paints[name] = p
		l.m.paints = palette
	}
	return p
}
