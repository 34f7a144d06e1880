package scene

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"
	"path"
	"slices"
	"strings"

	"assay/model"
)

const (
	unlitExtension    = "KHR_materials_unlit"
	specularExtension = "KHR_materials_specular"

	maxPictureFile      = 256 << 20 // limit for copying the file of a picture, in bytes
	maxBufferedPictures = 64 << 20  // bytes of pictures that are cached between their two uses
)

// materialKey is a material for meshes that have texture coordinates, tangents or colors, or do not: without these they
// cannot have textures or normal maps, or are colored by their material. A material with only a name has two sides,
// except for interiors.
type materialKey struct {
	material                           *Material
	mapped, tangent, colored, interior bool
	translucent                        bool // some vertex has an alpha below 1
}

// addMaterial adds a material to the file, once, and returns its number.
func (b *glb) addMaterial(key materialKey) (int, error) {
	m := key.material
	if k, ok := b.materials[key]; ok {
		return k, nil
	}
	g := gltfMaterial{Name: m.Name, DoubleSided: !key.interior}
	if m.Shading != UnknownShading || !key.colored {
		if err := b.setSurface(&g, key); err != nil {
			return 0, err
		}
	}
	b.materials[key] = add(&b.doc.Materials, g)
	return b.materials[key], nil
}

// addDefaultMaterial adds a material to the file that takes all color from the vertices, once, and returns its number.
func (b *glb) addDefaultMaterial(name string, unlit bool) int {
	i := slices.IndexFunc(b.doc.Materials, func(g gltfMaterial) bool { return g.Name == name && g.isDefault })
	if i >= 0 {
		return i
	}
	g := gltfMaterial{Name: name, isDefault: true}
	if b.removeHighlights(&g); unlit {
		b.setUnlit(&g)
	}
	return add(&b.doc.Materials, g)
}

// setSurface fits a material to the metallic-roughness model: nothing is metal, and the sharper the highlights, the
// smoother it is. The ambient color of a surface is emitted. Colors are sRGB in a scene, and linear in glTF.
func (b *glb) setSurface(g *gltfMaterial, key materialKey) error {
	m := key.material
	var picture *gltfTextureInfo
	if key.mapped && m.Texture != nil {
		var err error
		if picture, err = b.addSampler(m.Texture); err != nil {
			return err
		}
		if picture == nil {
			b.appearances.addUnpictured(m)
		}
	}
	if color, ok := b.appearances.plain[m]; ok {
		return b.setPlaceholderColor(g, key, color)
	}
	var base [4]float32
	for i, v := range m.Diffuse {
		base[i] = min(max(finiteOrZero(v), 0), 1)
		if i < 3 {
			base[i] = linear(base[i])
		}
	}
	if base != [4]float32{1, 1, 1, 1} {
		g.PBR.BaseColor = &base
	}
	g.PBR.BaseTexture = picture
	g.DoubleSided = m.Cull == CullNone
	b.setAlphaMode(g, m, key.translucent)
	b.reportUnsupported(m)
	switch {
	case m.hidesShape():
		return b.setNormalMap(g, key)
	case b.isWrittenUnlit(g, key):
		b.setUnlit(g)
		return nil
	case m.Shading == Unlit:
		return b.emitAllColor(g, key, base)
	}
	if rough := roughness(m.SpecularExponent); rough < 1 {
		g.PBR.Roughness = &rough
	} else {
		b.removeHighlights(g)
	}
	if !key.hasColors() {
		if err := b.setEmission(g, key, base); err != nil {
			return err
		}
	}
	return b.setNormalMap(g, key)
}

// isWrittenUnlit reports whether a material gets the extension for unlit materials. Another unlit one emits its color.
func (b *glb) isWrittenUnlit(g *gltfMaterial, key materialKey) bool {
	if key.hasColors() && key.material.isFullyAmbient() {
		return true
	}
	return key.material.Shading == Unlit && (b.options.Unlit || g.PBR.BaseTexture == nil || key.hasColors())
}

// hasColors reports whether the vertices color the surface. In glTF they do not color emission, so emission would be
// white.
func (k *materialKey) hasColors() bool { return k.colored && k.material.VertexColors }

// isFullyAmbient reports whether all of the material's color is visible without a light.
func (m *Material) isFullyAmbient() bool { return min(m.Ambient[0], m.Ambient[1], m.Ambient[2]) >= 1 }

// skyLight is the sRGB color of the light that the program casts from all sides on a material with only a name: such a
// material is lit from beside the camera, even where no light of the scene reaches it.
var skyLight = [3]float32{.5, .5, .5}

// fillLight is the linear light that the program adds to a scene with lights, on average: a surface that no light of
// the scene reaches emits that, because viewers add no light to such a scene.
const fillLight = .08

// setPlaceholderColor gives a material with only a name a distinctive color. In a scene with lights, to which viewers
// add no light, it emits as much as light from all sides would produce.
func (b *glb) setPlaceholderColor(g *gltfMaterial, key materialKey, color [3]uint8) error {
	m, base := key.material, [4]float32{3: 1}
	for k, v := range color {
		base[k] = linear(float32(v) / 255)
	}
	if m.Shading != UnknownShading {
		g.DoubleSided = m.Cull == CullNone
	}
	if m.Additive {
		g.AlphaMode, base[3] = "BLEND", additiveAlpha
	}
	g.PBR.BaseColor = &base
	if !b.hasLights {
		return nil
	}
	key.material = &Material{Ambient: skyLight}
	return b.setEmission(g, key, base)
}

// additiveAlpha is the alpha of a surface with an unknown kind of additive blending.
const additiveAlpha = .3

// setAlphaMode sets the glTF alpha mode. Blended materials without alpha stay opaque: viewers draw those unsorted.
func (b *glb) setAlphaMode(g *gltfMaterial, m *Material, translucent bool) {
	switch m.Alpha {
	case AlphaBlend:
		complete := m.Diffuse[3] >= 1 && !translucent && !m.Additive
		if complete && (g.PBR.BaseTexture == nil || b.pictures[m.Texture.Texture.key()].opaque) {
			return
		}
		g.AlphaMode = "BLEND"
		if m.Additive {
			b.report.add("additive materials are written as transparent ones", m.Name)
		}
	case AlphaDiscard:
		g.setCutoff(min(max(finiteOrZero(m.Cutoff), 0), 1))
	case Opaque:
		if g.PBR.BaseTexture != nil && m.Texture != nil && b.pictures[m.Texture.Texture.key()].cutOut {
			g.setCutoff(.5)
			g.DoubleSided = true // culling could make it invisible from the viewer's side
			b.report.add(model.Guessed+"an alpha cutoff for mostly transparent textures of materials that do not blend",
				m.Name)
		}
	}
}

// setCutoff removes pixels with an alpha below the cutoff.
func (g *gltfMaterial) setCutoff(cutoff float32) { g.AlphaMode, g.AlphaCutoff = "MASK", &cutoff }

// reportUnsupported reports the properties of a material that glTF does not support.
func (b *glb) reportUnsupported(m *Material) {
	if m.Cull > CullBack {
		b.report.add("materials that cull front faces cull back faces instead", m.Name)
	}
	if len(m.Layers) > 0 {
		b.report.add("only the first texture layer is exported", m.Name)
	}
	if m.LightMap != nil {
		b.report.add("light maps are not exported", m.Name)
	}
}

func (b *glb) setUnlit(g *gltfMaterial) {
	g.Extensions = &gltfShading{Unlit: &struct{}{}}
	b.addExtension(unlitExtension)
}

// removeHighlights removes the highlights that a surface has by default in glTF.
func (b *glb) removeHighlights(g *gltfMaterial) {
	g.Extensions = &gltfShading{Specular: &gltfSpecular{}}
	b.addExtension(specularExtension)
}

// setEmission makes a material emit its ambient color. VTK supports that only if both colors have a texture, so a white
// one is added where needed.
func (b *glb) setEmission(g *gltfMaterial, key materialKey, base [4]float32) (err error) {
	minLight := float32(0)
	if b.hasLights && !b.options.FillLights {
		minLight = fillLight
	}
	if g.Glow = emissionOf(key.material.Ambient, minLight, base); g.Glow == nil {
		return nil
	}
	if g.PBR.BaseTexture == nil {
		g.PBR.BaseTexture, err = b.addSampler(&Sampler{Texture: white, Repeat: [2]float32{1, 1}})
	}
	g.GlowTexture = g.PBR.BaseTexture
	return err
}

// emitAllColor makes an unlit material emit all of its color, and reflect no light, for viewers that draw unlit
// materials without their textures.
func (b *glb) emitAllColor(g *gltfMaterial, key materialKey, base [4]float32) error {
	b.removeHighlights(g)
	m := *key.material
	m.Ambient = [3]float32{1, 1, 1}
	key.material = &m
	g.PBR.BaseColor = &[4]float32{3: base[3]}
	return b.setEmission(g, key, base)
}

// white is a picture of one pixel.
var white = &Texture{Name: "white", Path: "\x00white",
	Open: func(context.Context) (io.ReadCloser, error) { return nil, errPictureTooLarge },
	Image: func(context.Context) (image.Image, error) {
		return &image.NRGBA{Pix: []byte{255, 255, 255, 255}, Stride: 4, Rect: image.Rect(0, 0, 1, 1)}, nil
	}}

// setNormalMap adds the normal map to a material.
func (b *glb) setNormalMap(g *gltfMaterial, key materialKey) error {
	m := key.material
	if m.Normal == nil || !key.mapped {
		return nil
	}
	if !key.tangent {
		b.report.add("normal maps of meshes without normals are not exported", m.Name)
		return nil
	}
	var err error
	g.Normal, err = b.addSampler(m.Normal)
	return err
}

// emissionOf returns the share of a base that is visible without a light, or nil.
func emissionOf(share [3]float32, minLight float32, base [4]float32) *[3]float32 {
	var out [3]float32
	for i, v := range share {
		out[i] = min(linear(max(finiteOrZero(v), 0))+minLight, 1) * base[i]
	}
	if out == [3]float32{} {
		return nil
	}
	return &out
}

// linear returns the linear value of an sRGB channel.
func linear(v float32) float32 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return float32(math.Pow((float64(v)+0.055)/1.055, 2.4))
}

// roughness returns the roughness of a surface with highlights of a Blinn-Phong exponent.
func roughness(exponent float32) float32 {
	if !(exponent > 0) || !finite(exponent) {
		return 1
	}
	return float32(math.Pow(2/(float64(exponent)+2), 0.25))
}

func (b *glb) addExtension(extension string) {
	if !slices.Contains(b.doc.ExtensionsUsed, extension) {
		b.doc.ExtensionsUsed = append(b.doc.ExtensionsUsed, extension)
	}
}

var (
	gltfWraps   = map[Wrap]int{WrapRepeat: 10497, WrapClamp: 33071, WrapMirror: 33648}
	gltfMags    = map[Filter]int{Nearest: 9728, Linear: 9729}
	gltfFilters = map[[2]uint8]int{{uint8(Nearest), uint8(NoMipmap)}: 9728, {uint8(Linear), uint8(NoMipmap)}: 9729,
		{uint8(Nearest), uint8(NearestMipmap)}: 9984, {uint8(Linear), uint8(NearestMipmap)}: 9985,
		{uint8(Nearest), uint8(LinearMipmap)}: 9986, {uint8(Linear), uint8(LinearMipmap)}: 9987}
)

// addSampler adds a texture with its sampler to the file, or returns nil if there is no picture.
func (b *glb) addSampler(s *Sampler) (*gltfTextureInfo, error) {
	if s == nil || s.Texture == nil {
		return nil, nil
	}
	picture, err := b.addPicture(s.Texture)
	if err != nil || picture < 0 {
		return nil, err
	}
	sampler := addUnique(b.samplers, &b.doc.Samplers, gltfTextureSampler{Mag: gltfMags[s.Mag],
		Min:   gltfFilters[[2]uint8{uint8(s.Min), uint8(s.Mipmap)}],
		WrapS: gltfWraps[s.WrapS], WrapT: gltfWraps[s.WrapT]})
	texture := addUnique(b.textures, &b.doc.Textures, gltfTexture{Source: picture, Sampler: sampler})
	return &gltfTextureInfo{texture}, nil
}

// addPicture writes the picture of a texture into the file, once, and returns its number, or -1. A PNG or JPEG is
// copied without its color space unless its coordinates have the other direction; others are written as PNG.
func (b *glb) addPicture(t *Texture) (int, error) {
	key := t.key()
	if p, ok := b.pictures[key]; ok {
		return p.number, nil
	}
	b.pictures[key] = glbPicture{number: -1}
	if t.Image == nil || t.Open == nil {
		b.report.add("textures that were not found are not exported", t.Name)
		return -1, nil
	}
	file, err := t.encode(b.ctx, t.Down)
	if err != nil {
		if ctxErr := b.ctx.Err(); ctxErr != nil {
			return -1, ctxErr
		}
		b.report.add("unreadable textures are not exported: "+err.Error(), t.Name)
		return -1, nil
	}
	data, size := file.data, int64(len(file.data))
	if b.pictureBytes += size; b.pictureBytes > maxBufferedPictures {
		data = nil
	}
	view := b.addView(size, 0, func(w io.Writer) error {
		content := data
		if content == nil {
			file, err := t.encode(b.ctx, t.Down)
			if err != nil {
				return err
			}
			content = file.data
		}
		_, err := w.Write(content)
		return err
	})
	number := add(&b.doc.Images, gltfImage{Name: t.title(), View: view, MediaType: file.mediaType})
	b.pictures[key] = glbPicture{number, file.opaque, file.cutOut}
	return number, nil
}

// title returns the name of the texture for an exported file: for an absolute path, which could contain private folder
// names, only the name of the file.
func (t *Texture) title() string {
	name := strings.ReplaceAll(t.Name, `\`, "/")
	if path.IsAbs(name) || len(name) > 2 && name[1:3] == ":/" {
		return path.Base(name)
	}
	return t.Name
}

type glbPicture struct {
	number int // -1 if it could not be read
	opaque bool
	cutOut bool // see IsCutOut
}

type pictureKey struct {
	path string
	down bool
}

var errPictureTooLarge = errors.New("the file has more bytes than are read")

// pictureFile is an encoded picture.
type pictureFile struct {
	data      []byte
	mediaType string
	opaque    bool
	cutOut    bool
}

// encode returns the picture as a file: unchanged if that is a PNG or a JPEG, else as PNG; its rows are reversed if
// flip is true.
func (t *Texture) encode(ctx context.Context, flip bool) (out pictureFile, err error) {
	img, err := t.Image(ctx) // a file that cannot be decoded is not copied
	if err != nil {
		return out, err
	}
	if opaquer, ok := img.(interface{ Opaque() bool }); ok {
		out.opaque = opaquer.Opaque()
	}
	out.cutOut = IsCutOut(img)
	if t.isCopied(flip) {
		r, err := t.Open(ctx)
		if err != nil {
			return out, err
		}
		defer r.Close()
		data, err := io.ReadAll(io.LimitReader(r, maxPictureFile+1))
		if err == nil && len(data) > maxPictureFile {
			err = errPictureTooLarge
		}
		out.data, out.mediaType = plainPNG(data), t.MediaType
		return out, err
	}
	if flip {
		img = flipRows(img)
	}
	var file bytes.Buffer
	err = png.Encode(&file, img)
	out.data, out.mediaType = file.Bytes(), "image/png"
	return out, err
}

// isCopied reports whether the file of a texture is copied into others unchanged.
func (t *Texture) isCopied(flip bool) bool {
	return !flip && (t.MediaType == "image/png" || t.MediaType == "image/jpeg")
}

// flipRows returns a picture with its rows in reverse order.
func flipRows(img image.Image) image.Image {
	size := img.Bounds().Size()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		row := image.Rect(0, y, size.X, y+1)
		draw.Draw(out, row, img, img.Bounds().Min.Add(image.Pt(0, size.Y-1-y)), draw.Src)
	}
	return out
}
