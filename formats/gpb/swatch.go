package gpb

import (
	"math"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// The spheres that materials are looked at on.
const (
	swatchesMost = 36 // of a whole file
	swatchStep   = 2.4
)

// swatches returns the materials of a text on spheres: the one that a node is or is a part of, else all, in rows; nil
// if it has none.
func swatches(p *project.Project, file *properties.Namespace, n *model.Node) *scene.Scene {
	var all []*properties.Namespace
	top := topMember(n)
	for _, s := range file.Spaces {
		if s.Name != "material" || len(all) == swatchesMost {
			continue
		}
		if top != nil && top.Contains(s.Offset) {
			all = []*properties.Namespace{s}
			break
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil
	}
	out := &scene.Scene{Name: all[0].ID}
	d := newDresser(p, out)
	out.Ambient = [3]float32{.2, .2, .2}
	columns := int(math.Ceil(math.Sqrt(float64(len(all)))))
	for i, s := range all {
		m := d.material(file, s, p.Path())
		down := m.Texture != nil && m.Texture.Texture != nil && m.Texture.Texture.Down
		sphere := &scene.Node{Name: m.Name, Transform: scene.Identity, Mesh: scene.Sphere(down),
			Materials: []*scene.Material{m}}
		sphere.Transform[12] = swatchStep * float32(i%columns)
		sphere.Transform[13] = -swatchStep * float32(i/columns)
		out.Roots = append(out.Roots, sphere)
	}
	return out
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
