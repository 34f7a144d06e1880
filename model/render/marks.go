package render

import (
	"image"
	"image/color"
	"math"

	"assay/model/scene"
)

// Marks selects the overlays of a model.
type Marks struct {
	Grid      bool // on the ground
	Axes      bool // of the scene, in a corner
	Bounds    bool
	Wireframe bool
	Normals   bool // of vertices
	Skeleton  bool
	Names     bool // of joints, with Skeleton
	// Collisions draws collision shapes, Lights the positions and the directions of lights.
	Collisions bool
	Lights     bool
	// Selected is outlined, with its descendants, or only Part of its mesh unless that is nil.
	Selected *scene.Node
	Part     *scene.Part
	// Point is outlined; it may be nil.
	Point *Point
}

// Point is one of the points of a node.
type Point struct {
	Node     *scene.Node
	Position [3]float32 // before the node's transform
}

// Label is a name at a position in the picture, in pixels.
type Label struct {
	Text string      // empty if only the position is set
	Node *scene.Node // that is there; nil for an axis
	X, Y float64
}

var (
	gridColor      = color.NRGBA{128, 132, 140, 90}
	wireColor      = color.NRGBA{20, 24, 32, 110}
	boundsColor    = color.NRGBA{250, 200, 60, 200}
	normalColor    = color.NRGBA{80, 200, 255, 200}
	collisionColor = color.NRGBA{90, 230, 130, 220}
	boneColor      = color.NRGBA{255, 170, 40, 255}
	selectedColor  = color.NRGBA{255, 140, 0, 255}
	axisColors     = [3]color.NRGBA{{226, 74, 78, 255}, {112, 186, 60, 255}, {70, 130, 240, 255}}
)

// stroke is a line over the picture.
type stroke struct {
	a, b          vec
	color         color.NRGBA
	behindOpacity float32 // the opacity behind the model
	bold          bool
}

// pen draws strokes into rows of a picture.
type pen struct {
	*frame
	dst      *image.NRGBA
	from, to int
}

// drawMarks draws the overlays of the model.
func (f *frame) drawMarks(dst *image.NRGBA) {
	m := f.view.Marks
	if m == (Marks{}) {
		return
	}
	strokes := f.strokes()
	selected := f.silhouette()
	f.inBands(func(_ *shader, from, to int) {
		p := pen{f, dst, from, to}
		if m.Wireframe {
			p.drawWireframe(from / bandRows)
		}
		for i := range strokes {
			p.drawStroke(&strokes[i])
		}
		if selected != nil {
			p.outline(selected)
		}
	})
	if m.Axes {
		f.drawAxes(pen{f, dst, 0, dst.Rect.Dy()})
	}
}

// strokes returns the lines of all marks except the wireframe, the axes, and the outline of the selection.
func (f *frame) strokes() (out []stroke) {
	m := f.view.Marks
	if m.Grid {
		out = f.appendGrid(out)
	}
	if m.Bounds {
		b := f.m.box
		if m.Selected != nil {
			if bounds, ok := f.m.BoundsOf(Piece{m.Selected, m.Part}); ok {
				b = bounds
			}
		}
		out = appendBoxEdges(out, b)
	}
	if m.Normals {
		out = f.appendNormals(out)
	}
	if m.Skeleton {
		out = f.appendBones(out)
	}
	if m.Collisions {
		out = f.appendCollisions(out)
	}
	if m.Lights {
		out = f.appendLights(out)
	}
	if m.Point != nil {
		out = f.appendPoint(out, m.Point)
	} else if m.Selected != nil {
		out = f.appendSelectedBones(out)
	}
	return out
}

// GridStep returns the distance between the lines of the grid: 1, 2 or 5 times a power of ten.
func (m *Model) GridStep() float64 {
	size := m.box.high.minus(m.box.low).length() / 12
	if !(size > 1e-12 && size < 1e12) {
		return 1
	}
	ten := math.Pow(10, math.Floor(math.Log10(size)))
	for _, k := range []float64{1, 2, 5} {
		if size <= k*ten {
			return k * ten
		}
	}
	return 10 * ten
}

// appendGrid appends a grid under the model.
func (f *frame) appendGrid(out []stroke) []stroke {
	const cells = 12
	step := f.m.GridStep()
	c := f.m.box.center()
	x0, z0 := math.Round(c[0]/step)*step, math.Round(c[2]/step)*step
	y := f.m.box.low[1]
	if f.m.box.low[1] <= step/2 && f.m.box.high[1] >= 0 {
		y = 0
	}
	for i := -cells; i <= cells; i++ {
		d := float64(i) * step
		faint := gridColor
		faint.A = uint8(float64(faint.A) * (1 - .8*math.Abs(float64(i))/cells))
		inX, inZ := faint, faint
		if math.Abs(z0+d) < step/2 {
			inX = axisColors[0]
		}
		if math.Abs(x0+d) < step/2 {
			inZ = axisColors[2]
		}
		out = append(out, stroke{vec{x0 - cells*step, y, z0 + d}, vec{x0 + cells*step, y, z0 + d}, inX, 0, false},
			stroke{vec{x0 + d, y, z0 - cells*step}, vec{x0 + d, y, z0 + cells*step}, inZ, 0, false})
	}
	return out
}

func appendBoxEdges(out []stroke, b box) []stroke {
	var position []vec
	b.eachCorner(func(p vec, _ float64) { position = append(position, p) })
	return appendCuboid(out, position, stroke{color: boundsColor, behindOpacity: .4})
}

// appendCuboid appends the edges between eight corners, each like a stroke. Bit k of a corner's index is its side along
// axis k.
func appendCuboid(out []stroke, position []vec, template stroke) []stroke {
	for i := range position {
		for k := range 3 {
			if i>>k&1 == 0 {
				template.a, template.b = position[i], position[i|1<<k]
				out = append(out, template)
			}
		}
	}
	return out
}

// appendPoint appends the edges of the cube of a point, or a cross.
func (f *frame) appendPoint(out []stroke, p *Point) []stroke {
	i := f.m.pose.Index(p.Node)
	if i < 0 || p.Node.Points == nil || !f.m.world(i).IsValid() || !isDrawable(p.Position) {
		return out
	}
	w, half := f.m.world(i), p.Node.Points.Edge/2
	if !(half > 0 && isDrawable([3]float32{half})) {
		position := toVec(w.Apply(p.Position))
		_, _, near := f.c.project(f.c.toCamera(position))
		if near <= 0 {
			return out
		}
		return f.appendCross(out, position, near, selectedColor)
	}
	var position [8]vec
	for k := range position {
		corner := p.Position
		for axis := range corner {
			corner[axis] += half * float32(2*(k>>axis&1)-1)
		}
		position[k] = toVec(w.Apply(corner))
	}
	return appendCuboid(out, position[:], stroke{color: selectedColor, behindOpacity: .5, bold: true})
}

// appendCross appends a mark of a constant size in the picture.
func (f *frame) appendCross(out []stroke, position vec, near float64, c color.NRGBA) []stroke {
	size := 3.5 / (f.c.pixelsPerUnit(near) / float64(f.n)) / f.c.scale
	for k := range 3 {
		d := f.c.axes[k].times(size)
		out = append(out, stroke{position.minus(d), position.plus(d), c, .8, true})
	}
	return out
}

// appendNormals appends the normals of vertices.
func (f *frame) appendNormals(out []stroke) []stroke {
	const limit = 60_000
	length := f.m.box.high.minus(f.m.box.low).length() * .015
	step := 1 + len(f.m.vertices)/limit
	for k := range f.m.instances {
		inst := &f.m.instances[k]
		if f.m.isHidden(inst.node) {
			continue
		}
		for i := 0; i < len(inst.positions); i += step {
			v := &f.m.vertices[int(inst.first)+i]
			if !isInvalid(v.position[0]) && v.normal != [3]float32{} {
				position := toVec(v.position)
				out = append(out, stroke{position, position.plus(toVec(v.normal).times(length)), normalColor, 0, false})
			}
		}
	}
	return out
}

// appendBones appends the lines between joints, and their labels, which have the names only with Marks.Names.
func (f *frame) appendBones(out []stroke) []stroke {
	for _, i := range f.m.Joints() {
		c := boneColor
		if f.m.pose.Nodes[i] == f.view.Joint {
			c = color.NRGBA{255, 60, 60, 255}
		}
		out = f.appendBone(out, i, c, f.view.Marks.Names)
	}
	return out
}

// appendSelectedBones appends lines for the selected node and its descendants, with its name, if they have no surface.
func (f *frame) appendSelectedBones(out []stroke) []stroke {
	selectedIndex := f.m.pose.Index(f.view.Marks.Selected)
	if selectedIndex < 0 || f.view.Marks.Selected.Points != nil || f.selection() != nil {
		return out
	}
	for i, selected := range f.m.descendants(f.view.Marks.Selected) {
		if selected && (i == selectedIndex || f.m.isJoint[i]) {
			out = f.appendBone(out, i, selectedColor, i == selectedIndex)
		}
	}
	return out
}

// appendBone appends a cross at a node, and for a joint the line to its parent. It also adds a label, which has the
// name if named is set.
func (f *frame) appendBone(out []stroke, node int, c color.NRGBA, named bool) []stroke {
	w := f.m.world(node)
	if !w.IsValid() {
		return out
	}
	position := column(w, 3)
	if k := f.m.pose.Parent[node]; k >= 0 && f.m.isJoint[node] && f.m.isJoint[k] {
		out = append(out, stroke{column(f.m.world(k), 3), position, c, .7, true})
	}
	x, y, near := f.c.project(f.c.toCamera(position))
	if near <= 0 {
		return out
	}
	out = f.appendCross(out, position, near, c)
	l := Label{Node: f.m.pose.Nodes[node], X: x / float64(f.n), Y: y / float64(f.n)}
	if named {
		l.Text = l.Node.Name
	}
	if f.r.Labels = append(f.r.Labels, l); l.Node == f.view.Marks.Selected { // of overlapping names the first is kept
		f.r.Labels[0], f.r.Labels[len(f.r.Labels)-1] = l, f.r.Labels[0]
	}
	return out
}

// drawAxes draws the orientation of the scene in a corner.
func (f *frame) drawAxes(p pen) {
	size := float64(min(p.dst.Rect.Dx(), p.dst.Rect.Dy()))
	length := min(max(size*.06, 14), 44)
	x, y := length+12, float64(p.dst.Rect.Dy())-length-12
	up := f.m.up
	for k := range 3 {
		d := f.c.axes.apply(column(up, k))
		ex, ey := x+d[0]*length, y-d[1]*length
		p.drawLine(x, y, 0, ex, ey, 0, axisColors[k], 1)
		p.drawLine(x+.7, y+.7, 0, ex+.7, ey+.7, 0, axisColors[k], 1)
		f.r.Labels = append(f.r.Labels, Label{Text: string(rune('X' + k)), X: ex + d[0]*7, Y: ey - d[1]*7})
	}
}

// drawStroke draws a line of the scene.
func (p *pen) drawStroke(s *stroke) {
	a, b := p.c.toCamera(s.a), p.c.toCamera(s.b)
	if !p.c.parallel {
		const limit = nearPlane * 1.01
		da, db := p.c.z-a[2], p.c.z-b[2]
		if da < limit && db < limit {
			return
		}
		if da < limit {
			a = a.lerp(b, (limit-da)/(db-da))
		} else if db < limit {
			b = b.lerp(a, (limit-db)/(da-db))
		}
	}
	ax, ay, an := p.c.project(a)
	bx, by, bn := p.c.project(b)
	n := float64(p.n)
	ax, ay, bx, by = ax/n, ay/n, bx/n, by/n
	if !s.bold {
		p.drawLine(ax, ay, an, bx, by, bn, s.color, s.behindOpacity)
		return
	}
	across := vec{by - ay, ax - bx}.unit().times(.5)
	for _, side := range []float64{-1, 1} {
		dx, dy := side*across[0], side*across[1]
		p.drawLine(ax+dx, ay+dy, an, bx+dx, by+dy, bn, s.color, s.behindOpacity)
	}
}

// drawLine draws a line with smooth edges, one pixel wide. Behind nearer surfaces it has behindOpacity. an and bn are
// the nearness of its ends (ax, ay) and (bx, by): 0 for lines that are not in the scene.
func (p *pen) drawLine(ax, ay, an, bx, by, bn float64, c color.NRGBA, behindOpacity float32) {
	steep := math.Abs(by-ay) > math.Abs(bx-ax)
	if steep {
		ax, ay, bx, by = ay, ax, by, bx
	}
	if ax > bx {
		ax, ay, an, bx, by, bn = bx, by, bn, ax, ay, an
	}
	first, last := 0, p.dst.Rect.Dx()
	if steep {
		first, last = p.from, p.to
	}
	if !(bx >= float64(first) && ax <= float64(last)) || bx-ax < 1e-6 {
		return
	}
	slope, nearSlope := (by-ay)/(bx-ax), (bn-an)/(bx-ax)
	for i := max(first, int(math.Floor(max(ax, -1e6)))); i < min(last, int(math.Ceil(min(bx, 1e6)))+1); i++ {
		m := min(max(float64(i)+.5, ax), bx)
		coverage := min(float64(i)+1, bx) - max(float64(i), ax)
		if coverage <= 0 {
			continue
		}
		v := ay + (m-ax)*slope - .5
		near := an + (m-ax)*nearSlope
		if !(v > -2 && v < 1e6) {
			continue
		}
		k := int(math.Floor(v))
		part := v - float64(k)
		for d, share := range [2]float64{1 - part, part} {
			x, y := i, k+d
			if steep {
				x, y = y, x
			}
			p.blendAt(x, y, near, c, float32(share*coverage), behindOpacity)
		}
	}
}

// blendAt blends a color with a pixel.
func (p *pen) blendAt(x, y int, near float64, c color.NRGBA, cover, behindOpacity float32) {
	if x < 0 || x >= p.dst.Rect.Dx() || y < p.from || y >= p.to {
		return
	}
	if near > 0 && p.sampleAt(x, y).near > p.c.offsetNearer(float32(near)) {
		cover *= behindOpacity
	}
	blendPixel(p.dst.Pix[y*p.dst.Stride+4*x:][:4], c, cover)
}

// blendPixel blends a share of a color over a pixel.
func blendPixel(out []uint8, c color.NRGBA, cover float32) {
	a := float32(c.A) / 255 * min(cover, 1)
	if a <= 0 {
		return
	}
	remaining := float32(out[3]) / 255 * (1 - a)
	sum := a + remaining
	for k, v := range [3]uint8{c.R, c.G, c.B} {
		out[k] = uint8((float32(v)*a+float32(out[k])*remaining)/sum + .5)
	}
	out[3] = uint8(sum*255 + .5)
}

// drawWireframe draws the edges of the triangles of a band.
func (p *pen) drawWireframe(band int) {
	for i := range chunks(len(p.m.triangles)) {
		for _, t := range p.r.bins[i].band(band) {
			if p.stop.Load() {
				return
			}
			tri := &p.m.triangles[t]
			s := [3]*projected{&p.r.corners[tri.a], &p.r.corners[tri.b], &p.r.corners[tri.c]}
			for k, a := range s {
				b := s[(k+1)%3]
				if a.near > 0 && b.near > 0 {
					n := float64(p.n)
					p.drawLine(float64(a.x)/n, float64(a.y)/n, float64(a.near), float64(b.x)/n, float64(b.y)/n,
						float64(b.near), wireColor, 0)
				}
			}
		}
	}
}
