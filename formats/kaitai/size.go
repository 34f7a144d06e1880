package kaitai

import (
	"fmt"
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
)

// dynamicSize is the size of a type whose objects differ in size, and of an attribute that takes what the file says.
const dynamicSize = -1

// measure finds the sizes of all types and attributes of a description.
func (d *Description) measure() {
	m := measuring{}
	for t := range d.types() {
		m.typ(t)
		for _, a := range slices.Concat(t.Params, t.Instances) {
			m.attribute(a)
		}
	}
}

// measuring has the types whose sizes are known, or being found.
type measuring map[*Type]bool

// typ finds how many bits each object of a type takes.
func (m measuring) typ(t *Type) int64 {
	if m[t] {
		return t.bits
	}
	m[t], t.bits = true, dynamicSize // a type that holds itself has no size
	total := int64(0)
	for _, a := range t.Seq {
		m.attribute(a)
		begins := total%8 == 0 || a.isBits()
		switch {
		case total == dynamicSize || a.bits == dynamicSize || total > 1<<40:
			total = dynamicSize
		case !begins && a.Type.Value.Kind == User && !a.aligns:
			total = dynamicSize // bit fields of one object go on in the next
		case !begins:
			total += 8 - total%8 + a.bits
		default:
			total += a.bits
		}
	}
	t.bits = total
	return total
}

// attribute finds how many bits an attribute always takes, and each element of a list.
func (m measuring) attribute(a *Attribute) {
	a.each = m.element(a)
	a.bits = a.each
	if a.If != nil || a.Repeat.Way == ToTheEnd || a.Repeat.Way == Until {
		a.bits = dynamicSize
	}
	if a.bits == dynamicSize || a.Repeat.Way == Once {
		return
	}
	n, ok := constant(a.Repeat.By)
	if !ok || a.each > 0 && n > 1<<40/a.each {
		a.bits = dynamicSize
		return
	}
	a.bits = n * a.each
}

// element returns how many bits an attribute takes once.
func (m measuring) element(a *Attribute) int64 {
	switch {
	case a.Type.On != nil && a.Size == nil:
	case a.Size != nil:
		if n, ok := constant(a.Size); ok {
			return 8 * n
		}
	case a.Contents != nil:
		return 8 * int64(len(a.Contents))
	case a.SizeEOS || a.Terminator != nil:
	case a.Type.Value.Kind == User:
		return m.typ(a.Type.Value.User)
	default:
		return a.Type.Value.bits()
	}
	return dynamicSize
}

// constant returns the whole number, not negative and not vast, that an expression always is.
func constant(e *expression.Expression) (int64, bool) {
	v, ok := e.Constant()
	if !ok {
		return 0, false
	}
	n, err := v.Int()
	return n, err == nil && n >= 0 && n < 1<<40
}

// bits returns how many bits a number or a bit field takes; dynamicSize of other types.
func (ref *Reference) bits() int64 {
	switch ref.Kind {
	case Number:
		return 8 * int64(ref.Width)
	case Bits:
		return int64(ref.Width)
	}
	return dynamicSize
}

// sizeOf returns how many bits a type takes that is named in an expression of t.
func (t *Type) sizeOf(name string) (int64, error) {
	if ref, ok := builtin(name); ok && ref.bits() != dynamicSize {
		return ref.bits(), nil
	}
	user := t.find(strings.Split(name, "::"))
	switch {
	case user == nil:
		return 0, fmt.Errorf("unable to find type %q", name)
	case user.bits == dynamicSize:
		return 0, fmt.Errorf("the type %s has no fixed size", name)
	}
	return user.bits, nil
}
