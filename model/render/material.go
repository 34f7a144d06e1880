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

// material is the prepared form of a scene material. Its colors are linear.
type material struct {
	clay        bool // it only has a name, or would hide the shape
	unknown     bool // it only has a name, or no picture
	lit         bool
	base        rgba
	rgb         [3]uint8 // of lines and dots
	ambient     vec3
	lamp        rgba    // the hue of the light that the material sets itself
	exponent    float32 // of highlights, or 0
	minCosine2  float32 // the square of the cosine of the angle beyond which highlights are invisible
	white       bool    // highlights, independent of light and base
	tinted      bool    // by the colors of vertices
	translucent bool    // some of these vertices have an alpha below 1

	texture, normal, lightMap *sampler
	layers                    []layer

	alpha    scene.AlphaMode
	cutoff   float32
	additive bool
	cull     scene.Cull
	onTop    bool // nearer surfaces do not hide it
}

// layer is a texture over the base.
type layer struct {
	texture, blend *sampler
	channel        int
}

// materials makes each material once.
type materials struct {
	ctx      context.Context
	textures textures
	byKey    map[*scene.Material]*material
	order    []*scene.Material
	named    map[string]*material
	inner    map[*material]*material // by their originals
}

// materialOf returns the material of a part of a node's mesh.
func (l *materials) materialOf(n *scene.Node, part int, g *geometry) *material {
	m := n.Material(part)
	if m == nil || m.Shading == scene.UnknownShading {
		name := n.Mesh.Name
		if m != nil {
			name = m.Name
		}
		return l.unshadedMaterial(name, g != nil && g.colors != nil)
	}
	if l.byKey == nil {
		l.byKey = make(map[*scene.Material]*material)
	}
	out := l.byKey[m]
	if out == nil {
		out = l.make(m)
		l.byKey[m] = out
		l.order = append(l.order, m)
	}
	out.translucent = out.translucent || m.VertexColors && g != nil && g.translucent
	return out
}

// unshadedMaterial returns a material with only a name: it has the color of the name, or the colors of its vertices.
func (l *materials) unshadedMaterial(name string, colored bool) *material {
	if l.named == nil {
		l.named = make(map[string]*material)
	}
	key := name
	if colored {
		key = "\x00"
	}
	m := l.named[key]
	if m == nil {
		m = &material{clay: true, unknown: true, tinted: colored, base: rgba{1, 1, 1, 1}}
		if !colored {
			m.rgb = scene.PlainColor(name)
			m.base = lightOf(m.rgb)
		}
		l.named[key] = m
	}
	return m
}

// make returns the prepared form of a material with properties.
func (l *materials) make(m *scene.Material) *material {
	out := &material{lit: m.Shading == scene.Lit, tinted: m.VertexColors, alpha: m.Alpha, cutoff: m.Cutoff,
		white: m.WhiteHighlights, additive: m.Additive, cull: m.Cull, onTop: m.NoDepthTest}
	out.ambient, out.lamp = linear3(m.Ambient), hueOf(m.LightColor)
	base := linear3([3]float32(m.Diffuse[:3]))
	out.base = rgba{base.x, base.y, base.z, finiteOr(m.Diffuse[3], 1)}
	for k := range out.rgb {
		out.rgb[k] = toByte(finiteOr(m.Diffuse[k], 1))
	}
	if m.SpecularExponent > 0 && m.SpecularExponent < 1e6 {
		const invisible = 1. / 4096
		out.exponent = m.SpecularExponent
		out.minCosine2 = float32(math.Pow(invisible, 2/float64(m.SpecularExponent)))
	}
	out.texture, out.lightMap = l.textures.samplerOf(m.Texture, asColors), l.textures.samplerOf(m.LightMap, asColors)
	out.normal = l.textures.samplerOf(m.Normal, asData)
	for _, from := range m.Layers {
		colors, blend := l.textures.samplerOf(from.Texture, asColors), l.textures.samplerOf(from.Blend, asData)
		added := layer{colors, blend, from.Channel}
		if added.texture != nil && added.blend != nil {
			out.layers = append(out.layers, added)
		}
	}
	return out
}

// finish reads the pictures. Blended materials without alpha are drawn as opaque, without sorting. A material with a
// missing picture is drawn like one with only a name.
func (l *materials) finish() {
	l.textures.read(l.ctx)
	for _, from := range l.order {
		m := l.byKey[from]
		for _, s := range []**sampler{&m.texture, &m.normal, &m.lightMap} {
			if *s != nil && len((*s).levels) == 0 {
				*s = nil
			}
		}
		m.layers = slices.DeleteFunc(m.layers, func(l layer) bool {
			return len(l.texture.levels) == 0 || len(l.blend.levels) == 0
		})
		if from.Texture != nil && m.texture == nil {
			plain := *l.unshadedMaterial(from.Name, false)
			plain.cull = m.cull
			if m.additive {
				plain.alpha, plain.base.a, plain.additive = m.alpha, .3, true
			}
			*m = plain
		}
		if white := (rgba{1, 1, 1, 1}); !m.lit && m.texture == nil && !m.tinted && m.base == white {
			m.clay = true // white and unlit would hide the shape: most likely a shader of the game's own
		}
		if m.alpha == scene.AlphaBlend && !m.additive && m.base.a >= 1 && !m.translucent &&
			(m.texture == nil || m.texture.opaque) {
			m.alpha = scene.Opaque
		}
		if m.alpha == scene.Opaque && m.texture != nil && m.texture.cutOut {
			m.alpha, m.cutoff = scene.AlphaDiscard, .5
			l.textures.problem(fmt.Sprintf("material %s does not blend, but its texture is mostly "+
				"transparent; drawn with an alpha cutoff",
				model.OneLine(from.Name, 60)))
		}
	}
}

// hueOf returns the light of a color at full brightness, or white for black.
func hueOf(c [3]float32) rgba {
	l := linear3(c)
	highest := max(l.x, l.y, l.z)
	if !(highest > 0) {
		return rgba{1, 1, 1, 1}
	}
	return rgba{l.x / highest, l.y / highest, l.z / highest, 1}
}

// linear3 returns the linear value of an sRGB color. It can be above 1.
func linear3(c [3]float32) vec3 {
	light := func(v float32) float32 { return float32(linearOf(float64(min(max(finiteOr(v, 1), 0), 16)))) }
	return vec3{light(c[0]), light(c[1]), light(c[2])}
}

func finiteOr(f, instead float32) float32 {
	if f-f != 0 {
		return instead
	}
	return f
}

// insideMaterial returns a material for the inside of a hull: the same, but with back faces culled.
func (l *materials) insideMaterial(m *material) *material {
	if l.inner == nil {
		l.inner = make(map[*material]*material)
	}
	inner := l.inner[m]
	if inner == nil {
		copied := *m
		copied.cull = scene.CullBack
		inner = &copied
		l.inner[m] = inner
	}
	return inner
}

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
