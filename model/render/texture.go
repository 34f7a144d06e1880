package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"assay/model"
	"assay/model/scene"
)

const (
	maxTextureEdge = 2048
	maxTexels      = 64 << 20 // of all textures of a model, without their smaller copies
)

// texture is a picture with its mip levels: linear, or with the numbers as stored.
type texture struct {
	levels []level // the largest first; empty if the picture cannot be read
	opaque bool
	cutOut bool // see scene.IsCutOut
	ink    bool // all of its opaque pixels are dark
}

// level is one size of a texture, the first row on top.
type level struct {
	width, height int
	pix           []texel
}

// texel is four numbers of 16 bits: red in the lowest, green, blue, alpha.
type texel uint64

func newTexel(r, g, b, a uint16) texel { return texel(r) | texel(g)<<16 | texel(b)<<32 | texel(a)<<48 }

func (t texel) channel(k int) uint16 { return uint16(t >> (16 * k)) }

// pairs returns red and blue, and green and alpha, each spread with another 16 bits of room.
func (t texel) pairs() (rb, ga uint64) {
	const mask = 0x0000FFFF0000FFFF
	return uint64(t) & mask, uint64(t) >> 16 & mask
}

// sampler reads a texture with the settings of a material.
type sampler struct {
	*texture
	wrapS, wrapT   scene.Wrap
	nearest        bool // do not filter magnified pixels
	vDown          bool
	set            int
	repeat, offset [2]float32
	repeat2        [2]float32 // squared
}

// toLinear maps sRGB values to linear ones, in 16 bits.
var toLinear = func() (out [256]uint16) {
	for i := range out {
		out[i] = uint16(linearOf(float64(i)/255)*65535 + .5)
	}
	return out
}()

// asStored maps values to themselves, in 16 bits.
var asStored = func() (out [256]uint16) {
	for i := range out {
		out[i] = uint16(i) * 257
	}
	return out
}()

// linearOf returns the linear value of an sRGB value.
func linearOf(v float64) float64 {
	if v <= .04045 {
		return v / 12.92
	}
	return math.Pow((v+.055)/1.055, 2.4)
}

// screenOf returns the sRGB value of a linear value.
func screenOf(v float64) float64 {
	if v <= .0031308 {
		return v * 12.92
	}
	return 1.055*math.Pow(v, 1/2.4) - .055
}

// textures holds the pictures of a model, each read once.
type textures struct {
	textures map[textureKey]*texture
	order    []textureKey

	mu       sync.Mutex
	problems []string // in the order of their names
}

// channelUse is how the channels of a picture are used.
type channelUse uint8

const (
	asColors channelUse = iota // sRGB
	asData                     // numbers as they are, such as normals
)

// textureKey identifies a picture and its use.
type textureKey struct {
	*scene.Texture
	use channelUse
}

// samplerOf returns the texture of a sampler, to be filled by read, or nil without a picture.
func (t *textures) samplerOf(s *scene.Sampler, use channelUse) *sampler {
	if s == nil || s.Texture == nil || s.Texture.Image == nil || s.Texture.Missing != "" {
		return nil
	}
	key := textureKey{s.Texture, use}
	tex := t.textures[key]
	if tex == nil {
		if t.textures == nil {
			t.textures = make(map[textureKey]*texture)
		}
		tex = new(texture)
		t.textures[key] = tex
		t.order = append(t.order, key)
	}
	out := &sampler{texture: tex, wrapS: s.WrapS, wrapT: s.WrapT, nearest: s.Mag == scene.Nearest,
		vDown: s.Texture.Down, set: min(max(s.Set, 0), 1), repeat: s.Repeat, offset: s.Offset}
	for k := range out.repeat {
		if !(math.Abs(float64(out.repeat[k])) > 0 && math.Abs(float64(out.repeat[k])) < 1e6) {
			out.repeat[k] = 1
		}
		if !(math.Abs(float64(out.offset[k])) < 1e6) {
			out.offset[k] = 0
		}
		out.repeat2[k] = out.repeat[k] * out.repeat[k]
	}
	return out
}

// read decodes all pictures, up to the limits.
func (t *textures) read(ctx context.Context) {
	var texels atomic.Int64
	model.ForEach(runtime.GOMAXPROCS(0), len(t.order), func(_, i int) {
		if ctx.Err() != nil {
			return
		}
		src := t.order[i]
		img, err := src.Image(ctx)
		if err != nil && ctx.Err() == nil {
			t.problem(err.Error())
		}
		if err != nil || img == nil {
			return
		}
		t.textures[src].cutOut = scene.IsCutOut(img)
		if b := img.Bounds(); max(b.Dx(), b.Dy()) > maxTextureEdge {
			img = scaleToFit(ctx, img, maxTextureEdge)
		}
		b := img.Bounds()
		switch n := int64(b.Dx()) * int64(b.Dy()); {
		case n > 0 && texels.Add(n) <= maxTexels:
			t.textures[src].load(img, src.use)
		case n > 0:
			t.problem(fmt.Sprintf("some textures are not drawn: the limit of %d pixels in total is reached", maxTexels))
		}
	})
	slices.Sort(t.problems) // they were reported in random order
}

func (t *textures) problem(sentence string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.problems = append(t.problems, sentence)
}

// maxInkBrightness is the maximum of a channel of a dark color.
const maxInkBrightness = 80

// isDark reports whether nearly all opaque pixels of a picture are dark.
func isDark(img *image.NRGBA) bool {
	opaque, light := 0, 0
	for i := 0; i+4 <= len(img.Pix); i += 4 {
		if p := img.Pix[i : i+4]; p[3] >= 128 {
			opaque++
			if max(p[0], p[1], p[2]) > maxInkBrightness {
				light++
			}
		}
	}
	return light*10 <= opaque
}

// load converts a picture.
func (t *texture) load(img image.Image, use channelUse) {
	light := &toLinear
	if use == asData {
		light = &asStored
	}
	pixels := toNRGBA(img)
	l := level{width: pixels.Rect.Dx(), height: pixels.Rect.Dy()}
	l.pix = make([]texel, l.width*l.height)
	t.opaque = true
	for y := range l.height {
		row := pixels.Pix[y*pixels.Stride : y*pixels.Stride+4*l.width]
		for x := range l.width {
			p := row[4*x : 4*x+4]
			l.pix[y*l.width+x] = newTexel(light[p[0]], light[p[1]], light[p[2]], asStored[p[3]])
			t.opaque = t.opaque && p[3] == 255
		}
	}
	t.ink = t.cutOut && isDark(pixels)
	t.levels = append(t.levels, l)
	for l.width > 1 || l.height > 1 {
		l = l.half(t.opaque)
		t.levels = append(t.levels, l)
	}
}

// toNRGBA returns the pixels of a picture, without alpha in their colors.
func toNRGBA(img image.Image) *image.NRGBA {
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

// half returns a level of half the size. Opaque pixels have a larger weight than transparent ones.
func (l level) half(opaque bool) level {
	out := level{width: max(l.width/2, 1), height: max(l.height/2, 1)}
	out.pix = make([]texel, out.width*out.height)
	for y := range out.height {
		top := l.pix[min(2*y, l.height-1)*l.width:][:l.width]
		low := l.pix[min(2*y+1, l.height-1)*l.width:][:l.width]
		row := out.pix[y*out.width:][:out.width]
		for x := range row {
			a, b := min(2*x, l.width-1), min(2*x+1, l.width-1)
			if opaque {
				row[x] = mean(top[a], top[b], low[a], low[b])
			} else {
				row[x] = weightedMean(top[a], top[b], low[a], low[b])
			}
		}
	}
	return out
}

func mean(texels ...texel) texel {
	const half = 2<<32 | 2
	rb, ga := uint64(half), uint64(half)
	for _, t := range texels {
		x, y := t.pairs()
		rb, ga = rb+x, ga+y
	}
	low, _ := texel(rb >> 2).pairs()
	high, _ := texel(ga >> 2).pairs()
	return texel(low | high<<16)
}

// weightedMean returns the mean of four texels, with their alpha as the weights of their colors.
func weightedMean(texels ...texel) texel {
	var r, g, b, sum uint64
	for _, t := range texels {
		w := uint64(t.channel(3)) + 1
		r, g, b, sum = r+w*uint64(t.channel(0)), g+w*uint64(t.channel(1)), b+w*uint64(t.channel(2)), sum+w
	}
	return newTexel(uint16(r/sum), uint16(g/sum), uint16(b/sum), uint16((sum-4)/4))
}

// levelFor returns the level with pixels about as large as the footprint of a sample, in whole textures.
func (t *texture) levelFor(reach2 float32) *level {
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

// colorAt returns the color at texture coordinates; reach2 is the square of the footprint of a sample.
func (s *sampler) colorAt(u, v, reach2 float32) rgba {
	if len(s.levels) == 0 {
		return rgba{1, 1, 1, 1}
	}
	if !s.vDown {
		v = 1 - v
	}
	l := s.levelFor(reach2)
	x, y := wrap(u, s.wrapS)*float32(l.width), wrap(v, s.wrapT)*float32(l.height)
	if s.nearest && l == &s.levels[0] {
		rb, ga := l.pix[min(int(y), l.height-1)*l.width+min(int(x), l.width-1)].pairs()
		return unpack(rb<<16, ga<<16, 1./65535/65536)
	}
	// Weights are integers with a sum of 65536, so that two channels are computed in one.
	const fixedOne = 256
	px, py := int(x*fixedOne+fixedOne/2)-fixedOne, int(y*fixedOne+fixedOne/2)-fixedOne
	fx, fy := uint64(px&(fixedOne-1)), uint64(py&(fixedOne-1))
	x0, x1 := neighbors(px>>8, l.width, s.wrapS)
	y0, y1 := neighbors(py>>8, l.height, s.wrapT)
	top, low := l.pix[y0*l.width:][:l.width], l.pix[y1*l.width:][:l.width]
	a, b := top[x0].pairs()
	c, d := top[x1].pairs()
	rb, ga := (fixedOne-fy)*((fixedOne-fx)*a+fx*c), (fixedOne-fy)*((fixedOne-fx)*b+fx*d)
	a, b = low[x0].pairs()
	c, d = low[x1].pairs()
	return unpack(rb+fy*((fixedOne-fx)*a+fx*c), ga+fy*((fixedOne-fx)*b+fx*d), 1./65535/65536)
}

// unpack returns the color of channels of 32 bits.
func unpack(rb, ga uint64, each float32) rgba {
	return rgba{float32(uint32(rb)) * each, float32(uint32(ga)) * each, float32(rb>>32) * each, float32(ga>>32) * each}
}

// wrap maps a coordinate into 0 to 1.
func wrap(f float32, w scene.Wrap) float32 {
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

// neighbors returns the two pixels around a coordinate; those beyond an edge are wrapped or clamped.
func neighbors(i, size int, w scene.Wrap) (int, int) {
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
