package render

import (
	"math"

	"assay/model/scene"
)

// lighting makes colours of surfaces: with the lights of the scene; or with a lamp beside the camera, light from the
// sky and less from the ground, and a shine where a surface turns the lamp to the viewer.
type lighting struct {
	g       *grid
	c       *camera
	n       int
	soft    bool
	lamped  bool // by the scene
	lamps   []lamp
	ambient [3]float32
	eye     [3]float32 // where the camera is
	axes    [3][3]float32

	lamp    [3]float32
	half    [3]float32  // between lamp and viewer
	offsets [4][]offset // where to look for what takes light away; by the place of the sample in a block of four
	reach   float64
}

type offset struct{ x, y int }

// lamp is a light of the scene.
type lamp struct {
	kind         scene.LightKind
	color        [3]float32
	at, to       [3]float32
	range2       float32 // the square of how far it shines; 0 is without end
	inner, outer float32 // cosines
}

// toScreen is the value of a screen for light from 0 to 1.
var toScreen = func() (out [1<<14 + 1]uint8) {
	for i := range out {
		out[i] = uint8(255*screenOf(float64(i)/float64(len(out)-1)) + .5)
	}
	return out
}()

// shines reports whether there is light in a light.
func shines(l *scene.Light) bool {
	for _, c := range l.Color {
		if c > 0 && c-c == 0 {
			return true
		}
	}
	return false
}

func newLighting(m *Model, c *camera, n int, soft bool, g *grid, v *View) *lighting {
	l := &lighting{g: g, c: c, n: n, soft: soft && v.Surface != Normals}
	direction := vec{-.5, .62, .72}.unit()
	l.lamp = narrow(direction)
	l.half = narrow(direction.plus(vec{0, 0, 1}).unit())
	l.eye = narrow(c.position())
	for k := range l.axes {
		l.axes[k] = narrow(c.axes[k])
	}
	if v.Lights == SceneLights && v.Surface == Textured {
		l.scene(m)
	}
	if l.soft {
		l.around()
	}
	return l
}

// scene takes the lights of the scene.
func (l *lighting) scene(m *Model) {
	const most = 16
	for _, from := range m.lamps {
		w := m.world(from.node)
		if !sound(w) || len(l.lamps) >= most {
			continue
		}
		out := lamp{kind: from.light.Kind, color: linear3(from.light.Color), at: [3]float32{w[12], w[13], w[14]}}
		out.to = narrow(column(w, 2).times(-1).unit())
		if r := from.light.Range; r > 0 && r < 1e15 {
			out.range2 = r * r
		}
		angle := func(a float32) float32 { return float32(math.Cos(float64(min(max(number(a, 0), 0), math.Pi)))) }
		out.inner, out.outer = angle(from.light.Inner), angle(max(from.light.Outer, from.light.Inner))
		l.lamps = append(l.lamps, out)
	}
	l.ambient = linear3(m.scene.Ambient)
	l.lamped = len(l.lamps) > 0
}

// around spreads the places that are looked at over a disc, another way for each sample of four, so that their mean
// is even.
func (l *lighting) around() {
	const looks = 10
	radius := float64(min(l.g.width, l.g.height)) * .06
	l.reach = radius / l.c.focus
	for k := range l.offsets {
		for i := range looks {
			angle := 2.39996*float64(i) + math.Pi/2*float64(k)
			far := radius * math.Sqrt((float64(i)+.3+.2*float64(k))/looks)
			s, c := math.Sincos(angle)
			l.offsets[k] = append(l.offsets[k], offset{int(c * far), int(s * far)})
		}
	}
}

// toViewer is the direction from a place to the camera.
func (l *lighting) toViewer(at [3]float32) [3]float32 {
	if l.c.parallel {
		return l.axes[2]
	}
	to := minus3(l.eye, at)
	normalise(&to)
	return to
}

// turned turns a normal to the viewer. The rim of something curved may look a little away from the viewer, who sees it
// all the same: there the normal lies across the view. What looks away more is the other side.
func turned(n, to [3]float32, curved bool) [3]float32 {
	const rim = -.3
	switch d := dot3(n, to); {
	case d >= 0:
	case curved && d > rim:
		for k := range n {
			n[k] -= d * to[k]
		}
		normalise(&n)
	default:
		n = [3]float32{-n[0], -n[1], -n[2]}
	}
	return n
}

// inView turns a direction of the scene into the camera's space.
func (l *lighting) inView(n [3]float32) [3]float32 {
	return [3]float32{dot3(n, l.axes[0]), dot3(n, l.axes[1]), dot3(n, l.axes[2])}
}

// studio lights a surface beside the camera.
func (l *lighting) studio(albedo [4]float32, normal [3]float32, near float32, x, y int) [4]float32 {
	n := l.inView(normal)
	if n[2] < 0 { // at the rim, in a wide view
		n[2] = 0
		normalise(&n)
	}
	lamp := max(0, dot3(n, l.lamp))
	shine := max(0, dot3(n, l.half))
	shine *= shine // to the 32nd power
	shine *= shine
	shine *= shine
	shine *= shine
	shine *= shine
	edge := 1 - n[2]
	edge *= edge * edge
	open := l.open(near, x, y, n)
	sky := (.20 + .12*normal[1]) * open
	light := sky + (.72*lamp+.10*n[2])*(.35+.65*open)
	gloss := (.07*shine + .05*edge) * open
	for k := range 3 {
		albedo[k] = min(1, albedo[k]*light+gloss)
	}
	return albedo
}

// lit lights a surface with the lights of the scene.
func (l *lighting) lit(s *shader, base [4]float32, normal [3]float32, near float32, x, y int) [4]float32 {
	// the sky's and the camera's own light, so that what no light of the scene reaches is seen
	const fill, own = .03, .1
	open := float32(1)
	if l.soft {
		open = l.open(near, x, y, l.inView(normal))
	}
	m := s.material
	var light, gloss [3]float32
	mine := own * max(0, dot3(normal, s.viewer))
	for k := range light {
		light[k] = (max(m.ambient[k], l.ambient[k]) + fill + mine) * open
	}
	for i := range l.lamps {
		p := &l.lamps[i]
		to, strength := p.reach(s.here)
		facing := dot3(normal, to)
		if !(strength > 0 && facing > 0) {
			continue
		}
		shine := float32(0)
		if m.exponent > 0 {
			away := [3]float32{2*facing*normal[0] - to[0], 2*facing*normal[1] - to[1], 2*facing*normal[2] - to[2]}
			if d := dot3(away, s.viewer); d > 0 {
				shine = float32(math.Pow(float64(d), float64(m.exponent)))
			}
		}
		for k, c := range p.color {
			light[k] += c * strength * facing
			gloss[k] += c * strength * shine
		}
	}
	for k := range light {
		base[k] = base[k]*light[k] + gloss[k]
	}
	return base
}

// reach is the direction from a place to the lamp, and how much of its light arrives.
func (p *lamp) reach(at [3]float32) (to [3]float32, strength float32) {
	if p.kind == scene.Directional {
		return [3]float32{-p.to[0], -p.to[1], -p.to[2]}, 1
	}
	to = minus3(p.at, at)
	strength = 1
	if p.range2 > 0 {
		strength = max(0, 1-dot3(to, to)/p.range2)
	}
	normalise(&to)
	if p.kind == scene.Spot {
		switch d := -dot3(to, p.to); {
		case d <= p.outer:
			strength = 0
		case d < p.inner:
			t := (d - p.outer) / (p.inner - p.outer)
			strength *= t * t * (3 - 2*t)
		}
	}
	return to, strength
}

// open says how much of what is around a sample is free, from 0 to 1. A pixel of many samples is looked at once, and so
// more closely.
func (l *lighting) open(near float32, x, y int, n [3]float32) float32 {
	if !l.soft {
		return 1
	}
	depth := l.c.depth(near)
	per := float32(1 / l.c.pixel(float64(near)))
	reach := float32(l.reach) * per * float32(l.c.focus)
	taken, looks := float32(0), 0
	for k := range l.offsets {
		if l.n == 1 && k != x&1+y&1*2 {
			continue
		}
		for _, o := range l.offsets[k] {
			looks++
			px, py := x+o.x, y+o.y
			if px < 0 || py < 0 || px >= l.g.width || py >= l.g.height {
				continue
			}
			other := l.g.samples[py*l.g.width+px].near
			if other == 0 {
				continue
			}
			dz := depth - l.c.depth(other)
			// The places differ mostly by what they are apart in the picture.
			dx, dy := float32(o.x)*per, float32(-o.y)*per
			far := float32(math.Sqrt(float64(dx*dx + dy*dy + dz*dz)))
			if far > 3*reach || far == 0 {
				continue
			}
			if over := (n[0]*dx+n[1]*dy+n[2]*dz)/far - .08; over > 0 {
				taken += over * min(1, 1.5*reach/far)
			}
		}
	}
	return max(1-1.5*taken/float32(looks), .15)
}

// put writes the light of a pixel.
func put(out []uint8, c rgba) {
	if !(c[3] > 0) {
		out[0], out[1], out[2], out[3] = 0, 0, 0, 0
		return
	}
	if c[3] > .9999 {
		out[0], out[1], out[2], out[3] = screen(c[0]), screen(c[1]), screen(c[2]), 255
		return
	}
	each := 1 / c[3]
	out[0], out[1], out[2] = screen(c[0]*each), screen(c[1]*each), screen(c[2]*each)
	out[3] = uint8(c[3]*255 + .5)
}

// screen is the value of a screen for light.
func screen(f float32) uint8 { return toScreen[int(min(max(f, 0), 1)*float32(len(toScreen)-1)+.5)] }
