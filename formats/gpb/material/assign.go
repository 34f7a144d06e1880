package material

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// textExtension is the extension of texts of materials.
const textExtension = ".material"

// maxMaterials is the maximum number of materials of one scene.
const maxMaterials = 10_000

// Assigner decides which material each part of the meshes of a scene gets. In this order:
//
//   - the assignment of the user;
//   - the material of the part in an entry of a .scene (AssignFromEntry), or in NAME.material under the name that the
//     bundle has for the part (AssignFromBundle), whichever came last;
//   - the material of the whole model in an entry of a .scene (AssignFromEntry);
//   - for a node without a material, a guess from the names (ApplyWithGuesses).
//
// Apply sets the result on the nodes.
type Assigner struct {
	Scene *scene.Scene

	resources        *Resources
	user             userAssignments
	withoutUser      nodeMaterials // by files and guesses
	fromUser         nodeMaterials
	cache            map[cacheKey]*scene.Material
	pictures         map[model.Material]*scene.Material
	missingLibraries map[*scene.Node]string // names without extension, by the nodes with materials in them
}

// cacheKey identifies a description and its chosen technique, which is empty for the default one.
type cacheKey struct {
	namespace *properties.Namespace
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

// NewAssigner returns an assigner of materials to a scene, which reads the resources of the scene. It sets the
// scene's Materials, from which the user can choose.
func NewAssigner(out *scene.Scene, resources *Resources) *Assigner {
	out.Materials = Choices(resources.Project)
	assignments, err := resources.Assignments()
	if err != nil {
		resources.Note(err.Error())
	}
	return &Assigner{Scene: out, resources: resources, user: newUserAssignments(assignments),
		withoutUser: make(nodeMaterials), fromUser: make(nodeMaterials), cache: make(map[cacheKey]*scene.Material),
		pictures: make(map[model.Material]*scene.Material), missingLibraries: make(map[*scene.Node]string)}
}

// AssignFromBundle assigns the materials of NAME.material that the bundle names for the parts of a node's model. bundle
// is the project around the bundle.
func (a *Assigner) AssignFromBundle(bundle *project.Project, n *scene.Node, names []string) {
	r := a.resources.ForProject(bundle)
	library := open(r, r.noteFailure(r.OwnFile(textExtension)))
	for i, name := range names {
		if name == "" || n.Mesh == nil || i >= len(n.Mesh.Parts) {
			continue
		}
		if library == nil {
			a.missingLibraries[n] = path.Base(r.Stem())
			return
		}
		if d, ok := library.material(name); ok {
			a.withoutUser.forNode(n).parts[i] = a.material(d)
		} else {
			r.Notef("%s has no material %s", library.Path, name)
		}
	}
}

// AssignFromEntry assigns the materials in an entry of a .scene to a node's model: material, and material[N] for a
// part; the entry may also contain the description of a material. Of several the last counts.
func (a *Assigner) AssignFromEntry(n *scene.Node, entry *properties.Space, file string) {
	if n.Mesh == nil {
		return
	}
	for _, inline := range entry.Spaces() {
		if inline.Name != materialKind {
			continue
		}
		if m := a.read(Description{Text: Text{Project: a.resources.Project, Path: file}, entry: inline}, ""); m != nil {
			m.Name = cmp.Or(m.Name, n.Name)
			a.withoutUser.forNode(n).wholeMesh = m
		}
	}
	for _, name := range entry.Names() {
		i, wholeMesh, ok := a.partOf(n, name)
		if !ok {
			continue
		}
		switch m := a.materialAt(entry.Last(name), path.Dir(file)); {
		case m == nil:
		case wholeMesh:
			a.withoutUser.forNode(n).wholeMesh = m
		default:
			a.withoutUser.forNode(n).parts[i] = m
		}
	}
}

// partOf returns the part for a property of an entry: material[N], or material for the whole model.
func (a *Assigner) partOf(n *scene.Node, property string) (part int, wholeMesh, ok bool) {
	if property == "material" {
		return 0, true, true
	}
	number, ok := strings.CutPrefix(property, "material[")
	if !ok {
		return 0, false, false
	}
	number, isClosed := strings.CutSuffix(number, "]")
	index, err := strconv.ParseUint(number, 10, 32)
	if !isClosed || err != nil || index >= uint64(len(n.Mesh.Parts)) {
		a.resources.Notef("%s is for a part that %s does not have", property, n.Name)
		return 0, false, false
	}
	return int(index), false, true
}

// Apply sets the materials of the nodes.
func (a *Assigner) Apply() {
	a.applyUser()
	a.setMaterials()
}

// MarkUndrawn marks the nodes without any material if others have some, as the engine does not draw them.
func (a *Assigner) MarkUndrawn() {
	if len(a.withoutUser) > 0 {
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
func (a *Assigner) ApplyWithGuesses() {
	a.applyUser()
	a.guess()
	a.setMaterials()
}

// setMaterials sets the materials of the nodes, and notes missing libraries of nodes without a material. A missing
// library is not a missing file, because a .scene, the user or, often, code may assign other materials.
func (a *Assigner) setMaterials() {
	a.withoutUser.set()
	a.fromUser.set()
	if len(a.missingLibraries) == 0 {
		return
	}
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		library, named := a.missingLibraries[n]
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

func (m nodeMaterials) set() {
	for n, assigned := range m {
		parts := make([]*scene.Material, len(n.Mesh.Parts))
		copy(parts, n.Materials)
		for i := range parts {
			if chosen := cmp.Or(assigned.parts[i], assigned.wholeMesh); chosen != nil {
				parts[i] = chosen
			}
		}
		n.Materials = parts
	}
}

// open reads a text of materials, or returns nil, with a note, if it cannot be read; also for an empty path.
func open(r *Resources, inRoot string) *Text {
	if inRoot == "" {
		return nil
	}
	file := r.Load(inRoot)
	if file == nil {
		return nil
	}
	return &Text{r.Project, inRoot, file}
}

// materialAt returns the material of a reference in a text: file#id, or file for the first one of the file.
func (a *Assigner) materialAt(value, folder string) *scene.Material {
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
func (a *Assigner) material(d Description) *scene.Material {
	if m := a.replacement(d); m != nil {
		return m
	}
	return a.read(d, "")
}

// read makes the material that a text describes, once, with a technique; an empty name means the default one.
func (a *Assigner) read(d Description, technique string) *scene.Material {
	key := cacheKey{d.Namespace, d.entry, technique}
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
	a.resources.NoteAbsentTextures(m)
	return m
}

// guess assigns materials to the nodes without any: in many projects only code assigns them. In this order:
//
//   - the material with the name of the node, in the library of the bundle or in a .material of this name, else the
//     only material of that file;
//   - the same for the mesh;
//   - the material of the library with the bundle's name for the part's material;
//   - if no file assigns a material to any node, the only one of the library.
//
// The library is NAME.material, else the only .material of the project, unless it belongs to another bundle. Names must
// match exactly. Guesses are noted.
func (a *Assigner) guess() {
	g := &guesser{Assigner: a, filesAssign: len(a.withoutUser) > 0,
		nodeNames: make(map[*scene.Material][]string), byName: make(map[string]*scene.Material),
		onlyByText: make(map[string]*scene.Material)}
	g.library = open(a.resources, g.libraryPath())
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil && !a.resources.Canceled() && a.withoutUser[n] == nil &&
			(a.fromUser[n] == nil || a.fromUser[n].wholeMesh == nil) {
			g.guessFor(n)
		}
	})
	g.noteGuesses()
}

type guesser struct {
	*Assigner
	filesAssign bool  // files assign materials
	library     *Text // may be nil
	materials   []*scene.Material
	nodeNames   map[*scene.Material][]string // that got it by a guess
	byName      map[string]*scene.Material   // by names of nodes and meshes; may hold nil
	onlyByText  map[string]*scene.Material   // of texts, by their paths, or nil
}

// libraryPath returns the path of the library, or "".
func (g *guesser) libraryPath() string {
	r := g.resources
	if library := r.Find(path.Base(r.Stem())+textExtension, "").Path; library != "" {
		return library
	}
	only := r.noteFailure(r.OnlyFile(textExtension))
	if only != "" && r.Find(strings.TrimSuffix(only, path.Ext(only))+".gpb", ".").Path != "" {
		return ""
	}
	return only
}

// guessFor assigns a guessed material to a node, if possible.
func (g *guesser) guessFor(n *scene.Node) {
	for _, name := range []string{n.Name, n.Mesh.Name} {
		if m := g.materialForName(name); m != nil {
			g.withoutUser.forNode(n).wholeMesh = m
			g.addGuess(m, n)
			return
		}
	}
	for i, m := range n.Materials {
		if m == nil || i >= len(n.Mesh.Parts) {
			continue
		}
		if m = g.materialIn(g.library, m.Name); m != nil {
			g.withoutUser.forNode(n).parts[i] = m
			g.addGuess(m, n)
		}
	}
	if g.withoutUser[n] != nil || g.filesAssign {
		return
	}
	if m := g.onlyMaterialOf(g.library); m != nil {
		g.withoutUser.forNode(n).wholeMesh = m
		g.addGuess(m, n)
	}
}

// materialForName is findForName, once for each name: thousands of nodes may share one.
func (g *guesser) materialForName(name string) *scene.Material {
	m, ok := g.byName[name]
	if !ok {
		m = g.findForName(name)
		g.byName[name] = m
	}
	return m
}

// findForName returns the named material of the library, or of the file with that name, else the only material of that
// file, or nil.
func (g *guesser) findForName(name string) *scene.Material {
	if name == "" {
		return nil
	}
	if m := g.materialIn(g.library, name); m != nil {
		return m
	}
	r := g.resources
	inRoot := r.Find(name+textExtension, "").Path
	if inRoot == "" || g.library != nil && inRoot == g.library.Path {
		return nil
	}
	text := open(r, inRoot)
	if m := g.materialIn(text, name); m != nil {
		return m
	}
	return g.onlyMaterialOf(text)
}

func (g *guesser) materialIn(text *Text, name string) *scene.Material {
	if d, ok := text.material(name); ok && name != "" {
		return g.material(d)
	}
	return nil
}

// onlyMaterialOf returns the material of a text that has only one, not counting its parents, or nil. It searches a text
// once: that may have thousands of materials, and the scene thousands of nodes.
func (g *guesser) onlyMaterialOf(text *Text) *scene.Material {
	if text == nil {
		return nil
	}
	m, ok := g.onlyByText[text.Path]
	if !ok {
		m = g.onlyLeaf(text)
		g.onlyByText[text.Path] = m
	}
	return m
}

// onlyLeaf is onlyMaterialOf without the cache.
func (g *guesser) onlyLeaf(text *Text) *scene.Material {
	inherited := make(map[string]bool)
	for _, n := range text.File.Children {
		inherited[n.ParentID] = true
	}
	var leaves []Description
	for _, n := range text.File.Children {
		if d, ok := text.description(n); ok && !inherited[n.ID] {
			leaves = append(leaves, d)
		}
	}
	if len(leaves) != 1 {
		return nil
	}
	return g.material(leaves[0])
}

// addGuess records that a material is a guess for a node.
func (g *guesser) addGuess(m *scene.Material, n *scene.Node) {
	if g.nodeNames[m] == nil {
		g.materials = append(g.materials, m)
	}
	if names := g.nodeNames[m]; !slices.Contains(names[max(0, len(names)-1):], n.Name) {
		g.nodeNames[m] = append(names, n.Name)
	}
}

// noteGuesses notes the guesses, one sentence for each material.
func (g *guesser) noteGuesses() {
	const named = 3
	for _, m := range g.materials {
		nodes, others := g.nodeNames[m], ""
		if len(nodes) > named {
			others = fmt.Sprintf(" and %d more", len(nodes)-named)
			nodes = nodes[:named]
		}
		g.resources.Notef(model.Guessed+"material from %s (%s, for %s)", path.Base(m.Origin.File), m.Name,
			strings.Join(nodes, ", ")+others)
	}
}
