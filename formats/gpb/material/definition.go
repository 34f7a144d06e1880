package material

import (
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/properties"
)

// definition is the levels of a material: the material, its technique, its pass. Uniforms, samplers and render states
// may be of any level; a shader and its defines are of the innermost, as only a pass has a program.
type definition struct {
	resources *Resources
	id        string              // of the material
	levels    []*properties.Space // the innermost last
	text      Text
	samplers  samplers
	programs  map[string]defines // those that were read, by their texts
}

// samplers are, for each level, the last sampler of each name that names a file. Thousands of techniques may be below
// thousands of samplers.
type samplers map[*properties.Space]map[string]*properties.Space

// of returns the samplers of a level.
func (all samplers) of(level *properties.Space) map[string]*properties.Space {
	named, ok := all[level]
	if !ok {
		named = make(map[string]*properties.Space)
		for _, s := range level.Spaces() {
			if s.Name == "sampler" && s.Get("path") != "" {
				named[s.ID] = s
			}
		}
		all[level] = named
	}
	return named
}

// newDefinition returns the definition of a material by its own level.
func newDefinition(r *Resources, space *properties.Space, text Text) *definition {
	return &definition{resources: r, id: space.ID, levels: []*properties.Space{space}, text: text,
		samplers: make(samplers), programs: make(map[string]defines)}
}

// remark notes a sentence about the material.
func (d *definition) remark(format string, args ...any) {
	d.resources.Notef("material %s: "+format, append([]any{d.id}, args...)...)
}

// level returns the innermost level.
func (d *definition) level() *properties.Space { return d.levels[len(d.levels)-1] }

// below returns the definitions with another level: each namespace of that kind in the innermost.
func (d *definition) below(kind string) (all []*definition) {
	for _, s := range d.level().Spaces() {
		if s.Name == kind {
			inner := *d
			inner.levels = append(slices.Clip(d.levels), s)
			all = append(all, &inner)
		}
	}
	return all
}

// shader returns the name of the vertex shader, which tells what it computes.
func (d *definition) shader() string {
	return strings.ToLower(path.Base(d.level().Get("vertexShader")))
}

// uniform returns the value of a uniform in the innermost level that has it; empty if none has it.
func (d *definition) uniform(name string) string {
	for _, s := range slices.Backward(d.levels) {
		if v := s.Last(name); v != "" {
			return v
		}
	}
	return ""
}

// numbers returns the numbers of a uniform; nil if it is not set, or is a word that the program gives a meaning.
func (d *definition) numbers(name string) []float32 { return properties.Numbers(d.uniform(name)) }

// defines are the values of the defines of a program by their names.
type defines map[string]string

func (all defines) has(name string) bool {
	_, ok := all[name]
	return ok
}

// defines returns the defines of the innermost level. Many levels may have the same long text of them, by a variable.
func (d *definition) defines() defines {
	text := d.level().Get("defines")
	all := d.programs[text]
	if all == nil {
		all = make(defines)
		for one := range strings.SplitSeq(text, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(one), " ")
			all[name] = strings.TrimSpace(value)
		}
		d.programs[text] = all
	}
	return all
}
