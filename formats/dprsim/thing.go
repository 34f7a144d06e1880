package dprsim

import (
	"strings"

	"assay/model"
)

// thing says that a catom is one to people, and where it is.
func thing(n *model.Node) (model.Thing, bool) {
	if n.Type != "Catom" {
		return model.Thing{}, false
	}
	return model.Thing{Kind: "catom", Uniform: true, Place: isPlace}, true
}

// isPlace reports whether a value of a catom's state says where the catom is.
func isPlace(n *model.Node) bool {
	return len(n.Name) == 1 && strings.Contains("xyz", n.Name) && n.Parent != nil && n.Parent.Key == simulator
}
