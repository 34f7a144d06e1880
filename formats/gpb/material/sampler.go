package material

import (
	"strings"

	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// textures sets the samplers whose use is known by their names.
func (d *definition) textures(m *scene.Material) {
	m.Texture = d.sampler("u_diffuseTexture", 0)
	for _, name := range []string{"u_normalmapTexture", "u_normalMapTexture", "u_normalMap"} { // the second in 2011
		if m.Normal == nil {
			m.Normal = d.sampler(name, 0)
		}
	}
	m.LightMap = d.sampler("u_lightmapTexture", 1)
}

// sampler returns the sampler of a name, for a set of texture coordinates; nil if it names no file.
func (d *definition) sampler(name string, set int) *scene.Sampler {
	from := d.samplers[name]
	if from == nil {
		return nil
	}
	s := &scene.Sampler{Name: name, Set: set, Texture: d.of.Text.texture(from.Get("path")), Repeat: [2]float32{1, 1},
		WrapS: wrap(from.Get("wrapS")), WrapT: wrap(from.Get("wrapT"))}
	setFilters(s, from)
	if set == 0 { // shaders repeat and shift the first coordinates only
		d.setCoordinates(s)
	}
	return s
}

// wrap returns what a word says of the space beside a texture.
func wrap(word string) scene.Wrap {
	if strings.EqualFold(word, "CLAMP") {
		return scene.WrapClamp
	}
	return scene.WrapRepeat
}

// setFilters sets how a texture is made smaller and larger.
func setFilters(s *scene.Sampler, from *properties.Space) {
	get := func(name string) string { return strings.ToUpper(from.Get(name)) }
	least := get("minFilter")
	if get("mipmap") == "TRUE" && least == "" {
		least = "NEAREST_MIPMAP_LINEAR"
	}
	if strings.HasPrefix(least, "NEAREST") {
		s.Min = scene.Nearest
	}
	switch {
	case strings.HasSuffix(least, "MIPMAP_LINEAR"):
		s.Mipmap = scene.LinearMipmap
	case strings.HasSuffix(least, "MIPMAP_NEAREST"):
		s.Mipmap = scene.NearestMipmap
	}
	if get("magFilter") == "NEAREST" {
		s.Mag = scene.Nearest
	}
}

// setCoordinates sets how the shader repeats and shifts the coordinates of a texture.
func (d *definition) setCoordinates(s *scene.Sampler) {
	defines := d.defines()
	if _, ok := defines["TEXTURE_REPEAT"]; ok {
		setPair(&s.Repeat, d.numbers("u_textureRepeat"))
	}
	if _, ok := defines["TEXTURE_OFFSET"]; ok {
		setPair(&s.Offset, d.numbers("u_textureOffset"))
	}
}

func setPair(out *[2]float32, v []float32) {
	if len(v) == 2 {
		*out = [2]float32(v)
	}
}
