package kaitai

import (
	"fmt"
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
)

// typePlan holds facts about a type that are computed once for all decoders.
type typePlan struct {
	inheritsEndian bool          // from the enclosing type
	label          labelTemplate // the display name of objects of the type; may be nil
	key            labelTemplate // the key of objects of the type; may be nil
	bits           int64         // of each object, or dynamicSize
	hasBytes       bool          // one of its attributes has
	isBits         bool          // it has only bit fields, also in its objects
	isAligned      bool          // its first attribute begins at a byte
	valueCount     int           // number of stored values of an object
}

// attributePlan holds facts about an attribute that are computed once for all decoders.
type attributePlan struct {
	owner       *objectType
	slot        int   // its index among the params, seq and instances of its type
	enum        *enum // the enumeration of its values, or nil
	bits        int64 // of the attribute, or dynamicSize
	elementBits int64 // of each element of a list

	encoding expression.Encoding // of texts
	// hasBytes means that it is or contains blocks of bytes that differ from file to file.
	hasBytes bool
	// isUsed means that expressions refer to the ID: an object stores the value at valueIndex.
	isUsed     bool
	valueIndex int

	isSingle     bool
	aligns       bool                // it follows a bit field without being one, and ends that byte, even if absent
	isBroken     bool                // its keys have errors, so that others may follow from them
	link         *linkView           // that values are; may be nil
	keyLocations map[string]location // of the values of some keys
	skippable    skippableRun
}

// skippableRun is the attributes from one on that a quiet reading skips together. Without any, the attribute is read.
type skippableRun struct {
	attributes int
	bytes      int64
}

// prepare computes the plans of all types and attributes: labels, fixed sizes, used values, and the attributes that a
// quiet reading skips.
func (d *Description) prepare() {
	measured := make(measurer)
	used, flags := d.mentionedIDs()
	for t := range d.types() {
		if t.plan.label = t.Representation; t.ToString != nil {
			t.plan.label = labelTemplate{{value: t.ToString, form: "dec"}}
		}
		if t.View != nil {
			t.View.plan(t)
		}
		measured.measureType(t)
		for _, a := range t.attributes() {
			measured.measureAttribute(a)
			a.plan.isUsed = used[a.ID] || a.isParam() || flags && a.isFlag() // parameters are displayed, too
			if a.plan.isUsed {
				a.plan.valueIndex = t.plan.valueCount
				t.plan.valueCount++
			}
			a.plan.isSingle = a.isSingle()
		}
		t.findSkippable()
	}
}

// mentionedIDs returns the IDs that expressions of a description mention, before or after a point, and whether labels
// have names of flags.
func (d *Description) mentionedIDs() (used map[string]bool, flags bool) {
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

// findSkippable finds, for each attribute of the sequence, the run that begins at it.
func (t *objectType) findSkippable() {
	next := skippableRun{}
	for _, a := range slices.Backward(t.Seq) {
		if next = (skippableRun{next.attributes + 1, next.bytes + a.plan.bits/8}); !a.isSkippable() {
			next = skippableRun{}
		}
		a.plan.skippable = next
	}
}

// dynamicSize is the size of a type or an attribute whose size depends on the file.
const dynamicSize = -1

// maxConstant is the maximum number of bits or elements that counts as constant.
const maxConstant = 1 << 40

// measurer has the types with known sizes, or sizes under computation.
type measurer map[*objectType]bool

// measureType determines the number of bits of each object of a type.
func (m measurer) measureType(t *objectType) int64 {
	if m[t] {
		return t.plan.bits
	}
	m[t], t.plan.bits, t.plan.hasBytes = true, dynamicSize, true // a type that holds itself has no size
	total, hasBytes := int64(0), false
	t.plan.isBits = true
	for i, a := range t.Seq {
		a.plan.aligns = i > 0 && t.Seq[i-1].isBits() && !a.isBits()
		m.measureAttribute(a)
		start, isBits, isAligned := a.start(total)
		hasBytes = hasBytes || a.plan.hasBytes
		t.plan.isBits = t.plan.isBits && isBits
		t.plan.isAligned = t.plan.isAligned || i == 0 && isAligned
		if total = start + a.plan.bits; start == dynamicSize || a.plan.bits == dynamicSize || total > maxConstant {
			total = dynamicSize
		}
	}
	for _, a := range t.Instances { // objects of instances are not searched
		hasBytes = hasBytes || a.Value == nil && !a.isNested() && m.hasBytes(a) || a.hasView()
	}
	hasBytes = hasBytes || t.View != nil && t.View.viewer != nil
	t.plan.bits, t.plan.hasBytes = total, hasBytes
	return total
}

// start returns the bit offset of an attribute after bits bits of an object: a bit field begins there, any other at the
// next byte, and an object as its own first attribute, unless a bit field precedes it. It is unknown for an object that
// begins with bit fields and continues with bytes, because its size depends on the offset within a byte.
func (a *attribute) start(bits int64) (start int64, isBits, isAligned bool) {
	isBits, isAligned = a.isBits(), !a.isBits()
	if a.isNested() {
		isBits, isAligned = a.Type.Value.User.plan.isBits, a.Type.Value.User.plan.isAligned
	}
	switch {
	case bits == dynamicSize || bits%8 == 0:
	case isAligned || a.plan.aligns:
		bits += 8 - bits%8
	case isBits:
	default:
		bits = dynamicSize
	}
	return bits, isBits, isAligned
}

// hasBytes reports whether an attribute is, or its object has, blocks of bytes that differ from file to file.
func (m measurer) hasBytes(a *attribute) bool {
	if a.Process != nil || a.Type.On != nil && (a.Size != nil || a.SizeEOS) {
		return true
	}
	return slices.ContainsFunc(a.references(), func(ref *typeReference) bool {
		if ref.Kind == userKind {
			m.measureType(ref.User)
			return ref.User.plan.hasBytes
		}
		return ref.Kind == bytesKind && a.Contents == nil
	})
}

// measureAttribute determines the number of bits of an attribute, and of each element of a list, and its other facts.
func (m measurer) measureAttribute(a *attribute) {
	a.plan.elementBits, a.plan.hasBytes = m.bitsOnce(a), m.hasBytes(a)
	switch n, ok := int64(1), true; {
	case a.If != nil || a.plan.elementBits == dynamicSize || a.Repeat.Kind == repeatToEnd ||
		a.Repeat.Kind == repeatUntil:
		a.plan.bits = dynamicSize
	default:
		if a.Repeat.Kind == repeatTimes {
			n, ok = constant(a.Repeat.Expr)
		}
		each := a.plan.elementBits
		isOdd := each%8 != 0 && a.isNested() && !a.Type.Value.User.plan.isBits // the next begins elsewhere
		if a.plan.bits = n * each; !ok || n > 1 && isOdd || each > 0 && n > maxConstant/each {
			a.plan.bits = dynamicSize
		}
	}
}

// bitsOnce returns the number of bits of an attribute without repetition.
func (m measurer) bitsOnce(a *attribute) int64 {
	switch {
	case a.Contents != nil:
		return 8 * int64(len(a.Contents))
	case a.Size != nil:
		takesOther := func(ref *typeReference) bool { return !ref.isSized() } // a number among the cases
		if n, ok := constant(a.Size); ok && !slices.ContainsFunc(a.references(), takesOther) {
			return 8 * n
		}
	case a.Type.On != nil || a.SizeEOS || a.Terminator != nil:
	case a.Type.Value.Kind == userKind:
		return m.measureType(a.Type.Value.User)
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
	return n, err == nil && n >= 0 && n <= maxConstant
}

// bits returns the number of bits of a number or a bit field; dynamicSize of other types.
func (ref *typeReference) bits() int64 {
	switch ref.Kind {
	case numberKind:
		return 8 * int64(ref.Width)
	case bitsKind:
		return int64(ref.Width)
	}
	return dynamicSize
}

// sizeOf returns the number of bits of a type that an expression of t names.
func (t *objectType) sizeOf(name string) (int64, error) {
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
