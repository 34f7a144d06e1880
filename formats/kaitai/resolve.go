package kaitai

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// resolve finds the types and enumerations that a type refers to, and checks the type before a file is read: attributes
// have a size, numbers a byte order, texts an encoding, and names exist.
func (l *loading) resolve(t *objectType) {
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
				ref.Kind = userKind
			}
			switch {
			case ref.Kind == userKind:
				err = l.find(t, a, ref)
			case !a.isParam():
				err = ref.applyDefaults(t, a)
			}
			isBroken = l.report(err) || isBroken
		}
		if !a.isParam() && a.Value == nil && !isBroken {
			l.report(a.checkKeys())
		}
	}
	for loc, e := range t.expressions() {
		l.checkNames(t, t.names.description.expressionLocation(e, loc), e)
	}
}

// find finds the type that a reference names: one of the loaded descriptions, or an opaque one.
func (l *loading) find(t *objectType, a *attribute, ref *typeReference) error {
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

// applyDefaults applies the defaults of the description to a built-in type: the byte order and the encoding.
func (ref *typeReference) applyDefaults(t *objectType, a *attribute) error {
	switch ref.Kind {
	case numberKind:
		if ref.Width > 1 {
			return ref.applyOrder(t)
		}
	case bitsKind:
		ref.Order = cmp.Or(ref.Order, t.Meta.BitEndian)
	case strKind, strzKind:
		name := cmp.Or(a.Encoding, t.Meta.Encoding)
		if name == "" {
			return ref.fail("the type %q needs an encoding, here or in meta/encoding", ref.Name)
		}
		a.plan.encoding, _ = expression.EncodingOf(name) // reading in an unknown one is an error of the field
	case boolKind, structKind, streamKind, anyKind:
		return ref.fail("the type %q is for parameters only", ref.Name)
	}
	return nil
}

// applyOrder gives a number without a byte order the order of t. It stays nil if it is chosen when a file is read.
func (ref *typeReference) applyOrder(t *objectType) error {
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
func (ref *typeReference) isCalculated() bool {
	return ref.Kind >= boolKind || ref.Kind == bytesKind && ref.Name == "bytes"
}

// isBytes reports whether the values are bytes: attributes without a type have this one.
func (ref *typeReference) isBytes() bool { return ref.Kind == bytesKind }

// isText reports whether a type is str or strz.
func (ref *typeReference) isText() bool { return ref.Kind == strKind || ref.Kind == strzKind }

// isSized reports whether an attribute may set the size of a type.
func (ref *typeReference) isSized() bool {
	return ref.isBytes() || ref.isText() || ref.Kind == userKind
}

// isWhole reports whether the values of a type are whole numbers.
func (ref *typeReference) isWhole() bool {
	return ref.Kind == bitsKind || ref.Kind == numberKind && ref.form != model.F32 && ref.form != model.F64
}

// checkKeys checks that an attribute has only keys for its type, and that its bytes have an end. A choice has several
// types, and may be bytes without a matching case.
func (a *attribute) checkKeys() error {
	const sized = "bytes, str, strz and described types"
	refs := a.references()
	isChoice := a.Type.On != nil
	for _, key := range []struct {
		name  string
		isSet bool
		fits  func(ref *typeReference) bool
		types string // that fit
	}{
		{"contents", a.Contents != nil, (*typeReference).isBytes, "bytes"},
		{"size", a.Size != nil, (*typeReference).isSized, sized},
		{"size-eos", a.SizeEOS, (*typeReference).isSized, sized},
		{"terminator", a.Terminator != nil, (*typeReference).isSized, sized},
		{"include", a.Include, (*typeReference).isSized, sized},
		{"consume", !a.Consume, (*typeReference).isSized, sized},
		{"eos-error", !a.EOSError, (*typeReference).isSized, sized},
		{"pad-right", a.PadRight != nil, (*typeReference).isSized, sized},
		{"process", a.Process != nil, (*typeReference).isSized, sized},
		{"encoding", a.Encoding != "", (*typeReference).isText, "str and strz"},
		{"enum", a.EnumName != "", (*typeReference).isWhole, "whole numbers and bit fields"},
	} {
		if key.isSet && !slices.ContainsFunc(refs, key.fits) && !(isChoice && key.fits(&bytesReference)) {
			return a.fail("%s is for %s, not for %s", key.name, key.types, a.elementType())
		}
	}
	for _, ref := range refs {
		switch {
		case a.hasEnd():
		case ref.Kind == bytesKind && a.Contents == nil || ref.Kind == strKind:
			return a.fail("one of size, size-eos, terminator or contents must be specified")
		case ref.Kind == userKind && a.Process != nil:
			return a.fail("process needs one of size, size-eos or terminator")
		}
	}
	return nil
}

// hasEnd reports whether the attribute has a size or a terminator, so that an object has a stream of its own.
func (a *attribute) hasEnd() bool { return a.Size != nil || a.SizeEOS || a.Terminator != nil }

// specials are the names that checkNames accepts in every type. A scope has no value for _buf and _is_le, which only
// the programs of the language's own compiler have.
var specials = []string{"_", "_io", "_parent", "_root", "_index", "_on", "_sizeof", "_buf", "_is_le"}

// checkNames checks that the names in an expression exist in t. Names after a point are resolved when a file is read.
func (l *loading) checkNames(t *objectType, loc location, e *expression.Expression) {
	for _, id := range e.Names() {
		if t.names.attributes[id] == nil && !slices.Contains(specials, id) {
			l.report(loc.fail("unable to access %q in %s context", id, t.path()))
		}
	}
	for _, path := range e.Members() {
		if _, ok := t.member(path); !ok {
			l.report(loc.fail("unable to find enum member %q, searching from %s", strings.Join(path, "::"), t.path()))
		}
	}
}

// attributes returns the parameters, the attributes and the instances of the type.
func (t *objectType) attributes() []*attribute {
	return slices.Concat[[]*attribute](t.Params, t.Seq, t.Instances)
}

func (d *Description) types() iter.Seq[*objectType] {
	return func(yield func(*objectType) bool) {
		for _, top := range d.Imports {
			if !top.visit(yield) {
				return
			}
		}
	}
}

// withInner returns the type and its nested types, outer ones first.
func (t *objectType) withInner() iter.Seq[*objectType] {
	return func(yield func(*objectType) bool) { t.visit(yield) }
}

func (t *objectType) visit(yield func(*objectType) bool) bool {
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
func (t *objectType) expressions() iter.Seq2[location, *expression.Expression] {
	return func(yield func(location, *expression.Expression) bool) {
		each := func(loc location, expressions ...*expression.Expression) {
			for _, e := range expressions {
				if e != nil && yield != nil && !yield(loc, e) {
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
			each(a.location, a.If, a.Value, a.Pos, a.IO, a.Size, a.Repeat.Expr, a.Parent.Value, a.Type.On)
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
func (a *attribute) references() []*typeReference {
	if a.Type.On == nil {
		return []*typeReference{&a.Type.Value}
	}
	references := make([]*typeReference, len(a.Type.Cases))
	for i := range a.Type.Cases {
		references[i] = &a.Type.Cases[i].Value
	}
	return references
}

type typeNames struct {
	description *Description
	outer       *objectType // the enclosing type; nil for the top
	types       map[string]*objectType
	enums       map[string]*enum
	attributes  map[string]*attribute // params, seq and instances
}

// path returns the names of the enclosing types and of the type, from the top: header::entry.
func (t *objectType) path() string {
	if t.names.outer == nil {
		return t.Name
	}
	return t.names.outer.path() + "::" + t.Name
}

// find returns the type for a path of names in t: one nested in t or in an enclosing type, an enclosing type itself, or
// an imported one. As in the language's compiler, each name is also resolved in the type of the names before it.
func (t *objectType) find(names []string) *objectType {
	if len(names) > 0 && names[0] == "" {
		return t.top().typeAt(names[1:])
	}
	for enclosing := t; enclosing != nil; enclosing = enclosing.names.outer {
		if enclosing.Name == names[0] && enclosing.typeAt(names[1:]) != nil {
			return enclosing.typeAt(names[1:])
		}
		if found := enclosing.typeAt(names); found != nil {
			return found
		}
	}
	if top := t.names.description.Imports[names[0]]; top != nil && top.typeAt(names[1:]) != nil {
		return top.typeAt(names[1:])
	}
	if len(names) > 1 {
		if first := t.find(names[:1]); first != nil {
			return first.find(names[1:])
		}
	}
	return nil
}

// typeAt returns the type at a path below t, or nil.
func (t *objectType) typeAt(names []string) *objectType {
	for _, n := range names {
		if t = t.names.types[n]; t == nil {
			return nil
		}
	}
	return t
}

func (t *objectType) top() *objectType {
	for t.names.outer != nil {
		t = t.names.outer
	}
	return t
}

// enum returns the enumeration that a path of names means in t.
func (t *objectType) enum(names []string) *enum {
	name := names[len(names)-1]
	if len(names) > 1 {
		if t = t.find(names[:len(names)-1]); t == nil {
			return nil
		}
	}
	for enclosing := t; enclosing != nil; enclosing = enclosing.names.outer {
		if found := enclosing.names.enums[name]; found != nil {
			return found
		}
	}
	return nil
}

// inherit sets undefined byte orders and an undefined encoding of a type as in the enclosing type.
func (t *objectType) inherit() {
	if t.names.outer == nil {
		t.Meta.BitEndian = cmp.Or(t.Meta.BitEndian, binary.ByteOrder(binary.BigEndian))
		return
	}
	meta, outer := &t.Meta, &t.names.outer.Meta
	meta.Encoding = cmp.Or(meta.Encoding, outer.Encoding)
	meta.BitEndian = cmp.Or(meta.BitEndian, outer.BitEndian)
	if meta.Endian.Value == nil && meta.Endian.On == nil {
		meta.Endian, t.plan.inheritsEndian = outer.Endian, true
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
func (t *objectType) member(path []string) (expression.Value, bool) {
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
