package kaitai

import (
	"strings"

	"assay/formats/kaitai/expression"
)

// label is what a person calls an object: `to-string`, or `-webide-representation` of the language's editor.
type label []labelPart

// labelPart is a text, or an expression whose value stands in its place.
type labelPart struct {
	text  string
	value *expression.Expression
}

// read reads `{name}: {size:dec} bytes`. What follows a colon is the form of a number, which is decimal here; a name that
// makes no expression stays as it is.
func (l *label) read(_ *reader, e entry) error {
	text, _ := e.scalar() // what is no text is another program's
	for text != "" {
		before, rest, _ := strings.Cut(text, "{")
		if before != "" {
			*l = append(*l, labelPart{text: before})
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			break
		}
		path, _, _ := strings.Cut(name, ":")
		if e, err := expression.Parse(path); err == nil {
			*l = append(*l, labelPart{value: e})
		} else {
			*l = append(*l, labelPart{text: "{" + name + "}"})
		}
		text = after
	}
	return nil
}

// maxParts is how many parts a label may have, with those of the objects in it.
const maxParts = 64

// label returns what a person calls an object; "" if nothing does, or what it needs cannot be read.
func (m *machine) label(o *object) string {
	var text strings.Builder
	left := maxParts
	if !m.writeLabel(&text, o, &left) {
		return ""
	}
	return strings.TrimSpace(text.String())
}

// writeLabel writes as many parts of a label as are left; false if one cannot be read.
func (m *machine) writeLabel(text *strings.Builder, o *object, left *int) bool {
	for _, part := range o.typ.label {
		if *left--; *left < 0 {
			return true
		}
		if part.value == nil {
			text.WriteString(part.text)
			continue
		}
		v, err := part.value.Eval((&reading{environment: environment{machine: m}}).scope(o.field(nil)))
		if err != nil {
			return false
		}
		inner, isObject := v.Of().(*object)
		switch {
		case isObject:
			if !m.writeLabel(text, inner, left) {
				return false
			}
		case v.Kind != expression.None:
			text.WriteString(symbolOrValue(v))
		}
	}
	return true
}

// symbolOrValue returns the name that an enumeration gives a value, else the value.
func symbolOrValue(v expression.Value) string {
	if v.Enum != nil {
		if symbol, ok := v.Enum.Symbol(v); ok {
			return symbol
		}
	}
	return v.String()
}
