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
	noSample     sampleKind = iota
	sample16                // 16 bits, from 0 to 65535 for 0 to 1
	sampleHalf              // a float of 16 bits
	sampleFloat             // a float of 32 bits
	sampleShared            // 8 bits; an exponent of 8 bits follows the channels
)

func (s sampleKind) bytes() int {
	return [...]int{noSample: 0, sample16: 2, sampleHalf: 2, sampleFloat: 4, sampleShared: 1}[s]
}

// Deep is a picture of more than 8 bits a channel. As an image.Image it is limited to the range of 16 bits: floats from
// 0 to 1.
type Deep struct {
	width, height, channels int
	sample                  sampleKind
	isLinear                bool // the values are linear light
	pix                     []byte
}

// AsLinear returns the same picture, with values that are linear light.
func (d *Deep) AsLinear() *Deep {
	light := *d
	light.isLinear = true
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
	v := d.pixel16(x, y)
	return color.NRGBA64{R: v[0], G: v[1], B: v[2], A: v[3]}
}

// Narrow returns the picture with 8 bits a channel, in the tone that suits it.
func (d *Deep) Narrow(ctx context.Context) (*image.NRGBA, error) {
	return d.ApplyTone(ctx, d.AutoTone())
}

func (d *Deep) narrow16(ctx context.Context) (*image.NRGBA, error) {
	img := image.NewNRGBA(d.Bounds())
	for y := range d.height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := img.Pix[y*img.Stride:]
		for x := range d.width {
			for c, v := range d.pixel16(x, y) {
				row[4*x+c] = uint8(v >> 8)
			}
		}
	}
	return img, nil
}

func (d *Deep) pixel16(x, y int) [4]uint16 {
	v := [4]uint16{3: 0xffff}
	for c := range d.channels {
		v[c] = d.channel16(x, y, c)
	}
	if d.channels == 1 {
		v[1], v[2] = v[0], v[0]
	}
	return v
}

// Floats reports whether the channels are floats, so that they may be below 0, above 1, or NaN.
func (d *Deep) Floats() bool { return d.sample != sample16 }

// CountOutOfRange counts the pixels that have a channel below 0, above 1, or NaN.
func (d *Deep) CountOutOfRange() int {
	if !d.Floats() {
		return 0
	}
	n := 0
	for y := range d.height {
		for x := range d.width {
			for c := range d.channels {
				if v := d.floatAt(x, y, c); !(v >= 0 && v <= 1) {
					n++
					break
				}
			}
		}
	}
	return n
}

func (d *Deep) channel16(x, y, c int) uint16 {
	if d.sample == sample16 {
		return little.Uint16(d.bytesAt(x, y, c))
	}
	v := d.floatAt(x, y, c)
	if !(v > 0) { // also rejects NaN
		return 0
	}
	return uint16(math.Round(float64(min(v, 1)) * 0xffff))
}

func (d *Deep) bytesAt(x, y, c int) []byte {
	return d.pix[((y*d.width+x)*d.channels+c)*d.sample.bytes():]
}

// exponents are the factors of shared exponents; 0 is black.
var exponents = func() (values [256]float32) {
	for e := 1; e < len(values); e++ {
		values[e] = float32(math.Ldexp(1, e-(128+8)))
	}
	return values
}()

// Values returns the channels of a pixel without any conversion.
func (d *Deep) Values(x, y int) []float32 {
	values := make([]float32, d.channels)
	for c := range values {
		if values[c] = float32(d.channel16(x, y, c)); d.Floats() {
			values[c] = d.floatAt(x, y, c)
		}
	}
	return values
}

// floatAt returns a channel of a picture of floats.
func (d *Deep) floatAt(x, y, c int) float32 {
	switch d.sample {
	case sampleHalf:
		return FromHalf(little.Uint16(d.bytesAt(x, y, c)))
	case sampleShared:
		p := d.pix[4*(y*d.width+x):]
		return float32(p[c]) * exponents[p[3]]
	}
	return math.Float32frombits(little.Uint32(d.bytesAt(x, y, c)))
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
