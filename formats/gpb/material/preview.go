package material

import (
	"context"
	"iter"
	"math"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// The limits of a preview of a whole file.
const (
	maxPreviews = 36
	previewStep = 2.4
)

// Preview draws the materials of a text: each on the first part of a mesh of the project that has it, else on a sphere.
// It is safe for use by several goroutines.
type Preview struct {
	text Text
	uses func(context.Context) (map[model.Material]*use, error) // of materials, by their origins
}

type use struct {
	mesh  *scene.Mesh
	part  *scene.Part
	world scene.Matrix
}

// NewPreview returns the preview of the materials of a text, which is the project's file. scenes returns the composed
// scenes around the text, which are searched for parts with the materials.
func NewPreview(p *project.Project, file *properties.Namespace,
	scenes func(context.Context) iter.Seq[*Assigner]) *Preview {
	text := Text{p, p.Path(), file}
	return &Preview{text, project.Cached(func(ctx context.Context) (map[model.Material]*use, error) {
		return usesIn(scenes(ctx)), nil
	})}
}

// Scene returns a scene of the material at a member of the text's document, or of all materials, in rows, if the member
// is not a material. It returns nil if there are no materials. The error is from ctx.
func (p *Preview) Scene(ctx context.Context, member *model.Node) (*scene.Scene, error) {
	descriptions := p.descriptions(member)
	if len(descriptions) == 0 {
		return nil, nil
	}
	uses, err := p.uses(ctx)
	if err != nil {
		return nil, err
	}
	out := &scene.Scene{Name: descriptions[0].Namespace.ID, Ambient: [3]float32{.2, .2, .2}}
	r := NewResources(ctx, p.text.Project, out)
	a := NewAssigner(out, r)
	for _, d := range descriptions {
		if m := a.material(d); m != nil {
			out.Roots = append(out.Roots, previewNode(m, uses[m.Origin]))
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.Close()
	scene.ArrangeInRows(out.Roots, previewStep)
	return out, nil
}

// descriptions returns the material at a member of the text, or the first materials if the member is not a material.
func (p *Preview) descriptions(member *model.Node) (descriptions []Description) {
	for _, n := range p.text.File.Children {
		d, ok := p.text.description(n)
		switch {
		case !ok:
		case member != nil && member.Contains(n.Offset):
			return []Description{d}
		case len(descriptions) < maxPreviews:
			descriptions = append(descriptions, d)
		}
	}
	return descriptions
}

// previewNode returns a node with a material, of about the size of a sphere of radius 1: a part that uses it, if u is
// not nil.
func previewNode(m *scene.Material, u *use) *scene.Node {
	top := &scene.Node{Name: m.Name, Transform: scene.Identity}
	if u != nil {
		if fit, ok := u.fit(); ok {
			mesh := *u.mesh
			mesh.Parts = []*scene.Part{u.part}
			top.Children = []*scene.Node{{Name: mesh.Name, Transform: fit, Mesh: &mesh,
				Materials: []*scene.Material{m}}}
			return top
		}
	}
	down := m.Texture != nil && m.Texture.Texture != nil && m.Texture.Texture.Down
	top.Mesh, top.Materials = scene.SphereMesh(scene.VDirection(down)), []*scene.Material{m}
	return top
}

// fit returns the transform that moves the part from its position in the scene into the sphere of radius 1 around the
// origin.
func (u *use) fit() (scene.Matrix, bool) {
	low, high, ok := u.mesh.Bounds([]*scene.Part{u.part}, u.world)
	var radius float64
	for i := range 3 {
		radius += math.Pow(float64(high[i]-low[i])/2, 2)
	}
	radius = math.Sqrt(radius)
	if !ok || !(radius > 1e-12) || math.IsInf(radius, 0) {
		return scene.Identity, false
	}
	size := float32(1 / radius)
	fit := scene.Identity
	for i := range 3 {
		fit[5*i], fit[12+i] = size, -(low[i]+high[i])/2*size
	}
	return fit.Times(u.world), true
}

// usesIn finds the first part with each material in some scenes, by their origins: the user may have replaced materials
// of the text.
func usesIn(scenes iter.Seq[*Assigner]) map[model.Material]*use {
	uses := make(map[model.Material]*use)
	for a := range scenes {
		a.Scene.Walk(func(n *scene.Node, world scene.Matrix) {
			if n.Mesh == nil {
				return
			}
			if n.Skin != nil {
				world = scene.Identity // its joints determine its position
			}
			for i, part := range n.Mesh.Parts {
				m := n.Material(i)
				if m != nil && uses[m.Origin] == nil {
					uses[m.Origin] = &use{n.Mesh, part, world}
				}
			}
		})
	}
	return uses
}
