package picture

import (
	"context"
	"image"
	"image/color"
	"image/draw"

	"assay/model"
	"assay/model/picture"
)

// pyramid is a picture in halves of its size, so that a small view of a large one reads few pixels. The levels have 8
// bits a channel, as screens do.
type pyramid struct {
	source image.Image
	levels []level
}

// level is one size of a picture.
type level interface {
	Bounds() image.Rectangle
	// row returns the pixels of a row from one column to another, with the bytes R, G, B, A of each. The result may use
	// buf, which is large enough.
	row(y, from, to int, buf []byte) []byte
}

// nrgbaLevel is a level with pixels in the format for painting.
type nrgbaLevel struct{ *image.NRGBA }

func (s nrgbaLevel) row(y, from, to int, _ []byte) []byte {
	return s.Pix[y*s.Stride+4*from : y*s.Stride+4*to]
}

// minSide is the side of the smallest picture of a pyramid.
const minSide = 64

func newPyramid(ctx context.Context, img image.Image, tone picture.Tone) (*pyramid, error) {
	p := &pyramid{source: img}
	var last *image.NRGBA // the smallest level yet
	if y, ok := img.(*image.YCbCr); ok {
		p.levels = append(p.levels, ycbcrLevel{y})
		if hasHalf(y.Rect) {
			last = ycbcrLevel{y}.half()
			p.levels = append(p.levels, nrgbaLevel{last})
		}
	} else {
		var err error
		if last, err = to8Bit(ctx, img, tone); err != nil {
			return nil, err
		}
		p.levels = append(p.levels, nrgbaLevel{last})
	}
	for last != nil && hasHalf(last.Rect) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		last = half(last)
		p.levels = append(p.levels, nrgbaLevel{last})
	}
	return p, nil
}

// hasHalf reports whether a picture has a half.
func hasHalf(r image.Rectangle) bool { return min(r.Dx(), r.Dy()) > minSide }

// to8Bit returns a picture with 8 bits a channel and its corner at the origin; tone applies to one of floats.
func to8Bit(ctx context.Context, img image.Image, tone picture.Tone) (*image.NRGBA, error) {
	switch img := img.(type) {
	case *image.NRGBA:
		if img.Rect.Min == (image.Point{}) {
			return img, nil
		}
	case *image.RGBA:
		if img.Rect.Min == (image.Point{}) && img.Opaque() { // its bytes are the same
			return &image.NRGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}, nil
		}
	case *picture.Deep:
		return img.ApplyTone(ctx, tone)
	}
	b := img.Bounds()
	var pix []byte
	var out draw.Image
	if isOpaque(img) { // drawing one without alpha is much quicker, and its bytes are the same
		o := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		pix, out = o.Pix, o
	} else {
		o := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		pix, out = o.Pix, o
	}
	model.Bands(b.Dy(), func(from, to int) {
		const rows = 256
		for y := from; y < to && ctx.Err() == nil; y += rows {
			draw.Draw(out, image.Rect(0, y, b.Dx(), min(y+rows, to)), img, b.Min.Add(image.Pt(0, y)), draw.Src)
		}
	})
	return &image.NRGBA{Pix: pix, Stride: 4 * b.Dx(), Rect: image.Rect(0, 0, b.Dx(), b.Dy())}, ctx.Err()
}

// isOpaque reports whether a picture certainly has no alpha.
func isOpaque(img image.Image) bool {
	o, ok := img.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// half returns a picture of half the size, each pixel the mean of four. Transparent pixels do not count.
func half(img *image.NRGBA) *image.NRGBA {
	w, h := img.Rect.Dx()/2, img.Rect.Dy()/2
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	model.Bands(h, func(from, to int) { halfRows(out, img, from, to) })
	return out
}

// halfRows makes some of the rows.
func halfRows(out, img *image.NRGBA, from, to int) {
	w := out.Rect.Dx()
	for y := from; y < to; y++ {
		a, b := img.Pix[2*y*img.Stride:], img.Pix[(2*y+1)*img.Stride:]
		row := out.Pix[y*out.Stride:]
		for x := range w {
			p, q := a[8*x:8*x+8:8*x+8], b[8*x:8*x+8:8*x+8]
			a0, a1, a2, a3 := uint32(p[3]), uint32(p[7]), uint32(q[3]), uint32(q[7])
			t := row[4*x : 4*x+4 : 4*x+4]
			sum := a0 + a1 + a2 + a3
			t[3] = uint8((sum + 2) / 4)
			if sum == 0 || sum == 4*255 { // the weights are the same
				for c := range 3 {
					t[c] = uint8((uint32(p[c]) + uint32(p[4+c]) + uint32(q[c]) + uint32(q[4+c]) + 2) / 4)
				}
				continue
			}
			for c := range 3 {
				t[c] = uint8((uint32(p[c])*a0 + uint32(p[4+c])*a1 + uint32(q[c])*a2 + uint32(q[4+c])*a3 + sum/2) / sum)
			}
		}
	}
}

// ycbcrLevel is a picture of luma and chroma, as in JPEG. Colors are converted on demand: few pixels of a large picture
// are visible, and converting all of them takes as long as decoding it.
type ycbcrLevel struct{ *image.YCbCr }

// row converts a part of a row.
func (l ycbcrLevel) row(y, from, to int, buf []byte) []byte {
	buf = buf[:4*(to-from)]
	lumas, blue, red, shift := l.line(y)
	first := l.Rect.Min.X
	for x := from; x < to; x++ {
		c := (first+x)>>shift - first>>shift
		putColor(buf[4*(x-from):], lumas[x], blue[c], red[c])
	}
	return buf
}

// line returns the samples of a row. 1<<shift columns share the samples of chroma; columns count from the left edge of
// the plane, of which the picture may be a part.
func (l ycbcrLevel) line(y int) (lumas, blue, red []uint8, shift int) {
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
func (l ycbcrLevel) half() *image.NRGBA {
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
				putColor(pix[4*x:], meanOf4(y0[2*x], y0[2*x+1], y1[2*x], y1[2*x+1]),
					meanOf4(b0[c], b0[d], b1[c], b1[d]), meanOf4(r0[c], r0[d], r1[c], r1[d]))
			}
		}
	})
	return out
}

func meanOf4(a, b, c, d uint8) uint8 {
	return uint8((uint32(a) + uint32(b) + uint32(c) + uint32(d) + 2) / 4)
}

// putColor writes a pixel.
func putColor(pixel []byte, y, cb, cr uint8) {
	pixel = pixel[:4:4]
	pixel[0], pixel[1], pixel[2] = color.YCbCrToRGB(y, cb, cr)
	pixel[3] = 0xff
}
