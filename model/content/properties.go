package content

import (
	"strings"

	"assay/model"
)

// Properties is the view of a node of which nothing is drawn: a table of its fields.
type Properties struct {
	Node    *model.Node
	Current int // the field that is selected; -1: the node itself is
}

// ViewKind implements model.View.
func (*Properties) ViewKind() model.ViewKind { return model.PropertiesView }

const (
	wordsMost  = 64 // bytes of a text that a table shows
	arrayMost  = 16 // numbers of an array that it shows
	fieldsMost = 1 << 30
)

// PropertiesOf returns the table of a node's fields, or the one that the node is a field of; nil for bytes, and for
// values that do not fit into a table.
func PropertiesOf(n *model.Node) *Properties {
	switch {
	case n.Len() > fieldsMost:
		return nil
	case !n.Leaf():
		return &Properties{Node: n, Current: -1}
	case n.Parent == nil || n.Parent.Len() > fieldsMost:
		return nil
	}
	switch v := n.Value.(type) {
	case nil:
		if n.Symbol() == "" && n.Size > 0 {
			return nil
		}
	case string:
		if len(v) > wordsMost || strings.ContainsAny(v, "\r\n") {
			return nil
		}
	case model.Array:
		if v.Len() > arrayMost {
			return nil
		}
	}
	return &Properties{Node: n.Parent, Current: n.Index}
}
