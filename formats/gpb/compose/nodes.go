package compose

import (
	"strings"

	"assay/model/scene"
)

// address selects the nodes of an entry by an id, or all by a prefix of their ids.
type address struct {
	file string // another bundle than the main one
	id   string
	many bool
}

// parseAddress parses a url: file#id, or an id of the main bundle. A * at the end, but not by itself, matches any rest
// of an id. As in the engine (splitURL), a url with a dot names a file.
func parseAddress(url string) (a address) {
	a.id = url
	if len(url) > 1 {
		a.id, a.many = strings.CutSuffix(url, "*")
	}
	if !strings.Contains(a.id, ".") {
		return a
	}
	if i := strings.LastIndexByte(a.id, '#'); i >= 0 {
		a.file, a.id = a.id[:i], a.id[i+1:]
	} else {
		a.file, a.id = a.id, ""
	}
	return a
}

// String returns the id in the form of a url.
func (a address) String() string {
	switch {
	case a.many:
		return a.id + "*"
	case a.id == "":
		return "without an id"
	}
	return a.id
}

// nodeIndex finds nodes by name in a scene that changes: nodes are added and renamed. Of several with one name it
// returns the first in the order of search.
type nodeIndex struct {
	scene     *scene.Scene
	byName    map[string][]*scene.Node // includes renamed nodes; nil until needed
	unordered map[string]bool          // names with nodes that may not be in the order of search
	renamed   map[*scene.Node]string   // the original names of renamed nodes
	visited   int                      // number of visited or added nodes
}

// findAll returns the nodes of an address without a file, below parent or, if that is nil, in the whole scene.
func (x *nodeIndex) findAll(parent *scene.Node, a address) []*scene.Node {
	switch {
	case parent != nil:
		return x.searchBelow(parent, a)
	case a.many:
		return x.searchBelow(searchRoot(x.scene.Roots), a)
	}
	if n := x.find(a.id); n != nil {
		return []*scene.Node{n}
	}
	return nil
}

// searchBelow returns the nodes of an address below one, which need not be in the scene.
func (x *nodeIndex) searchBelow(top *scene.Node, a address) (found []*scene.Node) {
	for n := range search(top) {
		x.visited++
		switch {
		case a.many && strings.HasPrefix(n.Name, a.id):
			found = append(found, n)
		case !a.many && n.Name == a.id:
			return []*scene.Node{n}
		}
	}
	return found
}

// find returns the node of the scene with an id, or nil.
func (x *nodeIndex) find(id string) *scene.Node {
	if x.byName == nil {
		x.byName, x.unordered = make(map[string][]*scene.Node), make(map[string]bool)
		x.index(searchRoot(x.scene.Roots))
		clear(x.unordered)
	}
	named := x.byName[id]
	for len(named) > 0 && named[0].Name != id {
		named = named[1:]
	}
	if x.unordered[id] && len(named) > 1 {
		named = nil
		for n := range search(searchRoot(x.scene.Roots)) {
			if x.visited++; n.Name == id {
				named = append(named, n)
			}
		}
	}
	x.unordered[id] = false
	x.byName[id] = named
	if len(named) == 0 {
		return nil
	}
	return named[0]
}

// searchRoot returns a node with these children, for a search.
func searchRoot(nodes []*scene.Node) *scene.Node { return &scene.Node{Children: nodes} }

// index adds the nodes below one to the index.
func (x *nodeIndex) index(top *scene.Node) {
	for n := range search(top) {
		x.addName(n)
	}
}

func (x *nodeIndex) addName(n *scene.Node) {
	x.byName[n.Name] = append(x.byName[n.Name], n)
	x.unordered[n.Name] = len(x.byName[n.Name]) > 1
}

// add adds a node below another one, or at the top of the scene if that is nil.
func (x *nodeIndex) add(parent, n *scene.Node) {
	if parent == nil {
		x.scene.Roots = append(x.scene.Roots, n)
	} else {
		parent.Children = append(parent.Children, n)
	}
	if x.byName != nil {
		x.index(searchRoot([]*scene.Node{n}))
	}
}

// rename replaces a prefix of the ids of nodes by a name.
func (x *nodeIndex) rename(nodes []*scene.Node, prefix, name string) {
	if x.renamed == nil {
		x.renamed = make(map[*scene.Node]string)
	}
	for _, n := range nodes {
		if _, again := x.renamed[n]; !again {
			x.renamed[n] = n.Name
		}
		n.Name = name + strings.TrimPrefix(n.Name, prefix)
		if x.byName != nil {
			x.addName(n)
		}
	}
}

func (x *nodeIndex) restoreNames() {
	for n, name := range x.renamed {
		n.Name = name
	}
}
