package kaitai

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"assay/formats/kaitai/expression"
)

// Check reads the description at a path and its imports, and returns everything that is wrong with them in any file
// that they read: what Load refuses, and expressions whose operands, fields or encodings cannot be right. The error is
// of the file system.
func (l *Library) Check(file string) (Errors, error) {
	text, err := l.readFile(file)
	if err != nil {
		if refused, ok := errors.AsType[*Error](err); ok {
			return Errors{refused}, nil
		}
		return nil, err
	}
	found := new(findings)
	if d := l.read(file, text, found); d != nil {
		d.check(found)
	}
	found.sort()
	return found.errors, nil
}

// check reports the errors in the expressions and encodings of a description and of its imports.
func (d *Description) check(to *findings) {
	c := &typeChecker{findings: to, types: make(map[*attribute]expression.Type)}
	for _, id := range slices.Sorted(maps.Keys(d.Imports)) {
		for t := range d.Imports[id].withInner() {
			for _, a := range t.attributes() {
				c.attribute(t, a)
			}
			if t.ToString != nil {
				c.expect(t, nil, t.location, t.ToString, "to-string", expression.Text)
			}
			if t.View != nil {
				t.checkView(to)
			}
			if endian := &t.Meta.Endian; endian.On != nil && !t.plan.inheritsEndian {
				checkCases(c, t, nil, t.location, endian)
			}
		}
	}
}

// typeChecker checks the types of a description. The types of attributes are found once.
type typeChecker struct {
	*findings
	types map[*attribute]expression.Type
}

// typeOf returns the type of an attribute's values, or an unknown one while it is being found.
func (c *typeChecker) typeOf(t *objectType, a *attribute) expression.Type {
	if known, ok := c.types[a]; ok {
		return known
	}
	c.types[a] = expression.Type{}
	found := c.single(t, a)
	if a.Repeat.Kind != repeatOnce {
		element := found
		found = expression.Type{Kind: expression.List, Elem: &element}
	}
	c.types[a] = found
	return found
}

// single returns the type of an attribute's value, or of the elements of its list.
func (c *typeChecker) single(t *objectType, a *attribute) expression.Type {
	if a.Value != nil {
		found, _ := a.Value.Check(&typeScope{c, t, nil})
		return found
	}
	refs := a.references()
	if len(refs) == 0 || a.Type.On != nil && (a.Size != nil || a.SizeEOS) {
		return expression.Type{} // bytes, without a matching case
	}
	found := typeOfReference(refs[0], a)
	for _, ref := range refs[1:] {
		if typeOfReference(ref, a) != found {
			return expression.Type{}
		}
	}
	return found
}

// valueKinds are the kinds of values by the kinds of their types; None for any value.
var valueKinds = [...]expression.Kind{bytesKind: expression.Bytes, numberKind: expression.Int, bitsKind: expression.Int,
	strKind: expression.Text, strzKind: expression.Text, userKind: expression.Object, boolKind: expression.Bool,
	structKind: expression.Object, streamKind: expression.Stream, anyKind: expression.None}

// typeOfReference returns the type of the values of an attribute with a type.
func typeOfReference(ref *typeReference, a *attribute) expression.Type {
	typ := expression.Type{Kind: valueKinds[ref.Kind]}
	switch {
	case ref.Kind == numberKind && !ref.isWhole():
		typ.Kind = expression.Float
	case ref.Kind == bitsKind && ref.Width == 1 && a.EnumName == "":
		typ.Kind = expression.Bool
	case ref.User != nil:
		typ.Of = ref.User
	}
	if ref.isList {
		return expression.Type{Kind: expression.List, Elem: &typ}
	}
	return typ
}

// expect checks an expression of an attribute, whose values must be of one of the kinds; without kinds, of any kind.
func (c *typeChecker) expect(t *objectType, this *expression.Type, loc location, e *expression.Expression, key string,
	kinds ...expression.Kind) expression.Type {
	if e == nil || c.isFull() {
		return expression.Type{}
	}
	loc = t.names.description.expressionLocation(e, loc)
	found, wrong := e.Check(&typeScope{c, t, this})
	for _, w := range wrong {
		c.report(loc.failAt(w.Offset, "%s: %s", key, w.Message))
	}
	if found.Kind != expression.None && len(kinds) > 0 && !slices.Contains(kinds, found.Kind) {
		c.report(loc.fail("%s: %v is needed, not %v", key, kinds[0], found))
	}
	return found
}

// attribute checks the expressions of an attribute, its encoding and its arguments.
func (c *typeChecker) attribute(t *objectType, a *attribute) {
	typ := c.typeOf(t, a)
	element := typ
	if typ.Kind == expression.List && a.Repeat.Kind != repeatOnce && typ.Elem != nil {
		element = *typ.Elem
	}
	expect := func(e *expression.Expression, key string, kinds ...expression.Kind) expression.Type {
		return c.expect(t, &element, a.location, e, key, kinds...)
	}
	expect(a.If, "if", expression.Bool)
	expect(a.Size, "size", expression.Int)
	expect(a.Pos, "pos", expression.Int)
	expect(a.IO, "io", expression.Stream)
	expect(a.Parent.Value, "parent", expression.Object)
	expect(a.Value, "value")
	if a.Repeat.Kind == repeatUntil {
		expect(a.Repeat.Expr, "repeat-until", expression.Bool)
	} else {
		expect(a.Repeat.Expr, "repeat-expr", expression.Int)
	}
	if a.Type.On != nil {
		checkCases(c, t, &element, a.location, &a.Type)
	}
	c.valid(a, element, expect)
	if name := a.Encoding; name != "" {
		if _, err := expression.EncodingOf(name); err != nil {
			c.report(a.locationOf("encoding").fail("encoding: %v", err))
		}
	}
	for _, ref := range a.references() {
		c.arguments(t, ref)
	}
	if p := a.Process; p != nil {
		for _, arg := range p.Args {
			expect(arg, "process", argumentKinds[p.Name]...)
		}
	}
}

// argumentKinds are the kinds of values that a process takes as its argument.
var argumentKinds = map[string][]expression.Kind{"xor": {expression.Int, expression.Bytes, expression.List},
	"rol": {expression.Int}, "ror": {expression.Int}}

// valid checks the constraints of an attribute.
func (c *typeChecker) valid(a *attribute, element expression.Type,
	expect func(e *expression.Expression, key string, kinds ...expression.Kind) expression.Type) {
	v := a.Valid
	if v == nil {
		return
	}
	for _, e := range append([]*expression.Expression{v.Eq, v.Min, v.Max}, v.AnyOf...) {
		if found := expect(e, "valid"); !found.Fits(element) {
			c.report(a.fail("valid: %v cannot be compared with %v", found, element))
		}
	}
	expect(v.Expr, "valid", expression.Bool)
}

// arguments checks the arguments of a type with parameters.
func (c *typeChecker) arguments(t *objectType, ref *typeReference) {
	for i, arg := range ref.Args {
		found := c.expect(t, nil, ref.location, arg, "type")
		if ref.User == nil || i >= len(ref.User.Params) {
			continue
		}
		if param := c.typeOf(ref.User, ref.User.Params[i]); !found.Fits(param) {
			c.report(ref.fail("the parameter %s is %v, not %v", ref.User.Params[i].ID, param, found))
		}
	}
}

// checkCases checks the cases of a switchable value.
func checkCases[T any](c *typeChecker, t *objectType, this *expression.Type, loc location, choice *switchable[T]) {
	on := c.expect(t, this, loc, choice.On, "switch-on")
	for _, item := range choice.Cases {
		if found := c.expect(t, this, item.location, item.On, "cases"); !found.Fits(on) {
			c.report(item.fail("cases: %v cannot be compared with %v", found, on))
		}
	}
}

// typeScope resolves the names in an expression of a type.
type typeScope struct {
	*typeChecker
	typ  *objectType
	this *expression.Type // of _; nil if it has no value
}

// NameType implements expression.TypeScope.
func (s *typeScope) NameType(id string) expression.Type {
	if id == "_" && s.this != nil {
		return *s.this
	}
	found, _ := s.field(s.typ, id)
	return found
}

func (s *typeScope) field(t *objectType, id string) (expression.Type, bool) {
	switch id {
	case "_root":
		return expression.Type{Kind: expression.Object, Of: t.top()}, true
	case "_io":
		return expression.Type{Kind: expression.Stream}, true
	case "_sizeof", "_index":
		return expression.Type{Kind: expression.Int}, true
	}
	if slices.Contains(specials, id) {
		return expression.Type{}, true
	}
	a := t.names.attributes[id]
	if a == nil {
		return expression.Type{}, false
	}
	return s.typeOf(t, a), true
}

// FieldType implements expression.TypeScope.
func (s *typeScope) FieldType(typ expression.Type, id string) (expression.Type, bool) {
	if typ.Kind == expression.Stream {
		kind, ok := map[string]expression.Kind{"size": expression.Int, "pos": expression.Int, "eof": expression.Bool}[id]
		return expression.Type{Kind: kind}, ok
	}
	t, ok := typ.Of.(*objectType)
	if !ok {
		return expression.Type{}, true
	}
	return s.field(t, id)
}

// TypeNamed implements expression.TypeScope.
func (s *typeScope) TypeNamed(name string) (expression.Type, bool) {
	if elem, isList := strings.CutSuffix(name, "[]"); isList {
		typ, ok := s.TypeNamed(elem)
		return expression.Type{Kind: expression.List, Elem: &typ}, ok
	}
	if t := s.typ.find(strings.Split(name, "::")); t != nil {
		return expression.Type{Kind: expression.Object, Of: t}, true
	}
	ref, ok := builtin(name)
	return typeOfReference(&ref, &attribute{}), ok
}

// TypeName implements expression.TypeScope.
func (s *typeScope) TypeName(typ expression.Type) string {
	if t, ok := typ.Of.(*objectType); ok {
		return "the type " + t.path()
	}
	return typ.String()
}
