package properties

import (
	"fmt"
	"strings"

	"assay/model"
)

// maxParents is how many namespaces a chain of inheritance has, the heir included.
const maxParents = 64

// parent returns the namespace of this level that one of them inherits from; nil if there is none. The engine would
// find it below others of the level, too.
func (n *Namespace) parent(s *Namespace) *Namespace {
	if s.Parent == "" {
		return nil
	}
	return n.byID[s.Parent]
}

// parentProblems returns what is wrong with parents that are not there, or that lead back to their child, by the
// offset where the parent is named.
func parentProblems(file *Namespace) map[int64]string {
	wrong := make(map[int64]string)
	for n := range file.All() {
		lines := n.lineages()
		for _, s := range n.Spaces {
			switch l := lines[s]; {
			case s.Parent != "" && n.parent(s) == nil:
				wrong[s.parentAt] = fmt.Sprintf("there is no %s at this level, and the parent is ignored",
					model.OneLine(strings.ToValidUTF8(s.Parent, "\uFFFD"), 60))
			case l.length > maxParents:
				wrong[s.parentAt] = fmt.Sprintf("%s inherits from more than %d others, and those beyond are ignored",
					model.OneLine(s.Key(), 60), maxParents-1)
			case l.cyclic:
				wrong[s.parentAt] = fmt.Sprintf("the parents of %s go round in a circle, and are followed only once",
					model.OneLine(s.Key(), 60))
			}
		}
	}
	return wrong
}

// lineage is how many different namespaces a chain of inheritance has, the heir included, and whether it has no end.
type lineage struct {
	length int // 0 until it is known
	cyclic bool
	onPath int // from 1: where on the path that is being followed; 0 for none
}

// lineages returns those of the namespaces of this level that have parents. Each namespace is looked at once, however
// long the chains are.
func (n *Namespace) lineages() map[*Namespace]lineage {
	known := make(map[*Namespace]lineage)
	for _, s := range n.Spaces {
		if s.Parent == "" {
			continue
		}
		var path []*Namespace
		for at := s; at != nil && known[at] == (lineage{}); at = n.parent(at) {
			path = append(path, at)
			known[at] = lineage{onPath: len(path)}
		}
		n.measure(path, known)
	}
	return known
}

// measure finds the lineages of the namespaces of a path, each of which is the parent of the one before it.
func (n *Namespace) measure(path []*Namespace, known map[*Namespace]lineage) {
	if len(path) == 0 {
		return
	}
	var end lineage
	if next := n.parent(path[len(path)-1]); next != nil {
		if end = known[next]; end.onPath > 0 { // the rest of the path is a circle
			first := end.onPath - 1
			end = lineage{length: len(path) - first, cyclic: true}
			for _, s := range path[first:] {
				known[s] = end
			}
			path = path[:first]
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		end.length++
		known[path[i]] = end
	}
}
