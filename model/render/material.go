package render

import (
	"context"
	"fmt"
	"math"
	"slices"

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
