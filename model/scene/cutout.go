package scene

import (
	"image"
	"image/color"
)

// IsCutOut reports whether a picture is a drawing on nothing: most of it is transparent black. A material that does not
// blend would draw it as a black square; games have it blend by code. Gloss and the like in an alpha channel has colors
// below it.
func IsCutOut(img image.Image) bool {
	const steps = 64 // as many rows and columns are looked at
	b := img.Bounds()
	if whole, ok := img.(interface{ Opaque() bool }); b.Empty() || ok && whole.Opaque() {
		return false
	}
	clear := 0
	for i := range steps * steps {
		x, y := b.Min.X+i%steps*b.Dx()/steps, b.Min.Y+i/steps*b.Dy()/steps
		if color.NRGBAModel.Convert(img.At(x, y)) == (color.NRGBA{}) {
			clear++
		}
	}
	return clear > steps*steps/2
}
