package expression

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"
)

// Kind is the kind of a Value.
type Kind uint8

// The kinds of values. None is an absent optional attribute.
const (
	None Kind = iota
	Bool
	Int
	Float
	Text
	Bytes
	List
	Object
	Stream
)

var kindNames = [...]string{"nothing", "a boolean", "a whole number", "a number", "a text", "bytes", "a list", "an object", "a stream"}

// String names the kind as part of a sentence: "a text".
func (k Kind) String() string { return kindNames[k] }

// Value is the result of an expression. The zero Value is None.
type Value struct {
	Kind  Kind
	large bool // n holds the bits of an unsigned number above the largest int64
	// Enum is the enumeration that a whole number belongs to, or nil.
	Enum Enum

	n   int64 // of Int; 0 or 1 of Bool; the bits of Float
	s   string
	ref any // []byte, Elements, or the pointer that is an object or a stream
}

// Enum gives numbers names.
type Enum interface {
	// Symbol returns the name of a whole number, and false if it has none.
	Symbol(n Value) (string, bool)
}

// Elements is the content of a list. At may read a file.
type Elements interface {
	Len() int
	At(i int) (Value, error)
}

// BoolValue returns a boolean.
func BoolValue(b bool) Value {
	if b {
		return Value{Kind: Bool, n: 1}
	}
	return Value{Kind: Bool}
}

// IntValue returns a whole number.
func IntValue(n int64) Value { return Value{Kind: Int, n: n} }

// UintValue returns a whole number of 64 bits without a sign.
func UintValue(n uint64) Value { return Value{Kind: Int, n: int64(n), large: int64(n) < 0} }

// FloatValue returns a number with a fraction.
func FloatValue(f float64) Value { return Value{Kind: Float, n: int64(math.Float64bits(f))} }

// TextValue returns a text.
func TextValue(s string) Value { return Value{Kind: Text, s: s} }

// BytesValue returns bytes, which must not be changed afterwards.
func BytesValue(b []byte) Value { return Value{Kind: Bytes, ref: b} }

// ListValue returns a list.
func ListValue(l Elements) Value { return Value{Kind: List, ref: l} }

// ObjectValue returns an object value: a pointer whose fields the Scope resolves.
func ObjectValue(o any) Value { return Value{Kind: Object, ref: o} }

// StreamValue returns a stream value: a pointer whose fields the Scope resolves.
func StreamValue(s any) Value { return Value{Kind: Stream, ref: s} }

// Truth returns a boolean, or an error for another kind of value. An absent value is false.
func (v Value) Truth() (bool, error) {
	if v.Kind != Bool && v.Kind != None {
		return false, v.kindError(Bool)
	}
	return v.n != 0, nil
}

// Int returns a whole number as an int64, or an error for another kind of value or one out of range.
func (v Value) Int() (int64, error) {
	switch {
	case v.Kind != Int:
		return 0, v.kindError(Int)
	case v.large:
		return 0, fmt.Errorf("%d is too large", uint64(v.n))
	}
	return v.n, nil
}

// Size returns a number of bytes or of elements, or a position, as Int does. An absent value, or a value computed from
// one, is 0, as in programs of the language's compiler.
func (v Value) Size() (int64, error) {
	if v.Kind == None || v.Kind == Float && math.IsNaN(v.Float()) {
		return 0, nil
	}
	return v.Int()
}

// IntBits returns the bits of a whole number and whether they are unsigned, above the largest int64.
func (v Value) IntBits() (n int64, large bool) { return v.n, v.large }

// WithoutEnum returns a whole number without its enumeration, so that equal numbers are equal with ==.
func (v Value) WithoutEnum() Value { return Value{Kind: v.Kind, large: v.large, n: v.n} }

// Float returns a number, whole or not.
func (v Value) Float() float64 {
	switch {
	case v.Kind == Float:
		return math.Float64frombits(uint64(v.n))
	case v.large:
		return float64(uint64(v.n))
	}
	return float64(v.n)
}

// Text returns the text of a Text, "" of other kinds.
func (v Value) Text() string { return v.s }

// Bytes returns the bytes of a Bytes, nil of other kinds.
func (v Value) Bytes() []byte {
	b, _ := v.ref.([]byte)
	return b
}

// ToBytes returns the bytes of a Bytes value, or of a List of numbers from 0 to 255.
func (v Value) ToBytes() ([]byte, error) {
	switch v.Kind {
	case Bytes:
		return v.Bytes(), nil
	case List:
		return listToBytes(v.Elements())
	}
	return nil, v.kindError(Bytes)
}

// Elements returns the content of a List, or nil for other kinds.
func (v Value) Elements() Elements {
	l, _ := v.ref.(Elements)
	return l
}

// Pointer returns the pointer that ObjectValue or StreamValue was called with.
func (v Value) Pointer() any { return v.ref }

// String formats the value for users and for f-strings: a number in decimal, a text unchanged.
func (v Value) String() string {
	switch v.Kind {
	case Bool:
		return strconv.FormatBool(v.n != 0)
	case Int:
		if v.large {
			return strconv.FormatUint(uint64(v.n), 10)
		}
		return strconv.FormatInt(v.n, 10)
	case Float:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case Text:
		return v.s
	case Bytes:
		return fmt.Sprintf("% x", v.Bytes())
	}
	return v.Kind.String()
}

// big returns a whole number of any size.
func (v Value) big() *big.Int {
	if v.large {
		return new(big.Int).SetUint64(uint64(v.n))
	}
	return big.NewInt(v.n)
}

// fromBig returns the value of a number that has at most 64 bits.
func fromBig(n *big.Int) (Value, error) {
	switch {
	case n.IsInt64():
		return IntValue(n.Int64()), nil
	case n.IsUint64():
		return UintValue(n.Uint64()), nil
	}
	return Value{}, fmt.Errorf("the result has more than 64 bits")
}

func (v Value) kindError(want Kind) error { return fmt.Errorf("%v is needed, not %v", want, v.Kind) }

// Values are the elements of a list in memory.
type Values []Value

// Len returns the number of elements.
func (v Values) Len() int { return len(v) }

// At returns the i-th element.
func (v Values) At(i int) (Value, error) { return v[i], nil }

// lengthOf returns the number of characters, bytes or elements, and false for values without a length.
func lengthOf(v Value) (int64, bool) {
	switch v.Kind {
	case Text:
		return int64(utf8.RuneCountInString(v.s)), true
	case Bytes:
		return int64(len(v.Bytes())), true
	case List:
		return int64(v.Elements().Len()), true
	}
	return 0, false
}

// Costs of values: the memory of one in bytes, and the bytes that an operator processes in a step.
const (
	valueSize    = 64
	bytesPerStep = 16
	// Steps of longer operations: to create a list, and to read an element of one.
	stepsOfArray   = 4
	stepsOfElement = 4
)

// weight returns the number of bytes or elements that an operator or a method may process.
func weight(v Value) int64 {
	switch v.Kind {
	case Text:
		return int64(len(v.s))
	case Bytes, List:
		n, _ := lengthOf(v)
		return n
	}
	return 0
}

// StepsToCompare returns the steps of comparing two values; none for numbers.
func StepsToCompare(a, b Value) int64 {
	if isList(a) && isList(b) && (a.Kind == List || b.Kind == List) {
		return min(weight(a), weight(b)) * stepsOfElement
	}
	return (weight(a) + weight(b)) / bytesPerStep
}

// checkIndex returns an error if bytes or a list have no element i.
func checkIndex(v Value, i int64) error {
	n, ok := lengthOf(v)
	switch {
	case !ok || v.Kind == Text:
		return fmt.Errorf("%v has no elements", v.Kind)
	case i < 0 || i >= n:
		return fmt.Errorf("element %d of %d does not exist", i, n)
	}
	return nil
}

// elementOf returns element i of bytes or of a list, which must exist (checkIndex).
func elementOf(v Value, i int64) (Value, error) {
	if v.Kind == Bytes {
		return IntValue(int64(v.Bytes()[i])), nil
	}
	return v.Elements().At(int(i))
}
