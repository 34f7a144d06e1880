package render

import (
	"image"
	"image/color"
	"math"
)

// lighting makes colours of samples: a lamp beside the camera, light from the sky and less from the ground, and a
// shine where a surface turns the lamp to the viewer.
type lighting struct {
	g        *grid
	c        *camera
	soft     bool
	lamp     [3]float32
	half     [3]float32 // between lamp and viewer
	up       [3]float32
	offsets  [4][]offset // where to look for what takes light away; by the place of the sample in a block of four
	reach    float64
	linear   [256]float32
	toScreen [1 << 12]uint8
}

type offset struct{ x, y int }

func newLighting(c *camera, soft bool, g *grid) *lighting {
	l := &lighting{g: g, c: c, soft: soft}
	lamp := vec{-.5, .62, .72}.unit()
	l.lamp = narrow(lamp)
	l.half = narrow(lamp.plus(vec{0, 0, 1}).unit())
	l.up = narrow(c.axes.turn(vec{0, 1, 0}))
	for i := range l.linear {
		l.linear[i] = float32(math.Pow(float64(i)/255, 2.2))
	}
	for i := range l.toScreen {
		l.toScreen[i] = uint8(255*math.Pow(float64(i)/float64(len(l.toScreen)-1), 1/2.2) + .5)
	}
	if soft {
		l.around()
	}
	return l
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

// shade gives the light that a sample sends, from 0 to 1.
func (l *lighting) shade(s *sample, x, y int) (out [3]float32) {
	n0, n1, n2 := s.normal()
	up := n0*l.up[0] + n1*l.up[1] + n2*l.up[2]
	lamp := max(0, n0*l.lamp[0]+n1*l.lamp[1]+n2*l.lamp[2])
	shine := max(0, n0*l.half[0]+n1*l.half[1]+n2*l.half[2])
	shine *= shine // to the 32nd power
	shine *= shine
	shine *= shine
	shine *= shine
	shine *= shine
	edge := 1 - n2
	edge *= edge * edge
	open := float32(1)
	if l.soft {
		open = l.open(s, x, y, n0, n1, n2)
	}
	sky := (.20 + .12*up) * open
	light := sky + (.72*lamp+.10*n2)*(.35+.65*open)
	for k, c := range s.color {
		albedo := l.linear[c]
		out[k] = min(1, albedo*light+(.07*shine+.05*edge)*open)
	}
	return out
}

// open says how much of what is around a sample is free, from 0 to 1.
func (l *lighting) open(s *sample, x, y int, n0, n1, n2 float32) float32 {
	depth := 1 / s.near
	per := depth / float32(l.c.focus)
	reach := float32(l.reach) * depth
	taken := float32(0)
	list := l.offsets[x&1+y&1*2]
	for _, o := range list {
		px, py := x+o.x, y+o.y
		if px < 0 || py < 0 || px >= l.g.width || py >= l.g.height {
			continue
		}
		other := l.g.pixels[py*l.g.width+px].near
		if other == 0 {
			continue
		}
		dz := depth - 1/other
		// The places differ mostly by what they are apart in the picture.
		dx, dy := float32(o.x)*per, float32(-o.y)*per
		far := float32(math.Sqrt(float64(dx*dx + dy*dy + dz*dz)))
		if far > 3*reach || far == 0 {
			continue
		}
		if over := (n0*dx+n1*dy+n2*dz)/far - .08; over > 0 {
			taken += over * min(1, 1.5*reach/far)
		}
	}
	free := 1 - 1.5*taken/float32(len(list))
	return max(free, .15)
}

// resolve makes the pixels of rows of a picture.
func (l *lighting) resolve(dst *image.NRGBA, background color.NRGBA, n, from, to int) {
	width := dst.Rect.Dx()
	all := float32(n * n)
	for y := from; y < to; y++ {
		pix := dst.Pix[y*dst.Stride : y*dst.Stride+4*width]
		for x := range width {
			var sum [3]float32
			hit := float32(0)
			for sy := y * n; sy < y*n+n; sy++ {
				for sx := x * n; sx < x*n+n; sx++ {
					s := &l.g.pixels[sy*l.g.width+sx]
					if s.near == 0 {
						continue
					}
					c := l.shade(s, sx, sy)
					sum[0], sum[1], sum[2] = sum[0]+c[0], sum[1]+c[1], sum[2]+c[2]
					hit++
				}
			}
			l.pixel(pix[4*x:4*x+4], sum, hit, all, background)
		}
	}
}

// pixel mixes what was hit with the background.
func (l *lighting) pixel(out []uint8, sum [3]float32, hit, all float32, background color.NRGBA) {
	if hit == 0 {
		out[0], out[1], out[2], out[3] = background.R, background.G, background.B, background.A
		return
	}
	cover := hit / all
	rest := float32(background.A) / 255 * (1 - cover)
	alpha := cover + rest
	for k, b := range [3]uint8{background.R, background.G, background.B} {
		c := (sum[k]/hit*cover + l.linear[b]*rest) / alpha
		out[k] = l.toScreen[int(min(c, 1)*float32(len(l.toScreen)-1))]
	}
	out[3] = uint8(alpha*255 + .5)
}
