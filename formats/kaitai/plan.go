package kaitai

import (
	"fmt"
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
)

// typePlan is what is found of a type for all readings.
type typePlan struct {
	inheritsEndian bool  // the byte order is that of the type around it
	label          label // what a person calls an object of the type; nil if nothing does
	bits           int64 // how many each object takes, or dynamicSize
	hasOther       bool  // that of any of its attributes, or it has instances
	isBits         bool  // it has nothing but bit fields, also in its objects
	isAligned      bool  // its first attribute begins at a byte
	kept           int   // how many values of an object are kept
}

// attributePlan is what is found of an attribute for all readings.
type attributePlan struct {
	owner *Type
	slot  int   // its place among the params, seq and instances of its type
	enum  *Enum // of its name; nil if there is none
	bits  int64 // how many it takes, or dynamicSize
	each  int64 // how many each element of a list takes

	encoding expression.Encoding // of texts
	// hasOther says that other bytes than its own may be in it: those of instances, or of what a process makes.
	hasOther bool
	// used says that expressions mention the id: the value is kept, at this place among the values of an object.
	used bool
	kept int

	isSingle bool
	idle     idleRun
}

// idleRun is an attribute and those after it of which a quiet reading needs nothing; it passes over all of them at
// once.
type idleRun struct {
	attributes int
	bytes      int64
}

// prepare finds what readings need to know of all types and attributes: what objects are called, how many bits they
// always take, whose values are kept, and what a quiet reading passes over.
func (d *Description) prepare() {
	sized := make(measured)
	used, flags := d.mentioned()
	for t := range d.types() {
		if t.plan.label = t.Representation; t.ToString != nil {
			t.plan.label = label{{value: t.ToString, form: "dec"}}
		}
		sized.typ(t)
		for _, a := range t.attributes() {
			sized.attribute(a)
			d.exports = d.exports || a.Export != nil
			a.plan.used = used[a.ID] || a.isParam() || flags && a.isFlag() // parameters are shown, too
			if a.plan.used {
				a.plan.kept = t.plan.kept
				t.plan.kept++
			}
			a.plan.isSingle = a.isSingle()
		}
		t.findRuns()
	}
}

// mentioned returns the ids that expressions of a description mention, before or after a point, and whether labels have
// names of flags.
func (d *Description) mentioned() (used map[string]bool, flags bool) {
	used = make(map[string]bool)
	note := func(e *expression.Expression) {
		for _, id := range append(e.Names(), e.Fields()...) {
			used[id] = true
		}
	}
	for t := range d.types() {
		for _, e := range t.expressions() {
			note(e)
		}
		for _, part := range t.Representation {
			if flags = flags || part.form == "flags"; part.value != nil {
				note(part.value)
			}
		}
	}
	return used, flags
}

// findRuns finds the attributes of an object that can be passed over together.
func (t *Type) findRuns() {
	next := idleRun{}
	for _, a := range slices.Backward(t.Seq) {
		if next = (idleRun{next.attributes + 1, next.bytes + a.plan.bits/8}); !a.isIdle() {
			next = idleRun{}
		}
		a.plan.idle = next
	}
}

// dynamicSize is the size of a type whose objects differ in size, and of an attribute that takes what the file says.
const dynamicSize = -1

// maxConstant is the number of bits or elements from which on a size counts as dynamic.
const maxConstant = 1 << 40

// measured has the types whose sizes are known, or being found.
type measured map[*Type]bool

// typ finds how many bits each object of a type takes.
func (m measured) typ(t *Type) int64 {
	if m[t] {
		return t.plan.bits
	}
	m[t], t.plan.bits = true, dynamicSize // a type that holds itself has no size
	total := int64(0)
	t.plan.hasOther, t.plan.isBits = len(t.Instances) > 0, true
	for i, a := range t.Seq {
		m.attribute(a)
		start, isBits, isAligned := a.start(total)
		t.plan.hasOther = t.plan.hasOther || a.plan.hasOther
		t.plan.isBits = t.plan.isBits && isBits
		t.plan.isAligned = t.plan.isAligned || i == 0 && isAligned
		if total = start + a.plan.bits; start == dynamicSize || a.plan.bits == dynamicSize || total > maxConstant {
			total = dynamicSize
		}
	}
	t.plan.bits = total
	return total
}

// start returns at which bit of an object an attribute begins that stands after so many: a bit field right there, what
// is aligned at the next byte. It is not known of an object that begins with bit fields and goes on with bytes, which
// takes more or less there than at a byte.
func (a *Attribute) start(bits int64) (start int64, isBits, isAligned bool) {
	isBits, isAligned = a.isBits(), !a.isBits()
	if a.isNested() {
		isBits, isAligned = a.Type.Value.User.plan.isBits, a.Type.Value.User.plan.isAligned
	}
	switch {
	case bits == dynamicSize || bits%8 == 0 || isBits:
	case isAligned:
		bits += 8 - bits%8
	default:
		bits = dynamicSize
	}
	return bits, isBits, isAligned
}

// hasOther reports whether an attribute, or an object that it is, has instances or what a process makes.
func (m measured) hasOther(a *Attribute) bool {
	for _, ref := range a.references() {
		if ref.Kind == User {
			if m.typ(ref.User); ref.User.plan.hasOther {
				return true
			}
		}
	}
	return a.Process != nil
}

// attribute finds how many bits an attribute always takes, and each element of a list, and whether there is more to it.
func (m measured) attribute(a *Attribute) {
	a.plan.each, a.plan.hasOther = m.once(a), m.hasOther(a)
	switch n, ok := int64(1), true; {
	case a.If != nil || a.plan.each == dynamicSize || a.Repeat.Way == ToTheEnd || a.Repeat.Way == Until:
		a.plan.bits = dynamicSize
	default:
		if a.Repeat.Way == Times {
			n, ok = constant(a.Repeat.By)
		}
		isOdd := a.plan.each%8 != 0 && a.isNested() && !a.Type.Value.User.plan.isBits // the next begins elsewhere
		if a.plan.bits = n * a.plan.each; !ok || n > 1 && isOdd || a.plan.each > 0 && n > maxConstant/a.plan.each {
			a.plan.bits = dynamicSize
		}
	}
}

// once returns how many bits an attribute takes once.
func (m measured) once(a *Attribute) int64 {
	switch {
	case a.Contents != nil:
		return 8 * int64(len(a.Contents))
	case a.Size != nil:
		takesOther := func(ref *Reference) bool { return !ref.isSized() } // a number among those of a choice
		if n, ok := constant(a.Size); ok && !slices.ContainsFunc(a.references(), takesOther) {
			return 8 * n
		}
	case a.Type.On != nil || a.SizeEOS || a.Terminator != nil:
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
	return n, err == nil && n >= 0 && n < maxConstant
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
	case user.plan.bits == dynamicSize:
		return 0, fmt.Errorf("the type %s has no fixed size", name)
	}
	return user.plan.bits, nil
}
