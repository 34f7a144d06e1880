package compose

import (
	"strings"

	"assay/model/scene"
)

// nodeIndex finds the nodes of a scene that grows, and whose nodes get other names, by their names.
type nodeIndex struct {
	scene   *scene.Scene
	byName  map[string][]*scene.Node // with nodes that were renamed since it was last asked; nil until it is needed
	mixed   map[string]bool          // the names whose nodes may be in another order than in the scene
	visited int                      // nodes that were looked at, or added
}

// find returns the first node with an id below another one, or of the whole scene if that is nil; if the id ends in a
// *, all nodes whose ids begin with what is before it.
func (x *nodeIndex) find(parent *scene.Node, id string) []*scene.Node {
	if parent != nil {
		return x.findAmong(parent.Children, id)
	}
	if strings.HasSuffix(id, "*") {
		return x.findAmong(x.scene.Roots, id)
	}
	if x.byName == nil {
		x.byName, x.mixed = make(map[string][]*scene.Node), make(map[string]bool)
		x.index(x.scene.Roots)
		clear(x.mixed)
	}
	named := x.byName[id]
	for len(named) > 0 && named[0].Name != id {
		named = named[1:]
	}
	if x.mixed[id] && len(named) > 1 {
		named = nil
		x.scene.Walk(func(n *scene.Node, _ scene.Matrix) {
			x.visited++
			if n.Name == id {
				named = append(named, n)
			}
		})
	}
	x.mixed[id] = false
	x.byName[id] = named
	return named[:min(len(named), 1)]
}

// findAmong is find among some nodes and those below them, which need not be in the scene.
func (x *nodeIndex) findAmong(nodes []*scene.Node, id string) (found []*scene.Node) {
	prefix, many := strings.CutSuffix(id, "*")
	(&scene.Scene{Roots: nodes}).Walk(func(n *scene.Node, _ scene.Matrix) {
		x.visited++
		if many && strings.HasPrefix(n.Name, prefix) || !many && n.Name == id && len(found) == 0 {
			found = append(found, n)
		}
	})
	return found
}

// index adds nodes, and those below them, to the index.
func (x *nodeIndex) index(nodes []*scene.Node) {
	(&scene.Scene{Roots: nodes}).Walk(func(n *scene.Node, _ scene.Matrix) {
		x.named(n)
	})
}

// named adds a node to the index.
func (x *nodeIndex) named(n *scene.Node) {
	x.byName[n.Name] = append(x.byName[n.Name], n)
	x.mixed[n.Name] = len(x.byName[n.Name]) > 1
}

// add puts a node below another one, or at the top of the scene if that is nil.
func (x *nodeIndex) add(parent, n *scene.Node) {
	if parent == nil {
		x.scene.Roots = append(x.scene.Roots, n)
	} else {
		parent.Children = append(parent.Children, n)
	}
	if x.byName != nil {
		x.index([]*scene.Node{n})
	}
}

// rename gives nodes that were found by an id, which may end in a *, another name, followed by what the * stands for.
func (x *nodeIndex) rename(nodes []*scene.Node, id, name string) {
	prefix, many := strings.CutSuffix(id, "*")
	for _, n := range nodes {
		rest := ""
		if many {
			rest = strings.TrimPrefix(n.Name, prefix)
		}
		n.Name = name + rest
		if x.byName != nil {
			x.named(n)
		}
	}
}
