package render

import (
	"image/color"
	"math"
	"slices"

	"assay/model/scene"
)

// maxShapeLines is the maximum number of drawn lines of collision shapes and lights.
const maxShapeLines = 30_000

// boundsOfMeshes returns the bounds of the meshes of nodes in their own space, by node of the pose. It is cached.
func (m *Model) boundsOfMeshes() map[int]scene.MeshBounds {
	if m.meshBounds != nil {
		return m.meshBounds
	}
	m.meshBounds = make(map[int]scene.MeshBounds)
	bounds := make(map[*geometry]scene.MeshBounds)
	for i := range m.instances {
		inst := &m.instances[i]
		if m.pose.Nodes[inst.node].Collision == nil {
			continue
		}
		e, ok := bounds[inst.geometry]
		if !ok {
			e = boundsOf(inst.positions)
			bounds[inst.geometry] = e
		}
		m.meshBounds[inst.node] = e
	}
	return m.meshBounds
}

// boundsOf returns the bounds of points.
func boundsOf(points [][3]float32) (e scene.MeshBounds) {
	b := emptyBox
	for _, p := range points {
		if isDrawable(p) {
			b.add(toVec(p))
		}
	}
	if b == emptyBox {
		return e
	}
	center := b.center()
	for _, p := range points {
		if isDrawable(p) {
			e.Radius = max(e.Radius, float32(toVec(p).minus(center).length()))
		}
	}
	e.Low, e.High = toFloats(b.low), toFloats(b.high)
	return e
}

// HasCollisions reports whether nodes of the scene have collision shapes.
func (m *Model) HasCollisions() bool {
	return slices.ContainsFunc(m.pose.Nodes, func(n *scene.Node) bool { return n.Collision != nil })
}

// appendCollisions appends the lines of the collision shapes.
func (f *frame) appendCollisions(out []stroke) []stroke {
	bounds := f.m.boundsOfMeshes()
	meshes := make(map[int]bool) // nodes with the shape of their mesh
	limit := len(out) + maxShapeLines
	for i, n := range f.m.pose.Nodes {
		w := f.m.world(i)
		if n.Collision == nil || !w.IsValid() || f.m.isHidden(i) || len(out) >= limit {
			continue
		}
		meshes[i] = n.Collision.Shape == scene.MeshCollision
		out = appendSegments(out, n.Collision.Lines(w, bounds[i]), collisionColor)
	}
	for _, t := range f.m.triangles {
		if len(out) >= limit {
			break
		}
		if s := &f.m.surfaces[t.surface]; !s.hidden && meshes[f.m.instances[s.instance].node] {
			a, b, c := f.m.vertices[t.a].position, f.m.vertices[t.b].position, f.m.vertices[t.c].position
			out = appendSegments(out, []scene.Segment{{a, b}, {b, c}, {c, a}}, collisionColor)
		}
	}
	return out
}

// appendSegments appends lines of a color, except lines with invalid positions.
func appendSegments(out []stroke, lines []scene.Segment, c color.NRGBA) []stroke {
	for _, l := range lines {
		if isDrawable(l[0]) && isDrawable(l[1]) {
			out = append(out, stroke{toVec(l[0]), toVec(l[1]), c, .35, false})
		}
	}
	return out
}

// appendLights appends lines at the positions of lights, in their colors.
func (f *frame) appendLights(out []stroke) []stroke {
	const share = .12 // of the size of the framed box
	size := f.m.box.longest() * share
	if !(size > 0) || math.IsInf(size, 0) {
		size = 1
	}
	limit := len(out) + maxShapeLines
	for i, n := range f.m.pose.Nodes {
		w := f.m.world(i)
		if n.Light == nil || !w.IsValid() || len(out) >= limit {
			continue
		}
		out = appendSegments(out, n.Light.Lines(w, float32(size)), lightColor(n.Light.Color))
	}
	return out
}

// lightColor returns the color of the lines of a light: its own, at full brightness.
func lightColor(c [3]float32) color.NRGBA {
	brightest := max(c[0], c[1], c[2])
	if !(brightest > 0) {
		return color.NRGBA{150, 150, 150, 255} // it is black
	}
	return color.NRGBA{toByte(c[0] / brightest), toByte(c[1] / brightest), toByte(c[2] / brightest), 255}
}
