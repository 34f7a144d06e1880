// Package material makes materials for a renderer from .material files, and assigns them to the parts of meshes:
//
//	resources.go     what a scene reads of a project, and the notes of what it lacks
//	text.go          where a material is described
//	material.go      the technique and the pass of a .material that are shown
//	definition.go    what is said of a pass: by itself, its technique and its material
//	shading.go       colors and light: uniforms and defines
//	sampler.go       textures: samplers
//	renderstate.go   how a surface is drawn over what is there: render states
//	assign.go        which material a part gets, as files say
//	guess.go         which it gets where only code says
//	picks.go         which it gets as a person says
//	choices.go       what a person can choose from
//	preview.go       materials on the meshes that have them, or on spheres
//
// Three files follow a property to the material: material.go, definition.go, and that of its subject.
//
// What becomes of the properties, in the preview and in GLB:
//
//	technique                 that which a person chose, else the first; if its pass shows no color, as one for depth,
//	                          the first with a texture, else with a color, and a remark
//	pass                      the first; if it shows no color, the first with a texture, else with a color; a remark
//	                          if there are more
//	vertexShader, defines     those of the pass, honoured by the names of the engine's own
//	u_inverseTransposeWorldViewMatrix
//	                          lit, where the defines count no lights
//	u_diffuseColor            honoured for shaders without a texture, in 2011 with one, too; not with VERTEX_COLOR
//	u_ambientColor            honoured; that of the scene as SCENE_AMBIENT_COLOR, and for a lit surface without one
//	u_lightColor, u_…LightColor[0]
//	to [3]                    their sum is the color of the preview's light
//	u_specularExponent        honoured with SPECULAR or a shader of that name
//	u_modulateColor, …Alpha   honoured with MODULATE_COLOR, MODULATE_ALPHA; the first shaders had u_globalAlpha,
//	                          honoured with GLOBAL_ALPHA
//	u_textureRepeat, …Offset  honoured with TEXTURE_REPEAT, TEXTURE_OFFSET
//	u_diffuseTexture          honoured
//	u_normalmapTexture, u_normalMap…
//	u_lightmapTexture         honoured; by the engine's textured… with BUMPED, LIGHTMAP only
//	other samplers            not shown
//	other uniforms            those of the game's own shaders mean nothing here
//	blend, blendSrc, blendDst honoured: ONE and ZERO, SRC_ALPHA and ONE_MINUS_SRC_ALPHA or ONE, ZERO and ONE; a
//	                          remark for others, which are drawn by alpha
//	cullFace, cullFaceSide,
//	frontFace                 honoured; in GLB only the back can be culled, with a remark
//	depthTest                 honoured for what blends; what is opaque is always tested
//	depthFunc                 honoured: NEVER is not drawn, ALWAYS is not tested, LESS, LEQUAL; a remark for others
//	depthWrite                irrelevant: what blends is sorted by its distance
//	stencilTest               a remark if it is on; the other stencil states are irrelevant without it
//	path, wrapS, wrapT        honoured
//	minFilter, magFilter      honoured; mipmap chooses the default of minFilter
//	wrapR                     irrelevant: the third coordinate is that of cube maps
package material

import (
	"slices"
	"strconv"
	"strings"

	"assay/model"
	"assay/model/scene"
)

// Read makes the material that a text describes, with what it inherits, as the technique of a name draws it; the usual
// one if that is empty. What is not drawn as the game does is noted in the resources. The ambient color is
// that of the scene, for materials that ask for it and lit ones that have none.
//
// Uniforms and samplers of the pass come before those of the technique, and those before the material's own. So do
// render states, as far as renderStates says.
func Read(r *Resources, from Description, technique string, ambient [3]float32) *scene.Material {
	space := from.space(r)
	d := newDefinition(r, space, from.Text)
	m := &scene.Material{Name: space.ID, Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1}}
	if all := d.techniques(); len(all) > 0 {
		for _, t := range all {
			m.Techniques = append(m.Techniques, t.name)
		}
		m.Technique = d.choose(all, technique)
		d = all[m.Technique].shown
	}
	d.shading(m, ambient)
	d.textures(m)
	d.states(m)
	if m.Texture != nil && m.Texture.Texture.Path == "" || m.Texture == nil && d.numbers("u_diffuseColor") == nil {
		m.Shading = scene.Lit // without a texture and a color only light shows its form
	}
	if space.Exhausted() {
		d.remark("too many inherited namespaces; the rest is ignored")
	}
	return m
}

// technique is a technique of a material, with the definition of that of its passes which is shown.
type technique struct {
	name   string
	passes int
	shown  *definition
}

// techniques returns the techniques of a material. One without an id has its number as its name, after a # if that is
// the id of another.
func (d *definition) techniques() (all []technique) {
	inside := d.below("technique")
	ids := make(map[string]bool)
	for _, inner := range inside {
		ids[inner.level().ID] = true
	}
	for i, inner := range inside {
		t := technique{inner.level().ID, 1, inner}
		if t.name == "" {
			for t.name = strconv.Itoa(i); ids[t.name]; t.name = "#" + t.name {
			}
		}
		if passes := inner.below("pass"); len(passes) > 0 {
			t.passes, t.shown = len(passes), passes[mostColorful(passes)]
		}
		all = append(all, t)
	}
	return all
}

// choose returns the number of the technique of a name, or of the usual one: the first that shows a color.
func (d *definition) choose(all []technique, name string) int {
	number := slices.IndexFunc(all, func(t technique) bool { return t.name == name })
	if number < 0 {
		if name != "" {
			d.remark("the chosen technique %s does not exist", name)
		}
		shown := make([]*definition, len(all))
		for i, t := range all {
			shown[i] = t.shown
		}
		number = mostColorful(shown)
	}
	if number > 0 && name == "" {
		d.resources.Notef(model.Guessed+"technique %s of material %s, as %s shows no color", all[number].name, d.id,
			all[0].name)
	}
	if n := all[number].passes; n > 1 {
		d.remark("only one of the %d passes of its technique is drawn", n)
	}
	return number
}

// mostColorful returns the number of the first definition if it shows a color; else of the first that has a texture, or
// a color.
func mostColorful(all []*definition) int {
	if all[0].colors() > noColor {
		return 0
	}
	best := 0
	for i, d := range all {
		if d.colors() > all[best].colors() {
			best = i
		}
	}
	return best
}

// What a definition has to show.
const (
	noColor = iota
	colored
	textured
)

// colors returns what a definition has to show. A shader for depth has nothing.
func (d *definition) colors() int {
	switch {
	case strings.HasPrefix(d.shader(), "depth"):
		return noColor
	case d.samplerSpace("u_diffuseTexture") != nil:
		return textured
	case d.defines().has("VERTEX_COLOR"), d.numbers("u_diffuseColor") != nil:
		return colored
	}
	return noColor
}
