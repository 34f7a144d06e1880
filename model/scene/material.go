package scene

import (
	"context"
	"image"
	"image/color"
	"io"
	"slices"

	"assay/model"
)

// Material describes the surface of a part. Colors are the file's, in sRGB. With UnknownShading only the name is
// set.
//
// The base is Diffuse, times the color of Texture, covered by Layers, and with VertexColors times the color of the
// vertex. The color of a surface is base · Ambient + Σ light · base · max(0, normal · light) and its highlights; with
// Unlit it is the base alone. LightMap multiplies all of it. Its alpha is the base's.
//
// A highlight is light · base · max(0, normal · half) to the power of SpecularExponent, where half is the direction
// halfway between the light and the viewer. With WhiteHighlights it is white, independent of light and base.
type Material struct {
	Name    string
	Origin  model.Material // its file and its name there; the zero value if it is in no file of its own
	Shading Shading
	Diffuse [4]float32 // with alpha; 1 where a texture has the color
	Ambient [3]float32 // the share of the base that is visible without a light
	// LightColor is the light that the material sets itself, for a scene without lights, or 0.
	LightColor       [3]float32
	SpecularExponent float32 // 0 for no highlights
	WhiteHighlights  bool
	VertexColors     bool

	Texture  *Sampler // of the base; may be nil
	Layers   []Layer
	Normal   *Sampler
	LightMap *Sampler

	Alpha       AlphaMode
	Cutoff      float32 // of AlphaDiscard: alpha below it is not drawn
	Additive    bool    // AlphaBlend adds to the background instead of covering it
	Cull        Cull
	NoDepthTest bool // drawn in front of nearer surfaces

	// Techniques are the names of the material's variants in its file; it may be nil. Technique is the index of this
	// one.
	Techniques []string
	Technique  int
}

// Layer is a texture over the base. The channel of Blend with this index, red first, is its opacity.
type Layer struct {
	Texture, Blend *Sampler
	Channel        int
}

// Samplers returns all samplers of the material.
func (m *Material) Samplers() (samplers []*Sampler) {
	samplers = append(samplers, m.Texture, m.Normal, m.LightMap)
	for _, l := range m.Layers {
		samplers = append(samplers, l.Texture, l.Blend)
	}
	return slices.DeleteFunc(samplers, func(s *Sampler) bool { return s == nil })
}

// Shading selects whether light has an effect on a material.
type Shading uint8

// The shadings. A material with only a name has UnknownShading.
const (
	UnknownShading Shading = iota
	Lit
	Unlit
)

// AlphaMode is the effect of alpha.
type AlphaMode uint8

// The alpha modes.
const (
	Opaque AlphaMode = iota
	AlphaBlend
	AlphaDiscard
)

// Cull selects the sides of triangles that are not drawn. The front is the side on which the corners are
// counterclockwise.
type Cull uint8

// The values of Cull.
const (
	CullNone Cull = iota
	CullBack
	CullFront
	CullBoth
)

// Sampler describes how a material reads a texture. The coordinates of a vertex are multiplied by Repeat, then Offset
// is added; v points up the picture, or down with Texture.Down.
type Sampler struct {
	Name           string // the material's name for it: u_diffuseTexture
	Texture        *Texture
	Set            int // the set of the vertex's texture coordinates
	WrapS, WrapT   Wrap
	Min, Mag       Filter
	Mipmap         Mipmap
	Repeat, Offset [2]float32
}

// Wrap selects the color beyond the edges of a texture.
type Wrap uint8

// The wraps.
const (
	WrapRepeat Wrap = iota
	WrapClamp
	WrapMirror
)

// Filter selects the color between pixels.
type Filter uint8

// The filters.
const (
	Linear Filter = iota
	Nearest
)

// Mipmap selects the mip levels to use where a texture is minified.
type Mipmap uint8

// The uses of mipmaps.
const (
	NoMipmap Mipmap = iota
	NearestMipmap
	LinearMipmap
)

// Texture is a picture that materials use; several may use the same one. It is read on demand.
type Texture struct {
	Name string // in the material: res/png/duck.png, @floor
	Path string // of the file that was found, from the root of the project; empty if not found
	// Down means that the coordinate v points down the picture: 0 is its top row, as with compressed textures.
	// Otherwise 0 is its bottom row.
	Down bool
	// Missing is the reason why there is no picture, a sentence, or "".
	Missing string
	// Substitution is a sentence if another picture is used than the one called Name, or "".
	Substitution string
	// MediaType is the type of the bytes that Open returns: image/png is copied into other files unchanged.
	MediaType string
	// Open returns the bytes of the file.
	Open func(ctx context.Context) (io.ReadCloser, error)
	// Image decodes the picture, the first row on top. Its size is bounded, and it is not cached.
	Image func(ctx context.Context) (image.Image, error)
}

// Clip is a named range of an animation.
type Clip struct {
	Name       string
	Start, End float32 // in seconds
	Speed      float32 // 1 as recorded; below 0 from its end to its start
}

// IsCutOut reports whether a picture is a drawing on a transparent background: most of it is transparent black. A
// material that does not blend would draw it as a black square; games blend it by code. A picture with gloss or similar
// data in its alpha channel has colors where alpha is 0.
func IsCutOut(img image.Image) bool {
	const steps = 64 // the number of sampled rows and columns
	b := img.Bounds()
	if opaquer, ok := img.(interface{ Opaque() bool }); b.Empty() || ok && opaquer.Opaque() {
		return false
	}
	transparent := 0
	for i := range steps * steps {
		x, y := b.Min.X+i%steps*b.Dx()/steps, b.Min.Y+i/steps*b.Dy()/steps
		if color.NRGBAModel.Convert(img.At(x, y)) == (color.NRGBA{}) {
			transparent++
		}
	}
	return transparent > steps*steps/2
}
