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

// toString reads an expression as a label.
func (e entry) toString() (label, error) {
	value, err := e.expression()
	return label{{value: value}}, err
}

// representation reads `{name}: {size:dec} bytes`. What follows a colon is the form of a number, which is decimal here;
// a name that makes no expression stays as it is.
func (e entry) representation() (l label, err error) {
	text, _ := e.scalar() // what is no text is another program's
	for text != "" {
		before, rest, _ := strings.Cut(text, "{")
		if before != "" {
			l = append(l, labelPart{text: before})
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			break
		}
		path, _, _ := strings.Cut(name, ":")
		if e, err := expression.Parse(path); err == nil {
			l = append(l, labelPart{value: e})
		} else {
			l = append(l, labelPart{text: "{" + name + "}"})
		}
		text = after
	}
	return l, nil
}

// maxLabels is how many objects may stand in the label of one another.
const maxLabels = 8

// label returns what a person calls an object; "" if nothing does, or what it needs cannot be read.
func (m *machine) label(o *object, depth int) string {
	var text strings.Builder
	for _, part := range o.typ.label {
		text.WriteString(part.text)
		if part.value == nil {
			continue
		}
		v, err := part.value.Eval(&scope{m: m, o: o})
		if err != nil {
			return ""
		}
		inner, isObject := v.Of().(*object)
		switch {
		case isObject && depth < maxLabels:
			text.WriteString(m.label(inner, depth+1))
		case !isObject && v.Kind != expression.None:
			text.WriteString(symbolOrValue(v))
		}
	}
	return strings.TrimSpace(text.String())
}

// symbolOrValue returns the name that an enumeration gives a value, else the value.
func symbolOrValue(v expression.Value) string {
	if n, _ := v.Whole(); v.Enum != nil {
		if symbol, ok := v.Enum.Symbol(n); ok {
			return symbol
		}
	}
	return v.String()
}
