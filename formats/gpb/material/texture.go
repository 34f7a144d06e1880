package material

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// textures sets the samplers with supported names. The engine's own shaders for textures use all but the first only
// with a define.
func (d *definition) textures(m *scene.Material) {
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
	least := filter{scene.Linear, scene.NoMipmap}
	if from.Get("mipmap") == "true" {
		least = filters["NEAREST_MIPMAP_LINEAR"]
	}
	least = word(d, from, "minFilter", filters, least)
	s.Min, s.Mipmap = least.Filter, least.Mipmap
	s.Mag = word(d, from, "magFilter", filters, filter{}).Filter
	if set == 0 { // shaders repeat and offset the first coordinates only
		d.setCoordinates(s)
	}
	return s
}

// samplerSpace returns the innermost sampler of a name that has a file, or nil.
func (d *definition) samplerSpace(name string) *properties.Space {
	for _, level := range slices.Backward(d.levels) {
		if s := d.samplers.ofLevel(level)[name]; s != nil {
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
func word[T any](d *definition, from *properties.Space, name string, words map[string]T, usual T) T {
	set := from.Get(name)
	if v, ok := words[set]; ok {
		return v
	}
	if set != "" {
		d.remark("unknown value %s for %s of %s; the engine uses the default", set, name, from.ID)
	}
	return usual
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

// materialKind is the name of the namespaces that are materials.
const materialKind = "material"

// Text is a text that describes materials.
type Text struct {
	Project *project.Project      // of the text
	Path    string                // from the root of the project
	File    *properties.Namespace // nil of a material that an entry of a .scene describes
}

// Description is a material that a text describes.
type Description struct {
	Text  Text
	Space *properties.Namespace // of the text; nil of a material that an entry of a .scene describes
	entry *properties.Space     // in the entry, else nil
}

// space returns the description merged with its parents.
func (d Description) space(r *Resources) *properties.Space {
	if d.entry != nil {
		return d.entry
	}
	return r.Space(d.Text.File, d.Space)
}

func (t Text) texture(name string) *scene.Texture { return t.Project.Texture(name, path.Dir(t.Path)) }

// material returns the description of the material of a reference, or the first if it is empty. ok is false if there is
// no such material; the text may be nil.
func (t *Text) material(reference string) (d Description, ok bool) {
	if t == nil {
		return d, false
	}
	return t.describes(t.File.Find(reference))
}

// describes returns the description of a namespace of the text; ok is false if that is not a material.
func (t *Text) describes(n *properties.Namespace) (d Description, ok bool) {
	return Description{Text: *t, Space: n}, n != nil && n.Name == materialKind
}

// origin returns the location of the material with an id, as an assignment in a project with that root refers to it.
func (t Text) origin(root, id string) model.Material {
	full := t.Path
	if ownRoot := t.Project.Root(); ownRoot != root {
		full = filepath.Join(ownRoot, filepath.FromSlash(full))
	}
	return model.Material{File: full, ID: id}
}
