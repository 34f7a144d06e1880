package material

import (
	"context"
	"iter"
	"math"
	"sync"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// The meshes and spheres of a preview of a whole file.
const (
	previewsMost = 36
	previewStep  = 2.4
)

// Preview shows the materials of a text: each on the first part of a mesh of the project that has it, else on a sphere.
// It is safe for use by several goroutines.
type Preview struct {
	text   *Text
	scenes func(context.Context) iter.Seq[*Assignment]

	mu     sync.Mutex
	looked bool // at the project, for parts that use the materials
	usedBy map[string]*use
	offset int64        // of the member that last is of; -1 for the whole text
	last   *scene.Scene // what was shown last
}

// use is a part of a mesh that has a material, in its scene.
type use struct {
	mesh  *scene.Mesh
	part  *scene.Part
	world scene.Matrix
}

// NewPreview returns the preview of the materials of a text, which is the project's file. scenes returns what is
// composed around the text, to find parts that use them.
func NewPreview(p *project.Project, file *properties.Namespace,
	scenes func(context.Context) iter.Seq[*Assignment]) *Preview {
	return &Preview{text: &Text{p, p.Path(), file}, scenes: scenes}
}

// View returns the materials of a node of the text's document. Those of a node are the same scene each time it is
// selected again, or a node that means the same.
func (p *Preview) View(ctx context.Context, n *model.Node) (model.View, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	offset := int64(-1)
	if top := topMember(n); top != nil {
		offset = top.Offset
	}
	if p.last == nil || offset != p.offset {
		made := p.show(ctx, n)
		if made == nil || ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.offset, p.last = offset, made
	}
	return p.last, nil
}

// show returns the material that a node is or is a part of, else all, in rows; nil if it has none.
func (p *Preview) show(ctx context.Context, n *model.Node) *scene.Scene {
	var all []Description
	top := topMember(n)
	for _, m := range p.text.File.Spaces {
		d, ok := p.text.describes(m)
		if !ok || len(all) == previewsMost {
			continue
		}
		if top != nil && top.Contains(m.Offset) {
			all = []Description{d}
			break
		}
		all = append(all, d)
	}
	if len(all) == 0 {
		return nil
	}
	if !p.looked {
		uses := p.uses(ctx)
		if ctx.Err() != nil {
			return nil
		}
		p.looked, p.usedBy = true, uses
	}
	out := &scene.Scene{Name: all[0].Space.ID, Ambient: [3]float32{.2, .2, .2}}
	a := NewAssignment(out, project.NewResources(p.text.Project, out))
	columns := int(math.Ceil(math.Sqrt(float64(len(all)))))
	for i, d := range all {
		one := p.node(a.material(d))
		one.Transform[12] = previewStep * float32(i%columns)
		one.Transform[13] = -previewStep * float32(i/columns)
		out.Roots = append(out.Roots, one)
	}
	return out
}

// node returns a node that shows a material, of about the size of a sphere of radius 1.
func (p *Preview) node(m *scene.Material) *scene.Node {
	top := &scene.Node{Name: m.Name, Transform: scene.Identity}
	if u := p.usedBy[m.Name]; u != nil {
		if fit, ok := u.fit(); ok {
			mesh := *u.mesh
			mesh.Parts = []*scene.Part{u.part}
			top.Children = []*scene.Node{{Name: mesh.Name, Transform: fit, Mesh: &mesh,
				Materials: []*scene.Material{m}}}
			return top
		}
	}
	down := m.Texture != nil && m.Texture.Texture != nil && m.Texture.Texture.Down
	top.Mesh, top.Materials = scene.Sphere(down), []*scene.Material{m}
	return top
}

// fit returns the transform that moves the part from its place in the scene into the sphere of radius 1 around the
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

// uses finds the first part that has each of the materials of the text, by their ids.
func (p *Preview) uses(ctx context.Context) map[string]*use {
	all := make(map[string]*use)
	for a := range p.scenes(ctx) {
		a.Scene.Walk(func(n *scene.Node, world scene.Matrix) {
			if n.Mesh == nil {
				return
			}
			if n.Skin != nil {
				world = scene.Identity // its joints place it
			}
			for i, part := range n.Mesh.Parts {
				m := n.Material(i)
				if m != nil && m.Origin.File == p.text.Path && all[m.Origin.ID] == nil {
					all[m.Origin.ID] = &use{n.Mesh, part, world}
				}
			}
		})
	}
	return all
}

// topMember returns the member of the text that a node is or is a part of; nil for the text itself.
func topMember(n *model.Node) *model.Node {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		if list := n.Parent; list.Parent != nil && list.Parent.Parent == nil {
			return n
		}
	}
	return nil
}
