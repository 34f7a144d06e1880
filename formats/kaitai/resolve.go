package kaitai

import (
	"cmp"
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// resolve finds the types and enumerations that a type names, and checks what can be checked before a file is read:
// that attributes have a size, numbers a byte order, texts an encoding, and that names exist.
func (l *loading) resolve(t *Type) error {
	for _, a := range t.attributes() {
		if a.EnumName != "" {
			if a.plan.enum = t.enum(strings.Split(a.EnumName, "::")); a.plan.enum == nil {
				return a.fail("unable to find enum %q, searching from %s", a.EnumName, t.path())
			}
		}
		for _, ref := range a.references() {
			var err error
			switch {
			case ref.Kind == User:
				err = l.find(t, a, ref)
			case !a.isParam():
				err = ref.complete(t, a)
			}
			if err != nil {
				return err
			}
		}
		if a.isParam() || a.Value != nil {
			continue
		}
		if err := a.checkKeys(); err != nil {
			return err
		}
	}
	for where, e := range t.expressions() {
		if err := t.checkNames(where, e); err != nil {
			return err
		}
	}
	return nil
}

// find finds the type of a description that a reference names: one that is known, or an opaque one.
func (l *loading) find(t *Type, a *Attribute, ref *Reference) error {
	names := strings.Split(ref.Name, "::")
	if ref.User = t.find(names); ref.User == nil {
		top, err := l.opaque(ref.place, names[0])
		if err != nil {
			return err
		}
		if top != nil {
			ref.User = top.below(names[1:])
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

// complete gives a type of the language what the description says for all: the byte order and the encoding.
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
		var err error
		if a.plan.encoding, err = expression.EncodingOf(name); err != nil {
			return ref.fail("%v", err)
		}
	case Boolean, Struct, Stream, Any:
		return ref.fail("the type %q is for parameters only", ref.Name)
	}
	return nil
}

// orderFrom gives a number whose type names no byte order that of t; it stays nil if it is chosen when a file is read.
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

// isBytes reports whether a type is that of attributes without one.
func (ref *Reference) isBytes() bool { return ref.Kind == Bytes }

// isText reports whether a type is str or strz.
func (ref *Reference) isText() bool { return ref.Kind == Str || ref.Kind == Strz }

// isSized reports whether an attribute may say how many bytes a type takes.
func (ref *Reference) isSized() bool { return ref.isBytes() || ref.isText() || ref.Kind == User }

// isWhole reports whether the values of a type are whole numbers.
func (ref *Reference) isWhole() bool {
	return ref.Kind == Bits || ref.Kind == Number && ref.form != model.F32 && ref.form != model.F64
}

// checkKeys checks that an attribute has no keys of other types than its own, and that it is known where its bytes end.
// A choice has several types, and may be bytes where none fits.
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

// hasEnd reports whether the attribute says where its bytes end, so that an object has a stream of its own.
func (a *Attribute) hasEnd() bool { return a.Size != nil || a.SizeEOS || a.Terminator != nil }

// specials are the names that every scope has.
var specials = []string{"_", "_io", "_parent", "_root", "_index", "_on", "_sizeof", "_buf", "_is_le"}

// checkNames checks that the names in an expression exist in t. What follows a point is found when a file is read.
func (t *Type) checkNames(where place, e *expression.Expression) error {
	for _, id := range e.Names() {
		if t.names.attributes[id] == nil && !slices.Contains(specials, id) {
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
