package render

import (
	"math"

	"assay/model/scene"
)

// lighting computes colors of surfaces: with the lights of the scene; or with a lamp beside the camera, light from the
// sky and less from the ground, and a highlight where a surface reflects the lamp to the viewer.
type lighting struct {
	g          *grid
	c          *camera
	n          int // samples per pixel and axis
	occlusion  bool
	sceneLit   bool // by the scene
	sceneLamps []lamp
	eye        vec3 // the position of the camera
	axes       [3]vec3

	lampDirection   vec3        // in the camera's space, as half
	half            vec3        // between lamp and viewer
	offsets         [4][]offset // where to sample occlusion; by the position of the sample in a block of four
	occlusionRadius float64
}

type offset struct{ x, y int }

type lamp struct {
	kind                scene.LightKind
	color               vec3
	position, direction vec3
	range2              float32 // the square of its range; 0 is unlimited
	inner, outer        float32 // cosines
}

// srgbTable maps light from 0 to 1 to sRGB values.
var srgbTable = func() (out [1<<14 + 1]uint8) {
	for i := range out {
		out[i] = uint8(255*screenOf(float64(i)/float64(len(out)-1)) + .5)
	}
	return out
}()

// emits reports whether a light is not black.
func emits(l *scene.Light) bool {
	for _, c := range l.Color {
		if c > 0 && c-c == 0 {
			return true
		}
	}
	return false
}

func newLighting(m *Model, c *camera, n int, soft bool, g *grid, v *View) *lighting {
	l := &lighting{g: g, c: c, n: n, occlusion: soft && v.Surface != Normals}
	direction := vec{-.5, .62, .72}.unit()
	l.lampDirection = toVec3(direction)
	l.half = toVec3(direction.plus(vec{0, 0, 1}).unit())
	l.eye = toVec3(c.position())
	for k := range l.axes {
		l.axes[k] = toVec3(c.axes[k])
	}
	if v.Lights == SceneLights && v.Surface == Textured {
		l.loadSceneLights(m)
	}
	if l.occlusion {
		l.initOffsets()
	}
	return l
}

func (l *lighting) loadSceneLights(m *Model) {
	const limit = 16
	for _, from := range m.lamps {
		w := m.world(from.node)
		if !w.IsValid() || len(l.sceneLamps) >= limit {
			continue
		}
		prepared := lamp{kind: from.light.Kind, color: linear3(from.light.Color), position: vec3{w[12], w[13], w[14]}}
		prepared.direction = toVec3(column(w, 2).times(-1).unit())
		if r := from.light.Range; r > 0 && r < 1e15 {
			prepared.range2 = r * r
		}
		angle := func(a float32) float32 { return float32(math.Cos(float64(min(max(finiteOr(a, 0), 0), math.Pi)))) }
		prepared.inner, prepared.outer = angle(from.light.Inner), angle(max(from.light.Outer, from.light.Inner))
		l.sceneLamps = append(l.sceneLamps, prepared)
	}
	l.sceneLit = len(l.sceneLamps) > 0
}

// initOffsets distributes the occlusion samples over a disc, rotated for each sample of four, so that their mean is
// even.
func (l *lighting) initOffsets() {
	const samples = 10
	radius := float64(min(l.g.width, l.g.height)) * .06
	l.occlusionRadius = radius / l.c.focus
	for k := range l.offsets {
		for i := range samples {
			angle := 2.39996*float64(i) + math.Pi/2*float64(k)
			far := radius * math.Sqrt((float64(i)+.3+.2*float64(k))/samples)
			s, c := math.Sincos(angle)
			l.offsets[k] = append(l.offsets[k], offset{int(c * far), int(s * far)})
		}
	}
}

// viewVector returns the direction from a point to the camera, not normalized.
func (l *lighting) viewVector(position vec3) vec3 {
	if l.c.parallel {
		return l.axes[2]
	}
	return l.eye.minus(position)
}

// towardViewer orients a normal toward the viewer. At the rim of a curved surface an interpolated normal may point a
// little away from the viewer although the surface is visible: there the result is perpendicular to the view.
func towardViewer(n, to vec3, curved bool) vec3 {
	switch d := n.dot(to); {
	case d >= 0:
		return n
	case curved:
		return n.minus(to.times(d)).unit()
	}
	return n.times(-1)
}

// toView transforms a direction of the scene into the camera's space.
func (l *lighting) toView(n vec3) vec3 {
	return vec3{n.dot(l.axes[0]), n.dot(l.axes[1]), n.dot(l.axes[2])}
}

// studio lights a surface with the lamp beside the camera and the sky. open is the share of the sky that reaches it.
func (l *lighting) studio(albedo rgba, normal vec3, open float32) rgba {
	n := l.toView(normal)
	if n.z < 0 { // at the rim, in a wide view
		n.z = 0
		n = n.unit()
	}
	lambert := max(0, n.dot(l.lampDirection))
	shine := max(0, n.dot(l.half))
	shine *= shine // to the 32nd power
	shine *= shine
	shine *= shine
	shine *= shine
	shine *= shine
	edge := 1 - n.z
	edge *= edge * edge
	sky := (.20 + .12*normal.y) * open
	light := sky + (.72*lambert+.10*n.z)*(.35+.65*open)
	gloss := (.07*shine + .05*edge) * open
	return rgba{min(1, albedo.r*light+gloss), min(1, albedo.g*light+gloss), min(1, albedo.b*light+gloss), albedo.a}
}

// illuminate lights a surface with the lights of the scene.
func (l *lighting) illuminate(s *shader, base rgba, normal vec3, x, y int) rgba {
	// the sky's and the camera's own light, so that surfaces out of reach of the scene's lights are visible
	const skyLight, cameraLight = .03, .1
	open := float32(1)
	if l.occlusion {
		open = l.openness(s.nearness(), x, y, l.toView(normal))
	}
	m := s.material
	here := s.position()
	viewer := l.viewVector(here).unit()
	always := skyLight + cameraLight*max(0, normal.dot(viewer))
	light := vec3{m.ambient.x + always, m.ambient.y + always, m.ambient.z + always}.times(open)
	white := float32(0)
	for i := range l.sceneLamps {
		p := &l.sceneLamps[i]
		to, strength := p.reach(here)
		if !(strength > 0) {
			continue
		}
		if facing := normal.dot(to); facing > 0 {
			light = light.plus(p.color.times(strength * facing))
		}
		if m.exponent > 0 {
			shine := strength * m.shine(normal, to.plus(viewer))
			if m.white {
				white += shine
			} else {
				light = light.plus(p.color.times(shine))
			}
		}
	}
	return rgba{base.r*light.x + white, base.g*light.y + white, base.b*light.z + white, base.a}
}

// shine returns the strength of a highlight; half points halfway between the light and the viewer.
func (m *material) shine(normal, half vec3) float32 {
	d, length2 := normal.dot(half), half.dot(half)
	if d <= 0 || d*d <= m.minCosine2*length2 {
		return 0
	}
	return float32(math.Pow(float64(d*d/length2), float64(m.exponent)/2))
}

// reach returns the direction from a point to the lamp, and the share of its light that arrives.
func (l *lamp) reach(position vec3) (to vec3, strength float32) {
	if l.kind == scene.Directional {
		return l.direction.times(-1), 1
	}
	to = l.position.minus(position)
	strength = 1
	if l.range2 > 0 {
		strength = max(0, 1-to.dot(to)/l.range2)
	}
	to = to.unit()
	if l.kind == scene.Spot {
		switch d := -to.dot(l.direction); {
		case d <= l.outer:
			strength = 0
		case d < l.inner:
			t := (d - l.outer) / (l.inner - l.outer)
			strength *= t * t * (3 - 2*t)
		}
	}
	return to, strength
}

// openness returns the free share of the surroundings of a sample, from 0 to 1. A pixel of many samples is computed
// once, with more occlusion samples.
func (l *lighting) openness(near float32, x, y int, n vec3) float32 {
	depth := l.c.depth(near)
	unitsPerPixel := float32(1 / l.c.pixelsPerUnit(float64(near)))
	reach := float32(l.occlusionRadius) * unitsPerPixel * float32(l.c.focus)
	occluded, samples := float32(0), 0
	for k := range l.offsets {
		if l.n == 1 && k != x&1+y&1*2 {
			continue
		}
		for _, o := range l.offsets[k] {
			samples++
			px, py := x+o.x, y+o.y
			if px < 0 || py < 0 || px >= l.g.width || py >= l.g.height {
				continue
			}
			other := l.g.samples[py*l.g.width+px].near
			if other == 0 {
				continue
			}
			dz := depth - l.c.depth(other)
			// The offset across the view follows from the pixels, at the depth of the sample.
			dx, dy := float32(o.x)*unitsPerPixel, float32(-o.y)*unitsPerPixel
			distance := float32(math.Sqrt(float64(dx*dx + dy*dy + dz*dz)))
			if distance > 3*reach || distance == 0 {
				continue
			}
			if excess := (n.x*dx+n.y*dy+n.z*dz)/distance - .08; excess > 0 {
				occluded += excess * min(1, 1.5*reach/distance)
			}
		}
	}
	return max(1-1.5*occluded/float32(samples), .15)
}

// setPixel writes the light of a pixel.
func setPixel(out []uint8, c rgba) {
	p := (*[4]uint8)(out)
	switch {
	case !(c.a > 0):
		*p = [4]uint8{}
	case c.a > .9999:
		*p = [4]uint8{toSRGB8(c.r), toSRGB8(c.g), toSRGB8(c.b), 255}
	default:
		each := 1 / c.a
		*p = [4]uint8{toSRGB8(c.r * each), toSRGB8(c.g * each), toSRGB8(c.b * each), uint8(c.a*255 + .5)}
	}
}

// toSRGB8 returns the sRGB value of light.
func toSRGB8(f float32) uint8 { return srgbTable[int(min(max(f, 0), 1)*float32(len(srgbTable)-1)+.5)] }
