package render

import (
	"context"
	"image"
	"image/color"
	"image/draw"

	"assay/model/picture"
)

// fitted scales a picture so that its longer edge has size pixels: what is larger by the mean of the pixels that fall
// together, what is smaller by repeating them.
func fitted(ctx context.Context, img image.Image, size int) *image.NRGBA {
	if deep, ok := img.(*picture.Deep); ok {
		if narrow, err := deep.Narrow(ctx); err == nil {
			img = narrow
		}
	}
	from := img.Bounds()
	w, h := from.Dx(), from.Dy()
	if w <= 0 || h <= 0 {
		return image.NewNRGBA(image.Rectangle{})
	}
	long := max(w, h)
	out := image.NewNRGBA(image.Rect(0, 0, max(1, (w*size+long/2)/long), max(1, (h*size+long/2)/long)))
	if long < size {
		for y := range out.Rect.Dy() {
			for x := range out.Rect.Dx() {
				c := img.At(from.Min.X+min(x*long/size, w-1), from.Min.Y+min(y*long/size, h-1))
				out.SetNRGBA(x, y, color.NRGBAModel.Convert(c).(color.NRGBA))
			}
		}
		return out
	}
	s := &shrinker{img: img, out: out, row: image.NewRGBA(image.Rect(0, 0, w, 1)),
		wide: make([]float32, 4*out.Rect.Dx()), sum: make([]float32, 4*out.Rect.Dx())}
	s.run()
	return out
}

// shrinker makes means of rows, and of those means of columns.
type shrinker struct {
	img  image.Image
	out  *image.NRGBA
	row  *image.RGBA // one row of img
	wide []float32   // it, as wide as out
	sum  []float32   // of such rows
}

func (s *shrinker) run() {
	from := s.img.Bounds()
	h, rows := from.Dy(), s.out.Rect.Dy()
	scale := float32(rows) / float32(h)
	y := 0
	filled := float32(0) // of the row that is being made
	for sy := range h {
		draw.Draw(s.row, s.row.Rect, s.img, image.Pt(from.Min.X, from.Min.Y+sy), draw.Src)
		s.squeeze()
		left := scale
		for left > 1e-6 && y < rows {
			part := min(left, 1-filled)
			for i, v := range s.wide {
				s.sum[i] += v * part
			}
			left -= part
			if filled += part; filled > 1-1e-5 {
				s.finish(y)
				y, filled = y+1, 0
			}
		}
	}
	for ; y < rows; y++ { // what rounding has left
		s.finish(y)
	}
}

// squeeze makes wide of row.
func (s *shrinker) squeeze() {
	w, columns := s.row.Rect.Dx(), s.out.Rect.Dx()
	clear(s.wide)
	each := float64(columns) / float64(w)
	for x := range w {
		p := s.row.Pix[4*x : 4*x+4]
		from, to := float64(x)*each, float64(x+1)*each
		k := min(int(from), columns-1)
		first := float32(min(to, float64(k+1)) - from)
		second := float32(each) - first
		for c := range 4 {
			v := float32(p[c])
			s.wide[4*k+c] += v * first
			if second > 0 && k+1 < columns {
				s.wide[4*(k+1)+c] += v * second
			}
		}
	}
}

// finish writes a row and begins the next.
func (s *shrinker) finish(y int) {
	for x := range s.out.Rect.Dx() {
		v := s.sum[4*x : 4*x+4]
		o := s.out.Pix[y*s.out.Stride+4*x:]
		if v[3] > .5 {
			for c := range 3 {
				o[c] = uint8(min(255, v[c]*255/v[3]+.5))
			}
			o[3] = uint8(min(255, v[3]+.5))
		}
	}
	clear(s.sum)
}

// sheet puts pictures on a transparent square.
func sheet(all []image.Image, size int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, size, size))
	if len(all) == 1 {
		center(out, all[0], out.Rect)
		return out
	}
	gap := size / 32
	edge := (size - gap) / 2
	places := []image.Point{{0, 0}, {edge + gap, 0}, {0, edge + gap}, {edge + gap, edge + gap}}
	if len(all) == 2 {
		places = []image.Point{{0, (size - edge) / 2}, {edge + gap, (size - edge) / 2}}
	}
	for i, img := range all {
		center(out, fitted(context.Background(), img, edge), image.Rect(0, 0, edge, edge).Add(places[i]))
	}
	return out
}

func center(out *image.NRGBA, img image.Image, in image.Rectangle) {
	size := img.Bounds().Size()
	at := in.Min.Add(in.Size().Sub(size).Div(2))
	draw.Draw(out, image.Rectangle{at, at.Add(size)}, img, img.Bounds().Min, draw.Src)
}
