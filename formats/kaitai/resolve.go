package kaitai

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// resolve finds the types and enumerations that a type refers to, and checks the type before a file is read: attributes
// have a size, numbers a byte order, texts an encoding, and names exist.
func (l *loading) resolve(t *Type) {
	for _, a := range t.attributes() {
		if a.EnumName != "" {
			if a.plan.enum = t.enum(strings.Split(a.EnumName, "::")); a.plan.enum == nil {
				l.report(a.locationOf("enum").fail("unable to find enum %q, searching from %s", a.EnumName, t.path()))
			}
		}
		isBroken := a.plan.isBroken
		for _, ref := range a.references() {
			var err error
			if names := strings.Split(ref.Name, "::"); !a.isParam() && ref.isCalculated() && t.find(names) != nil {
				ref.Kind = User
			}
			switch {
			case ref.Kind == User:
				err = l.find(t, a, ref)
			case !a.isParam():
				err = ref.complete(t, a)
			}
			isBroken = l.report(err) || isBroken
		}
		if !a.isParam() && a.Value == nil && !isBroken {
			l.report(a.checkKeys())
		}
	}
	for where, e := range t.expressions() {
		l.checkNames(t, t.names.description.placeOf(e, where), e)
	}
}

// find finds the type that a reference names: one of the loaded descriptions, or an opaque one.
func (l *loading) find(t *Type, a *Attribute, ref *Reference) error {
	names := strings.Split(ref.Name, "::")
	if ref.User = t.find(names); ref.User == nil {
		top, err := l.opaque(ref.location, names[0])
		if err != nil {
			return err
		}
		if top != nil {
			ref.User = top.typeAt(names[1:])
		}
	}
	if ref.User == nil {
		return ref.fail("unable to find type %q, searching from %s", ref.Name, t.path())
	}
	if !a.isParam() && len(ref.Args) != len(ref.User.Params) {
		return ref.fail("the type %s takes %d parameters, not %d", ref.Name, len(ref.User.Params), len(ref.Args))
	}
	return nil
}

// complete applies the defaults of the description to a built-in type: the byte order and the encoding.
func (ref *Reference) complete(t *Type, a *Attribute) error {
	switch ref.Kind {
	case Number:
		if ref.Width > 1 {
			return ref.orderFrom(t)
		}
	case Bits:
		ref.Order = cmp.Or(ref.Order, t.Meta.BitEndian)
	case Str, Strz:
		name := cmp.Or(a.Encoding, t.Meta.Encoding)
		if name == "" {
			return ref.fail("the type %q needs an encoding, here or in meta/encoding", ref.Name)
		}
		a.plan.encoding, _ = expression.EncodingOf(name) // reading in an unknown one is an error of the field
	case Boolean, Struct, Stream, Any:
		return ref.fail("the type %q is for parameters only", ref.Name)
	}
	return nil
}

// orderFrom gives a number without a byte order the order of t. It stays nil if it is chosen when a file is read.
func (ref *Reference) orderFrom(t *Type) error {
	if ref.Order == nil {
		if t.Meta.Endian.Value == nil && t.Meta.Endian.On == nil {
			return ref.fail("unable to use type %q without default endianness", ref.Name)
		}
		ref.Order = t.Meta.Endian.Value
	}
	ref.Name = strings.TrimSuffix(strings.TrimSuffix(ref.Name, "le"), "be") + suffixOf(ref.Order)
	return nil
}

// isCalculated reports whether only parameters may have the type: as the type of an attribute, the name refers to a
// described type.
func (ref *Reference) isCalculated() bool {
	return ref.Kind >= Boolean || ref.Kind == Bytes && ref.Name == "bytes"
}

// isBytes reports whether attributes without a type have this one.
func (ref *Reference) isBytes() bool { return ref.Kind == Bytes }

// isText reports whether a type is str or strz.
func (ref *Reference) isText() bool { return ref.Kind == Str || ref.Kind == Strz }

// isSized reports whether an attribute may set the size of a type.
func (ref *Reference) isSized() bool { return ref.isBytes() || ref.isText() || ref.Kind == User }

// isWhole reports whether the values of a type are whole numbers.
func (ref *Reference) isWhole() bool {
	return ref.Kind == Bits || ref.Kind == Number && ref.form != model.F32 && ref.form != model.F64
}

// checkKeys checks that an attribute has only keys for its type, and that its bytes have an end. A choice has several
// types, and may be bytes without a matching case.
func (a *Attribute) checkKeys() error {
	const sized = "bytes, str, strz and described types"
	refs := a.references()
	isChoice := a.Type.On != nil
	for _, key := range []struct {
		name  string
		isSet bool
		fits  func(ref *Reference) bool
		types string // that fit
	}{
		{"contents", a.Contents != nil, (*Reference).isBytes, "bytes"},
		{"size", a.Size != nil, (*Reference).isSized, sized},
		{"size-eos", a.SizeEOS, (*Reference).isSized, sized},
		{"terminator", a.Terminator != nil, (*Reference).isSized, sized},
		{"include", a.Include, (*Reference).isSized, sized},
		{"consume", !a.Consume, (*Reference).isSized, sized},
		{"eos-error", !a.EOSError, (*Reference).isSized, sized},
		{"pad-right", a.PadRight != nil, (*Reference).isSized, sized},
		{"process", a.Process != nil, (*Reference).isSized, sized},
		{"encoding", a.Encoding != "", (*Reference).isText, "str and strz"},
		{"enum", a.EnumName != "", (*Reference).isWhole, "whole numbers and bit fields"},
	} {
		if key.isSet && !slices.ContainsFunc(refs, key.fits) && !(isChoice && key.fits(&bytesReference)) {
			return a.fail("%s is for %s, not for %s", key.name, key.types, a.elementType())
		}
	}
	for _, ref := range refs {
		switch {
		case a.hasEnd():
		case ref.Kind == Bytes && a.Contents == nil || ref.Kind == Str:
			return a.fail("one of size, size-eos, terminator or contents must be specified")
		case ref.Kind == User && a.Process != nil:
			return a.fail("process needs one of size, size-eos or terminator")
		}
	}
	return nil
}

// hasEnd reports whether the attribute has a size or a terminator, so that an object has a stream of its own.
func (a *Attribute) hasEnd() bool { return a.Size != nil || a.SizeEOS || a.Terminator != nil }

// specials are the names that every scope has.
var specials = []string{"_", "_io", "_parent", "_root", "_index", "_on", "_sizeof", "_buf", "_is_le"}

// checkNames checks that the names in an expression exist in t. Names after a point are resolved when a file is read.
func (l *loading) checkNames(t *Type, where location, e *expression.Expression) {
	for _, id := range e.Names() {
		if t.names.attributes[id] == nil && !slices.Contains(specials, id) {
			l.report(where.fail("unable to access %q in %s context", id, t.path()))
		}
	}
	for _, path := range e.Members() {
		if _, ok := t.member(path); !ok {
			l.report(where.fail("unable to find enum member %q, searching from %s", strings.Join(path, "::"), t.path()))
		}
	}
}

// attributes returns the parameters, the attributes and the instances of the type.
func (t *Type) attributes() []*Attribute {
	return slices.Concat[[]*Attribute](t.Params, t.Seq, t.Instances)
}

func (d *Description) types() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		for _, top := range d.Imports {
			if !top.visit(yield) {
				return
			}
		}
	}
}

// all returns the type and its nested types, outer ones first.
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

// expressions returns all expressions of the type, with their locations.
func (t *Type) expressions() iter.Seq2[location, *expression.Expression] {
	return func(yield func(location, *expression.Expression) bool) {
		each := func(where location, expressions ...*expression.Expression) {
			for _, e := range expressions {
				if e != nil && yield != nil && !yield(where, e) {
					yield = nil
				}
			}
		}
		if !t.plan.inheritsEndian {
			each(t.location, t.Meta.Endian.On)
			for _, c := range t.Meta.Endian.Cases {
				each(t.location, c.On)
			}
		}
		each(t.location, t.ToString)
		if t.View != nil {
			each(t.View.location, t.View.Key)
		}
		for _, a := range t.attributes() {
			each(a.location, a.If, a.Value, a.Pos, a.IO, a.Size, a.Repeat.By, a.Parent.Of, a.Type.On)
			for _, ref := range a.references() {
				each(ref.location, ref.Args...)
			}
			for _, c := range a.Type.Cases {
				each(c.location, c.On)
			}
			if a.Process != nil {
				each(a.location, a.Process.Args...)
			}
			if v := a.Valid; v != nil {
				each(a.location, v.Eq, v.Min, v.Max, v.Expr)
				each(a.location, v.AnyOf...)
			}
		}
	}
}

// references returns the type references of an attribute: one, or all cases of a choice.
func (a *Attribute) references() []*Reference {
	if a.Type.On == nil {
		return []*Reference{&a.Type.Value}
	}
	references := make([]*Reference, len(a.Type.Cases))
	for i := range a.Type.Cases {
		references[i] = &a.Type.Cases[i].Value
	}
	return references
}

// typePlan holds facts about a type that are computed once for all decoders.
type typePlan struct {
	inheritsEndian bool  // from the enclosing type
	label          label // the display name of objects of the type; may be nil
	key            label // the key of objects of the type; may be nil
	bits           int64 // of each object, or dynamicSize
	hasBytes       bool  // one of its attributes has
	isBits         bool  // it has only bit fields, also in its objects
	isAligned      bool  // its first attribute begins at a byte
	stored         int   // number of stored values of an object
}

// attributePlan holds facts about an attribute that are computed once for all decoders.
type attributePlan struct {
	owner *Type
	slot  int   // its index among the params, seq and instances of its type
	enum  *Enum // the enumeration of its values, or nil
	bits  int64 // of the attribute, or dynamicSize
	each  int64 // of each element of a list

	encoding expression.Encoding // of texts
	// hasBytes means that it is or contains blocks of bytes that differ from file to file.
	hasBytes bool
	// used means that expressions refer to the ID: an object stores the value at index kept.
	used   bool
	stored int

	isSingle bool
	aligns   bool                // it follows a bit field without being one: it ends that byte, even if it is absent
	isBroken bool                // its keys have errors, so that others may follow from them
	link     *linkView           // that values are; may be nil
	places   map[string]location // of the values of some keys
	idle     idleRun
}

// idleRun is a run of attributes that a quiet reading skips together.
type idleRun struct {
	attributes int
	bytes      int64
}

// prepare computes the plans of all types and attributes: labels, fixed sizes, used values, and the attributes that a
// quiet reading skips.
func (d *Description) prepare() {
	sized := make(measured)
	used, flags := d.mentionedIDs()
	for t := range d.types() {
		if t.plan.label = t.Representation; t.ToString != nil {
			t.plan.label = label{{value: t.ToString, form: "dec"}}
		}
		if t.View != nil {
			t.View.plan(t)
		}
		sized.typ(t)
		for _, a := range t.attributes() {
			sized.attribute(a)
			a.plan.used = used[a.ID] || a.isParam() || flags && a.isFlag() // parameters are displayed, too
			if a.plan.used {
				a.plan.stored = t.plan.stored
				t.plan.stored++
			}
			a.plan.isSingle = a.isSingle()
		}
		t.findRuns()
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

// findRuns finds the attributes of an object that can be skipped together.
func (t *Type) findRuns() {
	next := idleRun{}
	for _, a := range slices.Backward(t.Seq) {
		if next = (idleRun{next.attributes + 1, next.bytes + a.plan.bits/8}); !a.isIdle() {
			next = idleRun{}
		}
		a.plan.idle = next
	}
}

// dynamicSize is the size of a type or an attribute whose size depends on the file.
const dynamicSize = -1

// maxConstant is the least number of bits or elements that counts as dynamic.
const maxConstant = 1 << 40

// measured has the types with known sizes, or sizes under computation.
type measured map[*Type]bool

// typ determines the number of bits of each object of a type.
func (m measured) typ(t *Type) int64 {
	if m[t] {
		return t.plan.bits
	}
	m[t], t.plan.bits, t.plan.hasBytes = true, dynamicSize, true // a type that holds itself has no size
	total, hasBytes := int64(0), false
	t.plan.isBits = true
	for i, a := range t.Seq {
		a.plan.aligns = i > 0 && t.Seq[i-1].isBits() && !a.isBits()
		m.attribute(a)
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
	hasBytes = hasBytes || t.View != nil && t.View.viewer() != nil
	t.plan.bits, t.plan.hasBytes = total, hasBytes
	return total
}

// start returns the bit offset of an attribute after bits bits of an object: a bit field begins there, any other at the
// next byte, and an object as its own first attribute, unless a bit field precedes it. It is unknown for an object that
// begins with bit fields and continues with bytes, because its size depends on the offset within a byte.
func (a *Attribute) start(bits int64) (start int64, isBits, isAligned bool) {
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
func (m measured) hasBytes(a *Attribute) bool {
	if a.Process != nil || a.Type.On != nil && (a.Size != nil || a.SizeEOS) {
		return true
	}
	return slices.ContainsFunc(a.references(), func(ref *Reference) bool {
		if ref.Kind == User {
			m.typ(ref.User)
			return ref.User.plan.hasBytes
		}
		return ref.Kind == Bytes && a.Contents == nil
	})
}

// attribute determines the number of bits of an attribute, and of each element of a list, and its other facts.
func (m measured) attribute(a *Attribute) {
	a.plan.each, a.plan.hasBytes = m.bitsOnce(a), m.hasBytes(a)
	switch n, ok := int64(1), true; {
	case a.If != nil || a.plan.each == dynamicSize || a.Repeat.Kind == ToTheEnd || a.Repeat.Kind == Until:
		a.plan.bits = dynamicSize
	default:
		if a.Repeat.Kind == Times {
			n, ok = constant(a.Repeat.By)
		}
		isOdd := a.plan.each%8 != 0 && a.isNested() && !a.Type.Value.User.plan.isBits // the next begins elsewhere
		if a.plan.bits = n * a.plan.each; !ok || n > 1 && isOdd || a.plan.each > 0 && n > maxConstant/a.plan.each {
			a.plan.bits = dynamicSize
		}
	}
}

// bitsOnce returns the number of bits of an attribute without repetition.
func (m measured) bitsOnce(a *Attribute) int64 {
	switch {
	case a.Contents != nil:
		return 8 * int64(len(a.Contents))
	case a.Size != nil:
		takesOther := func(ref *Reference) bool { return !ref.isSized() } // a number among the cases
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

// bits returns the number of bits of a number or a bit field; dynamicSize of other types.
func (ref *Reference) bits() int64 {
	switch ref.Kind {
	case Number:
		return 8 * int64(ref.Width)
	case Bits:
		return int64(ref.Width)
	}
	return dynamicSize
}

// sizeOf returns the number of bits of a type that an expression of t names.
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
