package gpb

import (
	"context"
	"math"
	"path"
	"sync"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// The meshes and spheres that materials are looked at on.
const (
	swatchesMost = 36 // of a whole file
	swatchStep   = 2.4
)

// swatches shows the materials of a text: each on the first mesh of the project that has it, else on a sphere.
type swatches struct {
	project *project.Project
	file    *properties.Namespace

	mu     sync.Mutex
	looked bool // at the project, for wearers
	worn   map[string]*wearer
	of     int64        // the offset of the member that made is of
	made   *scene.Scene // what was shown last
}

// wearer is a part of a mesh that has a material.
type wearer struct {
	mesh *scene.Mesh
	part *scene.Part
	at   scene.Matrix
}

// view returns the materials of a node. Those of a node are the same scene each time it is selected again, or a node
// that means the same.
func (s *swatches) view(ctx context.Context, n *model.Node) (model.View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := int64(-1)
	if top := topMember(n); top != nil {
		at = top.Offset
	}
	if s.made == nil || at != s.of {
		made := s.show(ctx, n)
		if made == nil || ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.of, s.made = at, made
	}
	return s.made, nil
}

// show returns the material that a node is or is a part of, else all, in rows; nil if it has none.
func (s *swatches) show(ctx context.Context, n *model.Node) *scene.Scene {
	var all []*properties.Namespace
	top := topMember(n)
	for _, m := range s.file.Spaces {
		if m.Name != "material" || len(all) == swatchesMost {
			continue
		}
		if top != nil && top.Contains(m.Offset) {
			all = []*properties.Namespace{m}
			break
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil
	}
	if !s.looked {
		worn := s.wearers(ctx)
		if ctx.Err() != nil {
			return nil
		}
		s.looked, s.worn = true, worn
	}
	out := &scene.Scene{Name: all[0].ID}
	d := newDresser(s.project, out)
	out.Ambient = [3]float32{.2, .2, .2}
	columns := int(math.Ceil(math.Sqrt(float64(len(all)))))
	for i, n := range all {
		m := d.material(s.file, n, s.project.Path())
		swatch := s.swatch(m)
		swatch.Transform[12] = swatchStep * float32(i%columns)
		swatch.Transform[13] = -swatchStep * float32(i/columns)
		out.Roots = append(out.Roots, swatch)
	}
	return out
}

// swatch returns a node of about the size of a sphere of radius 1 that has a material.
func (s *swatches) swatch(m *scene.Material) *scene.Node {
	top := &scene.Node{Name: m.Name, Transform: scene.Identity}
	if w := s.worn[m.Name]; w != nil {
		if fit, ok := w.fit(); ok {
			mesh := *w.mesh
			mesh.Parts = []*scene.Part{w.part}
			top.Children = []*scene.Node{{Name: mesh.Name, Transform: fit, Mesh: &mesh,
				Materials: []*scene.Material{m}}}
			return top
		}
	}
	down := m.Texture != nil && m.Texture.Texture != nil && m.Texture.Texture.Down
	top.Mesh, top.Materials = scene.Sphere(down), []*scene.Material{m}
	return top
}

// fit returns what moves the part into the ball of radius 1 around the origin, as it stands in its scene.
func (w *wearer) fit() (scene.Matrix, bool) {
	low, high, ok := w.mesh.Bounds([]*scene.Part{w.part}, w.at)
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
	return fit.Times(w.at), true
}

// wearers finds the parts of meshes that have the materials of the text: in the scenes that are described beside it,
// and in the bundle of its name.
func (s *swatches) wearers(ctx context.Context) map[string]*wearer {
	worn := make(map[string]*wearer)
	scenes := s.project.Beside(".scene")
	for _, full := range scenes[:min(len(scenes), scenesMost)] {
		if file, err := s.project.Text(full); err == nil && ctx.Err() == nil {
			s.wear(worn, compositionOf(ctx, s.project.For(full), file, path.Base(full)))
		}
	}
	bundle := s.project.Find(path.Base(s.project.Stem())+".gpb", path.Dir(s.project.Path()))
	if full := bundle.Path; full != "" && ctx.Err() == nil {
		c := composer{dresser: newDresser(s.project, &scene.Scene{}), ctx: ctx}
		if f, err := c.read(full); err == nil {
			plain, named := f.firstPlain()
			s.wear(worn, f.dress(plain, named))
		}
	}
	return worn
}

// wear adds what has the materials in a scene.
func (s *swatches) wear(worn map[string]*wearer, d *dresser) {
	if d == nil {
		return
	}
	d.out.Walk(func(n *scene.Node, world scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		if n.Skin != nil {
			world = scene.Identity // its joints place it
		}
		for i, part := range n.Mesh.Parts {
			from, ok := d.from[n.Material(i)]
			if ok && from.file == s.project.Path() && worn[from.id] == nil {
				worn[from.id] = &wearer{n.Mesh, part, world}
			}
		}
	})
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
