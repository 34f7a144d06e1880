package kaitai

import (
	"fmt"

	"assay/model"
)

// linkView makes a field of an object a link: to the node at an offset or at a path, to an element of a list by its
// index or its name, or to a file.
type linkView struct {
	location
	Field operand `key:"field"`
	To    operand `key:"to"`   // one of the words, or the path of the node
	In    operand `key:"in"`   // the list
	Base  operand `key:"base"` // added to an offset; 0 if left out
}

// Words of a link.
const (
	toOffset = "offset"
	toIndex  = "index"
	toName   = "name"
	toFile   = "file"
)

// links are the links of a type; one may be without a list.
type links []*linkView

func (l *links) read(r *yamlReader, e entry) (err error) {
	*l, err = readEach(r, e, r.listOrOne, func(e entry) (*linkView, error) {
		v := &linkView{location: e.location}
		v.To.words = []string{toOffset, toIndex, toName, toFile}
		if err := r.keys(e, v); err != nil {
			return nil, err
		}
		switch isList := v.To.text == toIndex || v.To.text == toName; {
		case !v.Field.isSet() || !v.To.isSet():
			return nil, e.fail("a link needs field and to")
		case isList != v.In.isSet():
			return nil, e.fail("in is the list of a link to an %s or a %s", toIndex, toName)
		}
		return v, nil
	})
	return err
}

// plan assigns the links to the fields of a type, which are values in its sequence, and sets the key.
func (v *View) plan(t *Type) {
	if v.Key != nil {
		t.plan.key = labelTemplate{{value: v.Key, form: "dec"}}
	}
	for _, v := range v.Links {
		if a := t.names.attributes[v.Field.text]; a != nil {
			a.plan.link = v
		}
	}
}

func (v *linkView) setLink(doc *documentState, n *model.Node) {
	if v.To.text == toFile {
		if name, ok := n.Value.(string); ok && name != "" {
			n.Link = &model.Link{File: name}
		}
		return
	}
	if number, ok := wholeValue(n.Value); ok && v.To.text == toIndex && (number < 0 || number >= 1<<31) {
		return // none
	}
	n.Link = &model.Link{Target: func() (model.Path, bool) {
		if to := v.target(doc, n); to != nil {
			return to.Path(), true
		}
		return nil, false
	}}
}

// target returns the node that a leaf links to, or nil.
func (v *linkView) target(doc *documentState, n *model.Node) *model.Node {
	from := objectAround(n)
	if from == nil {
		return nil
	}
	switch v.To.text {
	case toOffset:
		offset, _ := wholeValue(n.Value)
		if base, err := v.Base.numberOr(from, 0); err == nil && doc.document != nil {
			return outermostAt(doc.document, offset+base)
		}
		return nil
	case toIndex, toName:
		return v.element(from, n)
	}
	to, _ := v.To.node(from)
	return to
}

// element returns the element of the list that a leaf of an object links to, or nil.
func (v *linkView) element(from, n *model.Node) *model.Node {
	list, err := v.In.node(from)
	if err != nil {
		return nil
	}
	first, count := list.FirstElementIndex(), list.ElementCount()
	if v.To.text == toIndex {
		if i, ok := wholeValue(n.Value); ok && i >= 0 && i < int64(count) {
			return list.Child(first + int(i))
		}
		return nil
	}
	name := fmt.Sprint(n.Value)
	for i := range min(count, maxNamed) {
		if e := list.Child(first + i); e.Key == name || e.DisplayName() == name {
			return e
		}
	}
	return nil
}

// maxNamed is the maximum number of elements that are read to find a link by name.
const maxNamed = 1 << 16

// outermostAt returns the outermost node below the root that begins at an offset, or the leaf with its byte.
func outermostAt(d *model.Document, offset int64) *model.Node {
	n := d.Owner(offset)
	for n != nil && n.Parent != nil && n.Parent.Parent != nil && n.Parent.Offset == offset {
		n = n.Parent
	}
	return n
}

func objectAround(n *model.Node) *model.Node {
	for n = n.Parent; n != nil; n = n.Parent {
		if _, ok := n.ReadAs().(*Type); ok {
			break
		}
	}
	return n
}

// wholeValue returns the whole number that is the value of a node; 1<<62 for a larger unsigned one, which no offset or
// index reaches.
func wholeValue(value any) (int64, bool) {
	switch v := value.(type) {
	case uint64:
		return int64(min(v, 1<<62)), true
	case int64:
		return v, true
	}
	return 0, false
}
