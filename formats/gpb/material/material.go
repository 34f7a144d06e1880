// Package material makes materials for a renderer from .material files, and assigns them to the parts of meshes. Read
// makes a material (material.go, shading.go), and an Assigner decides which part gets it (assign.go, and user.go for
// the choices of users).
//
// The technique is the user's, else the first; the pass is the first. If that draws no color, as for a depth pass, the
// first with a texture is used, else with a color. Properties of the preview and of GLB:
//
//	vertexShader, defines     the engine's own shaders, by name; see generation for lights
//	u_diffuseColor            for shaders without a texture, in 2011 also with one; not with VERTEX_COLOR
//	u_ambientColor            the scene's for SCENE_AMBIENT_COLOR, and for a lit surface without one
//	u_lightColor, u_…LightColor[0] to [3]
//	                          their sum is the color of the preview's light
//	u_specularExponent        with SPECULAR or a shader of that name
//	u_modulateColor, …Alpha   with MODULATE_COLOR, MODULATE_ALPHA; in the first shaders u_globalAlpha, GLOBAL_ALPHA
//	u_textureRepeat, …Offset  with TEXTURE_REPEAT, TEXTURE_OFFSET
//	u_diffuseTexture, u_normalmapTexture, u_normalMap…, u_lightmapTexture
//	                          the last ones only with BUMPED or LIGHTMAP in the engine's textured…
//	blend, blendSrc, blendDst see blends; others are approximated
//	cullFace, cullFaceSide, frontFace
//	                          in GLB only the back can be culled
//	depthTest, depthFunc      depthTest is ignored for opaque surfaces; NEVER, ALWAYS, LESS and LEQUAL are supported
//	path, wrapS, wrapT, minFilter, magFilter, mipmap
//
// Other samplers and uniforms, depthWrite, wrapR and the stencil states are ignored. Approximations have a remark, and
// so has an enabled stencil test.
package material

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// Read makes the material of a description, with the properties that it inherits, as drawn by a technique; an empty
// name means the default one. Deviations from the engine are noted in the resources. ambient is the scene's color, for
// materials that ask for it and lit ones without one.
//
// Uniforms and samplers of the pass override the technique's, which override the material's. Render states follow the
// same order, with the exception described at renderStates.
func Read(r *Resources, from Description, technique string, ambient [3]float32) *scene.Material {
	space := from.space(r)
	d := &definition{resources: r, id: space.ID, levels: []*properties.Space{space}, text: from.Text,
		samplers: make(samplers), programs: make(map[string]defines)}
	m := &scene.Material{Name: space.ID, Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1}}
	if techniques := d.techniques(); len(techniques) > 0 {
		for _, t := range techniques {
			m.Techniques = append(m.Techniques, t.name)
		}
		m.Technique = d.techniqueNumber(techniques, technique)
		d = techniques[m.Technique].pass
	}
	d.setShading(m, ambient)
	d.setTextures(m)
	d.setStates(m)
	if m.Texture != nil && m.Texture.Texture.Path == "" || m.Texture == nil && d.numbers("u_diffuseColor") == nil {
		m.Shading = scene.Lit // without a texture and a color only light makes its form visible
	}
	if space.Exhausted() {
		d.remark("too many inherited namespaces; the rest is ignored")
	}
	return m
}

// technique is a technique of a material, with the definition of the pass that is drawn.
type technique struct {
	name   string
	passes int
	pass   *definition
}

// techniques returns the techniques of a material. One without an id gets its number as its name, with a # if that is
// the id of another.
func (d *definition) techniques() (techniques []technique) {
	inside := d.innerLevels("technique")
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
		if passes := inner.innerLevels("pass"); len(passes) > 0 {
			t.passes, t.pass = len(passes), passes[mostColorful(passes)]
		}
		techniques = append(techniques, t)
	}
	return techniques
}

// techniqueNumber returns the number of the technique of a name, or of the default one: the first technique if it draws
// a color, else the first with a texture, else the first with a color.
func (d *definition) techniqueNumber(techniques []technique, name string) int {
	number := slices.IndexFunc(techniques, func(t technique) bool { return t.name == name })
	if number < 0 {
		if name != "" {
			d.remark("the chosen technique %s does not exist", name)
		}
		passes := make([]*definition, len(techniques))
		for i, t := range techniques {
			passes[i] = t.pass
		}
		number = mostColorful(passes)
	}
	if number > 0 && name == "" {
		d.resources.Notef(model.Guessed+"technique %s of material %s, as %s shows no color", techniques[number].name, d.id,
			techniques[0].name)
	}
	if n := techniques[number].passes; n > 1 {
		d.remark("only one of the %d passes of its technique is drawn", n)
	}
	return number
}

// mostColorful returns the number of the first definition if it draws a color; else of the first that has a texture, or
// a color.
func mostColorful(definitions []*definition) int {
	if definitions[0].colors() > noColor {
		return 0
	}
	best := 0
	for i, d := range definitions {
		if d.colors() > definitions[best].colors() {
			best = i
		}
	}
	return best
}

// The contents of a definition, the best last.
const (
	noColor = iota
	colored
	textured
)

// colors returns the content of a definition. A shader for depth has no color.
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

// definition holds the levels of a material: the material, its technique, its pass. Uniforms, samplers and render
// states may be on any level; a shader and its defines are on the innermost, as only a pass has a program.
type definition struct {
	resources *Resources
	id        string              // of the material
	levels    []*properties.Space // the innermost last
	text      Text
	samplers  samplers
	programs  map[string]defines // parsed defines, by their texts
}

// samplers holds, for each level, the last sampler of each name that has a file. There may be thousands of techniques
// below thousands of samplers.
type samplers map[*properties.Space]map[string]*properties.Space

// inLevel returns the samplers of a level.
func (s samplers) inLevel(level *properties.Space) map[string]*properties.Space {
	byID, ok := s[level]
	if !ok {
		byID = make(map[string]*properties.Space)
		for _, space := range level.Spaces() {
			if space.Name == "sampler" && space.Get("path") != "" {
				byID[space.ID] = space
			}
		}
		s[level] = byID
	}
	return byID
}

// remark adds a note about the material.
func (d *definition) remark(format string, args ...any) {
	d.resources.Notef("material %s: "+format, append([]any{d.id}, args...)...)
}

func (d *definition) level() *properties.Space { return d.levels[len(d.levels)-1] }

// innerLevels returns the definitions with one more level: each namespace of a kind in the innermost.
func (d *definition) innerLevels(kind string) (definitions []*definition) {
	for _, s := range d.level().Spaces() {
		if s.Name == kind {
			inner := *d
			inner.levels = append(slices.Clip(d.levels), s)
			definitions = append(definitions, &inner)
		}
	}
	return definitions
}

// shader returns the name of the vertex shader, which implies the computation.
func (d *definition) shader() string {
	return strings.ToLower(path.Base(d.level().Get("vertexShader")))
}

// uniform returns the value of a uniform in the innermost level that has it, or "".
func (d *definition) uniform(name string) string {
	for _, s := range slices.Backward(d.levels) {
		if v := s.Last(name); v != "" {
			return v
		}
	}
	return ""
}

// numbers returns the numbers of a uniform, or nil if it is not set, or is a word that the program interprets.
func (d *definition) numbers(name string) []float32 { return properties.Numbers(d.uniform(name)) }

// defines maps the names of a program's defines to their values.
type defines map[string]string

func (d defines) has(name string) bool {
	_, ok := d[name]
	return ok
}

// defines returns the defines of the innermost level. They are cached, because many levels may share the same long text
// by a variable.
func (d *definition) defines() defines {
	text := d.level().Get("defines")
	parsed := d.programs[text]
	if parsed == nil {
		parsed = make(defines)
		for define := range strings.SplitSeq(text, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(define), " ")
			parsed[name] = strings.TrimSpace(value)
		}
		d.programs[text] = parsed
	}
	return parsed
}

// maxMissing is the maximum number of messages about missing files of a scene.
const maxMissing = 100

// Resources reads the files that a scene needs from a project, and notes missing files in the scene.
type Resources struct {
	*project.Project
	notes *notes
}

// notes collects the messages of a scene, and holds its remaining budget.
type notes struct {
	ctx     context.Context
	scene   *scene.Scene
	added   map[string]bool
	dropped int // dropped messages
	budget  properties.Budget

	countsLights map[string]bool // by the paths of texts, see Resources.countsLights
}

// NewResources returns the resources of a scene, which stops reading when the context ends. It reads nothing if the
// project is nil.
func NewResources(ctx context.Context, p *project.Project, out *scene.Scene) *Resources {
	return &Resources{p, &notes{ctx: ctx, scene: out, added: make(map[string]bool),
		countsLights: make(map[string]bool)}}
}

// Canceled reports whether the context has ended, so that the scene is no longer needed.
func (r *Resources) Canceled() bool { return r.notes.ctx.Err() != nil }

// Space returns a namespace of a text merged with its parents, within the budget of the scene.
func (r *Resources) Space(text, n *properties.Namespace) *properties.Space {
	return text.SpaceWithin(n, &r.notes.budget)
}

// ForProject returns the resources of the same scene for another file.
func (r *Resources) ForProject(p *project.Project) *Resources { return &Resources{p, r.notes} }

// Notef adds a message to the scene, as Note does. String arguments are names of files or names in files; each is made
// printable and fits on one line.
func (r *Resources) Notef(format string, args ...any) { r.Note(sentence(format, args)) }

// sentence formats a message with printable names.
func sentence(format string, args []any) string {
	for i, arg := range args {
		if name, ok := arg.(string); ok {
			args[i] = project.Printable(name)
		}
	}
	return fmt.Sprintf(format, args...)
}

// Note adds a message to the scene, once: a missing file or an unsupported feature.
func (r *Resources) Note(sentence string) { r.note(sentence) }

// noteFailure returns inRoot. If the search for the file failed, it notes the error.
func (r *Resources) noteFailure(inRoot string, err error) string {
	if err != nil {
		r.NoteUnreadable(err)
	}
	return inRoot
}

// NoteUnreadable notes that the files around the bundle could not be searched.
func (r *Resources) NoteUnreadable(err error) {
	r.Note("the folder of the project cannot be read: " + err.Error())
}

// note is Note, and reports whether the message is new and was stored.
func (r *Resources) note(sentence string) bool {
	n := r.notes
	switch {
	case n.added[sentence]:
		return false
	case len(n.scene.Missing) >= maxMissing:
		n.dropped++
		return false
	}
	n.added[sentence] = true
	n.scene.Missing = append(n.scene.Missing, sentence)
	return true
}

// noteAbsent notes that a file of the scene was not found at its path: problem if it was not found at all, else
// substitution, if another file is used. Nothing is noted if both are empty.
func (r *Resources) noteAbsent(problem, substitution string) {
	sentence := cmp.Or(problem, substitution)
	if sentence == "" {
		return
	}
	if r.note(sentence) && problem != "" {
		r.notes.scene.Absent = append(r.notes.scene.Absent, problem)
	}
	r.notes.scene.Incomplete = true
}

// NoteAbsentTextures notes the pictures of a material that were not found at their path.
func (r *Resources) NoteAbsentTextures(m *scene.Material) {
	for _, s := range m.Samplers() {
		r.noteAbsent(s.Texture.Missing, s.Texture.Substitution)
	}
}

// Close adds a note with the number of dropped messages. It is called last.
func (r *Resources) Close() {
	if n := r.notes; n.dropped > 0 {
		n.scene.Missing = append(n.scene.Missing, fmt.Sprintf("and %d more messages", n.dropped))
	}
}

// Load reads a text of the project by its path from the root, or returns nil, with a note.
func (r *Resources) Load(inRoot string) *properties.Namespace {
	file, err := r.Text(inRoot)
	if err != nil {
		r.Note(err.Error())
	}
	return file
}

// Locate returns the path of a file that a text in a folder names, or "".
func (r *Resources) Locate(name, folder string) string {
	found := r.Find(name, folder)
	r.noteAbsent(found.Problem, found.Substitution)
	return found.Path
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
	Text      Text
	Namespace *properties.Namespace // of the text; nil of a material that an entry of a .scene describes
	entry     *properties.Space     // in the entry, else nil
}

// space returns the description merged with its parents.
func (d Description) space(r *Resources) *properties.Space {
	if d.entry != nil {
		return d.entry
	}
	return r.Space(d.Text.File, d.Namespace)
}

func (t Text) texture(name string) *scene.Texture { return t.Project.Texture(name, path.Dir(t.Path)) }

// material returns the description of the material of a reference, or the first if it is empty. ok is false if there is
// no such material; the text may be nil.
func (t *Text) material(reference string) (d Description, ok bool) {
	if t == nil {
		return d, false
	}
	return t.description(t.File.Find(reference))
}

// description returns the description of a namespace of the text; ok is false if that is not a material.
func (t *Text) description(n *properties.Namespace) (d Description, ok bool) {
	return Description{Text: *t, Namespace: n}, n != nil && n.Name == materialKind
}

// origin returns the location of the material with an id, as an assignment in a project with that root refers to it.
func (t Text) origin(root, id string) model.Material {
	inRoot := t.Path
	if ownRoot := t.Project.Root(); ownRoot != root {
		inRoot = filepath.Join(ownRoot, filepath.FromSlash(inRoot))
	}
	return model.Material{File: inRoot, ID: id}
}
