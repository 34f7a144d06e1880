package casset

import (
	_ "embed"

	"assay/formats/decode"
	"assay/model"
)

//go:embed fields.md
var fieldsText string

// fields says what the fields of packages and bundles mean.
var fields = &decode.Glossary{Name: "casset", Text: fieldsText, Subject: subject, Written: writtenUUID}

// subject returns what the fields of objects are described under: the object's class, for those that are known; a value
// below its header means what its field does.
func subject(n *model.Node) (typ, field string, ok bool) {
	if n.Name == "value" && n.Parent.Child(0).Type == "FieldHeader" {
		n = n.Parent
	}
	name, list := n.Name, n.Parent
	for list != nil && list.Type != "Field[]" {
		list = list.Parent
	}
	if list == nil {
		return "", "", false
	}
	object := list.Parent
	var class string
	if c := object.Named("class"); c != nil {
		class, _ = c.Value.(string)
	} else if s := object.Named("schema_index"); s != nil {
		class = s.Symbol()
	}
	return className(class), name, true
}
