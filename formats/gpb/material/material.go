// Package material makes materials for a renderer from .material files, and assigns them to the parts of meshes:
//
//	material.go   which properties of a .material are used, and how
//	assign.go     which material a part gets
//	preview.go    materials on the meshes that have them, or on spheres
package material

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// kind is the name of the namespaces that are materials.
const kind = "material"

// Read makes the material of a namespace of a file, with what it inherits. folder is the folder of the file, ambient
// the ambient color of the scene, for materials that ask for it and lit ones that have none.
//
// Of the techniques the first is used, and of its passes the first. Uniforms, samplers and states of the pass come
// before those of the technique, and those before the material's own.
func Read(p *project.Project, file, n *properties.Namespace, folder string, ambient [3]float32) *scene.Material {
	d := &definition{project: p, folder: folder}
	s := file.Space(n)
	for _, kind := range []string{"", "technique", "pass"} {
		if s = first(s, kind); s == nil {
			break
		}
		d.add(s)
	}
	m := &scene.Material{Name: n.ID, Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1}}
	d.shading(m, ambient)
	d.textures(m)
	d.states(m)
	if m.Texture != nil && m.Texture.Texture.Path == "" || m.Texture == nil && d.numbers("u_diffuseColor") == nil {
		m.Shading = scene.Lit // without a texture and a color only light shows its form
	}
	return m
}

// first returns the first namespace of a kind below s, or s itself if the kind is empty; nil if there is none.
func first(s *properties.Space, kind string) *properties.Space {
	if kind == "" {
		return s
	}
	for _, below := range s.Spaces() {
		if below.Name == kind {
			return below
		}
	}
	return nil
}

// definition is the levels of a material: the material, its technique, its pass.
type definition struct {
	project  *project.Project
	folder   string
	levels   []*properties.Space
	samplers map[string][]*properties.Space
	state    []*properties.Space
}

func (d *definition) add(s *properties.Space) {
	d.levels = append(d.levels, s)
	for _, below := range s.Spaces() {
		switch below.Name {
		case "sampler":
			if d.samplers == nil {
				d.samplers = make(map[string][]*properties.Space)
			}
			d.samplers[below.ID] = append(d.samplers[below.ID], below)
		case "renderState":
			d.state = append(d.state, below)
		}
	}
}

// innermost returns the value of a property in the last level that has it; empty if none has it.
func innermost(levels []*properties.Space, name string) string {
	for _, s := range slices.Backward(levels) {
		if v := s.Get(name); v != "" {
			return v
		}
	}
	return ""
}

func (d *definition) get(name string) string { return innermost(d.levels, name) }

// numbers returns the numbers of a uniform; nil if it is not set, or is a word that the program gives a meaning.
func (d *definition) numbers(name string) []float32 { return numbers(d.get(name)) }

// numbers returns the numbers of a value, at most the 16 of a matrix; nil if one is not a number.
func numbers(v string) []float32 {
	if v == "" {
		return nil
	}
	var all []float32
	for _, part := range strings.SplitN(v, ",", 17) {
		f, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(part), "f"), 32)
		if err != nil || !(f >= -1e30 && f <= 1e30) {
			return nil
		}
		all = append(all, float32(f))
	}
	return all
}

// defines returns the values of the defines by their names.
func (d *definition) defines() map[string]string {
	all := make(map[string]string)
	for _, one := range strings.Split(d.get("defines"), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(one), " ")
		all[name] = strings.TrimSpace(value)
	}
	return all
}

// shading sets the colors of a material, and whether it is lit.
func (d *definition) shading(m *scene.Material, ambient [3]float32) {
	defines := d.defines()
	shader := strings.ToLower(path.Base(d.get("vertexShader")))
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
	switch v := d.get("u_ambientColor"); {
	case len(numbers(v)) >= 3:
		copy(m.Ambient[:], numbers(v))
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
	levels := d.samplers[name]
	file := innermost(levels, "path")
	if file == "" {
		return nil
	}
	s := &scene.Sampler{Name: name, Set: set, Texture: d.project.Texture(file, d.folder), Repeat: [2]float32{1, 1},
		WrapS: wrap(innermost(levels, "wrapS")), WrapT: wrap(innermost(levels, "wrapT"))}
	setFilters(s, levels)
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
func setFilters(s *scene.Sampler, levels []*properties.Space) {
	get := func(name string) string { return strings.ToUpper(innermost(levels, name)) }
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

// states sets how the surface is drawn over what was drawn before: render states.
func (d *definition) states(m *scene.Material) {
	get := func(names ...string) string {
		for _, name := range names {
			if v := innermost(d.state, name); v != "" {
				return strings.ToUpper(v)
			}
		}
		return ""
	}
	if get("blend") == "TRUE" {
		from, to := get("blendSrc", "srcBlend"), get("blendDst", "dstBlend")
		if to != "" && to != "ZERO" {
			m.Alpha, m.Additive = scene.AlphaBlend, to == "ONE"
		} else if from != "" && from != "ONE" {
			m.Alpha = scene.AlphaBlend
		}
	}
	if get("cullFace") == "TRUE" {
		m.Cull = map[string]scene.Cull{"": scene.CullBack, "BACK": scene.CullBack, "FRONT": scene.CullFront,
			"FRONT_AND_BACK": scene.CullBoth}[get("cullFaceSide")]
		if get("frontFace") == "CW" && m.Cull != scene.CullBoth && m.Cull != scene.CullNone {
			m.Cull = scene.CullBack + scene.CullFront - m.Cull
		}
	}
	m.NoDepthTest = get("depthTest") != "TRUE"
	m.NoDepth = m.NoDepthTest || get("depthWrite") == "FALSE"
}
