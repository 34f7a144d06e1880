package kaitai

import (
	"fmt"
	"strings"

	"assay/formats/kaitai/expression"
)

// dynamicSize is the size of a type whose objects differ in size.
const dynamicSize = -1

// sizeOf returns how many bits each object of a type takes; dynamicSize if they differ.
func (m *machine) sizeOf(t *Type) int64 {
	if size, ok := m.sizes[t]; ok {
		return size
	}
	m.sizes[t] = dynamicSize // a type that holds itself has no size
	total := int64(0)
	for i, a := range t.Seq {
		size := m.attributeSize(a)
		if size == dynamicSize || total > 1<<40 {
			return dynamicSize
		}
		switch begins := total%8 == 0 || a.isBits(); {
		case begins:
		case a.Type.Kind == User && !t.Seq[i-1].isBits():
			return dynamicSize // bit fields of one object go on in the next
		default:
			total += 8 - total%8
		}
		total += size
	}
	m.sizes[t] = total
	return total
}

// attributeSize returns how many bits an attribute always takes; dynamicSize if that depends on the file.
func (m *machine) attributeSize(a *Attribute) int64 {
	if a.If != nil || a.Repeat == ToTheEnd || a.Repeat == Until || a.Switch.On != nil && a.Size == nil {
		return dynamicSize
	}
	size := int64(dynamicSize)
	switch {
	case a.Size != nil:
		if n, ok := constant(a.Size); ok {
			size = 8 * n
		}
	case a.Contents != nil:
		size = 8 * int64(len(a.Contents))
	case a.SizeEOS || a.Terminator != nil:
	case a.Type.Kind == User:
		size = m.sizeOf(a.Type.User)
	case a.Type.Kind == Bits:
		size = int64(a.Type.Width)
	case a.Type.Kind == Unsigned, a.Type.Kind == Signed, a.Type.Kind == Float:
		size = 8 * int64(a.Type.Width)
	}
	if size == dynamicSize || a.Repeat == Once {
		return size
	}
	n, ok := constant(a.RepeatBy)
	if !ok || size > 0 && n > 1<<40/size {
		return dynamicSize
	}
	return n * size
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

// sizeOfName returns how many bits a type takes that is named in an expression of t.
func (m *machine) sizeOfName(t *Type, name string) (int64, error) {
	if found := numberType.FindStringSubmatch(name); found != nil {
		return 8 * int64(found[2][0]-'0'), nil
	}
	if found := bitsType.FindStringSubmatch(name); found != nil {
		var bits int64
		_, err := fmt.Sscan(found[1], &bits)
		return bits, err
	}
	user := t.find(strings.Split(name, "::"))
	if user == nil {
		return 0, fmt.Errorf("unable to find type %q", name)
	}
	size := m.sizeOf(user)
	if size == dynamicSize {
		return 0, fmt.Errorf("the type %s has no fixed size", name)
	}
	return size, nil
}

// measure finds the sizes of all types, so that nothing is added while a file is read.
func (m *machine) measure() {
	m.sizes = make(map[*Type]int64)
	var measure func(t *Type)
	measure = func(t *Type) {
		m.sizeOf(t)
		for _, inner := range t.Types {
			measure(inner)
		}
	}
	for _, top := range m.description.Imports {
		measure(top)
	}
}
