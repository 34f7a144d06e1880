package material

import (
	"path"
	"slices"
	"strings"

	"assay/model/scene"
)

// generation is what the engine's own shaders of some years compute. All are lit that have a POINT_LIGHT or a
// SPOT_LIGHT among their defines.
type generation struct {
	isLit           func(d *definition, kind string) bool
	tintsTextures   bool // a shader with a texture has u_diffuseColor, too
	whiteHighlights bool // not of the color of the light
}

// The generations of shaders: files NAME.vsh, in 2011 and 2012; NAME.vert; and, since October 2013, with defines that
// count the lights of each kind. A NAME.vert without counts may be of either time, lit before and unlit since: that a
// light is set tells which, or the matrix that turns normals. Many games set their lights in code.
var (
	shaders2011 = generation{tintsTextures: true,
		isLit: func(_ *definition, kind string) bool { return !isUnlit(kind) && kind != "textured" }}
	shaders2012 = generation{
		isLit: func(d *definition, kind string) bool { return !isUnlit(kind) && (d.namesLight() || d.turnsNormals()) }}
	shaders2013 = generation{whiteHighlights: true,
		isLit: func(d *definition, _ string) bool { _, some := lightCount(d.defines()); return some }}
)

// generationOf returns the generation of a shader.
func generationOf(extension string, all defines) generation {
	if counted, _ := lightCount(all); counted {
		return shaders2013
	} else if extension == ".vsh" {
		return shaders2011
	}
	return shaders2012
}

func isUnlit(kind string) bool { return strings.Contains(kind, "unlit") || kind == "solid" }

// namesLight reports whether the direction or the color of a light is set.
func (d *definition) namesLight() bool {
	return slices.ContainsFunc([]string{"u_lightColor", "u_lightDirection", "u_directionalLightColor[0]",
		"u_pointLightColor[0]"}, func(name string) bool { return d.uniform(name) != "" })
}

// turnsNormals reports whether the matrix for normals is set. Only light needs normals.
func (d *definition) turnsNormals() bool { return d.uniform("u_inverseTransposeWorldViewMatrix") != "" }

// lightCount reports whether defines count the lights of a kind, and whether there are some.
func lightCount(all defines) (counted, some bool) {
	for _, kind := range []string{"DIRECTIONAL", "POINT", "SPOT"} {
		if n, ok := all[kind+"_LIGHT_COUNT"]; ok {
			counted = true
			some = some || n != "0"
		}
	}
	return counted, some
}

// shading sets the colors of a material, and whether it is lit.
func (d *definition) shading(m *scene.Material, ambient [3]float32) {
	defines, shader := d.defines(), d.shader()
	extension := path.Ext(shader)
	kind, of := strings.TrimSuffix(shader, extension), generationOf(extension, defines)
	if defines.has("POINT_LIGHT") || defines.has("SPOT_LIGHT") || of.isLit(d, kind) {
		m.Shading = scene.Lit
	}
	m.VertexColors = defines.has("VERTEX_COLOR") // in place of another color
	if c := d.numbers("u_diffuseColor"); len(c) >= 3 && !m.VertexColors &&
		(of.tintsTextures || !strings.HasPrefix(kind, "textured")) {
		copy(m.Diffuse[:], c)
	}
	switch v, c := d.uniform("u_ambientColor"), d.numbers("u_ambientColor"); {
	case len(c) >= 3:
		copy(m.Ambient[:], c)
	case v == "SCENE_AMBIENT_COLOR", v == "" && m.Shading == scene.Lit: // games set it by code
		m.Ambient = ambient
	}
	d.lightColors(m)
	if defines.has("SPECULAR") || strings.Contains(kind, "specular") {
		if e := d.numbers("u_specularExponent"); len(e) == 1 {
			m.SpecularExponent = e[0]
		}
		m.WhiteHighlights = of.whiteHighlights
	}
	d.modulation(m, defines)
	if defines.has("TEXTURE_DISCARD_ALPHA") {
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

// modulation multiplies the color of a material with the colors that modulate it. The alpha has another name in the
// first shaders.
func (d *definition) modulation(m *scene.Material, all defines) {
	if c := d.numbers("u_modulateColor"); all.has("MODULATE_COLOR") && len(c) >= 3 {
		for k := range min(len(c), 4) {
			m.Diffuse[k] *= c[k]
		}
	}
	for _, alpha := range [][2]string{{"MODULATE_ALPHA", "u_modulateAlpha"}, {"GLOBAL_ALPHA", "u_globalAlpha"}} {
		if a := d.numbers(alpha[1]); all.has(alpha[0]) && len(a) == 1 {
			m.Diffuse[3] *= a[0]
		}
	}
}
