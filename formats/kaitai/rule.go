package kaitai

import (
	"slices"
	"strings"

	"assay/model"
)

// nodeRule is what a description says about a node.
type nodeRule struct {
	a *Attribute // that reads the node, or the nearest one around it; nil for the file as a whole
	t *Type      // of the object that the node is; nil if it is none
	// part says that the node is only a part of what a reads, such as the bytes that fill up its size.
	part bool
}

// ruleOf returns what the description says about a node; false for bytes that it leaves out.
func (d *Description) ruleOf(n *model.Node) (nodeRule, bool) {
	var way []*model.Node
	for ; n.Parent != nil; n = n.Parent {
		way = append(way, n)
	}
	s := nodeRule{t: d.Root}
	for _, n := range slices.Backward(way) {
		if strings.TrimSuffix(n.Type, "[]") == model.Gap {
			return s, false
		}
		if a := s.attribute(n); a != nil {
			s = nodeRule{a: a, t: a.typeOf(n)}
		} else {
			s.t, s.part = nil, true
		}
	}
	return s, true
}

// attribute returns the attribute that reads a child of what s is about; nil if none does.
func (s nodeRule) attribute(child *model.Node) *Attribute {
	switch {
	case s.t != nil:
		return s.t.names.attributes[child.Name]
	case s.a != nil && !s.part && strings.HasSuffix(child.Parent.Type, "[]"):
		return s.a // of a list, which this is an element of
	}
	return nil
}

// typeOf returns the type of the object that a node of the attribute is; nil if it is none. A node keeps its type where
// the attribute alone does not tell it.
func (a *Attribute) typeOf(n *model.Node) *Type {
	if t, ok := n.ReadAs().(*Type); ok {
		return t
	}
	if strings.HasSuffix(n.Type, "[]") {
		return nil // a list of them
	}
	return a.Type.Value.User
}

// rule returns where the description says how a node is read.
func (d *Description) rule(n *model.Node) (file string, line int, ok bool) {
	s, ok := d.ruleOf(n)
	switch {
	case !ok:
		return "", 0, false
	case s.a == nil:
		return d.Root.place.file, d.Root.place.line, true
	}
	return s.a.place.file, s.a.place.line, true
}

// doc returns what the description says to people about a node: about the attribute, its type, and its value.
func (d *Description) doc(n *model.Node) string {
	s, ok := d.ruleOf(n)
	if !ok || s.part {
		return ""
	}
	var all []string
	add := func(doc Doc) {
		for _, text := range append([]string{doc.Text}, doc.Refs...) {
			if text = joined(text); text != "" && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	if s.a != nil {
		add(s.a.Doc)
		if m := s.a.plan.enum.member(numberValue(n.Value, nil)); m != nil && m.Doc.Text != "" {
			add(Doc{Text: m.Name + ": " + m.Doc.Text, Refs: m.Doc.Refs})
		}
	}
	if s.t != nil {
		add(s.t.Doc)
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
