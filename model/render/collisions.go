package render

import (
	"image/color"
	"math"
	"slices"

	"assay/model/scene"
)

// maxStrokes is the maximum number of drawn lines of collision shapes and lights.
const maxStrokes = 30_000

// meshReaches returns the reach of the meshes of nodes in their own space, by node of the pose. It is cached.
func (m *Model) meshReaches() map[int]scene.MeshBounds {
	if m.reaches != nil {
		return m.reaches
	}
	m.reaches = make(map[int]scene.MeshBounds)
	bounds := make(map[*geometry]scene.MeshBounds)
	for i := range m.instances {
		inst := &m.instances[i]
		if m.pose.Nodes[inst.node].Collision == nil {
			continue
		}
		e, ok := bounds[inst.geometry]
		if !ok {
			e = reachOf(inst.positions)
			bounds[inst.geometry] = e
		}
		m.reaches[inst.node] = e
	}
	return m.reaches
}

// reachOf returns the reach of some points.
func reachOf(points [][3]float32) (e scene.MeshBounds) {
	b := emptyBox
	for _, p := range points {
		if isDrawable(p) {
			b.add(wide(p))
		}
	}
	if b == emptyBox {
		return e
	}
	center := b.center()
	for _, p := range points {
		if isDrawable(p) {
			e.Radius = max(e.Radius, float32(wide(p).minus(center).length()))
		}
	}
	e.Low, e.High = narrow(b.low), narrow(b.high)
	return e
}

// HasCollisions reports whether nodes of the scene have collision shapes.
func (m *Model) HasCollisions() bool {
	return slices.ContainsFunc(m.pose.Nodes, func(n *scene.Node) bool { return n.Collision != nil })
}

// collisions appends the lines of the collision shapes.
func (f *frame) collisions(out []stroke) []stroke {
	reaches := f.m.meshReaches()
	meshes := make(map[int]bool) // nodes with the shape of their mesh
	highest := len(out) + maxStrokes
	for i, n := range f.m.pose.Nodes {
		w := f.m.world(i)
		if n.Collision == nil || !w.IsValid() || f.m.isHidden(i) || len(out) >= highest {
			continue
		}
		meshes[i] = n.Collision.Shape == scene.MeshCollision
		out = segments(out, n.Collision.Lines(w, reaches[i]), hitColor)
	}
	for _, t := range f.m.triangles {
		if len(out) >= highest {
			break
		}
		if s := &f.m.surfaces[t.surface]; !s.hidden && meshes[f.m.instances[s.instance].node] {
			a, b, c := f.m.vertices[t.a].position, f.m.vertices[t.b].position, f.m.vertices[t.c].position
			out = segments(out, []scene.Segment{{a, b}, {b, c}, {c, a}}, hitColor)
		}
	}
	return out
}

// segments appends lines of a color, except lines with invalid positions.
func segments(out []stroke, lines []scene.Segment, c color.NRGBA) []stroke {
	for _, l := range lines {
		if isDrawable(l[0]) && isDrawable(l[1]) {
			out = append(out, stroke{wide(l[0]), wide(l[1]), c, .35, false})
		}
	}
	return out
}

// lights appends lines at the positions of lights, in their colors.
func (f *frame) lights(out []stroke) []stroke {
	const share = .12 // of the size of the framed box
	size := f.m.box.longest() * share
	if !(size > 0) || math.IsInf(size, 0) {
		size = 1
	}
	highest := len(out) + maxStrokes
	for i, n := range f.m.pose.Nodes {
		w := f.m.world(i)
		if n.Light == nil || !w.IsValid() || len(out) >= highest {
			continue
		}
		out = segments(out, n.Light.Lines(w, float32(size)), lightColor(n.Light.Color))
	}
	return out
}

// lightColor returns the color of the lines of a light: its own, at full brightness.
func lightColor(c [3]float32) color.NRGBA {
	brightest := max(c[0], c[1], c[2])
	if !(brightest > 0) {
		return color.NRGBA{150, 150, 150, 255} // it is black
	}
	return color.NRGBA{share(c[0] / brightest), share(c[1] / brightest), share(c[2] / brightest), 255}
}
