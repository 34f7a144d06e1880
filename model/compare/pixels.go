package compare

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"strings"

	"github.com/dustin/go-humanize"
)

// Pixels is how two pictures of one size differ.
type Pixels struct {
	Changed int64           // pixels
	Largest int             // difference of a channel, of 255
	Region  image.Rectangle // around what changed, from the upper left corner on
}

// ComparePixels compares two pictures; false if they are not of one size.
func ComparePixels(old, new image.Image) (p Pixels, ok bool) {
	a, b := old.Bounds(), new.Bounds()
	if a.Size() != b.Size() {
		return p, false
	}
	for y := range a.Dy() {
		if x, y, same := rows(old, new, y); same && bytes.Equal(x, y) {
			continue
		}
		for x := range a.Dx() {
			d := channelDifference(old, new, x, y)
			if d < 0 {
				continue
			}
			p.Changed++
			p.Largest = max(p.Largest, d)
			p.Region = p.Region.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return p, true
}

// DifferenceImage is the absolute difference of two pictures, channel by channel, times gain; what only one of them has
// is shown as it is. What is the same is black.
func DifferenceImage(old, new image.Image, gain int) *image.NRGBA {
	a, b := old.Bounds(), new.Bounds()
	size := image.Pt(max(a.Dx(), b.Dx()), max(a.Dy(), b.Dy()))
	out := image.NewNRGBA(image.Rectangle{Max: size})
	at := func(of image.Image, r image.Rectangle, x, y int) color.NRGBA {
		if x >= r.Dx() || y >= r.Dy() {
			return color.NRGBA{}
		}
		return color.NRGBAModel.Convert(of.At(r.Min.X+x, r.Min.Y+y)).(color.NRGBA)
	}
	for y := range size.Y {
		if p, q, same := rows(old, new, y); y < min(a.Dy(), b.Dy()) && same && bytes.Equal(p, q) {
			for x := range size.X {
				out.Pix[y*out.Stride+4*x+3] = 255
			}
			continue
		}
		for x := range size.X {
			p, q := at(old, a, x, y), at(new, b, x, y)
			d := func(p, q uint8) uint8 { return uint8(min(255, gain*int(max(p, q)-min(p, q)))) }
			c := color.NRGBA{d(p.R, q.R), d(p.G, q.G), d(p.B, q.B), 255}
			if alpha := d(p.A, q.A); c.R|c.G|c.B == 0 && alpha > 0 { // only the opacity differs
				c.R, c.B = alpha, alpha
			}
			out.SetNRGBA(x, y, c)
		}
	}
	return out
}

// rows returns the bytes of a row of both pictures, if they are of one kind.
func rows(old, new image.Image, y int) (a, b []byte, ok bool) {
	if y >= min(old.Bounds().Dy(), new.Bounds().Dy()) {
		return nil, nil, false
	}
	switch o := old.(type) {
	case *image.NRGBA:
		if n, ok := new.(*image.NRGBA); ok {
			return o.Pix[y*o.Stride:][:4*o.Rect.Dx()], n.Pix[y*n.Stride:][:4*n.Rect.Dx()], true
		}
	case *image.RGBA:
		if n, ok := new.(*image.RGBA); ok {
			return o.Pix[y*o.Stride:][:4*o.Rect.Dx()], n.Pix[y*n.Stride:][:4*n.Rect.Dx()], true
		}
	case *image.Gray:
		if n, ok := new.(*image.Gray); ok {
			return o.Pix[y*o.Stride:][:o.Rect.Dx()], n.Pix[y*n.Stride:][:n.Rect.Dx()], true
		}
	}
	return nil, nil, false
}

// channelDifference is the largest difference of a channel of a pixel, -1 if there is none.
func channelDifference(old, new image.Image, x, y int) int {
	if o, ok := old.(*image.NRGBA); ok {
		if n, ok := new.(*image.NRGBA); ok {
			return byteDifference(o.Pix[y*o.Stride+4*x:][:4], n.Pix[y*n.Stride+4*x:][:4])
		}
	}
	a, b := old.Bounds().Min, new.Bounds().Min
	r, g, bl, al := old.At(a.X+x, a.Y+y).RGBA()
	r2, g2, b2, a2 := new.At(b.X+x, b.Y+y).RGBA()
	if r == r2 && g == g2 && bl == b2 && al == a2 {
		return -1
	}
	d := 0
	for _, c := range [][2]uint32{{r, r2}, {g, g2}, {bl, b2}, {al, a2}} {
		d = max(d, int(max(c[0], c[1])-min(c[0], c[1]))>>8)
	}
	return d
}

func byteDifference(a, b []byte) int {
	d := -1
	for i := range a {
		if a[i] != b[i] {
			d = max(d, int(max(a[i], b[i])-min(a[i], b[i])))
		}
	}
	return d
}

// PictureChange says in a sentence what changed between two pictures.
func PictureChange(old, new image.Image) string {
	if s := pictureChange(old, new); len(s) > 0 {
		return strings.Join(s, ", ")
	}
	return "no pixel differs"
}

// pictureChange says what changed between two pictures, in clauses.
func pictureChange(old, new image.Image) []string {
	p, ok := ComparePixels(old, new)
	if !ok {
		a, b := old.Bounds(), new.Bounds()
		return []string{fmt.Sprintf("%d × %d → %d × %d pixels", a.Dx(), a.Dy(), b.Dx(), b.Dy())}
	}
	if p.Changed == 0 {
		return nil
	}
	size := old.Bounds()
	all := int64(size.Dx()) * int64(size.Dy())
	s := []string{fmt.Sprintf("%s of %s pixels changed, largest difference %d of 255", humanize.Comma(p.Changed),
		humanize.Comma(all), p.Largest)}
	if r := p.Region; r.Dx() < size.Dx() || r.Dy() < size.Dy() {
		s = append(s, fmt.Sprintf("within %d × %d at (%d, %d)", r.Dx(), r.Dy(), r.Min.X, r.Min.Y))
	}
	return s
}
