package picture

import (
	"context"
	"image"
	"image/color"
	"math"
)

// sampleKind is how one channel of a Deep is stored.
type sampleKind uint8

const (
	none   sampleKind = iota
	whole             // 16 bits, from 0 to 65535 for 0 to 1
	half              // a float of 16 bits
	float             // a float of 32 bits
	shared            // 8 bits; an exponent of 8 bits follows the channels
)

func (s sampleKind) bytes() int { return [...]int{none: 0, whole: 2, half: 2, float: 4, shared: 1}[s] }

// Deep is a picture of more than 8 bits a channel. As an image.Image it is cut to what 16 bits hold: floats from 0 to
// 1.
type Deep struct {
	width, height, channels int
	sample                  sampleKind
	light                   bool // the values are known to be light
	pix                     []byte
}

// Light returns the same picture, whose values are known to be light.
func (d *Deep) Light() *Deep {
	light := *d
	light.light = true
	return &light
}

// ColorModel implements image.Image.
func (d *Deep) ColorModel() color.Model { return color.NRGBA64Model }

// Bounds implements image.Image.
func (d *Deep) Bounds() image.Rectangle { return image.Rect(0, 0, d.width, d.height) }

// Opaque reports that there is no alpha.
func (d *Deep) Opaque() bool { return d.channels < 4 }

// At implements image.Image.
func (d *Deep) At(x, y int) color.Color {
	if !(image.Point{X: x, Y: y}.In(d.Bounds())) {
		return color.NRGBA64{}
	}
	v := d.pixel(x, y)
	return color.NRGBA64{R: v[0], G: v[1], B: v[2], A: v[3]}
}

// Narrow returns the picture with 8 bits a channel, in the tone that suits it.
func (d *Deep) Narrow(ctx context.Context) (*image.NRGBA, error) { return d.Toned(ctx, d.AutoTone()) }

func (d *Deep) narrow(ctx context.Context) (*image.NRGBA, error) {
	img := image.NewNRGBA(d.Bounds())
	for y := range d.height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := img.Pix[y*img.Stride:]
		for x := range d.width {
			for c, v := range d.pixel(x, y) {
				row[4*x+c] = uint8(v >> 8)
			}
		}
	}
	return img, nil
}

func (d *Deep) pixel(x, y int) [4]uint16 {
	v := [4]uint16{3: 0xffff}
	for c := range d.channels {
		v[c] = d.cut(x, y, c)
	}
	if d.channels == 1 {
		v[1], v[2] = v[0], v[0]
	}
	return v
}

// Floats reports whether the channels are floats, so that they may be below 0, above 1, or no number.
func (d *Deep) Floats() bool { return d.sample != whole }

// Beyond counts the pixels that have a channel below 0, above 1, or of no number.
func (d *Deep) Beyond() int {
	if !d.Floats() {
		return 0
	}
	n := 0
	for y := range d.height {
		for x := range d.width {
			for c := range d.channels {
				if v := d.value(x, y, c); !(v >= 0 && v <= 1) {
					n++
					break
				}
			}
		}
	}
	return n
}

func (d *Deep) cut(x, y, c int) uint16 {
	if d.sample == whole {
		return little.Uint16(d.at(x, y, c))
	}
	v := d.value(x, y, c)
	if !(v > 0) { // no number is none as well
		return 0
	}
	return uint16(math.Round(float64(min(v, 1)) * 0xffff))
}

func (d *Deep) at(x, y, c int) []byte {
	return d.pix[((y*d.width+x)*d.channels+c)*d.sample.bytes():]
}

// exponents are what shared exponents multiply with; 0 is black.
var exponents = func() (all [256]float32) {
	for e := 1; e < len(all); e++ {
		all[e] = float32(math.Ldexp(1, e-(128+8)))
	}
	return all
}()

// Values returns the channels of a pixel as they are.
func (d *Deep) Values(x, y int) []float32 {
	values := make([]float32, d.channels)
	for c := range values {
		if values[c] = float32(d.cut(x, y, c)); d.Floats() {
			values[c] = d.value(x, y, c)
		}
	}
	return values
}

// value is a channel of a picture of floats.
func (d *Deep) value(x, y, c int) float32 {
	switch d.sample {
	case half:
		return FromHalf(little.Uint16(d.at(x, y, c)))
	case shared:
		p := d.pix[4*(y*d.width+x):]
		return float32(p[c]) * exponents[p[3]]
	}
	return math.Float32frombits(little.Uint32(d.at(x, y, c)))
}

// FromHalf returns the value of a float of 16 bits: sign, 5 bits of exponent, 10 of fraction (IEEE 754 binary16).
func FromHalf(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, int(h>>10&31), uint32(h&0x3ff)
	switch exponent {
	case 0:
		return math.Float32frombits(sign|math.Float32bits(1)) * float32(fraction) * 0x1p-24
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | uint32(exponent+127-15)<<23 | fraction<<13)
}
