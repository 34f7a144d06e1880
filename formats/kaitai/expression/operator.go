package expression

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
)

// maxText is the maximum size of a text that an expression makes, in bytes.
const maxText = 1 << 20

var errDivision = errors.New("division by zero")

// applySign applies an operator to the single operand after it.
func applySign(op string, v Value) (Value, error) {
	switch {
	case op == "not":
		truth, err := v.Truth()
		return BoolValue(!truth), err
	case v.Kind == Float && op != "~":
		if op == "-" {
			v = FloatValue(-v.Float())
		}
		return v, nil
	case v.Kind != Int:
		return Value{}, v.kindError(Int)
	case op == "-" && !v.large && v.n != math.MinInt64:
		return IntValue(-v.n), nil
	case op == "-":
		return fromBig(new(big.Int).Neg(v.big()))
	case op == "~" && !v.large:
		return IntValue(^v.n), nil
	case op == "~":
		return fromBig(new(big.Int).Not(v.big()))
	}
	return v, nil
}

// operator is a binary operator; for `and` and `or` it has only the precedence. Others compare, or compute with
// numbers: onInts with whole ones whose result has 64 bits, onBigInts with any whole ones, onFloats with others.
// Division and remainder round towards the smaller number.
type operator struct {
	// An operator of a higher precedence binds stronger: as in the language's own compiler, operators of bits bind
	// stronger than comparisons.
	precedence int
	byOrder    func(order int) bool // the result of a comparison by order
	byEquality func(same bool) bool // the result of a comparison by equality
	shifts     bool                 // the second operand is a number of bits
	divides    bool                 // the second operand must not be 0
	onInts     func(a, b int64) int64
	onBigInts  func(z, a, b *big.Int) *big.Int
	onFloats   func(a, b float64) float64 // may be nil
	onTexts    func(a, b string) string   // may be nil
}

// operators are the binary operators by their signs.
var operators = map[string]*operator{
	"or":  {precedence: 2},
	"and": {precedence: 3},
	"==":  {precedence: 5, byEquality: func(same bool) bool { return same }},
	"!=":  {precedence: 5, byEquality: func(same bool) bool { return !same }},
	"<":   {precedence: 5, byOrder: func(order int) bool { return order < 0 }},
	"<=":  {precedence: 5, byOrder: func(order int) bool { return order <= 0 }},
	">":   {precedence: 5, byOrder: func(order int) bool { return order > 0 }},
	">=":  {precedence: 5, byOrder: func(order int) bool { return order >= 0 }},
	"|":   {precedence: 6, onInts: func(a, b int64) int64 { return a | b }, onBigInts: (*big.Int).Or},
	"^":   {precedence: 7, onInts: func(a, b int64) int64 { return a ^ b }, onBigInts: (*big.Int).Xor},
	"&":   {precedence: 8, onInts: func(a, b int64) int64 { return a & b }, onBigInts: (*big.Int).And},
	"<<": {precedence: 9, shifts: true, onInts: func(a, b int64) int64 { return a << b },
		onBigInts: func(z, a, b *big.Int) *big.Int { return z.Lsh(a, uint(b.Uint64())) }},
	">>": {precedence: 9, shifts: true, onInts: func(a, b int64) int64 { return a >> b },
		onBigInts: func(z, a, b *big.Int) *big.Int { return z.Rsh(a, uint(b.Uint64())) }},
	"+": {precedence: 10, onInts: func(a, b int64) int64 { return a + b }, onBigInts: (*big.Int).Add,
		onFloats: func(a, b float64) float64 { return a + b }, onTexts: func(a, b string) string { return a + b }},
	"-": {precedence: 10, onInts: func(a, b int64) int64 { return a - b }, onBigInts: (*big.Int).Sub,
		onFloats: func(a, b float64) float64 { return a - b }},
	"*": {precedence: 11, onInts: func(a, b int64) int64 { return a * b }, onBigInts: (*big.Int).Mul,
		onFloats: func(a, b float64) float64 { return a * b }},
	"/": {precedence: 11, divides: true, onInts: floor, onBigInts: bigFloor,
		onFloats: func(a, b float64) float64 { return a / b }},
	"%": {precedence: 11, divides: true, onInts: func(a, b int64) int64 { return a - floor(a, b)*b }, onBigInts: bigRest,
		onFloats: func(a, b float64) float64 { return a - b*math.Floor(a/b) }},
}

// operate applies the operator. sign is its text, for errors.
func (o *operator) operate(sign string, a, b Value) (Value, error) {
	switch isAbsent := a.Kind == None || b.Kind == None; {
	case isAbsent && o.byOrder != nil:
		return BoolValue(false), nil // as undefined in the programs that the language's compiler makes
	case isAbsent && o.onBigInts != nil && o.onFloats == nil:
		return o.operate(sign, orZero(a), orZero(b)) // operators of bits take it as 0
	case isAbsent && o.onFloats != nil && (isNumber(a) || isNumber(b)):
		return FloatValue(math.NaN()), nil
	case o.byOrder != nil:
		order, ordered, err := compare(a, b)
		return BoolValue(ordered && o.byOrder(order)), err
	case o.byEquality != nil:
		same, err := Equal(a, b)
		return BoolValue(o.byEquality(same)), err
	case o.onTexts != nil && a.Kind == Text && b.Kind == Text:
		if len(a.s)+len(b.s) > maxText {
			return Value{}, fmt.Errorf("the text would have %d bytes; at most %d are allowed", len(a.s)+len(b.s), maxText)
		}
		return TextValue(o.onTexts(a.s, b.s)), nil
	case a.Kind == Int && b.Kind == Int:
		return o.compute(a, b)
	case !isNumber(a) || !isNumber(b):
		return Value{}, fmt.Errorf("%q cannot be applied to %v and %v", sign, a.Kind, b.Kind)
	case o.onFloats == nil:
		return Value{}, fmt.Errorf("%q needs whole numbers", sign)
	}
	return FloatValue(o.onFloats(a.Float(), b.Float())), nil
}

func orZero(v Value) Value {
	if v.Kind == None {
		return IntValue(0)
	}
	return v
}

// resultSize returns the number of bytes that the result holds.
func (o *operator) resultSize(a, b Value) int64 {
	if o.onTexts != nil && a.Kind == Text && b.Kind == Text {
		return int64(len(a.s) + len(b.s))
	}
	return 0
}

func (o *operator) compute(a, b Value) (Value, error) {
	switch {
	case o.divides && b.n == 0:
		return Value{}, errDivision
	case o.shifts && (b.large || b.n < 0):
		return Value{}, fmt.Errorf("invalid shift by %v bits", b)
	case o.shifts:
		b.n = min(b.n, 128)
	}
	const half = 1 << 31
	if !a.large && a.n > -half && a.n < half && !b.large && b.n > -half && b.n < half && (!o.shifts || b.n < 32) {
		return IntValue(o.onInts(a.n, b.n)), nil
	}
	return fromBig(o.onBigInts(new(big.Int), a.big(), b.big()))
}

func isNumber(v Value) bool { return v.Kind == Int || v.Kind == Float }

func floor(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func bigFloor(z, a, b *big.Int) *big.Int {
	_, rest := z.QuoRem(a, b, new(big.Int))
	if rest.Sign() != 0 && a.Sign() != b.Sign() {
		z.Sub(z, big.NewInt(1))
	}
	return z
}

func bigRest(z, a, b *big.Int) *big.Int { return z.Sub(a, z.Mul(bigFloor(z, a, b), b)) }

// Equal reports whether two values are equal: values of one kind, numbers of both kinds, and bytes and lists of
// numbers. An error means that values of their kinds cannot be compared.
func Equal(a, b Value) (bool, error) {
	switch {
	case a.Kind == None || b.Kind == None:
		return a.Kind == b.Kind, nil
	case a.Kind == b.Kind && (a.Kind == Object || a.Kind == Stream):
		return a.ref == b.ref, nil
	case a.Kind == Bool && b.Kind == Bool:
		return a.n == b.n, nil
	case isList(a) && isList(b):
		return equalLists(a, b)
	}
	order, ordered, err := compare(a, b)
	return ordered && order == 0, err
}

func isList(v Value) bool { return v.Kind == List || v.Kind == Bytes }

func equalLists(a, b Value) (bool, error) {
	if a.Kind == Bytes && b.Kind == Bytes {
		return bytes.Equal(a.Bytes(), b.Bytes()), nil
	}
	n, _ := lengthOf(a)
	if m, _ := lengthOf(b); m != n {
		return false, nil
	}
	for i := range n {
		x, err := elementOf(a, i)
		if err != nil {
			return false, err
		}
		y, err := elementOf(b, i)
		if err != nil {
			return false, err
		}
		if isList(x) || isList(y) {
			return false, errors.New("lists of lists cannot be compared")
		}
		if same, err := Equal(x, y); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// AtMost reports whether a is less than b or equal to it, as the operator <= does. An error means that values of their
// kinds have no order.
func AtMost(a, b Value) (bool, error) {
	order, ordered, err := compare(a, b)
	return ordered && order <= 0, err
}

// compare orders two numbers, two texts by their code points, or two blocks of bytes; an error for other values. NaN
// has no order with any number, not with itself either.
func compare(a, b Value) (order int, ordered bool, err error) {
	switch {
	case a.Kind == Int && b.Kind == Int && !a.large && !b.large:
		return cmp.Compare(a.n, b.n), true, nil
	case a.Kind == Int && b.Kind == Int:
		return a.big().Cmp(b.big()), true, nil
	case isNumber(a) && isNumber(b):
		x, y := a.Float(), b.Float()
		return cmp.Compare(x, y), !math.IsNaN(x) && !math.IsNaN(y), nil
	case a.Kind == Text && b.Kind == Text:
		return strings.Compare(a.s, b.s), true, nil
	case a.Kind == Bytes && b.Kind == Bytes:
		return bytes.Compare(a.Bytes(), b.Bytes()), true, nil
	}
	return 0, false, fmt.Errorf("%v cannot be compared with %v", a.Kind, b.Kind)
}

// listToBytes converts a list of numbers from 0 to 255 to bytes.
func listToBytes(l Elements) ([]byte, error) {
	b := make([]byte, l.Len())
	for i := range b {
		v, err := l.At(i)
		if err != nil {
			return nil, err
		}
		n, err := v.Int()
		if err != nil || n < 0 || n > 255 {
			return nil, fmt.Errorf("element %d is not a number from 0 to 255", i)
		}
		b[i] = byte(n)
	}
	return b, nil
}

// numbers are bytes as a list of numbers.
type numbers []byte

func (n numbers) Len() int { return len(n) }

// At returns the i-th byte.
func (n numbers) At(i int) (Value, error) { return IntValue(int64(n[i])), nil }
