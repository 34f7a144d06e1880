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
)

const (
	unlitExtension     = "KHR_materials_unlit"
	transformExtension = "KHR_texture_transform"

	pictureMost = 256 << 20 // bytes of a picture's file that are written as they are
	keptMost    = 64 << 20  // bytes of pictures that are kept between the two times that they are needed
)

// painting is a material for meshes that have texture coordinates or tangents, or have none: they cannot have textures,
// or no normal maps.
type painting struct {
	material        *Material
	mapped, tangent bool
}

// material puts a material into the file, once, and returns its number.
func (b *glb) material(key painting) (int, error) {
	m := key.material
	if k, ok := b.materials[key]; ok {
		return k, nil
	}
	g := gltfMaterial{Name: m.Name}
	if m.Shading != UnknownShading {
		if err := b.surface(&g, key); err != nil {
			return 0, err
		}
	}
	b.doc.Materials = append(b.doc.Materials, g)
	b.materials[key] = len(b.doc.Materials) - 1
	return b.materials[key], nil
}

// surface fits a material to the metallic-roughness model: nothing is metal, and the sharper the highlights, the
// smoother it is. What is there of a surface without a light, it emits. Colors are for screens in a scene, and linear
// in glTF.
func (b *glb) surface(g *gltfMaterial, key painting) error {
	m := key.material
	var base [4]float32
	for i, v := range m.Diffuse {
		base[i] = min(max(number(v), 0), 1)
		if i < 3 {
			base[i] = linear(base[i])
		}
	}
	if base != [4]float32{1, 1, 1, 1} {
		g.PBR.BaseColor = &base
	}
	if m.Shading == Lit {
		g.Glow = glow(m.Ambient, base)
	}
	if rough := roughness(m.SpecularExponent); rough < 1 {
		g.PBR.Roughness = &rough
	}
	if m.Shading == Unlit {
		g.Extensions = &gltfUnlit{}
		b.uses(unlitExtension)
	}
	switch m.Alpha {
	case AlphaBlend:
		g.AlphaMode = "BLEND"
		if m.Additive {
			b.report.add("additive materials are written as transparent ones", m.Name)
		}
	case AlphaDiscard:
		g.AlphaMode = "MASK"
		cutoff := min(max(number(m.Cutoff), 0), 1)
		g.AlphaCutoff = &cutoff
	}
	g.DoubleSided = m.Cull == CullNone
	if m.Cull > CullBack {
		b.report.add("materials that cull front faces cull back faces instead", m.Name)
	}
	if len(m.Layers) > 0 {
		b.report.add("layers of textures are left out but for the first", m.Name)
	}
	if m.LightMap != nil {
		b.report.add("light maps are left out", m.Name)
	}
	if !key.mapped {
		return nil
	}
	var err error
	if g.PBR.BaseTexture, err = b.sampler(m.Texture); err != nil {
		return err
	}
	if g.Glow != nil {
		g.GlowTexture = g.PBR.BaseTexture
	}
	if m.Normal == nil {
		return nil
	}
	if !key.tangent {
		b.report.add("normal maps of meshes without normals are left out", m.Name)
		return nil
	}
	g.Normal, err = b.sampler(m.Normal)
	return err
}

// glow is the share of a base that is there without a light; nil if there is none.
func glow(ambient [3]float32, base [4]float32) *[3]float32 {
	var out [3]float32
	for i, v := range ambient {
		out[i] = min(linear(max(number(v), 0)), 1) * base[i]
	}
	if out == [3]float32{} {
		return nil
	}
	return &out
}

// linear is the amount of light of a color's channel for screens (sRGB).
func linear(v float32) float32 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return float32(math.Pow((float64(v)+0.055)/1.055, 2.4))
}

// roughness is that of a surface whose highlights have an exponent of Blinn and Phong.
func roughness(exponent float32) float32 {
	if !(exponent > 0) || !finite(exponent) {
		return 1
	}
	return float32(math.Pow(2/(float64(exponent)+2), 0.25))
}

func (b *glb) uses(extension string) {
	for _, e := range b.doc.ExtensionsUsed {
		if e == extension {
			return
		}
	}
	b.doc.ExtensionsUsed = append(b.doc.ExtensionsUsed, extension)
}

var (
	gltfWraps   = map[Wrap]int{WrapRepeat: 10497, WrapClamp: 33071, WrapMirror: 33648}
	gltfMags    = map[Filter]int{Nearest: 9728, Linear: 9729}
	gltfFilters = map[[2]uint8]int{{uint8(Nearest), uint8(NoMipmap)}: 9728, {uint8(Linear), uint8(NoMipmap)}: 9729,
		{uint8(Nearest), uint8(NearestMipmap)}: 9984, {uint8(Linear), uint8(NearestMipmap)}: 9985,
		{uint8(Nearest), uint8(LinearMipmap)}: 9986, {uint8(Linear), uint8(LinearMipmap)}: 9987}
)

// sampler puts a texture into the file, with how it is read; nil if there is no picture.
func (b *glb) sampler(s *Sampler) (*gltfTextureInfo, error) {
	if s == nil || s.Texture == nil {
		return nil, nil
	}
	picture, err := b.picture(s.Texture)
	if err != nil || picture < 0 {
		return nil, err
	}
	how := gltfTextureSampler{Mag: gltfMags[s.Mag], Min: gltfFilters[[2]uint8{uint8(s.Min), uint8(s.Mipmap)}],
		WrapS: gltfWraps[s.WrapS], WrapT: gltfWraps[s.WrapT]}
	sampler, ok := b.samplers[how]
	if !ok {
		sampler = len(b.doc.Samplers)
		b.samplers[how] = sampler
		b.doc.Samplers = append(b.doc.Samplers, how)
	}
	t := gltfTexture{Source: picture, Sampler: sampler}
	texture, ok := b.textures[t]
	if !ok {
		texture = len(b.doc.Textures)
		b.textures[t] = texture
		b.doc.Textures = append(b.doc.Textures, t)
	}
	out := &gltfTextureInfo{Index: texture}
	repeat, offset := s.Repeat, s.Offset
	if repeat != [2]float32{1, 1} && repeat != [2]float32{} || offset != [2]float32{} {
		// Coordinates are turned over on the way: v becomes 1 - v.
		b.uses(transformExtension)
		out.Extensions = &gltfTransformOf{gltfTextureTransform{Scale: repeat, Offset: [2]float32{offset[0],
			1 - repeat[1] - offset[1]}}}
	}
	return out, nil
}

// picture puts the picture of a texture into the file, once, and returns its number; -1 if there is none. A PNG or JPEG
// goes as it is but for its colour space, unless its coordinates count from the other end; others are written as PNG.
func (b *glb) picture(t *Texture) (int, error) {
	key := t.key()
	if k, ok := b.pictures[key]; ok {
		return k, nil
	}
	b.pictures[key] = -1
	if t.Image == nil || t.Open == nil {
		b.report.add("textures that were not found are left out", t.Name)
		return -1, nil
	}
	data, media, err := t.encoded(b.ctx, t.Down)
	if err != nil {
		if ctxErr := b.ctx.Err(); ctxErr != nil {
			return -1, ctxErr
		}
		b.report.add("textures that cannot be read are left out: "+err.Error(), t.Name)
		return -1, nil
	}
	size := int64(len(data))
	if b.kept += size; b.kept > keptMost {
		data = nil
	}
	view := b.view(size, 0, func(w io.Writer) error {
		again := data
		if again == nil {
			var err error
			if again, _, err = t.encoded(b.ctx, t.Down); err != nil {
				return err
			}
		}
		_, err := w.Write(again)
		return err
	})
	b.pictures[key] = len(b.doc.Images)
	b.doc.Images = append(b.doc.Images, gltfImage{Name: t.Name, View: view, MediaType: media})
	return b.pictures[key], nil
}

// pictureKey is what a picture is known by.
type pictureKey struct {
	path string
	down bool
}

var errPicture = errors.New("the file has more bytes than are read")

// encoded returns the picture as a file: as it is if that is a PNG or a JPEG, else as PNG; turned over if asked for.
func (t *Texture) encoded(ctx context.Context, over bool) (data []byte, mediaType string, err error) {
	img, err := t.Image(ctx) // a file that cannot be decoded is not passed on
	if err != nil {
		return nil, "", err
	}
	if t.asIs(over) {
		r, err := t.Open(ctx)
		if err != nil {
			return nil, "", err
		}
		defer r.Close()
		data, err := io.ReadAll(io.LimitReader(r, pictureMost+1))
		if err == nil && len(data) > pictureMost {
			err = errPicture
		}
		return plainPNG(data), t.MediaType, err
	}
	if over {
		img = turnedOver(img)
	}
	var out bytes.Buffer
	err = png.Encode(&out, img)
	return out.Bytes(), "image/png", err
}

// asIs reports whether the file of a texture goes into others as it is.
func (t *Texture) asIs(over bool) bool {
	return !over && (t.MediaType == "image/png" || t.MediaType == "image/jpeg")
}

// turnedOver returns a picture with its last row on top.
func turnedOver(img image.Image) image.Image {
	size := img.Bounds().Size()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		row := image.Rect(0, y, size.X, y+1)
		draw.Draw(out, row, img, img.Bounds().Min.Add(image.Pt(0, size.Y-1-y)), draw.Src)
	}
	return out
}
