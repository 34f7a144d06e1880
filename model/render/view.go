package render

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"assay/model/scene"
)

// View describes the camera and the display settings of a Model.
type View struct {
	Yaw      float64 // around the upright axis, in radians; 0 looks along negative z
	Pitch    float64 // elevation, in radians
	Roll     float64 // around the direction of view, in radians: the tilt of the camera to its left
	Distance float64 // 1, or 0, shows everything; less is nearer
	Shift    [2]float64
	// Open is the opening angle over the shorter edge of the picture, in radians, and Target the point in the scene
	// that the camera turns around; if Open is 0, they are the default angle and the middle of the model.
	Open   float64
	Target [3]float64
	// Tight fits the Model in its current orientation, not in every possible one.
	Tight        bool
	Orthographic bool
	// Camera is the node with the scene camera to use; nil for the camera that the other fields describe.
	Camera     *scene.Node
	Background color.NRGBA // the zero value is transparent

	Surface Surface
	Lights  Lights
	Joint   *scene.Node // the joint of Weights
	// BackFaces draws back faces in red, and disables culling.
	BackFaces bool
	Marks     Marks
}

// Surface selects how surfaces are drawn.
type Surface uint8

// The surfaces: with their materials, plain, their normals as colors, the weights of View.Joint.
const (
	Textured Surface = iota
	Clay
	Normals
	Weights
)

// Lights selects the lights of the model.
type Lights uint8

// The lights: the scene's if it has any, else a lamp beside the camera; or always the lamp.
const (
	SceneLights Lights = iota
	HeadLight
)

// ThreeQuarter is the view of a scene without a camera of its own: from the front, the right and above.
var ThreeQuarter = View{Yaw: .62, Pitch: .42, Tight: true}

// InitialView returns the initial view of the scene: through its own camera if that shows a fair share of it; else
// ThreeQuarter, straight at flat pictures, from within a dome, or from the other side if all surfaces that face it are
// culled.
func (m *Model) InitialView() View {
	v := ThreeQuarter
	if n := m.sceneCamera(); n != nil {
		c := m.camera(viewWidth, viewHeight)
		if c.useCamera(m, n, viewWidth, viewHeight) && m.showsFairShare(c) {
			v.Camera = n
			return v
		}
	}
	if m.isFlatPicture() {
		v.Yaw, v.Pitch = 0, 0
	}
	if m.isDome() {
		const near, open = .02, 1.2
		return View{Yaw: v.Yaw, Distance: near, Open: open, Target: m.box.center()}
	}
	for _, rotation := range []View{{}, {Yaw: math.Pi}, {Yaw: math.Pi, Pitch: -2 * v.Pitch}, {Pitch: -2 * v.Pitch}} {
		view := v
		view.Yaw, view.Pitch = v.Yaw+rotation.Yaw, v.Pitch+rotation.Pitch
		c := m.camera(viewWidth, viewHeight)
		c.orient(m, &view, viewWidth, viewHeight)
		if m.facesCamera(c.axes[2]) {
			return view
		}
	}
	return v
}

// The size of the picture that decides a first view.
const (
	viewWidth, viewHeight = 120, 90
	maxTrianglesExamined  = 20_000
)

// isFlatPicture reports whether the scene is only unlit textures across z, such as sprites.
func (m *Model) isFlatPicture() bool {
	const flat = .02
	size := m.box.high.minus(m.box.low)
	return len(m.surfaces) > 0 && size[2] <= flat*min(size[0], size[1]) &&
		!slices.ContainsFunc(m.surfaces, func(s surface) bool { return s.material.lit || s.material.texture == nil })
}

// isDome reports whether the largest mesh is the inside of a hull around the scene that is also drawn from outside.
func (m *Model) isDome() bool {
	const highest = .99
	for i := range m.instances {
		inst := &m.instances[i]
		if b, ok := m.boundsOfInstance(inst); !ok || b.longest() < highest*m.box.longest() {
			continue
		}
		var triangles []triangle
		for _, t := range m.triangles {
			if s := &m.surfaces[t.surface]; s.instance == i && s.material.cull == scene.CullNone && !s.material.clay {
				triangles = append(triangles, t)
			}
		}
		if inst.isInterior(triangles, inst.first) {
			return true
		}
	}
	return false
}

// sceneCamera returns the node of the camera that is active, or is the only one, or nil.
func (m *Model) sceneCamera() (only *scene.Node) {
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

// eachSampledTriangle passes the corners of the drawn triangles, or of a sample of very many.
func (m *Model) eachSampledTriangle(visit func(mat *material, corners [3]vec) (ok bool)) {
	for i := 0; i < len(m.triangles); i += 1 + len(m.triangles)/maxTrianglesExamined {
		t := &m.triangles[i]
		mat := m.surfaces[t.surface].material
		a, b, c := toVec(m.vertices[t.a].position), toVec(m.vertices[t.b].position), toVec(m.vertices[t.c].position)
		if mat.cull == scene.CullBoth || isInvalid(a[0]+b[0]+c[0]) {
			continue
		}
		if !visit(mat, [3]vec{a, b, c}) {
			return
		}
	}
}

// isDrawnFrom reports whether the material draws a triangle that is viewed from a direction.
func (m *material) isDrawnFrom(corners [3]vec, from vec) bool {
	front := corners[1].minus(corners[0]).cross(corners[2].minus(corners[0]))
	return m.cull == scene.CullNone || front.dot(from) > 0 == (m.cull == scene.CullBack)
}

// facesCamera reports whether some triangle is drawn when viewed from a direction, or there are no triangles at all.
func (m *Model) facesCamera(from vec) bool {
	drawn, hasTriangles := false, false
	m.eachSampledTriangle(func(mat *material, corners [3]vec) bool {
		hasTriangles = true
		drawn = mat.isDrawnFrom(corners, from)
		return !drawn
	})
	return drawn || !hasTriangles
}

// showsFairShare reports whether a camera shows at least half of the corners of the sampled triangles, some from a side
// that is drawn, and not as a speck.
func (m *Model) showsFairShare(c *camera) bool {
	const share, speck = .5, .05
	total, inside, drawn := 0, 0, false
	left, right, high, low := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	from := c.position()
	m.eachSampledTriangle(func(mat *material, corners [3]vec) bool {
		for _, position := range corners {
			if !m.box.contains(position) {
				continue // it is not framed either
			}
			total++
			x, y, near := c.project(c.toCamera(position))
			if near <= float64(c.farNearness) || x < 0 || x > viewWidth || y < 0 || y > viewHeight {
				continue
			}
			inside++
			drawn = drawn || mat.isDrawnFrom(corners, from.minus(position))
			left, right, high, low = min(left, x), max(right, x), min(high, y), max(low, y)
		}
		return true
	})
	return drawn && float64(inside) >= share*float64(total) &&
		max(right-left, low-high) >= viewHeight/3 && (right-left)*(low-high) >= speck*viewWidth*viewHeight
}

// LegendEntry is a color in a picture, and its meaning.
type LegendEntry struct {
	Color color.NRGBA // if zero, Text is a heading of the following entries
	Text  string
}

// Legend returns the meanings of colors that are not the file's own.
func (m *Model) Legend(v View) (entries []LegendEntry) {
	if v.BackFaces {
		entries = append(entries, LegendEntry{colorOf(backFace), "back faces"})
	}
	switch v.Surface {
	case Textured:
		if plain := m.plainEntries(); len(plain) > 0 {
			entries = append(append(entries, LegendEntry{Text: "placeholder colors"}), plain...)
		}
	case Normals:
		for k, name := range [3]string{"x", "y", "z"} {
			up, down := [3]float32{.5, .5, .5}, [3]float32{.5, .5, .5}
			up[k], down[k] = 1, 0
			entries = append(entries, LegendEntry{colorOf(rgba{up[0], up[1], up[2], 1}), "normal along +" + name},
				LegendEntry{colorOf(rgba{down[0], down[1], down[2], 1}), "normal along −" + name})
		}
	case Weights:
		if v.Joint == nil {
			break
		}
		const steps = 4
		entries = append(entries, LegendEntry{Text: "joint weight: " + v.Joint.Name})
		for i := range steps + 1 {
			share := 1 - float32(i)/steps
			entries = append(entries, LegendEntry{colorOf(heatColor(share)), fmt.Sprintf("%g", share)})
		}
	}
	return entries
}

// plainEntries returns the colors of visible surfaces with a material that only has a name.
func (m *Model) plainEntries() (entries []LegendEntry) {
	visited := make(map[LegendEntry]bool)
	for i, s := range m.surfaces {
		if s.hidden || !s.material.unknown || s.material.tinted {
			continue
		}
		n, name := m.nodeAndMaterialOf(uint32(i))
		if name == "" && n.Mesh != nil {
			name = n.Mesh.Name
		}
		c := s.material.rgb
		entry := LegendEntry{color.NRGBA{c[0], c[1], c[2], 255}, name}
		if name != "" && !visited[entry] {
			visited[entry] = true
			entries = append(entries, entry)
		}
	}
	return entries
}

// colorOf converts light to sRGB.
func colorOf(c rgba) color.NRGBA {
	return color.NRGBA{toSRGB8(c.r), toSRGB8(c.g), toSRGB8(c.b), 255}
}
