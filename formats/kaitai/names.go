package kaitai

import (
	"cmp"
	"encoding/binary"

	"assay/formats/kaitai/expression"
)

// path returns the names of the type and of those around it, from the top: header::entry.
func (t *Type) path() string {
	if t.Outer == nil {
		return t.Name
	}
	return t.Outer.path() + "::" + t.Name
}

// find returns the type that a path of names means in t: one nested in t or in a type around it, a type around it
// itself, or one that is imported.
func (t *Type) find(names []string) *Type {
	if len(names) > 0 && names[0] == "" {
		return t.top().below(names[1:])
	}
	for in := t; in != nil; in = in.Outer {
		if in.Name == names[0] && in.below(names[1:]) != nil {
			return in.below(names[1:])
		}
		if found := in.below(names); found != nil {
			return found
		}
	}
	if top := t.description.Imports[names[0]]; top != nil {
		return top.below(names[1:])
	}
	return nil
}

// below returns the type at a path below t; nil if there is none.
func (t *Type) below(names []string) *Type {
	for _, n := range names {
		if t = t.types[n]; t == nil {
			return nil
		}
	}
	return t
}

func (t *Type) top() *Type {
	for t.Outer != nil {
		t = t.Outer
	}
	return t
}

// enum returns the enumeration that a path of names means in t.
func (t *Type) enum(names []string) *Enum {
	name := names[len(names)-1]
	if len(names) > 1 {
		if in := t.find(names[:len(names)-1]); in != nil {
			return in.enums[name]
		}
		return nil
	}
	return inherited(t, func(t *Type) *Enum { return t.enums[name] })
}

// inherited returns what the type, or the nearest one around it that has it, says; the zero value if none does.
func inherited[T comparable](t *Type, of func(t *Type) T) T {
	var none T
	for in := t; in != nil; in = in.Outer {
		if v := of(in); v != none {
			return v
		}
	}
	return none
}

// encoding returns the encoding of texts; "" if none is named.
func (t *Type) encoding() string {
	return inherited(t, func(t *Type) string { return t.Meta.Encoding })
}

// endian returns the byte order of numbers; nil if none is named.
func (t *Type) endian() *Choice[binary.ByteOrder] { return inherited(t, (*Type).ownEndian) }

// ownEndian is endian without what the types around it say.
func (t *Type) ownEndian() *Choice[binary.ByteOrder] {
	if e := &t.Meta.Endian; e.On != nil || e.Value != nil {
		return e
	}
	return nil
}

// bitOrder returns where bit fields of the type begin: from the least significant bit on, or from the most.
func (t *Type) bitOrder() binary.ByteOrder {
	order := inherited(t, func(t *Type) binary.ByteOrder { return t.Meta.BitEndian })
	return cmp.Or(order, binary.ByteOrder(binary.BigEndian))
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
