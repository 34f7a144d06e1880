package picture

import (
	"image"
	"image/color"

	"assay/model"
)

// luma is a picture of luma and chroma, as JPEG has it. Its colors are made where they are looked at: of a large
// picture that is few, and making all of them takes as long as decoding it.
type luma struct{ *image.YCbCr }

// row makes the colors of a part of a row.
func (l luma) row(y, from, to int, buf []byte) []byte {
	buf = buf[:4*(to-from)]
	lumas, blue, red, shift := l.line(y)
	first := l.Rect.Min.X
	for x := from; x < to; x++ {
		c := (first+x)>>shift - first>>shift
		put(buf[4*(x-from):], lumas[x], blue[c], red[c])
	}
	return buf
}

// line returns the samples of a row. Those of chroma stand for as many columns as shift says; columns count from the
// left edge of the plane that the picture may be a part of.
func (l luma) line(y int) (lumas, blue, red []uint8, shift int) {
	x, y := l.Rect.Min.X, l.Rect.Min.Y+y
	at := l.COffset(x, y)
	switch l.SubsampleRatio {
	case image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420:
		shift = 1
	case image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410:
		shift = 2
	}
	return l.Y[l.YOffset(x, y):], l.Cb[at:], l.Cr[at:], shift
}

// half returns a picture of half the size. The means are of luma and chroma.
func (l luma) half() *image.NRGBA {
	w, h := l.Rect.Dx()/2, l.Rect.Dy()/2
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	first := l.Rect.Min.X
	model.Bands(h, func(from, to int) {
		for y := from; y < to; y++ {
			y0, b0, r0, shift := l.line(2 * y)
			y1, b1, r1, _ := l.line(2*y + 1)
			pix := out.Pix[y*out.Stride:]
			for x := range w {
				c := (first+2*x)>>shift - first>>shift
				d := (first+2*x+1)>>shift - first>>shift
				put(pix[4*x:], mean(y0[2*x], y0[2*x+1], y1[2*x], y1[2*x+1]), mean(b0[c], b0[d], b1[c], b1[d]),
					mean(r0[c], r0[d], r1[c], r1[d]))
			}
		}
	})
	return out
}

func mean(a, b, c, d uint8) uint8 {
	return uint8((uint32(a) + uint32(b) + uint32(c) + uint32(d) + 2) / 4)
}

// put writes a pixel.
func put(to []byte, y, cb, cr uint8) {
	to = to[:4:4]
	to[0], to[1], to[2] = color.YCbCrToRGB(y, cb, cr)
	to[3] = 0xff
}
