package kaitai

import "assay/model"

// meaning returns what the description says about a node.
func (d *Description) meaning(n *model.Node) model.Meaning { return model.Meaning{Field: d.doc(n)} }
