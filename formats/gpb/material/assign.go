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
	"assay/model/picture"
	"assay/model/scene"
)

// maxMaterials is the maximum number of materials of one scene.
const maxMaterials = 10_000

// Assignment decides which material each part of the meshes of a scene gets. In this order:
//
//   - the assignment of the user;
//   - the material of the part in an entry of a .scene (AssignFromEntry), or in NAME.material under the name that the
//     bundle has for the part (AssignFromBundle), whichever came last;
//   - the material of the whole model in an entry of a .scene (AssignFromEntry);
//   - for a node without a material, a guess from the names (ApplyWithGuesses).
//
// Apply sets the result on the nodes.
type Assignment struct {
	Scene *scene.Scene

	resources  *Resources
	picks      picks
	fromFiles  nodeMaterials // assigned by files, and guesses
	fromPerson nodeMaterials
	cache      map[madeKey]*scene.Material
	pictures   map[model.Material]*scene.Material
	noLibrary  map[*scene.Node]string // nodes whose materials are in a missing file, by the bundle
}

// madeKey identifies a description and its chosen technique, which is empty for the default one.
type madeKey struct {
	space     *properties.Namespace
	entry     *properties.Space
	technique string
}

// nodeMaterials holds the materials of models, by their nodes.
type nodeMaterials map[*scene.Node]*partMaterials

// partMaterials is the materials of one model: for a part, or for all other parts.
type partMaterials struct {
	wholeMesh *scene.Material
	parts     map[int]*scene.Material
}

// NewAssignment returns an assignment of materials to a scene, which reads the resources of the scene. It sets the
// scene's Materials, the choices of the user.
func NewAssignment(out *scene.Scene, resources *Resources) *Assignment {
	out.Materials = Choices(resources.Project)
	assignments, err := resources.Assignments()
	if err != nil {
		resources.Note(err.Error())
	}
	return &Assignment{Scene: out, resources: resources, picks: newPicks(assignments), fromFiles: make(nodeMaterials),
		fromPerson: make(nodeMaterials), cache: make(map[madeKey]*scene.Material),
		pictures: make(map[model.Material]*scene.Material), noLibrary: make(map[*scene.Node]string)}
}

// AssignFromBundle assigns the materials of NAME.material that the bundle names for the parts of a node's model. bundle
// is the project around the bundle.
func (a *Assignment) AssignFromBundle(bundle *project.Project, n *scene.Node, names []string) {
	r := a.resources.ForProject(bundle)
	library := open(r, r.noteFailure(r.OwnFile(".material")))
	for i, name := range names {
		if name == "" || n.Mesh == nil || i >= len(n.Mesh.Parts) {
			continue
		}
		if library == nil {
			a.noLibrary[n] = path.Base(r.Stem())
			return
		}
		if d, ok := library.material(name); ok {
			a.fromFiles.forNode(n).parts[i] = a.material(d)
		} else {
			r.Notef("%s has no material %s", library.Path, name)
		}
	}
}

// AssignFromEntry assigns the materials in an entry of a .scene to a node's model: material, and material[N] for a
// part; the entry may also contain the description of a material. Of several the last counts.
func (a *Assignment) AssignFromEntry(n *scene.Node, entry *properties.Space, file string) {
	if n.Mesh == nil {
		return
	}
	for _, inline := range entry.Spaces() {
		if inline.Name != materialKind {
			continue
		}
		if m := a.read(Description{Text: Text{Project: a.resources.Project, Path: file}, entry: inline}, ""); m != nil {
			m.Name = cmp.Or(m.Name, n.Name)
			a.fromFiles.forNode(n).wholeMesh = m
		}
	}
	for _, name := range entry.Names() {
		i, complete, ok := a.partOf(n, name)
		if !ok {
			continue
		}
		switch m := a.materialAt(entry.Last(name), path.Dir(file)); {
		case m == nil:
		case complete:
			a.fromFiles.forNode(n).wholeMesh = m
		default:
			a.fromFiles.forNode(n).parts[i] = m
		}
	}
}

// partOf returns the part for a property of an entry: material[N], or material for the whole model.
func (a *Assignment) partOf(n *scene.Node, property string) (part int, complete, ok bool) {
	if property == "material" {
		return 0, true, true
	}
	number, ok := strings.CutPrefix(property, "material[")
	if !ok {
		return 0, false, false
	}
	number, closed := strings.CutSuffix(number, "]")
	index, err := strconv.ParseUint(number, 10, 32)
	if !closed || err != nil || index >= uint64(len(n.Mesh.Parts)) {
		a.resources.Notef("%s is for a part that %s does not have", property, n.Name)
		return 0, false, false
	}
	return int(index), false, true
}

// Apply sets the materials of the nodes.
func (a *Assignment) Apply() {
	a.assignPicks()
	a.put()
}

// MarkUndrawn marks the nodes without any material if others have some, as the engine does not draw them.
func (a *Assignment) MarkUndrawn() {
	if len(a.fromFiles) > 0 {
		a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
			n.Undrawn = n.Mesh != nil
			for part := 0; n.Undrawn && part < len(n.Mesh.Parts); part++ {
				m := n.Material(part)
				n.Undrawn = m == nil || m.Shading == scene.UnknownShading
			}
		})
	}
}

// ApplyWithGuesses is Apply, with guesses for the nodes without a material.
func (a *Assignment) ApplyWithGuesses() {
	a.assignPicks()
	a.guess()
	a.put()
}

// put sets the materials of the nodes, and notes missing libraries of nodes without a material. A missing library is
// not a missing file, because a .scene, the user or, often, code may assign other materials.
func (a *Assignment) put() {
	a.fromFiles.put()
	a.fromPerson.put()
	if len(a.noLibrary) == 0 {
		return
	}
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		library, named := a.noLibrary[n]
		if named && slices.ContainsFunc(n.Materials, func(m *scene.Material) bool {
			return m != nil && m.Origin == (model.Material{}) && m.Name != ""
		}) {
			a.resources.Notef("%scolors of materials (%s.material was not found beside the bundle)", model.Guessed, library)
		}
	})
}

// forNode returns the materials of a node's model.
func (m nodeMaterials) forNode(n *scene.Node) *partMaterials {
	parts := m[n]
	if parts == nil {
		parts = &partMaterials{parts: make(map[int]*scene.Material)}
		m[n] = parts
	}
	return parts
}

func (m nodeMaterials) put() {
	for n, of := range m {
		parts := make([]*scene.Material, len(n.Mesh.Parts))
		copy(parts, n.Materials)
		for i := range parts {
			if m := cmp.Or(of.parts[i], of.wholeMesh); m != nil {
				parts[i] = m
			}
		}
		n.Materials = parts
	}
}

// open reads a text of materials, or returns nil, with a note, if it cannot be read; also for an empty path.
func open(r *Resources, full string) *Text {
	if full == "" {
		return nil
	}
	file := r.Load(full)
	if file == nil {
		return nil
	}
	return &Text{r.Project, full, file}
}

// materialAt returns the material of a reference in a text: file#id, or file for the first one of the file.
func (a *Assignment) materialAt(value, folder string) *scene.Material {
	name, id := project.Reference(value)
	text := open(a.resources, a.resources.Locate(name, folder))
	if text == nil {
		return nil
	}
	d, ok := text.material(id)
	switch {
	case ok:
		return a.material(d)
	case id == "":
		a.resources.Notef("%s does not begin with a material", text.Path)
	default:
		a.resources.Notef("%s has no material %s", text.Path, id)
	}
	return nil
}

// material makes the material that a text describes, or the replacement that the user chose, once. It returns nil if
// there are too many, or the context has ended.
func (a *Assignment) material(d Description) *scene.Material {
	if m := a.replacement(d); m != nil {
		return m
	}
	return a.read(d, "")
}

// read makes the material that a text describes, once, with a technique; an empty name means the default one.
func (a *Assignment) read(d Description, technique string) *scene.Material {
	key := madeKey{d.Space, d.entry, technique}
	if m := a.cache[key]; m != nil {
		return m
	}
	if a.resources.Canceled() {
		return nil
	}
	if len(a.cache) >= maxMaterials {
		a.resources.Notef("more than %d materials; the rest is ignored", maxMaterials)
		return nil
	}
	m := Read(a.resources, d, technique, a.Scene.Ambient)
	m.Origin = d.Text.origin(a.resources.Root(), m.Name)
	a.cache[key] = m
	a.resources.AbsentTextures(m)
	return m
}

const textExtension = ".material"

// maxChoices is the maximum number of listed materials and pictures.
const maxChoices = 20_000

// choices lists the materials that can be assigned to parts of the models of a project.
type choices struct{ *project.Project }

// Choices returns the materials that the user can assign to parts of the models of a project, or nil if assignments
// cannot be stored.
func Choices(p *project.Project) model.Materials {
	if !p.KeepsAssignments() {
		return nil
	}
	return choices{p}
}

// List implements model.Materials: the materials of all texts, and then the pictures, within the limits of searching a
// project.
func (c choices) List(ctx context.Context) (materials []model.Material, err error) {
	texts, err := c.Files(func(name string) bool { return path.Ext(name) == textExtension })
	if err != nil {
		return nil, err
	}
	for _, full := range texts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if file, err := c.Text(full); err == nil {
			materials = append(materials, materialsOf(file, full)...)
		}
	}
	pictures, err := c.Files(func(name string) bool { return picture.MediaType(name) != "" })
	for _, full := range pictures {
		materials = append(materials, model.Material{File: full})
	}
	return materials[:min(len(materials), maxChoices)], err
}

// Free implements model.Materials.
func (c choices) Free(ctx context.Context, files []string) (free []model.Material, err error) {
	materials, err := c.List(ctx)
	bundles, bundlesErr := c.Files(func(name string) bool { return path.Ext(name) == ".gpb" })
	scenes, scenesErr := c.Files(func(name string) bool { return path.Ext(name) == ".scene" })
	if err = cmp.Or(err, bundlesErr, scenesErr); err != nil {
		return nil, err
	}
	named := make(map[model.Material]bool)
	for _, full := range scenes {
		text, err := c.Text(full)
		if err != nil || ctx.Err() != nil {
			continue
		}
		for n := range text.All() {
			for _, p := range n.Properties {
				if p.Name == "material" || strings.HasPrefix(p.Name, "material[") {
					name, id := project.Reference(p.Value)
					named[model.Material{File: c.Find(name, path.Dir(full)).Path, ID: id}] = true
				}
			}
		}
	}
	file, isParent := "", make(map[string]bool)
	for _, m := range materials {
		stem := strings.TrimSuffix(m.File, path.Ext(m.File)) + ".gpb"
		if m.File != file && m.ID != "" {
			file = m.File
			clear(isParent)
			if text, err := c.Text(file); err == nil {
				for _, n := range text.Spaces {
					isParent[n.Parent] = true
				}
			}
			if first := (model.Material{File: file}); named[first] {
				named[m] = true
			}
		}
		unused := !named[m] && !isParent[m.ID] && (slices.Contains(files, stem) || !slices.Contains(bundles, stem))
		if m.ID == "" || unused {
			free = append(free, m)
		}
	}
	return free, ctx.Err()
}

// In implements model.Materials.
func (c choices) In(_ context.Context, file string) ([]model.Material, error) {
	if full, ok := c.FromDisk(file); ok {
		file = full
	}
	if picture.MediaType(file) != "" {
		return []model.Material{{File: file}}, nil
	}
	if !strings.EqualFold(path.Ext(file), textExtension) {
		return nil, fmt.Errorf("%s is not a material file (%s) or a supported image",
			project.Printable(filepath.Base(file)), textExtension)
	}
	p, full := c.Project, file
	if filepath.IsAbs(file) {
		p = c.Unread(file)
		full = p.Path()
	}
	text, err := p.Text(full)
	if err != nil {
		return nil, err
	}
	materials := materialsOf(text, file)
	if len(materials) == 0 {
		return nil, fmt.Errorf("%s has no material", project.Printable(filepath.Base(file)))
	}
	return materials[:min(len(materials), maxChoices)], nil
}

// Extensions implements model.Materials.
func (c choices) Extensions() []string {
	return append([]string{textExtension}, picture.Extensions()...)
}

func materialsOf(text *properties.Namespace, file string) (materials []model.Material) {
	for _, n := range text.Spaces {
		if n.Name == materialKind && n.ID != "" {
			materials = append(materials, model.Material{File: file, ID: n.ID})
		}
	}
	return materials
}

// picks holds the user's assignments to the parts of the models of a project.
type picks struct {
	byName       map[[2]string][]model.Assignment  // by the names of the node and the mesh
	replacements map[model.Material]model.Material // by the replaced material, without its technique
}

func newPicks(assignments []model.Assignment) picks {
	p := picks{byName: make(map[[2]string][]model.Assignment), replacements: make(map[model.Material]model.Material)}
	for _, a := range assignments {
		if a.To.Has != (model.Material{}) {
			p.replacements[model.Material{File: a.To.Has.File, ID: a.To.Has.ID}] = a.Material
			continue
		}
		key := [2]string{a.To.Node, a.To.Mesh}
		p.byName[key] = append(p.byName[key], a)
	}
	return p
}

// assignPicks assigns the user's choices, which take precedence over all files: for a part before that for all parts of
// a mesh, and for nodes of a name before that for any node.
func (a *Assignment) assignPicks() {
	if len(a.picks.byName) == 0 {
		return
	}
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		for _, assigned := range a.picks.forNode(n) {
			m := a.chosenMaterial(assigned.Material)
			switch {
			case m == nil:
				continue
			case assigned.To.Part == model.AllParts:
				a.fromPerson.forNode(n).wholeMesh = m
			default:
				a.fromPerson.forNode(n).parts[assigned.To.Part] = m
			}
			if offset, _ := n.Mesh.Find(scene.TexCoord, 0); offset < 0 && m.Texture != nil {
				a.resources.Notef("the assigned image %s is not drawn on %s, which has no texture coordinates",
					m.Name, n.Mesh.Name)
			}
		}
	})
}

// forNode returns the assignments to parts of a node's mesh; of several for a part the last counts.
func (p picks) forNode(n *scene.Node) (assignments []model.Assignment) {
	for _, key := range [][2]string{{"", n.Mesh.Name}, {n.Name, ""}, {n.Name, n.Mesh.Name}} {
		for _, assigned := range p.byName[key] {
			if key != [2]string{} && (assigned.To.File == "" || assigned.To.File == n.Mesh.File) {
				assignments = append(assignments, assigned)
			}
		}
	}
	return assignments
}

// replacement returns the material that the user chose to replace one of a text, or nil.
func (a *Assignment) replacement(d Description) *scene.Material {
	if ref, ok := a.picks.replacements[d.Text.origin(a.resources.Root(), d.Space.ID)]; ok {
		return a.chosenMaterial(ref)
	}
	return nil
}

// chosenMaterial returns the material that the user chose, or nil if it does not exist.
func (a *Assignment) chosenMaterial(ref model.Material) *scene.Material {
	if to, ok := a.picks.replacements[ref]; ok && to.File == ref.File && to.ID == ref.ID {
		ref = to // the technique that the user chose
	}
	p, full := a.resources.Project, ref.File
	if filepath.IsAbs(ref.File) {
		p = p.ForOutside(ref.File)
		full = p.Path()
	}
	r := a.resources.ForProject(p)
	full = r.Locate(full, ".")
	if full != "" && ref.ID == "" && picture.MediaType(full) != "" {
		return a.pictureMaterial(p.Texture(full, "."), ref)
	}
	text := open(r, full)
	if text == nil {
		return nil
	}
	d, ok := text.material(ref.ID)
	if !ok {
		r.Notef("the assigned material %[2]s does not exist in %[1]s", full, ref.ID)
		return nil
	}
	return a.read(d, ref.Technique)
}

// pictureMaterial returns a material that consists of a picture only, which is cached. Pixels with an alpha below one
// half are not drawn.
func (a *Assignment) pictureMaterial(t *scene.Texture, ref model.Material) *scene.Material {
	m := a.pictures[ref]
	if m == nil {
		m = &scene.Material{Name: ref.Name(), Origin: ref, Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1},
			Ambient: a.Scene.Ambient, Alpha: scene.AlphaDiscard, Cutoff: .5,
			Texture: &scene.Sampler{Name: "u_diffuseTexture", Texture: t, Mipmap: scene.LinearMipmap,
				Repeat: [2]float32{1, 1}}}
		a.pictures[ref] = m
		a.resources.AbsentTextures(m)
	}
	return m
}
