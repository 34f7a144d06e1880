package render

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"assay/model/scene"
)

const (
	maxTextureEdge = 2048
	maxTexels      = 64 << 20 // of all textures of a model, without their smaller copies
)

// texture is a picture in linear light, with its smaller copies.
type texture struct {
	levels []level // the largest first; none if the picture cannot be read
	opaque bool
}

// level is one size of a texture: four numbers a pixel, the first row on top.
type level struct {
	width, height int
	pix           []uint16
}

// sampler reads a texture as a material has it.
type sampler struct {
	*texture
	wrapS, wrapT   scene.Wrap
	nearest        bool // show the pixels of what is near
	down           bool
	set            int
	repeat, offset [2]float32
}

// toLinear is the light of the values of a screen, as they are stored, in 16 bits.
var toLinear = func() (out [256]uint16) {
	for i := range out {
		out[i] = uint16(linearOf(float64(i)/255)*65535 + .5)
	}
	return out
}()

// linearOf is the light of a value of a screen (sRGB).
func linearOf(v float64) float64 {
	if v <= .04045 {
		return v / 12.92
	}
	return math.Pow((v+.055)/1.055, 2.4)
}

// screenOf is the value of a screen (sRGB) for a light.
func screenOf(v float64) float64 {
	if v <= .0031308 {
		return v * 12.92
	}
	return 1.055*math.Pow(v, 1/2.4) - .055
}

// textures are the pictures of a model, each read once.
type textures struct {
	all   map[*scene.Texture]*texture
	order []*scene.Texture
}

// of returns the texture of a sampler, to be filled by read; nil without a picture.
func (t *textures) of(s *scene.Sampler) *sampler {
	if s == nil || s.Texture == nil || s.Texture.Image == nil || s.Texture.Missing != "" {
		return nil
	}
	tex := t.all[s.Texture]
	if tex == nil {
		if t.all == nil {
			t.all = make(map[*scene.Texture]*texture)
		}
		tex = new(texture)
		t.all[s.Texture] = tex
		t.order = append(t.order, s.Texture)
	}
	out := &sampler{texture: tex, wrapS: s.WrapS, wrapT: s.WrapT, nearest: s.Mag == scene.Nearest, down: s.Texture.Down,
		set: min(max(s.Set, 0), 1), repeat: s.Repeat, offset: s.Offset}
	for k := range out.repeat {
		if !(math.Abs(float64(out.repeat[k])) > 0 && math.Abs(float64(out.repeat[k])) < 1e6) {
			out.repeat[k] = 1
		}
		if !(math.Abs(float64(out.offset[k])) < 1e6) {
			out.offset[k] = 0
		}
	}
	return out
}

// read decodes all pictures. Those that are too many are left out.
func (t *textures) read(ctx context.Context) {
	var next, texels atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(t.order)) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(t.order) || ctx.Err() != nil {
					return
				}
				src := t.order[i]
				img, err := src.Image(ctx)
				if err != nil || img == nil {
					continue
				}
				if b := img.Bounds(); max(b.Dx(), b.Dy()) > maxTextureEdge {
					img = fitted(img, maxTextureEdge)
				}
				b := img.Bounds()
				if n := int64(b.Dx()) * int64(b.Dy()); n > 0 && texels.Add(n) <= maxTexels {
					t.all[src].set(img)
				}
			}
		})
	}
	wait.Wait()
}

// set takes a picture.
func (t *texture) set(img image.Image) {
	pixels := straight(img)
	l := level{width: pixels.Rect.Dx(), height: pixels.Rect.Dy()}
	l.pix = make([]uint16, 4*l.width*l.height)
	t.opaque = true
	for y := range l.height {
		row := pixels.Pix[y*pixels.Stride : y*pixels.Stride+4*l.width]
		out := l.pix[4*y*l.width : 4*(y+1)*l.width]
		for x := 0; x+3 < len(row); x += 4 {
			out[x], out[x+1], out[x+2] = toLinear[row[x]], toLinear[row[x+1]], toLinear[row[x+2]]
			out[x+3] = uint16(row[x+3]) * 257
			t.opaque = t.opaque && row[x+3] == 255
		}
	}
	t.levels = append(t.levels, l)
	for l.width > 1 || l.height > 1 {
		l = l.half(t.opaque)
		t.levels = append(t.levels, l)
	}
}

// straight returns the pixels of a picture, without alpha in their colours.
func straight(img image.Image) *image.NRGBA {
	if p, ok := img.(*image.NRGBA); ok {
		return &image.NRGBA{Pix: p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], Stride: p.Stride,
			Rect: image.Rectangle{Max: p.Rect.Size()}}
	}
	b := img.Bounds()
	to := image.Rectangle{Max: b.Size()}
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		out := image.NewRGBA(to)
		draw.Draw(out, to, img, b.Min, draw.Src)
		return &image.NRGBA{Pix: out.Pix, Stride: out.Stride, Rect: to}
	}
	out := image.NewNRGBA(to)
	for y := range to.Max.Y {
		for x := range to.Max.X {
			out.SetNRGBA(x, y, color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA))
		}
	}
	return out
}

// half is a level of half the size. What cannot be seen through counts more than what can.
func (l level) half(opaque bool) level {
	out := level{width: max(l.width/2, 1), height: max(l.height/2, 1)}
	out.pix = make([]uint16, 4*out.width*out.height)
	for y := range out.height {
		top := l.pix[4*min(2*y, l.height-1)*l.width:]
		low := l.pix[4*min(2*y+1, l.height-1)*l.width:]
		for x := range out.width {
			a, b := 4*min(2*x, l.width-1), 4*min(2*x+1, l.width-1)
			o := out.pix[4*(y*out.width+x):]
			if opaque {
				for k := range 3 {
					o[k] = uint16((uint32(top[a+k]) + uint32(top[b+k]) + uint32(low[a+k]) + uint32(low[b+k]) + 2) / 4)
				}
				o[3] = 65535
				continue
			}
			w := [4]uint64{uint64(top[a+3]) + 1, uint64(top[b+3]) + 1, uint64(low[a+3]) + 1, uint64(low[b+3]) + 1}
			sum := w[0] + w[1] + w[2] + w[3]
			for k := range 3 {
				o[k] = uint16((uint64(top[a+k])*w[0] + uint64(top[b+k])*w[1] + uint64(low[a+k])*w[2] +
					uint64(low[b+k])*w[3]) / sum)
			}
			o[3] = uint16((sum - 4) / 4)
		}
	}
	return out
}

// pick chooses the level of which one pixel is about as large as the reach of a sample, in whole textures.
func (t *texture) pick(reach2 float32) *level {
	l := &t.levels[0]
	edge := float32(max(l.width, l.height))
	r := reach2 * edge * edge
	if !(r > 1) {
		return l
	}
	// The exponent of r, rounded, is twice the number of the level.
	k := int(math.Float32bits(r*1.41)>>23) - 127
	return &t.levels[min(k/2, len(t.levels)-1)]
}

// at returns the light at texture coordinates; reach2 is the square of how far the coordinates go in a sample.
func (s *sampler) at(u, v, reach2 float32) [4]float32 {
	if len(s.levels) == 0 {
		return [4]float32{1, 1, 1, 1}
	}
	if !s.down {
		v = 1 - v
	}
	l := s.pick(reach2)
	x, y := wrapped(u, s.wrapS)*float32(l.width), wrapped(v, s.wrapT)*float32(l.height)
	if s.nearest && l == &s.levels[0] {
		p := l.pix[4*(min(int(y), l.height-1)*l.width+min(int(x), l.width-1)):][:4]
		const f = 1. / 65535
		return [4]float32{float32(p[0]) * f, float32(p[1]) * f, float32(p[2]) * f, float32(p[3]) * f}
	}
	x, y = x-.5, y-.5
	x0, y0 := int(x+1)-1, int(y+1)-1
	fx, fy := x-float32(x0), y-float32(y0)
	x0, x1 := pair(x0, l.width, s.wrapS)
	y0, y1 := pair(y0, l.height, s.wrapT)
	a, b := l.pix[4*(y0*l.width+x0):][:4], l.pix[4*(y0*l.width+x1):][:4]
	c, d := l.pix[4*(y1*l.width+x0):][:4], l.pix[4*(y1*l.width+x1):][:4]
	const f = 1. / 65535
	wd := fx * fy * f
	wb, wc := fx*f-wd, fy*f-wd
	wa := f - fx*f - wc
	return [4]float32{
		float32(a[0])*wa + float32(b[0])*wb + float32(c[0])*wc + float32(d[0])*wd,
		float32(a[1])*wa + float32(b[1])*wb + float32(c[1])*wc + float32(d[1])*wd,
		float32(a[2])*wa + float32(b[2])*wb + float32(c[2])*wc + float32(d[2])*wd,
		float32(a[3])*wa + float32(b[3])*wb + float32(c[3])*wc + float32(d[3])*wd}
}

// wrapped brings a coordinate into 0 to 1.
func wrapped(f float32, w scene.Wrap) float32 {
	switch {
	case w == scene.WrapClamp:
		return min(max(f, 0), 1)
	case !(f > -1e9 && f < 1e9):
		return 0
	case w == scene.WrapMirror:
		f -= 2 * floor(f/2)
		if f > 1 {
			f = 2 - f
		}
		return f
	}
	return f - floor(f)
}

func floor(f float32) float32 {
	i := float32(int64(f))
	if i > f {
		i--
	}
	return i
}

// pair returns the two pixels between which a place is; those beyond an edge are brought back.
func pair(i, size int, w scene.Wrap) (int, int) {
	k := i + 1
	if i < 0 {
		i = 0
		if w == scene.WrapRepeat {
			i = size - 1
		}
	}
	if k >= size {
		k = size - 1
		if w == scene.WrapRepeat {
			k = 0
		}
	}
	return i, k
}
