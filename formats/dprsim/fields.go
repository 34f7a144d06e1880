package dprsim

import (
	_ "embed"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

//go:embed fields.md
var fieldsText string

// fields says what the fields of worlds, states and experiments mean.
var fields = &decode.Glossary{Name: format, Text: fieldsText, Subject: subject,
	Values: map[string]model.Choices{"Chunk.id": chunkNames}}

// subject returns what a value is described under whose meaning depends on the entry, module or object that it is in.
func subject(n *model.Node) (typ, field string, ok bool) {
	switch p := n.Parent; {
	case p.Type == "Entry" && n.Name == "value":
		key, _, _ := strings.Cut(p.Key, "#")
		return "KEY", key, true
	case p.Type == "ModuleState" && p.Key == simulator:
		return simulator, n.Name, true
	case p.Type == "Object":
		shape, _ := p.Child(0).Value.(string)
		if mass := p.Named("mass"); mass != nil && n.Index > mass.Index {
			return shape, n.Name, true
		}
	}
	return "", "", false
}
