package kaitai

import (
	"iter"
	"slices"

	"assay/formats/kaitai/expression"
)

// attributes returns the parameters, the attributes and the instances of the type.
func (t *Type) attributes() []*Attribute { return slices.Concat(t.Params, t.Seq, t.Instances) }

// types returns the types of a description and of those that it imports.
func (d *Description) types() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		for _, top := range d.Imports {
			if !top.visit(yield) {
				return
			}
		}
	}
}

// all returns the type and those nested in it, the outer ones first.
func (t *Type) all() iter.Seq[*Type] { return func(yield func(*Type) bool) { t.visit(yield) } }

func (t *Type) visit(yield func(*Type) bool) bool {
	if !yield(t) {
		return false
	}
	for _, inner := range t.nested {
		if !inner.visit(yield) {
			return false
		}
	}
	return true
}

// expressions returns all that is evaluated to read objects of the type, with the places that have it.
func (t *Type) expressions() iter.Seq2[place, *expression.Expression] {
	return func(yield func(place, *expression.Expression) bool) {
		each := func(where place, all ...*expression.Expression) {
			for _, e := range all {
				if e != nil && yield != nil && !yield(where, e) {
					yield = nil
				}
			}
		}
		if t.Endian != nil {
			each(t.where, t.Endian.On)
			for _, c := range t.Endian.Cases {
				each(t.where, c.On)
			}
		}
		for _, a := range t.attributes() {
			each(a.where, a.If, a.Value, a.Pos, a.IO, a.Size, a.RepeatBy, a.Parent, a.Switch.On)
			for _, ref := range a.references() {
				each(ref.where, ref.Args...)
			}
			for _, c := range a.Switch.Cases {
				each(c.Type.where, c.On)
			}
			if a.Process != nil {
				each(a.where, a.Process.Args...)
			}
			if v := a.Valid; v != nil {
				each(a.where, v.Eq, v.Min, v.Max, v.Expr)
				each(a.where, v.AnyOf...)
			}
		}
	}
}

// references returns the names of types that an attribute has.
func (a *Attribute) references() []*Reference {
	all := []*Reference{&a.Type}
	for i := range a.Switch.Cases {
		all = append(all, &a.Switch.Cases[i].Type)
	}
	return all
}

// slot returns the parameter, attribute or instance of that id; nil if there is none.
func (t *Type) slot(id string) *Attribute { return t.slots[id] }
