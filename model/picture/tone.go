package picture

import (
	"context"
	"image"
	"math"
)

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
	if !d.Floats() {
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
	if !d.Floats() {
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
