package material

import (
	"path"
	"strings"

	"assay/model/scene"
)

// shading sets the colors of a material, and whether it is lit.
func (d *definition) shading(m *scene.Material, ambient [3]float32) {
	defines := d.defines()
	shader := d.shader()
	extension := path.Ext(shader)
	kind := strings.TrimSuffix(shader, extension)
	if d.isLit(kind, extension, defines) {
		m.Shading = scene.Lit
	}
	_, m.VertexColors = defines["VERTEX_COLOR"]
	// The colors of vertices stand in place of another, and since 2012 a shader with a texture has no other color.
	if c := d.numbers("u_diffuseColor"); len(c) >= 3 && !m.VertexColors && (!strings.HasPrefix(kind, "textured") ||
		extension == ".vsh") {
		copy(m.Diffuse[:], c)
	}
	switch v, c := d.get("u_ambientColor"), d.numbers("u_ambientColor"); {
	case len(c) >= 3:
		copy(m.Ambient[:], c)
	case v == "SCENE_AMBIENT_COLOR", v == "" && m.Shading == scene.Lit: // games set it by code
		m.Ambient = ambient
	}
	d.lightColors(m)
	if _, ok := defines["SPECULAR"]; ok || strings.Contains(kind, "specular") {
		if e := d.numbers("u_specularExponent"); len(e) == 1 {
			m.SpecularExponent = e[0]
		}
		m.WhiteHighlights, _ = lightCount(defines)
	}
	d.modulation(m)
	if _, ok := defines["TEXTURE_DISCARD_ALPHA"]; ok {
		m.Alpha, m.Cutoff = scene.AlphaDiscard, 0.5
	}
}

// lightColors adds the colors of all lights that the material names.
func (d *definition) lightColors(m *scene.Material) {
	for _, light := range []string{"u_lightColor", "u_directionalLightColor", "u_pointLightColor", "u_spotLightColor"} {
		for _, i := range []string{"", "[0]", "[1]", "[2]", "[3]"} {
			if c := d.numbers(light + i); len(c) >= 3 {
				for k := range m.LightColor {
					m.LightColor[k] += c[k]
				}
			}
		}
	}
}

// modulation multiplies the color of a material with the colors that modulate it.
func (d *definition) modulation(m *scene.Material) {
	if c := d.numbers("u_modulateColor"); len(c) >= 3 {
		for k := range min(len(c), 4) {
			m.Diffuse[k] *= c[k]
		}
	}
	if a := d.numbers("u_modulateAlpha"); len(a) == 1 {
		m.Diffuse[3] *= a[0]
	}
}

// isLit reports whether the shader computes light: since October 2013 if the defines count a light; before, always
// except in two kinds of shaders.
func (d *definition) isLit(kind, extension string, defines map[string]string) bool {
	_, point := defines["POINT_LIGHT"]
	_, spot := defines["SPOT_LIGHT"]
	counted, some := lightCount(defines)
	switch {
	case point || spot || some:
		return true
	case counted:
		return false
	case strings.Contains(kind, "unlit"), kind == "solid":
		return false
	case extension == ".vsh":
		return kind != "textured"
	}
	for _, name := range []string{"u_lightColor", "u_lightDirection", "u_directionalLightColor[0]",
		"u_pointLightColor[0]"} {
		if d.get(name) != "" {
			return true
		}
	}
	return false
}

// lightCount reports whether defines are those of a shader since October 2013, which counts its lights, and whether it
// has some.
func lightCount(defines map[string]string) (counted, some bool) {
	for _, kind := range []string{"DIRECTIONAL", "POINT", "SPOT"} {
		if n, ok := defines[kind+"_LIGHT_COUNT"]; ok {
			counted = true
			some = some || n != "0"
		}
	}
	return counted, some
}
