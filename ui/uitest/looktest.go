package uitest

import (
	"image/color"
	"math"
)

// Contrast is the ratio of contrast of two opaque colours, 1 to 21, as WCAG 2 defines it.
func Contrast(a, b color.Color) float64 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// Over is a colour as it looks on an opaque ground.
func Over(c, ground color.Color) color.Color {
	r, g, b, a := c.RGBA()
	x, y, z, _ := ground.RGBA()
	mix := func(of, on uint32) uint8 { return uint8((of + on*(0xffff-a)/0xffff) >> 8) }
	return color.NRGBA{R: mix(r, x), G: mix(g, y), B: mix(b, z), A: 0xff}
}
