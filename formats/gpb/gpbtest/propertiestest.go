package gpbtest

import (
	"strings"

	"assay/formats/gpb/properties"
)

// WriteText returns the text of a file: its properties, then its namespaces, as the engine's tools lay them out.
func WriteText(file *properties.Namespace) []byte {
	var b strings.Builder
	members(&b, file, "")
	return []byte(b.String())
}

func members(b *strings.Builder, n *properties.Namespace, indent string) {
	for _, p := range n.Properties {
		b.WriteString(indent + p.Name + " = " + p.Value + "\n")
	}
	for i, s := range n.Spaces {
		if i > 0 || len(n.Properties) > 0 {
			b.WriteString("\n")
		}
		b.WriteString(indent + s.Key())
		if s.Parent != "" {
			b.WriteString(" : " + s.Parent)
		}
		b.WriteString("\n" + indent + "{\n")
		members(b, s, indent+"    ")
		b.WriteString(indent + "}\n")
	}
}

// Space returns a namespace whose head is its name and maybe its id and ": parent", with properties "name=value".
func Space(head string, list ...string) *properties.Namespace {
	head, parent, _ := strings.Cut(head, ":")
	name, id, _ := strings.Cut(strings.TrimSpace(head), " ")
	n := &properties.Namespace{Name: name, ID: id, Parent: strings.TrimSpace(parent)}
	for _, p := range list {
		name, value, _ := strings.Cut(p, "=")
		n.Properties = append(n.Properties, properties.Property{Name: name, Value: value})
	}
	return n
}
