package material

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/picture"
	"assay/model/scene"
)

// maxAssignable is the maximum number of listed materials and pictures.
const maxAssignable = 20_000

// assignable lists the materials that can be assigned to parts of the models of a project.
type assignable struct{ *project.Project }

// Choices returns the materials that the user can assign to parts of the models of a project, or nil if assignments
// cannot be stored.
func Choices(p *project.Project) model.Materials {
	if !p.KeepsAssignments() {
		return nil
	}
	return assignable{p}
}

// List implements model.Materials: the materials of all texts, and then the pictures, within the limits of searching a
// project.
func (a assignable) List(ctx context.Context) (materials []model.Material, err error) {
	texts, err := a.Files(func(name string) bool { return path.Ext(name) == textExtension })
	if err != nil {
		return nil, err
	}
	for _, inRoot := range texts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if file, err := a.Text(inRoot); err == nil {
			materials = append(materials, materialsOf(file, inRoot)...)
		}
	}
	pictures, err := a.Files(func(name string) bool { return picture.MediaType(name) != "" })
	for _, inRoot := range pictures {
		materials = append(materials, model.Material{File: inRoot})
	}
	return materials[:min(len(materials), maxAssignable)], err
}

// Unused implements model.Materials.
func (a assignable) Unused(ctx context.Context, files []string) (free []model.Material, err error) {
	materials, err := a.List(ctx)
	bundles, bundlesErr := a.Files(func(name string) bool { return path.Ext(name) == ".gpb" })
	scenes, scenesErr := a.Files(func(name string) bool { return path.Ext(name) == ".scene" })
	if err = cmp.Or(err, bundlesErr, scenesErr); err != nil {
		return nil, err
	}
	used := make(map[model.Material]bool)
	for _, inRoot := range scenes {
		text, err := a.Text(inRoot)
		if err != nil || ctx.Err() != nil {
			continue
		}
		for n := range text.All() {
			for _, p := range n.Properties {
				if p.Name == "material" || strings.HasPrefix(p.Name, "material[") {
					name, id := project.Reference(p.Value)
					used[model.Material{File: a.Find(name, path.Dir(inRoot)).Path, ID: id}] = true
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
			if text, err := a.Text(file); err == nil {
				for _, n := range text.Children {
					isParent[n.ParentID] = true
				}
			}
			if first := (model.Material{File: file}); used[first] {
				used[m] = true
			}
		}
		unused := !used[m] && !isParent[m.ID] && (slices.Contains(files, stem) || !slices.Contains(bundles, stem))
		if m.ID == "" || unused {
			free = append(free, m)
		}
	}
	return free, ctx.Err()
}

// ReadFile implements model.Materials.
func (a assignable) ReadFile(_ context.Context, file string) ([]model.Material, error) {
	if inRoot, ok := a.FromDisk(file); ok {
		file = inRoot
	}
	if picture.MediaType(file) != "" {
		return []model.Material{{File: file}}, nil
	}
	if !strings.EqualFold(path.Ext(file), textExtension) {
		return nil, fmt.Errorf("%s is not a material file (%s) or a supported image",
			project.Printable(filepath.Base(file)), textExtension)
	}
	p, inRoot := a.Project, file
	if filepath.IsAbs(file) {
		p = a.Uncached(file)
		inRoot = p.Path()
	}
	text, err := p.Text(inRoot)
	if err != nil {
		return nil, err
	}
	materials := materialsOf(text, file)
	if len(materials) == 0 {
		return nil, fmt.Errorf("%s has no material", project.Printable(filepath.Base(file)))
	}
	return materials[:min(len(materials), maxAssignable)], nil
}

// Extensions implements model.Materials.
func (a assignable) Extensions() []string {
	return append([]string{textExtension}, picture.Extensions()...)
}

func materialsOf(text *properties.Namespace, file string) (materials []model.Material) {
	for _, n := range text.Children {
		if n.Name == materialKind && n.ID != "" {
			materials = append(materials, model.Material{File: file, ID: n.ID})
		}
	}
	return materials
}

// userAssignments holds the user's assignments to the parts of the models of a project.
type userAssignments struct {
	byName       map[[2]string][]model.Assignment  // by the names of the node and the mesh
	replacements map[model.Material]model.Material // by the replaced material, without its technique
}

func newUserAssignments(assignments []model.Assignment) userAssignments {
	p := userAssignments{byName: make(map[[2]string][]model.Assignment),
		replacements: make(map[model.Material]model.Material)}
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

// applyUser assigns the user's choices, which take precedence over all files: for a part before that for all parts of a
// mesh, and for nodes of a name before that for any node.
func (a *Assigner) applyUser() {
	if len(a.user.byName) == 0 {
		return
	}
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		for _, assigned := range a.user.forNode(n) {
			m := a.chosenMaterial(assigned.Material)
			switch {
			case m == nil:
				continue
			case assigned.To.Part == model.AllParts:
				a.fromUser.forNode(n).wholeMesh = m
			default:
				a.fromUser.forNode(n).parts[assigned.To.Part] = m
			}
			if offset, _ := n.Mesh.Find(scene.TexCoord, 0); offset < 0 && m.Texture != nil {
				a.resources.Notef("the assigned image %s is not drawn on %s, which has no texture coordinates",
					m.Name, n.Mesh.Name)
			}
		}
	})
}

// forNode returns the assignments to parts of a node's mesh; of several for a part the last counts.
func (a userAssignments) forNode(n *scene.Node) (assignments []model.Assignment) {
	for _, key := range [][2]string{{"", n.Mesh.Name}, {n.Name, ""}, {n.Name, n.Mesh.Name}} {
		for _, assigned := range a.byName[key] {
			if key != [2]string{} && (assigned.To.File == "" || assigned.To.File == n.Mesh.File) {
				assignments = append(assignments, assigned)
			}
		}
	}
	return assignments
}

// replacement returns the material that the user chose to replace one of a text, or nil.
func (a *Assigner) replacement(d Description) *scene.Material {
	if ref, ok := a.user.replacements[d.Text.origin(a.resources.Root(), d.Namespace.ID)]; ok {
		return a.chosenMaterial(ref)
	}
	return nil
}

// chosenMaterial returns the material that the user chose, or nil if it does not exist.
func (a *Assigner) chosenMaterial(ref model.Material) *scene.Material {
	if to, ok := a.user.replacements[ref]; ok && to.File == ref.File && to.ID == ref.ID {
		ref = to // the technique that the user chose
	}
	p, inRoot := a.resources.Project, ref.File
	if filepath.IsAbs(ref.File) {
		p = p.ForOutside(ref.File)
		inRoot = p.Path()
	}
	r := a.resources.ForProject(p)
	inRoot = r.Locate(inRoot, ".")
	if inRoot != "" && ref.ID == "" && picture.MediaType(inRoot) != "" {
		return a.pictureMaterial(p.Texture(inRoot, "."), ref)
	}
	text := open(r, inRoot)
	if text == nil {
		return nil
	}
	d, ok := text.material(ref.ID)
	if !ok {
		r.Notef("the assigned material %[2]s does not exist in %[1]s", inRoot, ref.ID)
		return nil
	}
	return a.read(d, ref.Technique)
}

// pictureMaterial returns a material that consists of a picture only, which is cached. Pixels with an alpha below one
// half are not drawn.
func (a *Assigner) pictureMaterial(t *scene.Texture, ref model.Material) *scene.Material {
	m := a.pictures[ref]
	if m == nil {
		m = &scene.Material{Name: ref.Name(), Origin: ref, Shading: scene.Lit, Diffuse: [4]float32{1, 1, 1, 1},
			Ambient: a.Scene.Ambient, Alpha: scene.AlphaDiscard, Cutoff: .5,
			Texture: &scene.Sampler{Name: "u_diffuseTexture", Texture: t, Mipmap: scene.LinearMipmap,
				Repeat: [2]float32{1, 1}}}
		a.pictures[ref] = m
		a.resources.NoteAbsentTextures(m)
	}
	return m
}
