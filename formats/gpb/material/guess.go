package material

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
)

// guess assigns materials to the nodes without any: in many projects only code assigns them. In this order:
//
//   - the material with the name of the node, in the library of the bundle or in a .material of this name;
//   - the same for the mesh;
//   - the material of the library with the bundle's name for the part's material;
//   - if no file assigns a material to any node, the only one of the library.
//
// The library is NAME.material, else the only .material of the project, unless it belongs to another bundle. Names must
// match exactly. Guesses are noted.
func (a *Assignment) guess() {
	g := &guesser{Assignment: a, filesAssign: len(a.fromFiles) > 0,
		nodes: make(map[*scene.Material][]string), byName: make(map[string]*scene.Material),
		onlyMaterial: make(map[string]*scene.Material)}
	g.library = open(a.resources, g.libraryPath())
	a.Scene.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil && !a.resources.Canceled() && a.fromFiles[n] == nil &&
			(a.fromPerson[n] == nil || a.fromPerson[n].wholeMesh == nil) {
			g.guessFor(n)
		}
	})
	g.noteGuesses()
}

type guesser struct {
	*Assignment
	filesAssign  bool  // files assign materials
	library      *Text // may be nil
	order        []*scene.Material
	nodes        map[*scene.Material][]string // that got it by a guess
	byName       map[string]*scene.Material   // by names of nodes and meshes; may hold nil
	onlyMaterial map[string]*scene.Material   // of texts, by their paths, or nil
}

// libraryPath returns the path of the library, or "".
func (g *guesser) libraryPath() string {
	r := g.resources
	if library := r.Find(path.Base(r.Stem())+".material", "").Path; library != "" {
		return library
	}
	only := r.noteFailure(r.OnlyFile(".material"))
	if only != "" && r.Find(strings.TrimSuffix(only, path.Ext(only))+".gpb", ".").Path != "" {
		return ""
	}
	return only
}

// guessFor assigns a guessed material to a node, if possible.
func (g *guesser) guessFor(n *scene.Node) {
	for _, name := range []string{n.Name, n.Mesh.Name} {
		if m := g.forName(name); m != nil {
			g.fromFiles.forNode(n).wholeMesh = m
			g.addGuess(m, n)
			return
		}
	}
	for i, m := range n.Materials {
		if m == nil || i >= len(n.Mesh.Parts) {
			continue
		}
		if m = g.inText(g.library, m.Name); m != nil {
			g.fromFiles.forNode(n).parts[i] = m
			g.addGuess(m, n)
		}
	}
	if g.fromFiles[n] != nil || g.filesAssign {
		return
	}
	if m := g.onlyOf(g.library); m != nil {
		g.fromFiles.forNode(n).wholeMesh = m
		g.addGuess(m, n)
	}
}

// forName is inLibraryOrFile, once for each name: thousands of nodes may share one.
func (g *guesser) forName(name string) *scene.Material {
	m, ok := g.byName[name]
	if !ok {
		m = g.inLibraryOrFile(name)
		g.byName[name] = m
	}
	return m
}

// inLibraryOrFile returns the named material of the library, or of the file with that name, or nil.
func (g *guesser) inLibraryOrFile(name string) *scene.Material {
	if name == "" {
		return nil
	}
	if m := g.inText(g.library, name); m != nil {
		return m
	}
	r := g.resources
	full := r.Find(name+".material", "").Path
	if full == "" || g.library != nil && full == g.library.Path {
		return nil
	}
	text := open(r, full)
	if m := g.inText(text, name); m != nil {
		return m
	}
	return g.onlyOf(text)
}

func (g *guesser) inText(text *Text, name string) *scene.Material {
	if d, ok := text.material(name); ok && name != "" {
		return g.material(d)
	}
	return nil
}

// onlyOf returns the material of a text that has only one, not counting its parents, or nil. It searches a text once:
// that may have thousands of materials, and the scene thousands of nodes.
func (g *guesser) onlyOf(text *Text) *scene.Material {
	if text == nil {
		return nil
	}
	m, ok := g.onlyMaterial[text.Path]
	if !ok {
		m = g.onlyLeaf(text)
		g.onlyMaterial[text.Path] = m
	}
	return m
}

// onlyLeaf is onlyOf without the cache.
func (g *guesser) onlyLeaf(text *Text) *scene.Material {
	inherited := make(map[string]bool)
	for _, n := range text.File.Spaces {
		inherited[n.Parent] = true
	}
	var leaves []Description
	for _, n := range text.File.Spaces {
		if d, ok := text.describes(n); ok && !inherited[n.ID] {
			leaves = append(leaves, d)
		}
	}
	if len(leaves) != 1 {
		return nil
	}
	return g.material(leaves[0])
}

// addGuess records that a material is a guess for a node.
func (g *guesser) addGuess(m *scene.Material, n *scene.Node) {
	if g.nodes[m] == nil {
		g.order = append(g.order, m)
	}
	if names := g.nodes[m]; !slices.Contains(names[max(0, len(names)-1):], n.Name) {
		g.nodes[m] = append(names, n.Name)
	}
}

// noteGuesses notes the guesses, one sentence for each material.
func (g *guesser) noteGuesses() {
	const named = 3
	for _, m := range g.order {
		nodes, others := g.nodes[m], ""
		if len(nodes) > named {
			others = fmt.Sprintf(" and %d more", len(nodes)-named)
			nodes = nodes[:named]
		}
		g.resources.Notef(model.Guessed+"material from %s (%s, for %s)", path.Base(m.Origin.File), m.Name,
			strings.Join(nodes, ", ")+others)
	}
}
