package properties

import (
	_ "embed"

	"assay/formats/decode"
	"assay/model"
)

//go:embed fields.md
var fieldsText string

// Fields says what namespaces and properties mean.
var Fields = &decode.Glossary{Name: format, Text: fieldsText, Subject: subject}

// subject returns what a namespace or a property is described under: a namespace by its first word, a property by that
// of the namespace that it is in, and its name.
func subject(n *model.Node) (typ, field string, ok bool) {
	if n.Name == "value" {
		n = n.Parent
	}
	switch n.Type {
	case namespaceType:
		return "NAMESPACE", word(n), true
	case PropertyType:
		if typ = word(n.Parent.Parent); typ != "" {
			return typ, n.Key, true
		}
	}
	return "", "", false
}

// word returns the first word of a namespace; empty for what is none.
func word(n *model.Node) string {
	if n == nil || n.Type != namespaceType {
		return ""
	}
	name := n.Named("namespace")
	if name == nil {
		return ""
	}
	text, _ := name.Value.(string)
	return text
}
