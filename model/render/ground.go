package render

import "image"

// The grays of the board behind a picture, and the edge of its fields in pixels.
const (
	boardLight, boardDark = 168, 136
	boardField            = 8
)

// grounded puts a checker board behind a picture of which little or nothing would be seen on a dark or on a light
// ground: one that is all dark or all light where it is not clear, or clear everywhere.
func grounded(img *image.NRGBA) *image.NRGBA {
	if !vanishes(img) {
		return img
	}
	out := image.NewNRGBA(img.Rect)
	for i := 0; i+4 <= len(img.Pix); i += 4 {
		x, y := i/4%img.Rect.Dx(), i/4/img.Rect.Dx()
		under := uint32(boardLight)
		if (x/boardField+y/boardField)%2 == 1 {
			under = boardDark
		}
		a := uint32(img.Pix[i+3])
		for k := range 3 {
			out.Pix[i+k] = uint8((uint32(img.Pix[i+k])*a + under*(255-a) + 127) / 255)
		}
		out.Pix[i+3] = 255
	}
	return out
}

// vanishes reports whether much of a picture is clear, and nearly all else dark or nearly all light.
func vanishes(img *image.NRGBA) bool {
	const light = 200
	var clear, darks, lights, seen int
	for i := 0; i+4 <= len(img.Pix); i += 4 {
		p := img.Pix[i : i+4]
		if p[3] < 128 {
			clear++
			continue
		}
		seen++
		switch {
		case max(p[0], p[1], p[2]) <= inkMost:
			darks++
		case min(p[0], p[1], p[2]) >= light:
			lights++
		}
	}
	return clear*20 > clear+seen && (darks*10 >= seen*9 || lights*10 >= seen*9)
}
