package picture

import (
	"context"
	"image"
	"math"
)

// Tone is how floats become what a screen shows.
type Tone struct {
	Stops float64 // of exposure: each doubles the light
	Curve Curve
}

// Curve takes exposed values to those of a screen.
type Curve uint8

// The curves.
const (
	Values Curve = iota // as they are, cut to 0 to 1
	SRGB                // light, cut to 0 to 1, as sRGB encodes it
	Filmic              // light, the bright parts compressed, as sRGB encodes it
)

// CurveNames are what people call the curves.
var CurveNames = [...]string{Values: "Values", SRGB: "sRGB", Filmic: "Filmic"}

const (
	grey = .18 // of a picture's mean brightness, as photographers expose

	// StopsMost is the strongest exposure, and the weakest with a minus.
	StopsMost = 12
	// StopsStep is the step between exposures.
	StopsStep = .25

	samples = 256 // in each direction, of what is looked at for the exposure
)

// AutoTone returns the tone that suits the picture: if values are above 1, the exposure that makes the mean of their
// logarithms a middle grey. It depends on nothing but the values.
func (d *Deep) AutoTone() Tone {
	if !d.Floats() {
		return Tone{}
	}
	sum, n, most := 0.0, 0, float32(0)
	for y := 0; y < d.height; y += 1 + d.height/samples {
		for x := 0; x < d.width; x += 1 + d.width/samples {
			v := d.brightness(x, y)
			if v > 0 && v <= math.MaxFloat32 {
				sum += math.Log2(float64(v))
				n++
				most = max(most, v)
			}
		}
	}
	switch {
	case most > 1:
		stops := math.Log2(grey) - sum/float64(n)
		return Tone{min(max(math.Round(stops/StopsStep)*StopsStep, -StopsMost), StopsMost), Filmic}
	case d.light:
		return Tone{0, SRGB}
	}
	return Tone{}
}

// brightness is the luminance of a pixel, with the weights of ITU-R BT.709.
func (d *Deep) brightness(x, y int) float32 {
	if d.channels < 3 {
		return d.value(x, y, 0)
	}
	return .2126*d.value(x, y, 0) + .7152*d.value(x, y, 1) + .0722*d.value(x, y, 2)
}

// Toned returns the picture with 8 bits a channel. Alpha is not exposed.
func (d *Deep) Toned(ctx context.Context, t Tone) (*image.NRGBA, error) {
	if !d.Floats() {
		return d.narrow(ctx)
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
				p[c] = table[toHalf(d.value(x, y, c))]
			}
			if p[3] = 255; d.channels == 1 {
				p[1], p[2] = p[0], p[0]
			} else if d.channels == 4 {
				p[3] = uint8(d.cut(x, y, 3) >> 8)
			}
		}
	}
	return img, nil
}

// table returns what a screen shows of each half, which is finer than its 256 steps.
func (t Tone) table() *[1 << 16]uint8 {
	table := new([1 << 16]uint8)
	gain := math.Exp2(t.Stops)
	for h := range 0x7c01 { // up to infinity; below 0 and no number are 0
		v := float64(FromHalf(uint16(h))) * gain
		table[h] = uint8(t.Curve.apply(v)*255 + .5)
	}
	return table
}

func (c Curve) apply(v float64) float64 {
	switch c {
	case Filmic:
		v = filmic(v)
	case Values:
		return min(v, 1)
	}
	return encode(min(v, 1))
}

// filmic is the curve that Krzysztof Narkowicz fitted to the reference rendering of ACES (2015).
func filmic(v float64) float64 {
	v = min(v, 1e6) // infinity by infinity is no number
	return v * (2.51*v + .03) / (v*(2.43*v+.59) + .14)
}

// encode is the transfer function of sRGB (IEC 61966-2-1).
func encode(v float64) float64 {
	if v <= .0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - .055
}

// toHalf returns the half that is next below a float, or next to 0; what is larger than any is infinite.
func toHalf(v float32) uint16 {
	b := math.Float32bits(v)
	sign, exponent, fraction := uint16(b>>16&0x8000), int(b>>23&0xff)-127+15, b&0x7fffff
	switch {
	case b&0x7fffffff > 0xff<<23: // no number
		return sign | 0x7e00
	case exponent >= 31:
		return sign | 0x7c00
	case exponent <= -10:
		return sign
	case exponent <= 0:
		return sign | uint16((fraction|0x800000)>>(14-exponent))
	}
	return sign | uint16(exponent)<<10 | uint16(fraction>>13)
}
