package casset

import (
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"assay/model"
	"assay/model/glossary"
)

//go:embed fields.md
var fieldsText string

// fields says what the fields of packages and bundles mean.
var fields = &glossary.Glossary{Name: "casset", Text: fieldsText, Subject: subject, Written: writtenUUID}

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

// writtenUUID returns a UUID in groups of hex digits: one of 128 bits as the engine prints it, as its two numbers.
func writtenUUID(n *model.Node) string {
	if n.Type != "uuid" {
		return ""
	}
	switch v := n.Value.(type) {
	case uint64:
		s := fmt.Sprintf("%016x", v)
		return strings.Join([]string{s[:4], s[4:8], s[8:12], s[12:]}, "-")
	case string:
		b, err := hex.DecodeString(v)
		if err != nil || len(b) != 16 {
			return ""
		}
		first, second := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", first>>32, first>>16&0xffff, first&0xffff,
			second>>48, second&(1<<48-1))
	}
	return ""
}
