package material

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// generation describes the computation of the engine's own shaders in some years. Materials with POINT_LIGHT or
// SPOT_LIGHT among their defines are lit in all of them.
type generation struct {
	isLit           func(d *definition, kind string) bool
	tintsTextures   bool // u_diffuseColor also applies to shaders with a texture
	whiteHighlights bool // highlights do not have the color of the light
}

// The generations of shaders: files NAME.vsh, in 2011 and 2012; NAME.vert; and, since October 2013, NAME.vert with
// defines that count the lights of each kind. A NAME.vert without counts is lit in the second and unlit in the third.
// If the version of the bundle does not decide which, the material is lit if it sets a light or the matrix for normals:
// many games set their lights in code.
var (
	shaders2011 = generation{tintsTextures: true,
		isLit: func(_ *definition, kind string) bool { return !isUnlit(kind) && kind != "textured" }}
	shaders2012 = generation{
		isLit: func(d *definition, kind string) bool { return !isUnlit(kind) && (d.namesLight() || d.turnsNormals()) }}
	shaders2013 = generation{whiteHighlights: true,
		isLit: func(d *definition, _ string) bool { _, hasLights := lightCount(d.defines()); return hasLights }}
)

// generationOf returns the generation of a shader.
func (d *definition) generationOf(extension string, defines defines) generation {
	switch counted, _ := lightCount(defines); {
	case !counted && extension == ".vsh":
		return shaders2011
	case counted || d.resources.countsLights(d.text):
		return shaders2013
	}
	return shaders2012
}

// bundleStart begins a bundle of major version 1; the minor version follows. Encoders write countingMinor since the
// month when the shaders began to count lights.
const (
	bundleStart   = "\xABGPB\xBB\r\n\x1A\n\x01"
	countingMinor = 3
)

// countsLights reports whether the bundle with the name of a text has a version of the third generation of shaders.
func (r *Resources) countsLights(t Text) bool {
	counts, ok := r.notes.countsLights[t.Path]
	if !ok {
		if bundle := r.noteFailure(t.Project.ForFile(t.Path).OwnFile(".gpb")); bundle != "" {
			start, err := t.Project.Start(bundle, int64(len(bundleStart)+1))
			if err != nil {
				r.Note(err.Error())
			}
			minor, isBundle := strings.CutPrefix(string(start), bundleStart)
			counts = isBundle && minor != "" && minor[0] >= countingMinor
		}
		r.notes.countsLights[t.Path] = counts
	}
	return counts
}

func isUnlit(kind string) bool { return strings.Contains(kind, "unlit") || kind == "solid" }

// namesLight reports whether the direction or the color of a light is set.
func (d *definition) namesLight() bool {
	return slices.ContainsFunc([]string{"u_lightColor", "u_lightDirection", "u_directionalLightColor[0]",
		"u_pointLightColor[0]"}, func(name string) bool { return d.uniform(name) != "" })
}

// turnsNormals reports whether the matrix for normals is set. Only light needs normals.
func (d *definition) turnsNormals() bool { return d.uniform("u_inverseTransposeWorldViewMatrix") != "" }

// lightCount reports whether defines count the lights of a kind, and whether there are any.
func lightCount(defines defines) (counted, hasLights bool) {
	for _, kind := range []string{"DIRECTIONAL", "POINT", "SPOT"} {
		if n, ok := defines[kind+"_LIGHT_COUNT"]; ok {
			counted = true
			hasLights = hasLights || n != "0"
		}
	}
	return counted, hasLights
}

// setShading sets the colors of a material, and whether it is lit.
func (d *definition) setShading(m *scene.Material, ambient [3]float32) {
	defines, shader := d.defines(), d.shader()
	extension := path.Ext(shader)
	kind, gen := strings.TrimSuffix(shader, extension), d.generationOf(extension, defines)
	if defines.has("POINT_LIGHT") || defines.has("SPOT_LIGHT") || gen.isLit(d, kind) {
		m.Shading = scene.Lit
	}
	m.VertexColors = defines.has("VERTEX_COLOR") // instead of another color
	if c := d.numbers("u_diffuseColor"); len(c) >= 3 && !m.VertexColors &&
		(gen.tintsTextures || !strings.HasPrefix(kind, "textured")) {
		copy(m.Diffuse[:], c)
	}
	switch v, c := d.uniform("u_ambientColor"), d.numbers("u_ambientColor"); {
	case len(c) >= 3:
		copy(m.Ambient[:], c)
	case v == "SCENE_AMBIENT_COLOR", v == "" && m.Shading == scene.Lit: // games set it in code
		m.Ambient = ambient
	}
	d.addLightColors(m)
	if defines.has("SPECULAR") || strings.Contains(kind, "specular") {
		if e := d.numbers("u_specularExponent"); len(e) == 1 {
			m.SpecularExponent = e[0]
		}
		m.WhiteHighlights = gen.whiteHighlights
	}
	d.modulate(m, defines)
	if defines.has("TEXTURE_DISCARD_ALPHA") {
		m.Alpha, m.Cutoff = scene.AlphaDiscard, 0.5
	}
}

// addLightColors adds the colors of all lights that the material names.
func (d *definition) addLightColors(m *scene.Material) {
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

// modulate multiplies the color of a material with the colors that modulate it. The alpha has another name in the
// first shaders.
func (d *definition) modulate(m *scene.Material, defines defines) {
	if c := d.numbers("u_modulateColor"); defines.has("MODULATE_COLOR") && len(c) >= 3 {
		for k := range min(len(c), 4) {
			m.Diffuse[k] *= c[k]
		}
	}
	for _, alpha := range [][2]string{{"MODULATE_ALPHA", "u_modulateAlpha"}, {"GLOBAL_ALPHA", "u_globalAlpha"}} {
		if a := d.numbers(alpha[1]); defines.has(alpha[0]) && len(a) == 1 {
			m.Diffuse[3] *= a[0]
		}
	}
}

// setStates sets how the surface is combined with the image below it.
func (d *definition) setStates(m *scene.Material) {
	states := d.renderStates()
	if states.isOn("cullFace") {
		m.Cull = cullOf(states.word("cullFaceSide", "BACK"), states.word("frontFace", "CCW"))
	}
	if states.isOn("blend") {
		d.setBlending(m, states)
	}
	m.NoDepthTest = !states.isOn("depthTest")
	if !m.NoDepthTest {
		d.setDepthFunction(m, states.word("depthFunc", "LESS"))
	}
	if states.isOn("stencilTest") {
		d.remark("stencil test ignored")
	}
}

// renderStates holds the render states of each level, the innermost first. As in the engine (RenderState::StateBlock),
// an inner level cannot reset a state to the default of the engine: such a value counts as not set.
type renderStates []map[string]string

// renderStates returns the words of the render states, in capitals.
func (d *definition) renderStates() (states renderStates) {
	for _, level := range slices.Backward(d.levels) {
		words := make(map[string]string)
		for _, block := range level.Spaces() {
			if block.Name != "renderState" {
				continue
			}
			for _, name := range block.Names() {
				words[name] = strings.ToUpper(block.Last(name))
			}
		}
		states = append(states, words)
	}
	return states
}

// isOn reports whether a state that is off by default is on.
func (states renderStates) isOn(name string) bool {
	return slices.ContainsFunc(states, func(words map[string]string) bool { return words[name] == "TRUE" })
}

func (states renderStates) word(name, fallback string) string {
	for _, words := range states {
		if word := cmp.Or(words[name], fallback); word != fallback {
			return word
		}
	}
	return fallback
}

// factors returns the blend factors of the drawn color and of the existing one, which are one state.
func (states renderStates) factors() (source, destination string) {
	for _, words := range states {
		source = cmp.Or(words["blendSrc"], words["srcBlend"], "ONE")
		destination = cmp.Or(words["blendDst"], words["dstBlend"], "ZERO")
		if source != "ONE" || destination != "ZERO" {
			break
		}
	}
	return source, destination
}

// blend is a way to combine a drawn color with the existing one.
type blend struct {
	alpha     scene.AlphaMode
	additive  bool
	invisible bool
}

// blends lists the exact blend modes by the factors of the drawn color (blendSrc) and the existing color (blendDst);
// the products are added.
var blends = map[[2]string]blend{
	{"ONE", "ZERO"}:                      {},
	{"ZERO", "ONE"}:                      {invisible: true},
	{"SRC_ALPHA", "ONE_MINUS_SRC_ALPHA"}: {alpha: scene.AlphaBlend},
	{"SRC_ALPHA", "ONE"}:                 {alpha: scene.AlphaBlend, additive: true},
}

// setBlending sets the blend mode, with a remark if it only approximates the mode of the game.
func (d *definition) setBlending(m *scene.Material, states renderStates) {
	from, to := states.factors()
	b, exact := blends[[2]string{from, to}]
	switch {
	case exact:
	case to == "ONE":
		b = blend{alpha: scene.AlphaBlend, additive: true}
		d.remark("blending %s, %s is approximated by additive blending", from, to)
	default:
		b = blend{alpha: scene.AlphaBlend}
		d.remark("blending %s, %s is approximated by alpha blending", from, to)
	}
	if b.alpha != scene.Opaque {
		if m.Alpha == scene.AlphaDiscard {
			d.remark("alpha test ignored; drawn with blending only")
		}
		m.Alpha, m.Additive = b.alpha, b.additive
	}
	if b.invisible {
		m.Cull = scene.CullBoth
	}
}

// cullOf returns the sides that are not drawn: the back unless side names another one. With a clockwise front the sides
// are swapped.
func cullOf(side, front string) scene.Cull {
	switch clockwise := front == "CW"; {
	case side == "FRONT_AND_BACK":
		return scene.CullBoth
	case (side == "FRONT") != clockwise:
		return scene.CullFront
	}
	return scene.CullBack
}

// setDepthFunction sets the depth test by the name of its function.
func (d *definition) setDepthFunction(m *scene.Material, word string) {
	switch word {
	case "LESS", "LEQUAL":
	case "ALWAYS":
		m.NoDepthTest = true
	case "NEVER":
		m.Cull = scene.CullBoth
	default:
		d.remark("drawn with depth function LESS instead of %s", word)
	}
}

// setTextures sets the samplers with supported names. The engine's own shaders for textures use all but the first only
// with a define.
func (d *definition) setTextures(m *scene.Material) {
	m.Texture = d.sampler("u_diffuseTexture", 0)
	has := func(define string) bool {
		return !strings.HasPrefix(d.shader(), "textured") || d.defines().has(define)
	}
	for _, name := range []string{"u_normalmapTexture", "u_normalMapTexture", "u_normalMap"} { // the second in 2011
		if m.Normal == nil && has("BUMPED") {
			m.Normal = d.sampler(name, 0)
		}
	}
	if has("LIGHTMAP") {
		m.LightMap = d.sampler("u_lightmapTexture", 1)
	}
}

// sampler returns the sampler of a name, for a set of texture coordinates, or nil if it has no file.
func (d *definition) sampler(name string, set int) *scene.Sampler {
	from := d.samplerSpace(name)
	if from == nil {
		return nil
	}
	s := &scene.Sampler{Name: name, Set: set, Texture: d.text.texture(from.Get("path")), Repeat: [2]float32{1, 1},
		WrapS: word(d, from, "wrapS", wraps, scene.WrapRepeat), WrapT: word(d, from, "wrapT", wraps, scene.WrapRepeat)}
	minFilter := filter{scene.Linear, scene.NoMipmap}
	if from.Get("mipmap") == "true" {
		minFilter = filters["NEAREST_MIPMAP_LINEAR"]
	}
	minFilter = word(d, from, "minFilter", filters, minFilter)
	s.Min, s.Mipmap = minFilter.Filter, minFilter.Mipmap
	s.Mag = word(d, from, "magFilter", filters, filter{}).Filter
	if set == 0 { // shaders repeat and offset the first coordinates only
		d.setCoordinates(s)
	}
	return s
}

// samplerSpace returns the innermost sampler of a name that has a file, or nil.
func (d *definition) samplerSpace(name string) *properties.Space {
	for _, level := range slices.Backward(d.levels) {
		if s := d.samplers.inLevel(level)[name]; s != nil {
			return s
		}
	}
	return nil
}

// filter is the filter of a texture, and the use of its mip levels.
type filter struct {
	scene.Filter
	scene.Mipmap
}

// The values of samplers. The engine only recognizes capitals.
var (
	wraps   = map[string]scene.Wrap{"REPEAT": scene.WrapRepeat, "CLAMP": scene.WrapClamp}
	filters = map[string]filter{"NEAREST": {scene.Nearest, scene.NoMipmap}, "LINEAR": {scene.Linear, scene.NoMipmap},
		"NEAREST_MIPMAP_NEAREST": {scene.Nearest, scene.NearestMipmap},
		"LINEAR_MIPMAP_NEAREST":  {scene.Linear, scene.NearestMipmap},
		"NEAREST_MIPMAP_LINEAR":  {scene.Nearest, scene.LinearMipmap},
		"LINEAR_MIPMAP_LINEAR":   {scene.Linear, scene.LinearMipmap}}
)

// word returns the value of a property of a sampler, or the default, with a remark if the value is unknown.
func word[T any](d *definition, sampler *properties.Space, name string, words map[string]T, fallback T) T {
	stated := sampler.Get(name)
	if v, ok := words[stated]; ok {
		return v
	}
	if stated != "" {
		d.remark("unknown value %s for %s of %s; the engine uses the default", stated, name, sampler.ID)
	}
	return fallback
}

// setCoordinates sets how the shader repeats and offsets the coordinates of a texture.
func (d *definition) setCoordinates(s *scene.Sampler) {
	defines := d.defines()
	if defines.has("TEXTURE_REPEAT") {
		setPair(&s.Repeat, d.numbers("u_textureRepeat"))
	}
	if defines.has("TEXTURE_OFFSET") {
		setPair(&s.Offset, d.numbers("u_textureOffset"))
	}
}

func setPair(out *[2]float32, v []float32) {
	if len(v) == 2 {
		*out = [2]float32(v)
	}
}
