package expression

import "fmt"

// Type is the type of the values of an expression, as far as it is known before a file is read. The zero Type is
// unknown.
type Type struct {
	Kind Kind  // None if unknown
	Of   any   // of an object: its type in the TypeScope; nil if unknown
	Elem *Type // of the elements of a list; nil if unknown
}

// String names the type as part of a sentence.
func (t Type) String() string { return t.Kind.String() }

// TypeScope resolves names to types, as Scope does to values.
type TypeScope interface {
	// NameType returns the type of an attribute, an instance, a parameter or a special name. An unknown name has an
	// unknown type: the caller of Check reports it.
	NameType(id string) Type
	// FieldType returns the type of a field of an object or of a stream, and false if it has none.
	FieldType(typ Type, id string) (Type, bool)
	// TypeNamed returns the type that a cast or sizeof names, and false if there is none.
	TypeNamed(name string) (Type, bool)
	// TypeName returns the name of the type of objects, for messages.
	TypeName(typ Type) string
}

// Check returns the type of the expression's values, and the errors that it has in any file: operators and methods that
// the types of their operands do not have, and unknown fields, types and encodings.
func (e *Expression) Check(s TypeScope) (Type, []*Error) {
	c := checker{TypeScope: s}
	t := c.check(e.root)
	return t, c.errors
}

// Fits reports whether values of two types can be compared.
func (t Type) Fits(other Type) bool {
	a, b := t.Kind, other.Kind
	isNumber := func(k Kind) bool { return k == Int || k == Float }
	isList := func(k Kind) bool { return k == List || k == Bytes }
	return a == None || b == None || a == b || isNumber(a) && isNumber(b) || isList(a) && isList(b)
}

// checker finds the types of expressions.
type checker struct {
	TypeScope
	errors []*Error
}

func (c *checker) fail(offset int, format string, args ...any) Type {
	c.errors = append(c.errors, &Error{Offset: offset, Message: fmt.Sprintf(format, args...)})
	return Type{}
}

func (c *checker) require(offset int, t Type, want Kind) {
	if t.Kind != None && t.Kind != want && !(want == Float && t.Kind == Int) {
		c.fail(offset, "%v is needed, not %v", want, t)
	}
}

// check returns the type of a part of an expression.
func (c *checker) check(f node) Type {
	switch f := f.(type) {
	case literal:
		return Type{Kind: f.value.Kind}
	case *unusable, *member:
		return Type{Kind: Int}
	case *name:
		return c.NameType(f.id)
	case *sizeof:
		c.namedType(0, f.typ)
		return Type{Kind: Int}
	case *sizeOfValue:
		c.check(f.operand)
		return Type{Kind: Int}
	case *unary:
		return c.unary(f)
	case *binary:
		return c.binary(f)
	case *logical:
		c.require(f.offset, c.check(f.left), Bool)
		c.require(f.offset, c.check(f.right), Bool)
		return Type{Kind: Bool}
	case *ternary:
		return c.ternary(f)
	case *array:
		return c.array(f)
	case *interpolated:
		for _, part := range f.parts {
			c.check(part)
		}
		return Type{Kind: Text}
	case *index:
		return c.index(f)
	case *cast:
		c.check(f.operand)
		return c.namedType(f.offset, f.typ)
	case *field:
		return c.field(f)
	}
	return Type{}
}

// namedType returns the type that a cast or sizeof names.
func (c *checker) namedType(offset int, name string) Type {
	t, ok := c.TypeNamed(name)
	if !ok {
		return c.fail(offset, "unable to find type %q", name)
	}
	return t
}

func (c *checker) unary(u *unary) Type {
	typ := c.check(u.operand)
	switch u.sign {
	case "not":
		c.require(u.offset, typ, Bool)
		return Type{Kind: Bool}
	case "~":
		c.require(u.offset, typ, Int)
		return Type{Kind: Int}
	}
	c.require(u.offset, typ, Float)
	return typ
}

func (c *checker) binary(b *binary) Type {
	left, right := c.check(b.left), c.check(b.right)
	isKnown := left.Kind != None && right.Kind != None
	isNumbers := (left.Kind == Int || left.Kind == Float) && (right.Kind == Int || right.Kind == Float)
	isTexts := left.Kind == Text && right.Kind == Text
	switch {
	case b.byEquality != nil || b.byOrder != nil:
		if !left.Fits(right) {
			c.fail(b.offset, "%v cannot be compared with %v", left, right)
		}
		return Type{Kind: Bool}
	case b.onTexts != nil && isTexts:
		return Type{Kind: Text}
	case b.onFloats == nil:
		c.require(b.offset, left, Int)
		c.require(b.offset, right, Int)
		return Type{Kind: Int}
	case isKnown && !isNumbers:
		return c.fail(b.offset, "%q cannot be applied to %v and %v", b.sign, left, right)
	case left.Kind == Float || right.Kind == Float:
		return Type{Kind: Float}
	case isKnown:
		return Type{Kind: Int}
	}
	return Type{}
}

func (c *checker) ternary(t *ternary) Type {
	c.require(t.offset, c.check(t.condition), Bool)
	yes, no := c.check(t.yes), c.check(t.no)
	switch {
	case !yes.Fits(no):
		return c.fail(t.offset, "the results are %v or %v", yes, no)
	case yes == no:
		return yes
	case yes.Kind == None || no.Kind == None || yes.Kind != no.Kind && (yes.Kind == List || no.Kind == List):
		return Type{}
	case yes.Kind == Float || no.Kind == Float:
		return Type{Kind: Float}
	}
	return Type{Kind: yes.Kind}
}

// array returns bytes for a list of literal numbers from 0 to 255, as its evaluation does.
func (c *checker) array(a *array) Type {
	list, isBytes := Type{Kind: List}, len(a.items) > 0
	for i, item := range a.items {
		t := c.check(item)
		one, ok := item.(literal)
		n, err := one.value.Int()
		isBytes = isBytes && ok && err == nil && n >= 0 && n <= 255
		if i == 0 {
			list.Elem = &t
		} else if list.Elem != nil && t != *list.Elem {
			list.Elem = nil
		}
	}
	if isBytes {
		return Type{Kind: Bytes}
	}
	return list
}

func (c *checker) index(x *index) Type {
	typ := c.check(x.operand)
	c.require(x.offset, c.check(x.subscript), Int)
	switch typ.Kind {
	case None:
		return Type{}
	case List, Bytes:
		return typ.element()
	}
	return c.fail(x.offset, "%v has no elements", typ)
}

// element returns the type of the elements of a list or of bytes.
func (t Type) element() Type {
	switch {
	case t.Kind == Bytes:
		return Type{Kind: Int}
	case t.Elem != nil:
		return *t.Elem
	}
	return Type{}
}

func (c *checker) field(f *field) Type {
	typ := c.check(f.operand)
	for _, a := range f.args {
		c.check(a)
	}
	switch typ.Kind {
	case None:
		return Type{}
	case Object, Stream:
		t, ok := c.FieldType(typ, f.id)
		if !ok {
			return c.fail(f.offset, "%s has no %q", c.TypeName(typ), f.id)
		}
		return t
	}
	m, ok := methods[typ.Kind][f.id]
	if !ok {
		return c.fail(f.offset, "%v has no %q", typ, f.id)
	}
	if n := len(f.args); n < m.arguments || n > m.arguments+m.optional {
		return c.fail(f.offset, "%s takes %d to %d arguments, not %d", f.id, m.arguments, m.arguments+m.optional, n)
	}
	return c.result(typ, f)
}

func (c *checker) result(typ Type, f *field) Type {
	switch f.id {
	case "first", "last", "min", "max":
		return typ.element()
	case "to_b":
		c.encoding(f)
		return Type{Kind: Bytes}
	case "to_s":
		if typ.Kind == Bytes {
			c.encoding(f)
		}
		return Type{Kind: Text}
	case "reverse", "substring":
		return Type{Kind: Text}
	}
	return Type{Kind: Int}
}

// encoding checks the encoding that is the argument of a method.
func (c *checker) encoding(f *field) {
	if name, ok := f.args[0].(literal); ok && name.value.Kind == Text {
		if _, err := EncodingOf(name.value.s); err != nil {
			c.fail(f.offset, "%v", err)
		}
	}
}
