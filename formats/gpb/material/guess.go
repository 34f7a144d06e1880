package material

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// Guess assigns materials to the nodes that have none: in many projects only code says which. In this order:
//
//   - the material that is called like the node, in the library of the bundle or in a .material of this name;
//   - the same for the mesh;
//   - the material of the library that is called as the bundle calls that of the part;
//   - if no file assigns a material to any node, the only one of the library.
//
// The library is NAME.material, else the only .material of the project, unless it belongs to another bundle. Materials
// of like names are not taken. What was guessed is noted.
func (a *Assignment) Guess() {
	g := &guesser{Assignment: a, assigned: len(a.models) > 0, nodes: make(map[*scene.Material][]string)}
	g.library = g.read(g.libraryPath())
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil && a.models[n] == nil && (a.hand.models[n] == nil || a.hand.models[n].whole == nil) {
			g.guess(n)
		}
	})
	g.note()
}

// guesser guesses materials by names.
type guesser struct {
	*Assignment
	assigned bool // files assign materials
	library  *library
	order    []*scene.Material
	nodes    map[*scene.Material][]string // that got it by a guess
}

// library is a .material and where it is.
type library struct {
	file *properties.Namespace
	full string
}

// libraryPath returns the path of the library; empty if there is none.
func (g *guesser) libraryPath() string {
	r := g.resources
	if own := r.Find(path.Base(r.Stem())+".material", path.Dir(r.Path())).Path; own != "" {
		return own
	}
	only := r.Only(".material")
	if only != "" && r.Find(strings.TrimSuffix(only, path.Ext(only))+".gpb", ".").Path != "" {
		return ""
	}
	return only
}

// read reads a library; nil if there is none, or it cannot be read.
func (g *guesser) read(full string) *library {
	if full == "" {
		return nil
	}
	file := g.resources.Load(full)
	if file == nil {
		return nil
	}
	return &library{file, full}
}

// guess assigns a material to a node, if there is one for it.
func (g *guesser) guess(n *scene.Node) {
	for _, name := range []string{n.Name, n.Mesh.Name} {
		if m := g.named(name); m != nil {
			g.of(n).whole = m
			g.guessed(m, n)
			return
		}
	}
	if g.library == nil {
		return
	}
	for i, m := range n.Materials {
		if m == nil || i >= len(n.Mesh.Parts) {
			continue
		}
		if m = g.from(g.library, m.Name); m != nil {
			g.of(n).parts[i] = m
			g.guessed(m, n)
		}
	}
	if g.models[n] != nil || g.assigned {
		return
	}
	if m := g.only(g.library); m != nil {
		g.of(n).whole = m
		g.guessed(m, n)
	}
}

// named returns the material of the library with a name, or that of the file with it; nil if there is neither.
func (g *guesser) named(name string) *scene.Material {
	if name == "" {
		return nil
	}
	if m := g.from(g.library, name); m != nil {
		return m
	}
	r := g.resources
	full := r.Find(name+".material", path.Dir(r.Path()))
	if full.Path == "" || g.library != nil && full.Path == g.library.full {
		return nil
	}
	l := g.read(full.Path)
	if m := g.from(l, name); m != nil {
		return m
	}
	return g.only(l)
}

// from returns the material of a library with a name; nil if it has none.
func (g *guesser) from(l *library, name string) *scene.Material {
	if l == nil || name == "" {
		return nil
	}
	return g.material(g.resources.Project, l.file, l.file.Find(name), l.full)
}

// only returns the material of a library that has one, beside those that it inherits from; else nil.
func (g *guesser) only(l *library) *scene.Material {
	if l == nil {
		return nil
	}
	inherited := make(map[string]bool)
	for _, n := range l.file.Spaces {
		inherited[n.Parent] = true
	}
	var leaf *properties.Namespace
	for _, n := range l.file.Spaces {
		switch {
		case n.Name != kind || inherited[n.ID]:
		case leaf != nil:
			return nil
		default:
			leaf = n
		}
	}
	return g.material(g.resources.Project, l.file, leaf, l.full)
}

// guessed keeps that a material is a guess for a node.
func (g *guesser) guessed(m *scene.Material, n *scene.Node) {
	if g.nodes[m] == nil {
		g.order = append(g.order, m)
	}
	if all := g.nodes[m]; !slices.Contains(all[max(0, len(all)-1):], n.Name) {
		g.nodes[m] = append(all, n.Name)
	}
}

// note notes the guesses, one sentence for each material.
func (g *guesser) note() {
	const named = 3
	for _, m := range g.order {
		nodes, more := g.nodes[m], ""
		if len(nodes) > named {
			more = fmt.Sprintf(" and %d more", len(nodes)-named)
			nodes = nodes[:named]
		}
		g.resources.Missing(model.Guessed+"%s of %s for %s", project.Printable(m.Name), project.Printable(path.Base(m.Origin.File)),
			project.Printable(strings.Join(nodes, ", "))+more)
	}
}
