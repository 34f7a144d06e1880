package material

import (
	"path"
	"strconv"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// materialsMost is how many materials are made for one scene.
const materialsMost = 10_000

// Assignment decides which material each part of the meshes of a scene gets. In this order:
//
//   - what an entry of a .scene gives to the part (ByEntry), or NAME.material under the name that the bundle has for
//     the part (ByModel), whichever came last;
//   - what an entry of a .scene gives to the whole model (ByEntry);
//   - for a node without a material, what names suggest (Guess).
//
// Apply puts the result on the nodes.
type Assignment struct {
	Scene *scene.Scene

	resources *project.Resources
	made      map[*properties.Namespace]*scene.Material
	origins   map[*scene.Material]Origin
	models    map[*scene.Node]*partMaterials
	order     []*scene.Node // of models
}

// Origin is where a material is described: the path of a text from the root of the project, and an id in it.
type Origin struct{ File, ID string }

// partMaterials is the materials of one model: for a part, or for all. What is given to a part wins, whichever came
// later.
type partMaterials struct {
	whole *scene.Material
	parts map[int]*scene.Material
}

// NewAssignment returns an assignment of materials to a scene, which reads the resources of the scene.
func NewAssignment(out *scene.Scene, resources *project.Resources) *Assignment {
	return &Assignment{Scene: out, resources: resources, made: make(map[*properties.Namespace]*scene.Material),
		origins: make(map[*scene.Material]Origin), models: make(map[*scene.Node]*partMaterials)}
}

// Origin returns where a material that the assignment made is described.
func (a *Assignment) Origin(m *scene.Material) (Origin, bool) {
	o, ok := a.origins[m]
	return o, ok
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

// ByEntry assigns what an entry of a .scene in a folder says of a node's model: material, and material[N] for a part.
func (a *Assignment) ByEntry(n *scene.Node, entry *properties.Space, folder string) {
	if n.Mesh == nil {
		return
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
		of := a.models[n]
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

// material makes the material of a namespace in a file, once; nil if the namespace is not one.
func (a *Assignment) material(p *project.Project, file, n *properties.Namespace, full string) *scene.Material {
	if n == nil || n.Name != kind {
		return nil
	}
	if m := a.made[n]; m != nil {
		return m
	}
	if len(a.made) >= materialsMost {
		a.resources.Missing("there are more than %d materials, and no more are read", materialsMost)
		return nil
	}
	m, remarks := Read(p, file, n, path.Dir(full), a.Scene.Ambient)
	for _, sentence := range remarks {
		a.resources.Missing("%s", sentence)
	}
	a.made[n] = m
	a.origins[m] = Origin{full, n.ID}
	a.resources.AbsentTextures(m)
	return m
}
