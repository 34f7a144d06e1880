package kaitai

import (
	"iter"
	"slices"

	"assay/formats/kaitai/expression"
)

// attributes returns the parameters, the attributes and the instances of the type.
func (t *Type) attributes() []*Attribute {
	return slices.Concat[[]*Attribute](t.Params, t.Seq, t.Instances)
}

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
	for _, inner := range t.Types {
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
		if !t.plan.inheritsEndian {
			each(t.place, t.Meta.Endian.On)
			for _, c := range t.Meta.Endian.Cases {
				each(t.place, c.On)
			}
		}
		each(t.place, t.ToString)
		for _, a := range t.attributes() {
			each(a.place, a.If, a.Value, a.Pos, a.IO, a.Size, a.Repeat.By, a.Parent.Of, a.Type.On)
			for _, ref := range a.references() {
				each(ref.place, ref.Args...)
			}
			for _, c := range a.Type.Cases {
				each(c.place, c.On)
			}
			if a.Process != nil {
				each(a.place, a.Process.Args...)
			}
			if v := a.Valid; v != nil {
				each(a.place, v.Eq, v.Min, v.Max, v.Expr)
				each(a.place, v.AnyOf...)
			}
		}
	}
}

// references returns the names of types that an attribute has: one, or those of which it chooses.
func (a *Attribute) references() []*Reference {
	if a.Type.On == nil {
		return []*Reference{&a.Type.Value}
	}
	all := make([]*Reference, len(a.Type.Cases))
	for i := range a.Type.Cases {
		all[i] = &a.Type.Cases[i].Value
	}
	return all
}
