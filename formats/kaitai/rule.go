package kaitai

import (
	"slices"
	"strings"

	"assay/model"
)

// attributeOf returns the attribute that reads a node; nil for the file as a whole, for a part of what an attribute
// reads, such as the bytes that fill up its size, and for gaps. The node of an object keeps its type, that of a list
// its attribute; what else there is in an object has the name of its attribute.
func attributeOf(n *model.Node) *Attribute {
	if n.Parent == nil || isGaps(n) {
		return nil
	}
	switch in := n.Parent.ReadAs().(type) {
	case *Attribute:
		return in
	case *Type:
		return in.names.attributes[n.Name]
	}
	return nil
}

// isGaps reports whether a node is the list of the bytes that the description leaves out, which alone of all that have
// something in them was not read as anything.
func isGaps(n *model.Node) bool { return n.ReadAs() == nil && !n.Leaf() }

// ruleOf returns the attribute that reads a node, or the nearest one around it; nil for the file as a whole, false for
// bytes that the description leaves out.
func ruleOf(n *model.Node) (*Attribute, bool) {
	for ; n.Parent != nil; n = n.Parent {
		if a := attributeOf(n); a != nil || isGaps(n) {
			return a, a != nil
		}
	}
	return nil, true
}

// rule returns where the description says how a node is read.
func (d *Description) rule(n *model.Node) (file string, line int, ok bool) {
	at := d.Root.place
	a, ok := ruleOf(n)
	switch {
	case !ok:
		return "", 0, false
	case a != nil:
		at = a.place
	}
	return at.file, at.line, true
}

// doc returns what the description says to people about a node: about the attribute, its type, and its value.
func doc(n *model.Node) string {
	var all []string
	add := func(doc Doc) {
		for _, text := range append([]string{doc.Text}, doc.Refs...) {
			if text = joined(text); text != "" && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	if a := attributeOf(n); a != nil {
		add(a.Doc)
		if m := a.plan.enum.member(scalarValue(n.Value, nil)); m != nil && m.Doc.Text != "" {
			add(Doc{Text: m.Name + ": " + m.Doc.Text, Refs: m.Doc.Refs})
		}
	}
	if t, ok := n.ReadAs().(*Type); ok {
		add(t.Doc)
	}
	return strings.Join(all, "\n")
}

// joined returns a text without the ends of lines that only keep it narrow: those that do not end a paragraph, and that
// no item of a list follows.
func joined(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		bare := strings.TrimSpace(line)
		switch {
		case b.Len() == 0:
		case bare == "" || strings.HasPrefix(bare, "* ") || strings.HasPrefix(bare, "- ") || line != strings.TrimLeft(line, " \t"):
			b.WriteByte('\n')
		case !strings.HasSuffix(b.String(), "\n"):
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimRight(line, " \t"))
	}
	return b.String()
}
