package expression

import (
	"errors"
	"strings"
	"sync/atomic"
)

// Scope is the environment of an expression: it resolves names, enumerations and types.
type Scope interface {
	// Spend is called before steps of an evaluation, with the number of bytes that they create. An error ends it.
	Spend(steps, bytes int64) error
	// Name returns an attribute, an instance, a parameter, or _root, _parent, _io, _index, _, _on, _sizeof.
	Name(id string) (Value, error)
	// Member returns the value of a member of an enumeration: path names types, the enumeration and the member. A
	// path that begins with "" starts at the top type.
	Member(path []string) (Value, error)
	// Field returns the field of an object (an attribute, an instance, _parent and others) or of a stream (size, pos,
	// eof) with an ID.
	Field(owner Value, id string) (Value, error)
	// SizeOf returns the number of bits of a type of fixed size.
	SizeOf(typ string) (bits int64, err error)
	// AttributeSize returns the size in bits of an attribute of an object or, if owner is None, of the field that Name
	// finds. It returns false if the size varies.
	AttributeSize(owner Value, id string) (bits int64, ok bool)
}

// node is a part of an expression.
type node interface {
	eval(s Scope) (Value, error)
}

// atOffset adds the offset in the expression to an error of an operator or a method. Errors of a Scope have no offset:
// they may come from another expression.
func atOffset(offset int, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Offset: offset, Message: err.Error()}
}

// evalOperand spends a step, for the node around it, and evaluates a node.
func evalOperand(s Scope, n node) (Value, error) {
	if err := s.Spend(1, 0); err != nil {
		return Value{}, err
	}
	return n.eval(s)
}

type literal struct{ value Value }

func (l literal) eval(Scope) (Value, error) { return l.value, nil }

// unusable is a literal that has no value: it is an error only if it is evaluated.
type unusable struct{ err error }

func (u *unusable) eval(Scope) (Value, error) { return Value{}, u.err }

type name struct{ id string }

func (n *name) eval(s Scope) (Value, error) {
	if err := s.Spend(1, 0); err != nil {
		return Value{}, err
	}
	return s.Name(n.id)
}

// member is a member of an enumeration: animal::cat.
type member struct {
	path  []string
	value atomic.Pointer[Value] // cached after the first evaluation: an expression has one Scope of names
}

func (m *member) eval(s Scope) (Value, error) {
	if v := m.value.Load(); v != nil {
		return *v, nil
	}
	v, err := s.Member(m.path)
	if err == nil {
		m.value.Store(&v)
	}
	return v, err
}

type sizeof struct {
	typ  string
	bits bool
}

func (z *sizeof) eval(s Scope) (Value, error) {
	if err := s.Spend(stepsOfElement, 0); err != nil {
		return Value{}, err
	}
	n, err := s.SizeOf(z.typ)
	if z.bits {
		return IntValue(n), err
	}
	return inBytes(n), err
}

// sizeOfValue is value._sizeof: the fixed size of an attribute, or the size of a decoded object.
type sizeOfValue struct{ field }

func (z *sizeOfValue) eval(s Scope) (Value, error) {
	switch value := z.operand.(type) {
	case *name:
		if bits, ok := s.AttributeSize(Value{}, value.id); ok {
			return inBytes(bits), nil
		}
	case *field: // evaluate the owner of the attribute once: it may contain another _sizeof
		owner, err := value.operand.eval(s)
		if err != nil {
			return owner, err
		}
		if owner.Kind == Object {
			if bits, ok := s.AttributeSize(owner, value.id); ok {
				return inBytes(bits), nil
			}
		}
		v, err := value.valueIn(s, owner)
		if err != nil {
			return v, err
		}
		return z.valueIn(s, v)
	}
	return z.field.eval(s)
}

func inBytes(bits int64) Value { return IntValue((bits + 7) / 8) }

type unary struct {
	offset  int
	sign    string
	operand node
}

func (u *unary) eval(s Scope) (Value, error) {
	v, err := evalOperand(s, u.operand)
	if err != nil {
		return v, err
	}
	v, err = applySign(u.sign, v)
	return v, atOffset(u.offset, err)
}

type binary struct {
	*operator
	offset      int
	sign        string
	left, right node
}

func (b *binary) eval(s Scope) (Value, error) {
	left, err := b.left.eval(s)
	if err != nil {
		return left, err
	}
	right, err := b.right.eval(s)
	if err != nil {
		return right, err
	}
	if err := s.Spend(2+StepsToCompare(left, right), b.resultSize(left, right)); err != nil {
		return Value{}, err
	}
	v, err := b.operate(b.sign, left, right)
	return v, atOffset(b.offset, err)
}

// logical is `and` or `or`.
type logical struct {
	offset      int
	decides     bool // the left operand that makes the right one needless: true for `or`
	left, right node
}

func (l *logical) eval(s Scope) (Value, error) {
	left, err := evalOperand(s, l.left)
	if err != nil {
		return left, err
	}
	truth, err := left.Truth()
	if err != nil || truth == l.decides {
		return left, atOffset(l.offset, err)
	}
	right, err := l.right.eval(s)
	if err == nil && right.Kind != Bool && right.Kind != None {
		err = atOffset(l.offset, right.kindError(Bool))
	}
	return right, err
}

type ternary struct {
	offset             int
	condition, yes, no node
}

func (t *ternary) eval(s Scope) (Value, error) {
	v, err := evalOperand(s, t.condition)
	if err != nil {
		return v, err
	}
	truth, err := v.Truth()
	switch {
	case err != nil:
		return v, atOffset(t.offset, err)
	case truth:
		return t.yes.eval(s)
	}
	return t.no.eval(s)
}

// array is a list of expressions in brackets.
type array struct{ items []node }

// eval returns bytes if the brackets hold only literal numbers from 0 to 255, else a list.
func (a *array) eval(s Scope) (Value, error) {
	if err := s.Spend(stepsOfArray+int64(len(a.items)), int64(len(a.items))*valueSize); err != nil {
		return Value{}, err
	}
	list, literals := make(Values, len(a.items)), true
	for i, item := range a.items {
		v, err := item.eval(s)
		if err != nil {
			return v, err
		}
		_, ok := item.(literal)
		literals = literals && ok
		list[i] = v
	}
	if literals {
		if b, err := listToBytes(list); err == nil {
			return BytesValue(b), nil
		}
	}
	return ListValue(list), nil
}

// interpolated is an f-string: texts and expressions in braces.
type interpolated struct {
	offset int
	parts  []node
}

func (i *interpolated) eval(s Scope) (Value, error) {
	var text strings.Builder
	for _, p := range i.parts {
		v, err := p.eval(s)
		if err != nil {
			return v, err
		}
		if err := s.Spend(1, 3*weight(v)); err != nil {
			return Value{}, err
		}
		if text.WriteString(v.String()); text.Len() > maxText {
			return Value{}, errorAt(i.offset, "the text has more than %d bytes", maxText)
		}
	}
	return TextValue(text.String()), nil
}

type index struct {
	offset             int
	operand, subscript node
}

func (x *index) eval(s Scope) (Value, error) {
	owner, err := evalOperand(s, x.operand)
	if err != nil {
		return owner, err
	}
	v, err := x.subscript.eval(s)
	if err != nil {
		return v, err
	}
	i, err := v.Int()
	if err == nil {
		err = checkIndex(owner, i)
	}
	if err != nil {
		return Value{}, atOffset(x.offset, err)
	}
	return elementOf(owner, i)
}

// cast is value.as<type>.
type cast struct {
	offset  int
	operand node
	typ     string
}

func (c *cast) eval(s Scope) (Value, error) {
	v, err := evalOperand(s, c.operand)
	switch {
	case err != nil:
		return v, err
	case c.typ == "bytes" && v.Kind == List:
		if err := s.Spend(weight(v), weight(v)); err != nil {
			return Value{}, err
		}
		b, err := listToBytes(v.Elements())
		return BytesValue(b), atOffset(c.offset, err)
	case v.Kind == Bytes && strings.HasSuffix(c.typ, "[]"):
		return ListValue(numbers(v.Bytes())), nil
	case v.Kind == Int && (c.typ == "f4" || c.typ == "f8"):
		return FloatValue(v.Float()), nil
	}
	return v, nil
}

// field is the part after a point: a field of an object, or a method.
type field struct {
	offset  int
	operand node
	id      string
	args    []node
}

func (f *field) eval(s Scope) (Value, error) {
	owner, err := evalOperand(s, f.operand)
	if err != nil {
		return owner, err
	}
	return f.valueIn(s, owner)
}

// valueIn returns the field of an object or of a stream, or the result of the method of a value.
func (f *field) valueIn(s Scope, owner Value) (Value, error) {
	if (owner.Kind == Object || owner.Kind == Stream) && f.args == nil {
		return s.Field(owner, f.id)
	}
	args := make([]Value, len(f.args))
	for i, a := range f.args {
		var err error
		if args[i], err = a.eval(s); err != nil {
			return args[i], err
		}
	}
	n := weight(owner)
	if owner.Kind == List {
		n *= stepsOfElement
	}
	if owner.Kind == List && (f.id == "size" || f.id == "length" || f.id == "first" || f.id == "last") {
		n = 0
	}
	if err := s.Spend(1+n, 0); err != nil {
		return Value{}, err
	}
	v, err := call(owner, f.id, args)
	if err == nil && (v.Kind == Text || v.Kind == Bytes) {
		err = s.Spend(0, weight(v))
	}
	return v, atOffset(f.offset, err)
}

// errNoScope is the error of names that a constant must not have.
var errNoScope = errors.New("not a constant")

// noScope is the Scope of constants.
type noScope struct{}

func (noScope) Spend(int64, int64) error           { return nil }
func (noScope) Name(string) (Value, error)         { return Value{}, errNoScope }
func (noScope) Field(Value, string) (Value, error) { return Value{}, errNoScope }
func (noScope) Member([]string) (Value, error)     { return Value{}, errNoScope }
func (noScope) SizeOf(string) (int64, error)       { return 0, errNoScope }

func (noScope) AttributeSize(Value, string) (int64, bool) { return 0, false }
