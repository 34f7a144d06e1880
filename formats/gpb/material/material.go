// Package material makes materials for a renderer from .material files, and assigns them to the parts of meshes:
//
//	text.go          where a material is described
//	material.go      the technique and the pass of a .material that are shown
//	shading.go       colors and light: uniforms and defines
//	sampler.go       textures: samplers
//	renderstate.go   how a surface is drawn over what is there: render states
//	assign.go        which material a part gets, as files say
//	guess.go         which it gets where only code says
//	byhand.go        which it gets as a person says
//	preview.go       materials on the meshes that have them, or on spheres
//
// What becomes of the properties, in the preview and in GLB (the uniforms of the game's own shaders mean nothing here):
//
//	technique                 that which a person chose, else the first; another, and a remark, if the first shows
//	                          no color, as one for depth
//	pass                      the first that shows a color; a remark if there are more
//	vertexShader, defines     honoured by the names of the engine's own
//	blend, blendSrc, blendDst honoured: opaque, by alpha, added; a remark for others, which are drawn by alpha
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
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// Read makes the material that a text describes, with what it inherits. technique is the name of that which is shown;
// empty for the usual one. What is not drawn as the game does is noted in the resources. The ambient color is that of
// the scene, for materials that ask for it and lit ones that have none.
//
// Uniforms, samplers and states of the pass come before those of the technique, and those before the material's own.
func Read(r *project.Resources, from Description, technique string, ambient [3]float32) *scene.Material {
	base := &definition{resources: r, of: from}
	base.add(from.Text.File.Space(from.Space))
	d, techniques, chosen := base.shown(technique)
	m := &scene.Material{Name: from.Space.ID, Techniques: techniques, Technique: chosen, Shading: scene.Unlit,
		Diffuse: [4]float32{1, 1, 1, 1}}
	d.shading(m, ambient)
	d.textures(m)
	d.states(m)
	if m.Texture != nil && m.Texture.Texture.Path == "" || m.Texture == nil && d.numbers("u_diffuseColor") == nil {
		m.Shading = scene.Lit // without a texture and a color only light shows its form
	}
	return m
}

// shown returns the definition of the pass that is shown, of the technique of a name or of the usual one, and the names
// of all techniques with the number of that one.
func (d *definition) shown(technique string) (shown *definition, names []string, chosen int) {
	techniques := d.below("technique")
	if len(techniques) == 0 {
		return d, nil, 0
	}
	for i, t := range techniques {
		names = append(names, orNumber(t.level().ID, i))
	}
	passes := make([][]*definition, len(techniques))
	all := make([]*definition, len(techniques)) // the pass of each technique
	for i, t := range techniques {
		passes[i] = t.below("pass")
		if all[i] = t; len(passes[i]) > 0 {
			all[i] = passes[i][mostColorful(passes[i])]
		}
	}
	if chosen = slices.Index(names, technique); chosen < 0 {
		if technique != "" {
			d.remark("it has no technique %s, which was chosen", technique)
		}
		chosen = mostColorful(all)
	}
	if chosen > 0 && technique == "" {
		d.remark("the technique %s shows no color, so %s is shown", names[0], names[chosen])
	}
	if n := len(passes[chosen]); n > 1 {
		d.remark("one of the %d passes of its technique is shown", n)
	}
	return all[chosen], names, chosen
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

// orNumber returns the name of a namespace, or its number if it has none.
func orNumber(id string, i int) string {
	if id == "" {
		return strconv.Itoa(i)
	}
	return id
}

// definition is the levels of a material: the material, its technique, its pass.
type definition struct {
	resources *project.Resources
	of        Description
	levels    []*properties.Space // the innermost last, as below
	samplers  map[string][]*properties.Space
	state     []*properties.Space
}

// remark notes a sentence about the material.
func (d *definition) remark(format string, args ...any) {
	d.resources.Notef("material %s: "+format, append([]any{d.of.Space.ID}, args...)...)
}

// add adds an inner level.
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

// level returns the innermost level.
func (d *definition) level() *properties.Space { return d.levels[len(d.levels)-1] }

// below returns the definitions with another level: each namespace of that kind in the innermost.
func (d *definition) below(kind string) (all []*definition) {
	for _, s := range d.level().Spaces() {
		if s.Name != kind {
			continue
		}
		inner := &definition{resources: d.resources, of: d.of, levels: slices.Clone(d.levels),
			samplers: make(map[string][]*properties.Space), state: slices.Clone(d.state)}
		for name, levels := range d.samplers {
			inner.samplers[name] = slices.Clone(levels)
		}
		inner.add(s)
		all = append(all, inner)
	}
	return all
}

// What a definition has to show.
const (
	noColor = iota
	colored
	textured
)

// colors returns what a definition has to show. A shader for depth has nothing.
func (d *definition) colors() int {
	switch _, vertices := d.defines()["VERTEX_COLOR"]; {
	case strings.HasPrefix(d.shader(), "depth"):
		return noColor
	case innermost(d.samplers["u_diffuseTexture"], "path") != "":
		return textured
	case vertices, d.numbers("u_diffuseColor") != nil:
		return colored
	}
	return noColor
}

// shader returns the name of the vertex shader, which tells what it computes.
func (d *definition) shader() string { return strings.ToLower(path.Base(d.get("vertexShader"))) }

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
func (d *definition) numbers(name string) []float32 { return properties.Numbers(d.get(name)) }

// defines returns the values of the defines by their names.
func (d *definition) defines() map[string]string {
	all := make(map[string]string)
	for _, one := range strings.Split(d.get("defines"), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(one), " ")
		all[name] = strings.TrimSpace(value)
	}
	return all
}
