package kaitai

import (
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
)

// resolve finds the types and enumerations that a type and those in it name, and checks what can be checked before a
// file is read: that attributes have a size, numbers a byte order, texts an encoding, and that names exist.
func (l *loading) resolve(t *Type) error {
	for _, list := range [][]*Attribute{t.Params, t.Seq, t.Instances} {
		for _, a := range list {
			if err := l.attribute(t, a); err != nil {
				return err
			}
		}
	}
	if t.Endian != nil && t.Endian.On != nil {
		if err := t.names(t.where, t.Endian.On); err != nil {
			return err
		}
	}
	for _, name := range sortedNames(t.Types) {
		if err := l.resolve(t.Types[name]); err != nil {
			return err
		}
	}
	return nil
}

// sortedNames returns the names of types in an order that does not change, so that the first error does not.
func sortedNames(types map[string]*Type) []string {
	names := make([]string, 0, len(types))
	for n := range types {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { return types[a].where.line - types[b].where.line })
	return names
}

// attribute resolves one attribute of t.
func (l *loading) attribute(t *Type, a *Attribute) error {
	if a.enum != "" {
		if a.Enum = t.enum(strings.Split(a.enum, "::")); a.Enum == nil {
			return a.where.fail("unable to find enum %q, searching from %s", a.enum, t.path())
		}
	}
	if err := l.reference(t, a, &a.Type); err != nil {
		return err
	}
	for i := range a.Switch.Cases {
		c := &a.Switch.Cases[i]
		if err := l.reference(t, a, &c.Type); err != nil {
			return err
		}
		if err := t.names(c.Type.where, c.On); err != nil {
			return err
		}
	}
	if slices.Contains(t.Params, a) || a.Value != nil {
		return t.names(a.where, a.Value, a.If)
	}
	if err := a.sized(); err != nil {
		return err
	}
	return t.names(a.where, a.expressions()...)
}

// reference resolves the name of a type that an attribute of t has.
func (l *loading) reference(t *Type, a *Attribute, ref *Reference) error {
	isParam := slices.Contains(t.Params, a)
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
	return t.names(ref.where, ref.Args...)
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

// sized checks that it is known where the bytes of an attribute end.
func (a *Attribute) sized() error {
	if a.Contents != nil || a.Size != nil || a.SizeEOS || a.Terminator != nil || a.Switch.On != nil {
		return nil
	}
	switch a.Type.Kind {
	case Bytes, Str:
		return a.where.fail("one of size, size-eos, terminator or contents must be specified")
	}
	return nil
}

// expressions returns all that an attribute evaluates where it stands. Those that ask for _ are among them.
func (a *Attribute) expressions() []*expression.Expression {
	all := []*expression.Expression{a.If, a.Pos, a.IO, a.Size, a.RepeatBy, a.Parent, a.Switch.On}
	if a.Process != nil {
		all = append(all, a.Process.Args...)
	}
	if v := a.Valid; v != nil {
		all = append(append(all, v.Eq, v.Min, v.Max, v.Expr), v.AnyOf...)
	}
	return all
}

// specials are the names that every scope has.
var specials = []string{"_", "_io", "_parent", "_root", "_index", "_on", "_sizeof", "_buf", "_is_le"}

// names checks that the names in expressions exist in t. What follows a point is found when a file is read.
func (t *Type) names(where place, expressions ...*expression.Expression) error {
	for _, e := range expressions {
		if e == nil {
			continue
		}
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
	}
	return nil
}

// member returns the value of a member of an enumeration that a path means in t.
func (t *Type) member(path []string) (expression.Value, bool) {
	enum := t.enum(path[:len(path)-1])
	if enum == nil {
		return expression.Value{}, false
	}
	i, ok := enum.byName[path[len(path)-1]]
	if !ok {
		return expression.Value{}, false
	}
	v := expression.IntValue(enum.Members[i].Value)
	v.Enum = enum
	return v, true
}

// mentioned returns the ids that expressions of a description mention, before or after a point.
func (d *Description) mentioned() map[string]bool {
	used := make(map[string]bool)
	add := func(all ...*expression.Expression) {
		for _, e := range all {
			if e == nil {
				continue
			}
			for _, id := range append(e.Names(), e.Fields()...) {
				used[id] = true
			}
		}
	}
	var visit func(t *Type)
	visit = func(t *Type) {
		for _, part := range t.label {
			add(part.value)
		}
		if t.Endian != nil {
			add(t.Endian.On)
			for _, c := range t.Endian.Cases {
				add(c.On)
			}
		}
		for _, list := range [][]*Attribute{t.Params, t.Seq, t.Instances} {
			for _, a := range list {
				add(a.expressions()...)
				add(a.Value)
				add(a.Type.Args...)
				for _, c := range a.Switch.Cases {
					add(c.On)
					add(c.Type.Args...)
				}
			}
		}
		for _, inner := range t.Types {
			visit(inner)
		}
	}
	for _, top := range d.Imports {
		visit(top)
	}
	return used
}

// keep marks the attributes whose values expressions mention, and numbers them.
func (t *Type) keep(mentioned map[string]bool) {
	for _, list := range [][]*Attribute{t.Params, t.Seq, t.Instances} {
		for _, a := range list {
			// Parameters are shown, too.
			if a.used = mentioned[a.ID] || slices.Contains(t.Params, a); a.used {
				a.kept = t.kept
				t.kept++
			}
			a.isLeaf = a.If == nil && a.Repeat == Once && a.Switch.On == nil && a.Type.Kind != User && a.Valid == nil
		}
	}
	for i, a := range t.Seq {
		a.aligns = i > 0 && t.Seq[i-1].isBits() && !a.isBits()
	}
	for _, inner := range t.Types {
		inner.keep(mentioned)
	}
}
