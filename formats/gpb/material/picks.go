package material

import (
	"path/filepath"

	"assay/formats/gpb/project"
	"assay/model"
	"assay/model/scene"
)

// picks is what a person assigned to the parts of the models of a project.
type picks struct {
	byName       map[[2]string][]model.Assignment  // by the name of the node and that of the mesh
	replacements map[model.Material]model.Material // by what they replace, without its technique
}

// newPicks sorts assignments.
func newPicks(all []model.Assignment) picks {
	p := picks{byName: make(map[[2]string][]model.Assignment), replacements: make(map[model.Material]model.Material)}
	for _, a := range all {
		if a.To.Has != (model.Material{}) {
			p.replacements[model.Material{File: a.To.Has.File, ID: a.To.Has.ID}] = a.Wears
			continue
		}
		key := [2]string{a.To.Node, a.To.Mesh}
		p.byName[key] = append(p.byName[key], a)
	}
	return p
}

// assignPicks assigns what a person chose, which wins over all that files say: for a part before that for all parts of
// a mesh, and for nodes of a name before that for any node.
func (a *Assignment) assignPicks() {
	if len(a.picks.byName) == 0 {
		return
	}
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		for _, one := range a.picks.forNode(n) {
			m := a.picked(one.Wears)
			switch {
			case m == nil:
				continue
			case one.To.Part == model.AllParts:
				a.fromPerson.forNode(n).whole = m
			default:
				a.fromPerson.forNode(n).parts[one.To.Part] = m
			}
			if at, _ := n.Mesh.Find(scene.TexCoord, 0); at < 0 && m.Texture != nil {
				a.resources.Notef("the assigned texture of %[2]s is not drawn on %[1]s, which has no texture coordinates"+
					"is not drawn on it", n.Mesh.Name, m.Name)
			}
		}
	})
}

// forNode returns the assignments to parts of a node's mesh; of several for a part the last counts.
func (p picks) forNode(n *scene.Node) (all []model.Assignment) {
	for _, key := range [][2]string{{"", n.Mesh.Name}, {n.Name, ""}, {n.Name, n.Mesh.Name}} {
		for _, one := range p.byName[key] {
			if key != [2]string{} && (one.To.File == "" || one.To.File == n.Mesh.File) {
				all = append(all, one)
			}
		}
	}
	return all
}

// replacement returns the material that a person chose in the place of one of a text; nil if it is that one.
func (a *Assignment) replacement(d Description) *scene.Material {
	if ref, ok := a.picks.replacements[d.Text.origin(a.resources.Root(), d.Space.ID)]; ok {
		return a.picked(ref)
	}
	return nil
}

// picked returns the material that a person chose; nil if it is not there.
func (a *Assignment) picked(ref model.Material) *scene.Material {
	if to, ok := a.picks.replacements[ref]; ok && to.File == ref.File && to.ID == ref.ID {
		ref = to // the technique that was chosen of it
	}
	p, full := a.resources.Project, ref.File
	if filepath.IsAbs(ref.File) {
		p = p.Elsewhere(ref.File)
		full = p.Path()
	}
	r := a.resources.Of(p)
	full = r.Locate(full, ".")
	if full != "" && ref.ID == "" && project.PictureType(full) != "" {
		return a.pictured(p.Texture(full, "."), ref)
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

// pictured returns a material that is a picture and no more, once. What its alpha covers less than half is not drawn.
func (a *Assignment) pictured(t *scene.Texture, ref model.Material) *scene.Material {
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
