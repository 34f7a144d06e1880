package material

import (
	"path/filepath"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// hand is what a person assigned to the parts of the models of a project.
type hand struct {
	named     map[[2]string][]model.Assignment  // by the name of the node and that of the mesh
	instead   map[model.Material]model.Material // of a material, without technique
	models    map[*scene.Node]*partMaterials
	elsewhere map[string]*project.Project // by the folder of the file that was named
}

// newHand sorts assignments.
func newHand(all []model.Assignment) hand {
	h := hand{named: make(map[[2]string][]model.Assignment), instead: make(map[model.Material]model.Material),
		models: make(map[*scene.Node]*partMaterials), elsewhere: make(map[string]*project.Project)}
	for _, a := range all {
		if a.To.Has != (model.Material{}) {
			h.instead[model.Material{File: a.To.Has.File, ID: a.To.Has.ID}] = a.Wears
			continue
		}
		key := [2]string{a.To.Node, a.To.Mesh}
		h.named[key] = append(h.named[key], a)
	}
	return h
}

// ByHand assigns what a person chose, which wins over all that files say: for a part before that for all parts of a
// mesh, and for nodes of a name before that for any node.
func (a *Assignment) ByHand() {
	if len(a.hand.named) == 0 {
		return
	}
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		of := &partMaterials{parts: make(map[int]*scene.Material)}
		for _, key := range [][2]string{{"", n.Mesh.Name}, {n.Name, ""}, {n.Name, n.Mesh.Name}} {
			for _, one := range a.hand.named[key] {
				if one.To.File != "" && one.To.File != n.Mesh.File || key == [2]string{} {
					continue
				}
				switch m := a.chosen(one.Wears); {
				case m == nil:
				case one.To.Part == model.AllParts:
					of.whole = m
				default:
					of.parts[one.To.Part] = m
				}
			}
		}
		if of.whole != nil || len(of.parts) > 0 {
			a.hand.models[n] = of
		}
	})
}

// chosen returns the material that a person chose; nil if it is not there.
func (a *Assignment) chosen(ref model.Material) *scene.Material {
	if to, ok := a.hand.instead[ref]; ok && to.File == ref.File && to.ID == ref.ID {
		ref = to // the technique that was chosen of it
	}
	if m := a.pictures[ref]; m != nil {
		return m
	}
	p, full := a.resources.Project, ref.File
	if filepath.IsAbs(ref.File) {
		if p, full = a.elsewhere(ref.File); p == nil {
			a.resources.Absent("%s, which was assigned by hand, cannot be read", project.Printable(ref.File))
			return nil
		}
	}
	r := a.resources.Of(p)
	if full = r.Locate(full, "."); full == "" {
		return nil
	}
	if ref.ID == "" && project.PictureType(full) != "" {
		m := a.pictured(p.Texture(full, "."), ref)
		a.resources.AbsentTextures(m)
		a.pictures[ref] = m
		return m
	}
	file := r.Load(full)
	if file == nil {
		return nil
	}
	n := file.Find(ref.ID)
	if n == nil || n.Name != kind {
		r.Missing("%s has no material %s, which was assigned by hand", project.Printable(full), project.Printable(ref.ID))
		return nil
	}
	return a.read(p, file, n, full, ref.Technique)
}

// elsewhere returns the project around a file on disk, and the path of the file in it.
func (a *Assignment) elsewhere(file string) (*project.Project, string) {
	folder := filepath.Dir(file)
	p := a.hand.elsewhere[folder]
	if p == nil {
		if p, _ = a.resources.Elsewhere(file); p == nil {
			return nil, ""
		}
		a.hand.elsewhere[folder] = p
	}
	inside, err := filepath.Rel(p.Root(), file)
	if err != nil {
		return nil, ""
	}
	return p, filepath.ToSlash(inside)
}

// pictured returns a material that is a picture and no more. What its alpha covers less than half is not drawn.
func (a *Assignment) pictured(t *scene.Texture, ref model.Material) *scene.Material {
	return &scene.Material{Name: ref.Name(), Origin: ref, Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1},
		Ambient: a.Scene.Ambient, Alpha: scene.AlphaDiscard, Cutoff: .5,
		Texture: &scene.Sampler{Name: "u_diffuseTexture", Texture: t, Mipmap: scene.LinearMipmap,
			Repeat: [2]float32{1, 1}}}
}

// instead returns the material that a person wants to be seen in the place of one of a file; nil if it is that one.
func (a *Assignment) instead(p *project.Project, n *properties.Namespace, full string) *scene.Material {
	if ref, ok := a.hand.instead[a.origin(p, n, full)]; ok {
		return a.chosen(ref)
	}
	return nil
}

// origin returns where a material is described, as an assignment names it.
func (a *Assignment) origin(p *project.Project, n *properties.Namespace, full string) model.Material {
	if p.Root() != a.resources.Root() {
		full = filepath.Join(p.Root(), filepath.FromSlash(full))
	}
	return model.Material{File: full, ID: n.ID}
}
