package kaitai

import (
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
)

// resolve finds the types and enumerations that a type names, and checks what can be checked before a file is read:
// that attributes have a size, numbers a byte order, texts an encoding, and that names exist.
func (l *loading) resolve(t *Type) error {
	for _, a := range t.attributes() {
		if a.enum != "" {
			if a.Enum = t.enum(strings.Split(a.enum, "::")); a.Enum == nil {
				return a.where.fail("unable to find enum %q, searching from %s", a.enum, t.path())
			}
		}
		for _, ref := range a.references() {
			if err := l.reference(t, a, ref); err != nil {
				return err
			}
		}
		if !a.isParam() && a.Value == nil && !a.hasEnd() {
			return a.where.fail("one of size, size-eos, terminator or contents must be specified")
		}
	}
	for where, e := range t.expressions() {
		if err := t.names(where, e); err != nil {
			return err
		}
	}
	return nil
}

// reference resolves the name of a type that an attribute of t has.
func (l *loading) reference(t *Type, a *Attribute, ref *Reference) error {
	isParam := a.isParam()
	switch ref.Kind {
	case User:
		return l.user(t, ref, isParam)
	case Unsigned, Signed, Float:
		if ref.Width > 1 && !isParam {
			return ref.orderFrom(t)
		}
	case Str, Strz:
		if a.Encoding == "" {
			a.Encoding = t.encoding()
		}
		if isParam {
			return nil
		}
		if a.Encoding == "" {
			return ref.where.fail("the type %q needs an encoding, here or in meta/encoding", ref.Name)
		}
		if _, err := expression.Encoding(a.Encoding); err != nil {
			return ref.where.fail("%v", err)
		}
	case Boolean, Struct, Stream, Any:
		if !isParam {
			return ref.where.fail("the type %q is for parameters only", ref.Name)
		}
	}
	return nil
}

// user finds the type of a description that a reference names: one that is known, or an opaque one.
func (l *loading) user(t *Type, ref *Reference, isParam bool) error {
	names := strings.Split(ref.Name, "::")
	if ref.User = t.find(names); ref.User == nil {
		top, err := l.opaque(names[0])
		if err != nil {
			return err
		}
		if top != nil {
			ref.User = top.below(names[1:])
		}
	}
	if ref.User == nil {
		return ref.where.fail("unable to find type %q, searching from %s", ref.Name, t.path())
	}
	if !isParam && len(ref.Args) != len(ref.User.Params) {
		return ref.where.fail("the type %s takes %d parameters, not %d", ref.Name, len(ref.User.Params), len(ref.Args))
	}
	return nil
}

// orderFrom gives a number whose type names no byte order that of t; it stays nil if it is chosen when a file is read.
func (ref *Reference) orderFrom(t *Type) error {
	if ref.Order == nil {
		endian := t.endian()
		if endian == nil {
			return ref.where.fail("unable to use type %q without default endianness", ref.Name)
		}
		ref.Order = endian.Order
	}
	ref.Name = strings.TrimSuffix(strings.TrimSuffix(ref.Name, "le"), "be") + suffixOf(ref.Order)
	return nil
}

// hasEnd reports whether it is known where the bytes of an attribute end.
func (a *Attribute) hasEnd() bool {
	return a.Contents != nil || a.Size != nil || a.SizeEOS || a.Terminator != nil || a.Switch.On != nil ||
		a.Type.Kind != Bytes && a.Type.Kind != Str
}

// specials are the names that every scope has.
var specials = []string{"_", "_io", "_parent", "_root", "_index", "_on", "_sizeof", "_buf", "_is_le"}

// names checks that the names in an expression exist in t. What follows a point is found when a file is read.
func (t *Type) names(where place, e *expression.Expression) error {
	for _, id := range e.Names() {
		if t.slot(id) == nil && !slices.Contains(specials, id) {
			return where.fail("unable to access %q in %s context", id, t.path())
		}
	}
	for _, path := range e.Members() {
		if _, ok := t.member(path); !ok {
			return where.fail("unable to find enum member %q, searching from %s", strings.Join(path, "::"), t.path())
		}
	}
	return nil
}
