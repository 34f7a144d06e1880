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

// HasFloats reports whether the channels are floats, so that they may be below 0, above 1, or NaN.
func (d *Deep) HasFloats() bool { return d.sample != sample16 }

// CountOutOfRange counts the pixels that have a channel below 0, above 1, or NaN.
func (d *Deep) CountOutOfRange() int {
	if !d.HasFloats() {
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
		if values[c] = float32(d.channel16(x, y, c)); d.HasFloats() {
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

// Tone is the conversion of floats to the values of a screen.
type Tone struct {
	Stops float64 // of exposure: each doubles the light
	Curve Curve
}

// Curve maps exposed values to the values of a screen.
type Curve uint8

// The curves.
const (
	Values Curve = iota // unconverted, clamped to 0 to 1
	SRGB                // light, cut to 0 to 1, as sRGB encodes it
	Filmic              // light, the bright parts compressed, as sRGB encodes it
)

// CurveNames are the display names of the curves.
var CurveNames = [...]string{Values: "Values", SRGB: "sRGB", Filmic: "Filmic"}

const (
	middleGray = .18 // of a picture's mean brightness, as photographers expose

	// MaxStops is the strongest exposure, and the weakest with a minus.
	MaxStops = 12
	// StopsStep is the step between exposures.
	StopsStep = .25

	exposureSamples = 256 // in each direction, for the exposure
)

// AutoTone returns the tone that suits the picture: if values are above 1, the exposure that makes the mean of their
// logarithms a middle grey. It depends only on the values.
func (d *Deep) AutoTone() Tone {
	if !d.HasFloats() {
		return Tone{}
	}
	sum, n, brightest := 0.0, 0, float32(0)
	for y := 0; y < d.height; y += 1 + d.height/exposureSamples {
		for x := 0; x < d.width; x += 1 + d.width/exposureSamples {
			v := d.brightness(x, y)
			if v > 0 && v <= math.MaxFloat32 {
				sum += math.Log2(float64(v))
				n++
				brightest = max(brightest, v)
			}
		}
	}
	switch {
	case brightest > 1:
		stops := math.Log2(middleGray) - sum/float64(n)
		return Tone{min(max(math.Round(stops/StopsStep)*StopsStep, -MaxStops), MaxStops), Filmic}
	case d.isLinear:
		return Tone{0, SRGB}
	}
	return Tone{}
}

// brightness returns the luminance of a pixel, with the weights of ITU-R BT.709.
func (d *Deep) brightness(x, y int) float32 {
	if d.channels < 3 {
		return d.floatAt(x, y, 0)
	}
	return .2126*d.floatAt(x, y, 0) + .7152*d.floatAt(x, y, 1) + .0722*d.floatAt(x, y, 2)
}

// ApplyTone returns the picture with 8 bits a channel. Alpha is not exposed.
func (d *Deep) ApplyTone(ctx context.Context, t Tone) (*image.NRGBA, error) {
	if !d.HasFloats() {
		return d.narrow16(ctx)
	}
	table := t.table()
	img := image.NewNRGBA(d.Bounds())
	colors := min(d.channels, 3)
	for y := range d.height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := img.Pix[y*img.Stride:]
		for x := range d.width {
			p := row[4*x : 4*x+4 : 4*x+4]
			for c := range colors {
				p[c] = table[toHalf(d.floatAt(x, y, c))]
			}
			if p[3] = 255; d.channels == 1 {
				p[1], p[2] = p[0], p[0]
			} else if d.channels == 4 {
				p[3] = uint8(d.channel16(x, y, 3) >> 8)
			}
		}
	}
	return img, nil
}

// table returns the screen's value of each half, which is finer than its 256 steps.
func (t Tone) table() *[1 << 16]uint8 {
	table := new([1 << 16]uint8)
	factor := math.Exp2(t.Stops)
	for h := range 0x7c01 { // up to infinity; negative values and NaN are 0
		v := float64(FromHalf(uint16(h))) * factor
		table[h] = uint8(t.Curve.encode(v)*255 + .5)
	}
	return table
}

func (c Curve) encode(v float64) float64 {
	switch c {
	case Filmic:
		v = filmic(v)
	case Values:
		return min(v, 1)
	}
	return encodeSRGB(min(v, 1))
}

// filmic is the curve that Krzysztof Narkowicz fitted to the reference rendering of ACES (2015).
func filmic(v float64) float64 {
	v = min(v, 1e6) // infinity by infinity is NaN
	return v * (2.51*v + .03) / (v*(2.43*v+.59) + .14)
}

// encodeSRGB is the transfer function of sRGB (IEC 61966-2-1).
func encodeSRGB(v float64) float64 {
	if v <= .0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - .055
}
