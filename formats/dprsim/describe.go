package dprsim

import "assay/model"

// describe returns what a catom is to people.
func describe(n *model.Node) (model.Thing, bool) {
	if n.Type != "Catom" {
		return model.Thing{}, false
	}
	return model.Thing{Kind: "catom", Uniform: true,
		Place: func(leaf *model.Node) bool { return leaf.Role == model.RolePlace }}, true
}
