package material

import (
	"maps"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
)

// definition is the levels of a material: the material, its technique, its pass.
type definition struct {
	resources   *project.Resources
	of          Description
	levels      []*properties.Space          // the innermost last
	samplers    map[string]*properties.Space // the innermost of each id that names a file
	stateBlocks []*properties.Space          // the innermost last
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
			if below.Get("path") != "" {
				d.samplers[below.ID] = below
			}
		case "renderState":
			d.stateBlocks = append(d.stateBlocks, below)
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
		inner := &definition{d.resources, d.of, slices.Clone(d.levels), maps.Clone(d.samplers),
			slices.Clone(d.stateBlocks)}
		inner.add(s)
		all = append(all, inner)
	}
	return all
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
