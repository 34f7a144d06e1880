package material

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// materialsMost is how many materials are made for one scene.
const materialsMost = 10_000

// Assignment decides which material each part of the meshes of a scene gets. In this order:
//
//   - what a person assigned (ByHand);
//   - what an entry of a .scene gives to the part (ByEntry), or NAME.material under the name that the bundle has for
//     the part (ByModel), whichever came last;
//   - what an entry of a .scene gives to the whole model (ByEntry);
//   - for a node without a material, what names suggest (Guess).
//
// Apply puts the result on the nodes.
type Assignment struct {
	Scene *scene.Scene

	resources *project.Resources
	made      map[madeKey]*scene.Material
	pictures  map[model.Material]*scene.Material
	models    map[*scene.Node]*partMaterials
	order     []*scene.Node // of models
	hand      hand
}

// madeKey is a namespace, and the technique that was chosen of it; empty for the usual one.
type madeKey struct {
	space     *properties.Namespace
	technique string
}

// partMaterials is the materials of one model: for a part, or for all. What is given to a part wins, whichever came
// later.
type partMaterials struct {
	whole *scene.Material
	parts map[int]*scene.Material
}

// NewAssignment returns an assignment of materials to a scene, which reads the resources of the scene.
func NewAssignment(out *scene.Scene, resources *project.Resources) *Assignment {
	chosen, err := resources.Assigned()
	if err != nil {
		resources.Missing("%s", err)
	}
	return &Assignment{Scene: out, resources: resources, made: make(map[madeKey]*scene.Material),
		pictures: make(map[model.Material]*scene.Material), models: make(map[*scene.Node]*partMaterials),
		hand: newHand(chosen)}
}

// ByModel assigns the materials of NAME.material that the bundle names for the parts of a node's model. bundle is what
// is around the bundle.
func (a *Assignment) ByModel(bundle *project.Project, n *scene.Node, names []string) {
	r := a.resources.Of(bundle)
	var library *properties.Namespace
	full := r.OwnFile(".material")
	if full != "" {
		library = r.Load(full)
	}
	for i, name := range names {
		if name == "" || n.Mesh == nil || i >= len(n.Mesh.Parts) {
			continue
		}
		if library == nil {
			r.Absent("there is no %s.material beside the bundle, which names materials",
				project.Printable(path.Base(r.Stem())))
			return
		}
		if m := a.material(r.Project, library, library.Find(name), full); m != nil {
			a.of(n).parts[i] = m
		} else {
			r.Missing("%s has no material %s", project.Printable(full), project.Printable(name))
		}
	}
}

// ByEntry assigns what an entry of the .scene at a path says of a node's model: material, and material[N] for a part;
// a material may also be described in the entry.
func (a *Assignment) ByEntry(n *scene.Node, entry *properties.Space, file string) {
	if n.Mesh == nil {
		return
	}
	folder := path.Dir(file)
	if inline, level := entry.Nearest(kind); inline != nil {
		if m := a.read(a.resources.Project, level, inline, file, ""); m != nil {
			m.Name = cmp.Or(m.Name, n.Name)
			a.of(n).whole = m
		}
	}
	for _, name := range entry.Names() {
		if name == "material" {
			if m := a.referred(entry.Get(name), folder); m != nil {
				a.of(n).whole = m
			}
			continue
		}
		number, ok := strings.CutPrefix(name, "material[")
		if !ok {
			continue
		}
		i, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
		if err != nil || i < 0 || i >= len(n.Mesh.Parts) {
			a.resources.Missing("%s is for a part that %s does not have", project.Printable(name),
				project.Printable(n.Name))
			continue
		}
		if m := a.referred(entry.Get(name), folder); m != nil {
			a.of(n).parts[i] = m
		}
	}
}

// Apply puts the materials on the nodes.
func (a *Assignment) Apply() {
	for _, n := range a.order {
		a.models[n].put(n)
	}
	for n, of := range a.hand.models {
		of.put(n)
	}
}

// put puts the materials of a model on its node.
func (of *partMaterials) put(n *scene.Node) {
	all := make([]*scene.Material, len(n.Mesh.Parts))
	copy(all, n.Materials)
	for i := range all {
		if m := of.parts[i]; m != nil {
			all[i] = m
		} else if of.whole != nil {
			all[i] = of.whole
		}
	}
	n.Materials = all
}

// of returns the materials of a node's model.
func (a *Assignment) of(n *scene.Node) *partMaterials {
	of := a.models[n]
	if of == nil {
		of = &partMaterials{parts: make(map[int]*scene.Material)}
		a.models[n] = of
		a.order = append(a.order, n)
	}
	return of
}

// referred returns the material that a reference in a text means: file#id, or file for the first one of the file.
func (a *Assignment) referred(value, folder string) *scene.Material {
	name, id := project.Reference(value)
	r := a.resources
	full := r.Locate(name, folder)
	if full == "" {
		return nil
	}
	file := r.Load(full)
	if file == nil {
		return nil
	}
	m := a.material(r.Project, file, file.Find(id), full)
	if m == nil {
		r.Missing("%s has no material %s", project.Printable(full), project.Printable(id))
	}
	return m
}

// material makes the material of a namespace in a file, once, or that which a person wants instead; nil if the
// namespace is not one.
func (a *Assignment) material(p *project.Project, file, n *properties.Namespace, full string) *scene.Material {
	if n == nil || n.Name != kind {
		return nil
	}
	if m := a.instead(p, n, full); m != nil {
		return m
	}
	return a.read(p, file, n, full, "")
}

// read makes the material of a namespace, once, with a technique; the usual one if its name is empty.
func (a *Assignment) read(p *project.Project, file, n *properties.Namespace, full, technique string) *scene.Material {
	key := madeKey{n, technique}
	if m := a.made[key]; m != nil {
		return m
	}
	if len(a.made) >= materialsMost {
		a.resources.Missing("there are more than %d materials, and no more are read", materialsMost)
		return nil
	}
	m, remarks := Read(p, file, n, technique, path.Dir(full), a.Scene.Ambient)
	for _, sentence := range remarks {
		a.resources.Missing("%s", sentence)
	}
	a.made[key] = m
	m.Origin = a.origin(p, n, full)
	a.resources.AbsentTextures(m)
	return m
}
