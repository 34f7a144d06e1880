package picture

import (
	"context"
	"image"
	"image/draw"

	"assay/model/pixels"
)

// pyramid is a picture in halves of its size, so that a small view of a large one needs a look at few pixels. The
// pictures have 8 bits a channel, as screens show them.
type pyramid struct {
	of     image.Image
	levels []*image.NRGBA
	opaque bool
}

// leastSide is the side of the smallest picture of a pyramid.
const leastSide = 64

func newPyramid(ctx context.Context, img image.Image, tone pixels.Tone) (*pyramid, error) {
	p := &pyramid{of: img}
	full, err := narrow(ctx, img, tone)
	if err != nil {
		return nil, err
	}
	p.levels = append(p.levels, full)
	p.opaque = full.Opaque()
	for l := full; min(l.Rect.Dx(), l.Rect.Dy()) > leastSide; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l = half(l)
		p.levels = append(p.levels, l)
	}
	return p, nil
}

// narrow returns a picture with 8 bits a channel and its corner at the origin; one of floats in a tone.
func narrow(ctx context.Context, img image.Image, tone pixels.Tone) (*image.NRGBA, error) {
	switch img := img.(type) {
	case *image.NRGBA:
		if img.Rect.Min == (image.Point{}) {
			return img, nil
		}
	case *pixels.Deep:
		return img.Toned(ctx, tone)
	}
	b := img.Bounds()
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		out := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(out, out.Rect, img, b.Min, draw.Src)
		return &image.NRGBA{Pix: out.Pix, Stride: out.Stride, Rect: out.Rect}, ctx.Err()
	}
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	const rows = 256
	for y := 0; y < b.Dy(); y += rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		draw.Draw(out, image.Rect(0, y, b.Dx(), min(y+rows, b.Dy())), img, b.Min.Add(image.Pt(0, y)), draw.Src)
	}
	return out, nil
}

// half returns a picture of half the size, each pixel the mean of four. Pixels that cannot be seen do not count.
func half(img *image.NRGBA) *image.NRGBA {
	w, h := img.Rect.Dx()/2, img.Rect.Dy()/2
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		a, b := img.Pix[2*y*img.Stride:], img.Pix[(2*y+1)*img.Stride:]
		to := out.Pix[y*out.Stride:]
		for x := range w {
			p, q := a[8*x:8*x+8:8*x+8], b[8*x:8*x+8:8*x+8]
			a0, a1, a2, a3 := uint32(p[3]), uint32(p[7]), uint32(q[3]), uint32(q[7])
			t := to[4*x : 4*x+4 : 4*x+4]
			sum := a0 + a1 + a2 + a3
			t[3] = uint8((sum + 2) / 4)
			if sum == 0 {
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
	return out
}
