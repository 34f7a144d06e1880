package kaitai

import (
	"cmp"
	"encoding/binary"

	"assay/formats/kaitai/expression"
)

// typeNames are what names mean in a type.
type typeNames struct {
	description *Description
	outer       *Type // the type that it is nested in; nil for the top
	types       map[string]*Type
	enums       map[string]*Enum
	attributes  map[string]*Attribute // params, seq and instances
}

// path returns the names of the type and of those around it, from the top: header::entry.
func (t *Type) path() string {
	if t.names.outer == nil {
		return t.Name
	}
	return t.names.outer.path() + "::" + t.Name
}

// find returns the type that a path of names means in t: one nested in t or in a type around it, a type around it
// itself, or one that is imported. As in the language's compiler, each name of the path may also mean what it means in
// the type that the names before it mean.
func (t *Type) find(names []string) *Type {
	if len(names) > 0 && names[0] == "" {
		return t.top().below(names[1:])
	}
	for in := t; in != nil; in = in.names.outer {
		if in.Name == names[0] && in.below(names[1:]) != nil {
			return in.below(names[1:])
		}
		if found := in.below(names); found != nil {
			return found
		}
	}
	if top := t.names.description.Imports[names[0]]; top != nil && top.below(names[1:]) != nil {
		return top.below(names[1:])
	}
	if len(names) > 1 {
		if first := t.find(names[:1]); first != nil {
			return first.find(names[1:])
		}
	}
	return nil
}

// below returns the type at a path below t; nil if there is none.
func (t *Type) below(names []string) *Type {
	for _, n := range names {
		if t = t.names.types[n]; t == nil {
			return nil
		}
	}
	return t
}

func (t *Type) top() *Type {
	for t.names.outer != nil {
		t = t.names.outer
	}
	return t
}

// enum returns the enumeration that a path of names means in t.
func (t *Type) enum(names []string) *Enum {
	name := names[len(names)-1]
	if len(names) > 1 {
		if t = t.find(names[:len(names)-1]); t == nil {
			return nil
		}
	}
	for in := t; in != nil; in = in.names.outer {
		if found := in.names.enums[name]; found != nil {
			return found
		}
	}
	return nil
}

// inherit has a type take the byte orders and the encoding that it does not name from the type around it.
func (t *Type) inherit() {
	if t.names.outer == nil {
		t.Meta.BitEndian = cmp.Or(t.Meta.BitEndian, binary.ByteOrder(binary.BigEndian))
		return
	}
	own, outer := &t.Meta, &t.names.outer.Meta
	own.Encoding = cmp.Or(own.Encoding, outer.Encoding)
	own.BitEndian = cmp.Or(own.BitEndian, outer.BitEndian)
	if own.Endian.Value == nil && own.Endian.On == nil {
		own.Endian, t.plan.inheritsEndian = outer.Endian, true
	}
}

// suffixOf returns how a type's name ends that has a byte order.
func suffixOf(order binary.ByteOrder) string {
	switch order {
	case binary.LittleEndian:
		return "le"
	case binary.BigEndian:
		return "be"
	}
	return ""
}

// member returns the value of a member of an enumeration that a path means in t.
func (t *Type) member(path []string) (expression.Value, bool) {
	enum := t.enum(path[:len(path)-1])
	if enum == nil {
		return expression.Value{}, false
	}
	m := enum.byName[path[len(path)-1]]
	if m == nil {
		return expression.Value{}, false
	}
	v := m.Value
	v.Enum = enum
	return v, true
}
