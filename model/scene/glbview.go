package scene

import (
	"math"
	"slices"
	"strconv"
)

// cameraOf returns a camera with values that are valid in glTF.
func (b *glb) cameraOf(c *Camera) (gltfCamera, bool) {
	out := gltfCamera{Name: c.Name, Type: "perspective"}
	near, far := c.Near, c.Far
	if c.Orthographic {
		out.Type = "orthographic"
		x, y := c.Width/2, c.Height/2
		if !finite(x) || !finite(y) || x == 0 || y == 0 {
			b.report.add("orthographic cameras without a width or height are not exported", c.Name)
			return out, false
		}
		b.replaceInvalid(&near, near >= 0, 0, "cameras with an invalid near plane get a default one", c.Name)
		b.replaceInvalid(&far, far > near, near+1000, "cameras with an invalid far plane get a default one", c.Name)
		out.Orthographic = &gltfOrthographic{x, y, far, near}
		return out, true
	}
	if !(c.FieldOfView > 0) || !(c.FieldOfView < math.Pi) {
		b.report.add("perspective cameras with a field of view outside 0 to 180 degrees are not exported", c.Name)
		return out, false
	}
	b.replaceInvalid(&near, near > 0, .01, "invalid near planes of cameras are replaced", c.Name)
	b.replaceInvalid(&far, far > near, 0, "far planes of cameras that are not beyond the near plane are removed", c.Name)
	aspect := c.Aspect
	b.replaceInvalid(&aspect, aspect > 0, 0, "cameras with an invalid aspect ratio use that of the viewer", c.Name)
	out.Perspective = &gltfPerspective{aspect, c.FieldOfView, far, near}
	return out, true
}

// replaceInvalid sets *v to other, and reports it, if *v is not finite or valid is false.
func (b *glb) replaceInvalid(v *float32, valid bool, other float32, loss, name string) {
	if !valid || !finite(*v) {
		b.report.add(loss, name)
		*v = other
	}
}

// addLight adds a light to a node. Its intensity makes a white surface that faces it as bright as in a scene: that
// multiplies with all of the light's color, glTF with a share of its illuminance, 1/π. VTK and three.js take lux and
// candela as they are. So does Blender with the lighting mode "Unitless"; its default, "Standard", divides by 683 lm/W
// (PBR_WATTS_TO_LUMENS in io_scene_gltf2/blender/imp/light.py). A file that fits that mode would be 683 times too
// bright everywhere else, so docs/viewing.md advises the other mode.
func (b *glb) addLight(node int, l *Light) {
	out := gltfLight{Name: l.Name, Type: [...]string{"directional", "point", "spot"}[l.Kind],
		Intensity: math.Pi}
	for i, c := range l.Color {
		if !(c >= 0) || !finite(c) {
			b.report.add("colors of lights that are negative or not numbers are black", l.Name)
			c = 0
		}
		out.Color[i] = min(linear(c), maxIntensity)
	}
	if highest := max(out.Color[0], out.Color[1], out.Color[2]); highest > 1 { // glTF separates color and intensity
		out.Intensity *= highest
		for i := range out.Color {
			out.Color[i] /= highest
		}
	}
	if l.Kind != Directional && l.Range > 0 && l.Range < maxRange {
		out.Range = l.Range
		out.Intensity *= rangeIntensity * l.Range * l.Range
	}
	if l.Kind == Spot {
		out.Spot = b.spotOf(l)
	}
	b.setLight(node, b.addLightSource(out))
}

func (b *glb) addLightSource(l gltfLight) int {
	if b.doc.Extensions == nil {
		b.doc.Extensions = new(gltfLights)
		b.addExtension(lightsExtension)
	}
	return add(&b.doc.Extensions.Lights.Lights, l)
}

// setLight adds a light to a node.
func (b *glb) setLight(node, light int) {
	b.doc.Nodes[node].Extensions = new(gltfLightOf)
	b.doc.Nodes[node].Extensions.Lights.Light = light
}

// fillIntensity is the light from all sides that FillLights adds: about as much as the program's lamp beside the
// camera.
const fillIntensity = .07

// addFillLights adds four faint lights, which together are nearly even on all sides, to a scene with lights: many
// viewers then add no light of their own, and surfaces that no light of the scene reaches would be black. They have one
// parent, so that they are easy to remove.
func (b *glb) addFillLights() {
	shines := func(l gltfLight) bool { return l.Color != [3]float32{} }
	if b.doc.Extensions == nil || !slices.ContainsFunc(b.doc.Extensions.Lights.Lights, shines) {
		return
	}
	const name, component = "fill light", 0.57735026
	top := b.addNode(name)
	b.doc.Scenes[0].Nodes = append(b.doc.Scenes[0].Nodes, top)
	tetrahedron := [][3]float64{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}
	for i, v := range tetrahedron {
		// assimp identifies lights by the names of their nodes, and three.js aims lights wrong that share a node.
		viewName := name + " " + strconv.Itoa(i+1)
		k := b.addNode(viewName)
		b.doc.Nodes[top].Children = append(b.doc.Nodes[top].Children, k)
		half := math.Sqrt(2 * (1 + component*v[2])) // light shines along negative z: rotate that to the direction
		b.doc.Nodes[k].Rotation = &[4]float32{float32(-component * v[1] / half), float32(component * v[0] / half), 0,
			float32(half / 2)}
		b.setLight(k, b.addLightSource(gltfLight{Name: viewName, Type: "directional", Color: [3]float32{1, 1, 1},
			Intensity: math.Pi * fillIntensity}))
	}
}

// The valid range of a light's intensity.
const (
	maxIntensity = 1_000_000
	maxRange     = 1_000_000_000_000_000 // a larger range counts as unlimited
)

// rangeIntensity is the intensity, for a range of 1, of a light of glTF that at half its range is as bright as one of a
// scene that shines with 1. Of that 1 - 1/4 arrives there; of glTF's, which falls with the square of the distance too,
// (1 - 1/16) / (1/4).
const rangeIntensity = .75 / (4 * .9375)

// spotOf returns the angles of a spot: outer in (0, a quarter turn], inner in [0, outer).
func (b *glb) spotOf(l *Light) *gltfSpot {
	const quarter = math.Pi / 2
	inner, outer := float64(l.Inner), float64(l.Outer)
	if !(outer > 0) || outer > quarter {
		b.report.add("outer angles of spots are clamped to (0, 90] degrees", l.Name)
		if outer > quarter {
			outer = quarter
		} else {
			outer = math.Pi / 4
		}
	}
	if !(inner >= 0) || inner >= outer {
		b.report.add("inner angles of spots are clamped to [0, outer)", l.Name)
		if inner >= outer {
			inner = outer * (1 - 1e-6)
		} else {
			inner = 0
		}
	}
	return &gltfSpot{inner, outer}
}
