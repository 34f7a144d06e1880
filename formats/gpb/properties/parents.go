package properties

import (
	"fmt"
	"slices"
	"strings"

	"assay/model"
)

// maxParents is how many namespaces a chain of inheritance has, the heir included.
const maxParents = 64

// heritage returns the namespace and those that it inherits from, the nearest first. These are of its level; the engine
// would find them below others of the level, too.
func (n *Namespace) heritage() (all []*Namespace) {
	for at := n; at != nil && len(all) < maxParents && !slices.Contains(all, at); at = at.parent {
		all = append(all, at)
	}
	return all
}

// parentProblem returns what is wrong with the parent of a namespace: that it is not there, or that it leads back to
// its child or too far; empty if nothing is.
func (n *Namespace) parentProblem() string {
	if n.Parent == "" {
		return ""
	}
	chain := n.heritage()
	next := chain[len(chain)-1].parent
	switch {
	case n.parent == nil:
		return fmt.Sprintf("there is no %s at this level, and the parent is ignored",
			model.OneLine(strings.ToValidUTF8(n.Parent, "\uFFFD"), 60))
	case next == nil:
		return ""
	case slices.Contains(chain, next):
		return fmt.Sprintf("%s inherits from itself through its parents; the cycle is ignored",
			model.OneLine(n.Key(), 60))
	}
	return fmt.Sprintf("%s has more than %d levels of parents; the rest is ignored",
		model.OneLine(n.Key(), 60), maxParents-1)
}
