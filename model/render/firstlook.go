package render

import (
	"math"
	"slices"

	"assay/model/scene"
)

// FirstLook returns the view from which a person looks at the scene first: through its own camera if that sees a fair
// share of it; else ThreeQuarter, or from the other side if materials leave out all that is seen from there.
func (m *Model) FirstLook() View {
	v := ThreeQuarter
	if n := m.ownCamera(); n != nil {
		c := m.camera(lookWidth, lookHeight)
		if c.through(m, n, lookWidth, lookHeight) && m.seesFairShare(c) {
			v.Camera = n
			return v
		}
	}
	for _, turn := range []View{{}, {Yaw: math.Pi}, {Yaw: math.Pi, Pitch: -2 * v.Pitch}, {Pitch: -2 * v.Pitch}} {
		look := v
		look.Yaw, look.Pitch = v.Yaw+turn.Yaw, v.Pitch+turn.Pitch
		c := m.camera(lookWidth, lookHeight)
		c.turn(m, &look, lookWidth, lookHeight)
		if m.facesCamera(c.axes[2]) {
			return look
		}
	}
	return v
}

// The picture that a first look is judged by.
const (
	lookWidth, lookHeight = 120, 90
	trianglesLookedAt     = 20_000
)

// ownCamera returns the node of the camera that is active, or is the only one; nil if there is none.
func (m *Model) ownCamera() (only *scene.Node) {
	if m.scene.ActiveCamera != nil {
		return m.scene.ActiveCamera
	}
	for _, n := range m.pose.Nodes {
		if n.Camera == nil {
			continue
		}
		if only != nil {
			return nil
		}
		only = n
	}
	return only
}

// someTriangles visits the corners of the triangles that materials draw, or of some of very many.
func (m *Model) someTriangles(see func(mat *material, corners [3]vec) (more bool)) {
	for i := 0; i < len(m.triangles); i += 1 + len(m.triangles)/trianglesLookedAt {
		t := &m.triangles[i]
		mat := m.surfaces[t.surface].material
		a, b, c := wide(m.vertices[t.a].at), wide(m.vertices[t.b].at), wide(m.vertices[t.c].at)
		if mat.cull == scene.CullBoth || a[0]+b[0]+c[0] != a[0]+b[0]+c[0] {
			continue
		}
		if !see(mat, [3]vec{a, b, c}) {
			return
		}
	}
}

// drawnFrom reports whether the material draws a triangle that is looked at from a direction.
func (m *material) drawnFrom(corners [3]vec, from vec) bool {
	front := corners[1].minus(corners[0]).cross(corners[2].minus(corners[0]))
	return m.cull == scene.CullNone || front.dot(from) > 0 == (m.cull == scene.CullBack)
}

// facesCamera reports whether some triangle is drawn that is looked at from a direction; or there are none at all.
func (m *Model) facesCamera(from vec) bool {
	drawn, any := false, false
	m.someTriangles(func(mat *material, corners [3]vec) bool {
		any = true
		drawn = mat.drawnFrom(corners, from)
		return !drawn
	})
	return drawn || !any
}

// seesFairShare reports whether a camera sees at least half of what is drawn, and not as a speck.
func (m *Model) seesFairShare(c *camera) bool {
	const share, speck = .5, .05
	all, inside, drawn := 0, 0, false
	left, right, high, low := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	from := c.position()
	m.someTriangles(func(mat *material, corners [3]vec) bool {
		for _, at := range corners {
			if !m.box.contains(at) {
				continue // it is not framed either
			}
			all++
			x, y, near := c.project(c.see(at))
			if near <= 0 || x < 0 || x > lookWidth || y < 0 || y > lookHeight {
				continue
			}
			inside++
			drawn = drawn || mat.drawnFrom(corners, from.minus(at))
			left, right, high, low = min(left, x), max(right, x), min(high, y), max(low, y)
		}
		return true
	})
	return drawn && float64(inside) >= share*float64(all) &&
		max(right-left, low-high) >= lookHeight/3 && (right-left)*(low-high) >= speck*lookWidth*lookHeight
}

// sideless notes that no material draws anything.
func (m *Model) sideless() {
	drawn := func(s surface) bool { return s.material.cull != scene.CullBoth }
	if len(m.triangles) == 0 || slices.ContainsFunc(m.surfaces, drawn) {
		return
	}
	m.problem("the scene is invisible: its materials draw neither front nor back faces")
}
