package picture

import (
	"context"
	"errors"
	"image"

	"assay/model"
)

// WebP, as its container specification describes it: lossless pictures, and key frames of VP8 (RFC 6386). VP8 has luma
// from 16 to 235 and chroma from 16 to 240 (BT.601), half as many of these each way. image.YCbCr has no such range: the
// decoder's planes are taken out of it here, as libwebp does it, to the same bytes.

// isWebP recognizes a WebP by the type of its RIFF file.
func isWebP(f *fileHead) bool {
	return len(f.head) > 12 && string(f.head[:4]) == "RIFF" && string(f.head[8:12]) == "WEBP"
}

func openWebP(ctx context.Context, src *model.Source) (model.Picture, error) {
	const animated, flags = 1 << 1, 20 // in the flags of the chunk VP8X, and where they are
	if head, err := src.Bytes(model.Span{Size: min(src.Size(), flags+1)}); err == nil && len(head) > flags &&
		string(head[12:16]) == "VP8X" && head[flags]&animated != 0 {
		return model.Picture{}, errors.New("animated WebP images are not supported")
	}
	p, err := openPlain(ctx, src)
	switch img := p.Image.(type) {
	case *image.YCbCr:
		p.Image = colorsOfVP8(img)
	case *image.NYCbCrA:
		rgba := colorsOfVP8(&img.YCbCr)
		for y := range rgba.Rect.Dy() {
			for x, a := range img.A[y*img.AStride:][:rgba.Rect.Dx()] {
				rgba.Pix[y*rgba.Stride+4*x+3] = a
			}
		}
		p.Image = rgba
	}
	return p, err
}

// colorsOfVP8 returns the colors of a frame's planes.
func colorsOfVP8(planes *image.YCbCr) *image.NRGBA {
	w, h := planes.Rect.Dx(), planes.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	columns, rows := (w+1)/2, (h+1)/2
	for y := range h {
		near, far := y/2*planes.CStride, min(max(y/2-1+y%2*2, 0), rows-1)*planes.CStride
		luma, pix := planes.Y[y*planes.YStride:], out.Pix[y*out.Stride:]
		for x := range w {
			i, j := x/2, min(max(x/2-1+x%2*2, 0), columns-1)
			setVP8(pix[4*x:][:4], luma[x],
				upsample(planes.Cb[near+i], planes.Cb[near+j], planes.Cb[far+i], planes.Cb[far+j]),
				upsample(planes.Cr[near+i], planes.Cr[near+j], planes.Cr[far+i], planes.Cr[far+j]))
		}
	}
	return out
}

// upsample returns the chroma of a pixel between four samples: the nearest, the one beside it, the one above or below
// it, and the one across. They count 9, 3, 3 and 1 sixteenths, rounded twice.
func upsample(near, beside, above, across uint8) int {
	n := int(near)
	return ((n+3*int(beside)+3*int(above)+int(across)+8)>>3 + n) >> 1
}

// setVP8 sets an opaque pixel to the color of luma and chroma, in fixed point with 14 fractional bits; 8 bits are cut
// from each product.
func setVP8(pix []uint8, luma uint8, cb, cr int) {
	y := int(luma) * 19077 >> 8
	pix[0] = clamp(y + cr*26149>>8 - 14234)
	pix[1] = clamp(y - cb*6419>>8 - cr*13320>>8 + 8708)
	pix[2] = clamp(y + cb*33050>>8 - 17685)
	pix[3] = 255
}

// clamp returns a number with 6 bits after its point as a channel of a color.
func clamp(v int) uint8 { return uint8(min(max(v>>6, 0), 255)) }
